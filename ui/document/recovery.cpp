// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/recovery.h"

#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLockFile>
#include <QSaveFile>
#include <QStandardPaths>
#include <QUuid>
#include <algorithm>

namespace trainwright::ui {

namespace {

QString folder() {
    return QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) +
           QStringLiteral("/recovery");
}

QString fileOf(const QString& id, const QString& ending) {
    return folder() + QLatin1Char('/') + id + ending;
}

const QString kCopy = QStringLiteral(".json");
const QString kLock = QStringLiteral(".lock");

QString text(const std::string& bytes) {
    // Bytes that are no UTF-8 come back as they were only from Base64.
    return QString::fromLatin1(QByteArray::fromStdString(bytes).toBase64());
}

std::string bytes(const QJsonValue& value) {
    return QByteArray::fromBase64(value.toString().toLatin1()).toStdString();
}

/// A lock that stays as long as its program lives, however long that is.
std::unique_ptr<QLockFile> lockOf(const QString& id) {
    auto lock = std::make_unique<QLockFile>(fileOf(id, kLock));
    lock->setStaleLockTime(0);
    return lock;
}

}  // namespace

RecoveryFile::RecoveryFile() = default;
RecoveryFile::~RecoveryFile() = default;

bool RecoveryFile::lock() {
    if (lock_) return true;
    auto lock = lockOf(id_);
    if (!lock->tryLock(0)) return false;
    lock_ = std::move(lock);
    return true;
}

Text RecoveryFile::write(const RecoveryCopy& copy) {
    if (id_.isEmpty()) id_ = QUuid::createUuid().toString(QUuid::WithoutBraces);
    const Text no{
        "No recovery copy can be written to {1}; unsaved edits live in this window alone.",
        {folder().toStdString()}};
    if (!QDir().mkpath(folder()) || !lock()) return no;
    const QJsonObject object{{QStringLiteral("path"), copy.path},
                             {QStringLiteral("title"), copy.title},
                             {QStringLiteral("written"), copy.written.toString(Qt::ISODate)},
                             {QStringLiteral("edits"), copy.edits},
                             {QStringLiteral("saved"), text(copy.savedText)},
                             {QStringLiteral("text"), text(copy.text)}};
    QSaveFile file(fileOf(id_, kCopy));
    if (!file.open(QIODevice::WriteOnly)) return no;
    file.write(QJsonDocument(object).toJson(QJsonDocument::Compact));
    return file.commit() ? Text{} : no;
}

void RecoveryFile::remove() {
    if (id_.isEmpty()) return;
    QFile::remove(fileOf(id_, kCopy));
    lock_.reset();
    id_.clear();
}

bool RecoveryFile::adopt(const QString& id) {
    const QString before = std::exchange(id_, id);
    lock_.reset();
    if (lock()) return true;
    id_ = before;
    return false;
}

std::vector<RecoveryCopy> recoveryCopies() {
    std::vector<RecoveryCopy> out;
    const QDir dir(folder());
    for (const QString& name : dir.entryList({QStringLiteral("*") + kCopy}, QDir::Files)) {
        const QString id = name.chopped(kCopy.size());
        // Held by a program that lives: not a crash.
        if (!lockOf(id)->tryLock(0)) continue;
        QFile file(dir.filePath(name));
        if (!file.open(QIODevice::ReadOnly)) continue;
        const QJsonObject object = QJsonDocument::fromJson(file.readAll()).object();
        if (!object.contains(QStringLiteral("text"))) continue;
        RecoveryCopy copy;
        copy.id = id;
        copy.path = object[QStringLiteral("path")].toString();
        copy.title = object[QStringLiteral("title")].toString();
        copy.written =
            QDateTime::fromString(object[QStringLiteral("written")].toString(), Qt::ISODate);
        copy.edits = object[QStringLiteral("edits")].toInt();
        copy.savedText = bytes(object[QStringLiteral("saved")]);
        copy.text = bytes(object[QStringLiteral("text")]);
        out.push_back(std::move(copy));
    }
    std::sort(out.begin(), out.end(), [](const RecoveryCopy& a, const RecoveryCopy& b) {
        return a.written != b.written ? a.written > b.written : a.id < b.id;
    });
    return out;
}

void discardRecoveryCopy(const QString& id) {
    const auto lock = lockOf(id);
    if (lock->tryLock(0)) QFile::remove(fileOf(id, kCopy));
}

}  // namespace trainwright::ui
