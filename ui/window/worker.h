// SPDX-License-Identifier: GPL-3.0-or-later
// A thread that does one job after another, away from the event loop, with a catalog of its own.
//
// Jobs have a key. Posting a job drops a waiting one of the same key and asks a running one to
// stop: only the newest answer of a kind is wanted. A job gives its result by deliver(), which runs
// a function on the thread of the worker's owner unless the job was replaced in the meantime. What
// a job throws becomes a failure that is told, not a crash. The destructor asks the running job to
// stop and waits for it.
#pragma once

#include <QObject>
#include <QString>

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "data/catalog/catalog.h"
#include "ui/window/desktop.h"

namespace trainwright::ui {

class Worker : public QObject {
    Q_OBJECT

public:
    class Context;
    using Job = std::function<void(Context&)>;

    explicit Worker(CatalogOpener opener, QObject* parent = nullptr);
    ~Worker() override;

    /// From the owner's thread.
    void post(const QString& key, Job job);
    /// Drops the waiting job of `key` and asks the running one to stop; what it still delivers is
    /// dropped, unless `keepFinished`: then it may deliver what it has.
    void cancel(const QString& key, bool keepFinished = false);
    /// The catalog is opened anew before the next job: prices were imported or forgotten.
    void reopenCatalog();
    [[nodiscard]] bool isBusy() const;

signals:
    /// On the owner's thread. `done` in [0, 1].
    void advanced(const QString& key, double done);
    void started(const QString& key);
    void finished(const QString& key);
    /// What went wrong in a job, in words: a catalog that can't be opened, a damaged database.
    void failed(const QString& key, const QString& why);

private:
    struct Ticket {
        QString key;
        std::atomic<bool> stop{false};   ///< asked to stop
        std::atomic<bool> stale{false};  ///< nobody wants what it finds
        std::atomic<int> permille{-1};   ///< told last
    };
    struct Task {
        std::shared_ptr<Ticket> ticket;
        Job job;
    };
    void run(const std::stop_token& stop);
    void deliver(const std::shared_ptr<Ticket>& ticket, std::function<void()> function);

    CatalogOpener opener_;
    std::optional<catalog::Catalog> catalog_;  ///< of the thread
    mutable std::mutex mutex_;
    std::condition_variable_any wake_;
    std::deque<Task> waiting_;
    std::shared_ptr<Ticket> running_;
    bool reopen_ = false;
    std::jthread thread_;

    friend class Context;
};

/// What a job may use; lives as long as the job runs.
class Worker::Context {
public:
    [[nodiscard]] const catalog::Catalog& catalog() const { return *worker_.catalog_; }
    /// May be asked from any thread.
    [[nodiscard]] bool isCancelled() const { return ticket_->stop.load(); }
    /// May be told from any thread.
    void advanced(double share);
    /// Runs `function` on the owner's thread; not at all if the job was replaced by then.
    void deliver(std::function<void()> function) { worker_.deliver(ticket_, std::move(function)); }

private:
    friend class Worker;
    Context(Worker& worker, std::shared_ptr<Ticket> ticket)
        : worker_(worker), ticket_(std::move(ticket)) {}
    Worker& worker_;
    std::shared_ptr<Ticket> ticket_;
};

}  // namespace trainwright::ui
