// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/planner.h"

#include <algorithm>
#include <chrono>
#include <thread>

namespace trainwright::ui {
namespace {

constexpr int kTypedMilliseconds = 150;
constexpr int kDraggedMilliseconds = 30;

const QString& planKey() {
    static const QString key = QStringLiteral("plan");
    return key;
}

units::Seconds now() {
    return units::Seconds(
        std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count());
}

}  // namespace

const search::CandidateResult* Planned::candidate(const std::string& name) const {
    for (const search::CandidateResult& each : result.candidates)
        if (each.name == name) return &each;
    return nullptr;
}

const search::CandidateRequest* Planned::requestOf(const std::string& name) const {
    for (const search::CandidateRequest& each : request().candidates)
        if (each.name == name) return &each;
    return nullptr;
}

long Planned::layouts() const {
    long sum = 0;
    for (const search::CandidateResult& each : result.candidates)
        sum += each.search.layoutsEvaluated + each.search.layoutsPruned;
    return sum;
}

Planner::Planner(CatalogOpener opener, ContextMaker contextOf, QObject* parent)
    : QObject(parent), worker_(std::move(opener)), contextOf_(std::move(contextOf)) {
    timer_.setSingleShot(true);
    connect(&timer_, &QTimer::timeout, this, &Planner::start);
    connect(&worker_, &Worker::advanced, this,
            [this](const QString&, double share) { emit advanced(share); });
    connect(&worker_, &Worker::finished, this, [this] { setPlanning(false); });
    connect(&worker_, &Worker::failed, this,
            [this](const QString&, const QString& why) { emit failed(why); });
}

int Planner::threads() {
    const unsigned cores = std::thread::hardware_concurrency();
    return cores > 1 ? static_cast<int>(cores) - 1 : 1;
}

bool Planner::isStale() const {
    return planned_ && (!hasText_ || planned_->checked->generation != generation_);
}

bool Planner::isSettled() const {
    if (!hasText_) return true;
    return !isPlanning_ && checked_ && checked_->generation == generation_ &&
           (!checked_->loaded || !isStale());
}

void Planner::setText(const std::string& text, const std::string& shown, Pace pace) {
    if (hasText_ && text == text_ && shown == shown_) return;
    text_ = text;
    shown_ = shown;
    hasText_ = true;
    ++generation_;
    worker_.cancel(planKey());
    emit staleChanged();
    switch (pace) {
        case Pace::Typed:
            timer_.start(kTypedMilliseconds);
            break;
        case Pace::Stepped:
            timer_.start(0);
            break;
        case Pace::Dragged:
            if (!timer_.isActive()) timer_.start(kDraggedMilliseconds);
            break;
    }
}

void Planner::clear() {
    hasText_ = false;
    text_.clear();
    ++generation_;
    timer_.stop();
    worker_.cancel(planKey());
    setPlanning(false);
    checked_.reset();
    planned_.reset();
    emit checkedChanged();
    emit plannedChanged();
}

void Planner::replan() {
    if (!hasText_) return;
    ++generation_;
    emit staleChanged();
    start();
}

void Planner::catalogChanged() {
    worker_.reopenCatalog();
    replan();
}

void Planner::stop() {
    worker_.cancel(planKey(), true);
}

void Planner::setPlanning(bool planning) {
    if (planning == isPlanning_) return;
    isPlanning_ = planning;
    emit planningChanged(planning);
}

void Planner::start() {
    timer_.stop();
    setPlanning(true);
    worker_.post(planKey(), [this, text = text_, shown = shown_, generation = generation_,
                             contextOf = contextOf_](Worker::Context& job) {
        auto checked = std::make_shared<Checked>();
        checked->generation = generation;
        checked->text = text;
        Outcome<scenario::Loaded> loaded = scenario::load(text, shown, job.catalog());
        checked->findings = loaded.findings();
        if (loaded)
            checked->loaded = std::make_shared<const scenario::Loaded>(std::move(loaded).value());
        job.deliver([this, checked] {
            checked_ = checked;
            emit checkedChanged();
        });
        if (!checked->loaded) return;

        auto planned = std::make_shared<Planned>();
        planned->checked = checked;
        planned->context = contextOf(checked->loaded->scenario, text, shown, job.catalog());
        planned->newestPrice = job.catalog().newestPriceDate();
        if (const auto& calibration = job.catalog().calibration())
            planned->calibration = calibration->date;
        const units::Seconds began = now();
        search::SearchOptions options;
        options.clock = now;
        planned->result = search::plan(
            planned->request(), threads(),
            [&job](double share) {
                job.advanced(share);
                return !job.isCancelled();
            },
            options);
        planned->isPartial = job.isCancelled();
        planned->seconds = (now() - began).value();
        planned->at = QTime::currentTime();
        job.deliver([this, planned] {
            planned_ = planned;
            emit plannedChanged();
        });
    });
}

}  // namespace trainwright::ui
