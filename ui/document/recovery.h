// SPDX-License-Identifier: GPL-3.0-or-later
// Copies of unsaved documents in the user's data folder, for after a crash.
//
// A copy is one file beside a lock that its program holds while it lives; copies() lists those
// whose program is gone. Invariant: a copy is written whole or not at all, and never into the
// document's own folder. A home that can't be written to has no copies, which is said once and
// stops nobody.
#pragma once

#include <QDateTime>
#include <QString>
#include <memory>
#include <string>
#include <vector>

#include "model/units/outcome.h"

class QLockFile;

namespace trainwright::ui {

/// What a crash has left.
struct RecoveryCopy {
    QString id;
    QString path;   ///< of the document's file; empty: untitled
    QString title;  ///< of an untitled one
    QDateTime written;
    int edits = 0;
    std::string savedText;  ///< the file as the document had last seen it
    std::string text;
};

/// The copy of one document of this process. Made at the first write.
class RecoveryFile {
public:
    RecoveryFile();
    ~RecoveryFile();  ///< leaves the copy, if remove() wasn't called
    RecoveryFile(const RecoveryFile&) = delete;
    RecoveryFile& operator=(const RecoveryFile&) = delete;

    /// Why it couldn't be written; empty when it was.
    [[nodiscard]] Text write(const RecoveryCopy& copy);
    void remove();
    /// Becomes the owner of a copy that a crash has left. False: another program has it.
    [[nodiscard]] bool adopt(const QString& id);

private:
    [[nodiscard]] bool lock();
    QString id_;
    std::unique_ptr<QLockFile> lock_;
};

/// Copies of programs that are gone, newest first.
[[nodiscard]] std::vector<RecoveryCopy> recoveryCopies();
/// Deletes a copy that nobody wants.
void discardRecoveryCopy(const QString& id);

}  // namespace trainwright::ui
