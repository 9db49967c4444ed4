// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/worker.h"

#include <algorithm>
#include <exception>

namespace trainwright::ui {

Worker::Worker(CatalogOpener opener, QObject* parent)
    : QObject(parent),
      opener_(std::move(opener)),
      thread_([this](const std::stop_token& stop) { run(stop); }) {}

Worker::~Worker() {
    {
        const std::scoped_lock lock(mutex_);
        waiting_.clear();
        if (running_) {
            running_->stop = true;
            running_->stale = true;
        }
    }
    thread_.request_stop();
    wake_.notify_all();
}

void Worker::post(const QString& key, Job job) {
    auto ticket = std::make_shared<Ticket>();
    ticket->key = key;
    {
        const std::scoped_lock lock(mutex_);
        std::erase_if(waiting_, [&](const Task& task) { return task.ticket->key == key; });
        if (running_ && running_->key == key) {
            running_->stop = true;
            running_->stale = true;
        }
        waiting_.push_back({std::move(ticket), std::move(job)});
    }
    wake_.notify_all();
}

void Worker::cancel(const QString& key, bool keepFinished) {
    const std::scoped_lock lock(mutex_);
    std::erase_if(waiting_, [&](const Task& task) { return task.ticket->key == key; });
    if (running_ && running_->key == key) {
        running_->stop = true;
        if (!keepFinished) running_->stale = true;
    }
}

void Worker::reopenCatalog() {
    const std::scoped_lock lock(mutex_);
    reopen_ = true;
}

bool Worker::isBusy() const {
    const std::scoped_lock lock(mutex_);
    return running_ != nullptr || !waiting_.empty();
}

void Worker::deliver(const std::shared_ptr<Ticket>& ticket, std::function<void()> function) {
    QMetaObject::invokeMethod(
        this,
        [ticket, function = std::move(function)] {
            if (!ticket->stale.load()) function();
        },
        Qt::QueuedConnection);
}

void Worker::Context::advanced(double share) {
    // The event loop is told in steps that can be seen, not at each of the engine's.
    const int permille = static_cast<int>(std::clamp(share, 0.0, 1.0) * 1000);
    int told = ticket_->permille.load();
    while (permille > told + 9 || (permille >= 1000 && told < 1000)) {
        if (ticket_->permille.compare_exchange_weak(told, permille)) {
            Worker* worker = &worker_;
            deliver([worker, key = ticket_->key, permille] {
                emit worker->advanced(key, permille / 1000.0);
            });
            return;
        }
    }
}

void Worker::run(const std::stop_token& stop) {
    while (true) {
        Task task;
        bool reopen = false;
        {
            std::unique_lock lock(mutex_);
            if (!wake_.wait(lock, stop, [this] { return !waiting_.empty(); })) return;
            task = std::move(waiting_.front());
            waiting_.pop_front();
            running_ = task.ticket;
            reopen = std::exchange(reopen_, false);
        }
        const QString key = task.ticket->key;
        deliver(task.ticket, [this, key] { emit started(key); });
        QString problem;
        try {
            if (reopen) catalog_.reset();
            if (!catalog_) {
                Outcome<catalog::Catalog> opened = opener_();
                if (opened)
                    catalog_.emplace(std::move(opened).value());
                else
                    problem = QString::fromStdString(opened.findings().front().english());
            }
            if (catalog_) {
                Context context(*this, task.ticket);
                task.job(context);
            }
        } catch (const std::exception& error) {
            problem = QString::fromUtf8(error.what());
        }
        // What the job holds is let go of here, not while the owner waits.
        task.job = nullptr;
        if (!problem.isEmpty())
            deliver(task.ticket, [this, key, problem] { emit failed(key, problem); });
        deliver(task.ticket, [this, key] { emit finished(key); });
        const std::scoped_lock lock(mutex_);
        running_.reset();
    }
}

}  // namespace trainwright::ui
