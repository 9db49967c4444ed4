// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/sweep/ordered_rows.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace trainwright::app {
namespace {

constexpr std::chrono::milliseconds kBetweenQuestions{50};

class Workshop {
public:
    explicit Workshop(const OrderedRows& job)
        : job_(job), ring_(static_cast<std::size_t>(std::min(job.count, OrderedRows::kWindow))) {}

    long run() {
        {
            std::vector<std::jthread> workers;
            for (int i = 0; i < job_.threads; ++i) {
                workers.emplace_back([this, i] { work(i); });
            }
            while (!isOver()) {
                takeWhatIsReady();
            }
        }
        takeWhatIsReady();
        if (failure_) {
            std::rethrow_exception(failure_);
        }
        return taken_;
    }

private:
    std::optional<std::string>& slot(long row) {
        return ring_[static_cast<std::size_t>(row) % ring_.size()];
    }

    void work(int worker) {
        std::unique_lock lock(mutex_);
        while (true) {
            roomForMore_.wait(lock, [this] {
                return isStopped_ || next_ >= job_.count ||
                       next_ - taken_ < static_cast<long>(ring_.size());
            });
            if (isStopped_ || next_ >= job_.count) {
                return;
            }
            const long row = next_++;
            lock.unlock();
            std::optional<std::string> text;
            std::exception_ptr failure;
            try {
                text = job_.make(worker, row);
            } catch (...) {
                failure = std::current_exception();
            }
            lock.lock();
            if (!text) {
                isStopped_ = true;
                if (failure && !failure_) {
                    failure_ = failure;
                }
                roomForMore_.notify_all();
                ready_.notify_one();
                return;
            }
            slot(row) = std::move(text);
            if (row == taken_) {
                ready_.notify_one();
            }
        }
    }

    /// Nothing more is coming, or nothing more is wanted.
    bool isOver() {
        std::unique_lock lock(mutex_);
        ready_.wait_for(lock, kBetweenQuestions, [this] {
            return isStopped_ || taken_ >= job_.count || slot(taken_).has_value();
        });
        if (!isStopped_ && job_.isStopped()) {
            isStopped_ = true;
        }
        if (isStopped_) {
            roomForMore_.notify_all();
        }
        return isStopped_ || taken_ >= job_.count;
    }

    void takeWhatIsReady() {
        std::string rows;
        std::unique_lock lock(mutex_);
        if (isRefused_) {
            return;
        }
        const long before = taken_;
        while (taken_ < job_.count && slot(taken_)) {
            rows += *slot(taken_);
            slot(taken_).reset();
            ++taken_;
        }
        if (taken_ == before) {
            return;
        }
        roomForMore_.notify_all();
        const long taken = taken_;
        lock.unlock();
        const bool goesOn = job_.take(rows, taken);
        lock.lock();
        if (!goesOn) {
            isStopped_ = isRefused_ = true;
            roomForMore_.notify_all();
        }
    }

    const OrderedRows& job_;
    std::mutex mutex_;
    std::condition_variable ready_, roomForMore_;
    std::vector<std::optional<std::string>> ring_;
    long next_ = 0;
    long taken_ = 0;
    bool isStopped_ = false;
    bool isRefused_ = false;  ///< by take
    std::exception_ptr failure_;
};

}  // namespace

long OrderedRows::run() const {
    return count > 0 ? Workshop(*this).run() : 0;
}

}  // namespace trainwright::app
