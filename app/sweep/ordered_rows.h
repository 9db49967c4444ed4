// SPDX-License-Identifier: GPL-3.0-or-later
// Rows made on many threads and handed over in their order, however long each takes.
//
// At most kWindow rows are in the making or wait for an earlier one while as many are taken, so
// that the memory doesn't grow with their number. Stopping keeps every row before the first one
// that is missing.
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace trainwright::app {

struct OrderedRows {
    static constexpr long kWindow = 4096;

    long count = 0;
    int threads = 1;
    /// Makes a row, on the `worker`-th thread (from 0); nullopt: it was stopped in the middle.
    std::function<std::optional<std::string>(int worker, long row)> make;
    /// Takes the next rows, all of them whole; false stops.
    std::function<bool(const std::string& rows, long taken)> take;
    /// Asked some twenty times a second; true stops.
    std::function<bool()> isStopped;

    /// Runs until all rows are taken or it is stopped; returns how many were taken. What `make`
    /// throws is thrown here once the threads have ended.
    [[nodiscard]] long run() const;
};

}  // namespace trainwright::app
