// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps the plan of the current text up to date, in the background.
//
// setText() starts a wait of a moment, so that typing doesn't start a search at each letter; then
// the text is checked, and if it has no errors planned, on a worker's thread. Each text has a
// generation; only the newest one's answers are told. The engine gets all cores but one, which is
// the interface's.
#pragma once

#include <QObject>
#include <QTimer>

#include <memory>
#include <string>

#include "ui/window/desktop.h"
#include "ui/window/planned.h"
#include "ui/window/worker.h"

namespace trainwright::ui {

class Planner : public QObject {
    Q_OBJECT

public:
    /// How soon an edit is acted upon: of what is typed, of a step or a choice, of a drag.
    enum class Pace { Typed, Stepped, Dragged };

    Planner(CatalogOpener opener, ContextMaker contextOf, QObject* parent = nullptr);

    void setText(const std::string& text, const std::string& shown, Pace pace = Pace::Typed);
    /// Forgets the text: no scenario is open.
    void clear();
    /// Plans the same text again: prices moved.
    void replan();
    void catalogChanged();
    /// Stops the search; what is finished is shown, marked partial.
    void stop();

    /// nullptr before the first.
    [[nodiscard]] std::shared_ptr<const Checked> checked() const { return checked_; }
    /// Of the newest text that could be planned; nullptr before the first.
    [[nodiscard]] std::shared_ptr<const Planned> planned() const { return planned_; }
    /// Whether planned() is of another text than the newest.
    [[nodiscard]] bool isStale() const;
    [[nodiscard]] bool isPlanning() const { return isPlanning_; }
    /// Whether everything is known that the newest text asks for: its findings, and its plan if it
    /// has no errors.
    [[nodiscard]] bool isSettled() const;
    /// Threads of the engine.
    [[nodiscard]] static int threads();

signals:
    void staleChanged();
    void checkedChanged();
    void plannedChanged();
    void planningChanged(bool planning);
    void advanced(double share);
    void failed(const QString& why);

private:
    void start();
    void setPlanning(bool planning);

    Worker worker_;
    ContextMaker contextOf_;
    QTimer timer_;
    std::string text_, shown_;
    std::uint64_t generation_ = 0;
    bool hasText_ = false;
    bool isPlanning_ = false;
    std::shared_ptr<const Checked> checked_;
    std::shared_ptr<const Planned> planned_;
};

}  // namespace trainwright::ui
