// SPDX-License-Identifier: GPL-3.0-or-later
// A scenario file from opening to saving, with other programs at the same file and a crash.
#include "ui/document/scenario_document.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSettings>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include "ui/document/recent_files.h"
#include "ui/document/recovery.h"

namespace trainwright::ui {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const std::string kText =
    "version: 1   # of the format\r\n"
    "title: 'Two of them'\n"
    "model: llama3.1-8b\n"
    "\n"
    "training:\n"
    "  start: 2027-01-04\n"
    "  tokens: 1T      # enough\n"
    "  sequence_length: 8192\n"
    "  global_batch: 512 sequences\n"
    "candidates:\n"
    "  - name: trn2\n"
    "    system: trn2.48xlarge\n"
    "    accelerators: 512\n"
    "    region: us-east-2\n"
    "  - {name: h100, system: p5.48xlarge, accelerators: 512, region: us-east-1}";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
}

class Document : public ::testing::Test {
protected:
    Document() {
        QSettings().clear();
        QDir(QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) +
             QStringLiteral("/recovery"))
            .removeRecursively();
    }

    QString path(const char* name = "a.yaml") const { return dir_.filePath(QLatin1String(name)); }

    /// Written as an editor may: a file beside it that then takes its name.
    void writeBeside(const std::string& text, const char* name = "a.yaml") const {
        write(text, "beside.tmp");
        ASSERT_EQ(rename(qPrintable(path("beside.tmp")), qPrintable(path(name))), 0);
    }
    void write(const std::string& text, const char* name = "a.yaml") const {
        QFile file(path(name));
        ASSERT_TRUE(file.open(QIODevice::WriteOnly));
        file.write(text.data(), static_cast<qint64>(text.size()));
    }
    std::string onDisk(const char* name = "a.yaml") const {
        QFile file(path(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : "(none)";
    }
    std::unique_ptr<ScenarioDocument> opened(const std::string& text = kText) const {
        write(text);
        auto document = std::make_unique<ScenarioDocument>();
        EXPECT_FALSE(document->open(path()));
        return document;
    }
    static QString undoText(ScenarioDocument& document) { return document.undoStack()->undoText(); }

    QTemporaryDir dir_;
};

TEST_F(Document, OpensWhatItSaves) {
    auto document = opened();
    EXPECT_EQ(document->text(), kText);
    EXPECT_EQ(document->name(), QStringLiteral("a.yaml"));
    EXPECT_FALSE(document->isModified());
    EXPECT_EQ(document->candidateNames(),
              QStringList({QStringLiteral("trn2"), QStringLiteral("h100")}));
    EXPECT_TRUE(document->save());
    EXPECT_EQ(onDisk(), kText);
}

TEST_F(Document, AMissingFileLeavesItAsItWas) {
    auto document = opened();
    const std::optional<Finding> finding = document->open(path("none.yaml"));
    ASSERT_TRUE(finding);
    EXPECT_THAT(finding->english(), HasSubstr("none.yaml"));
    EXPECT_EQ(document->path(), path());
    EXPECT_EQ(document->text(), kText);
}

TEST_F(Document, EditsAreNamedUndoneAndSavedByTheLine) {
    auto document = opened();
    QSignalSpy modified(document.get(), &ScenarioDocument::modifiedChanged);
    EXPECT_TRUE(document->set("training.tokens", "15T"));
    EXPECT_EQ(undoText(*document), QStringLiteral("Set tokens to 15T"));
    EXPECT_TRUE(document->set("candidates[1].parallelism.tensor", "8"));
    EXPECT_THAT(undoText(*document).toStdString(), HasSubstr("h100"));
    EXPECT_THAT(undoText(*document).toStdString(), HasSubstr("8"));
    EXPECT_FALSE(document->set("training.tokens", "15T")) << "nothing to change";
    EXPECT_EQ(document->editsSinceSave(), 2);
    EXPECT_TRUE(document->save());
    const std::string after =
        replaced(replaced(kText, "1T      # enough", "15T     # enough"), "region: us-east-1}",
                 "region: us-east-1, parallelism: {tensor: 8}}");
    EXPECT_EQ(onDisk(), after);
    EXPECT_FALSE(document->isModified());
    document->undoStack()->undo();
    EXPECT_TRUE(document->isModified());
    document->undoStack()->undo();
    EXPECT_EQ(document->text(), kText);
    document->undoStack()->redo();
    document->undoStack()->redo();
    EXPECT_EQ(document->text(), after);
    EXPECT_FALSE(document->isModified());
    EXPECT_EQ(modified.count(), 4);
}

TEST_F(Document, EveryKindOfEditCanBeUndone) {
    auto document = opened();
    layout::LayoutChoice choice;
    choice.tensor = 8;
    choice.pipeline = 2;
    EXPECT_TRUE(document->reset("title"));
    EXPECT_EQ(undoText(*document), QStringLiteral("Reset title"));
    EXPECT_TRUE(document->setYaml("candidates[0].parallelism", "{tensor: 16}"));
    EXPECT_TRUE(document->addCandidate({{"name", "c"},
                                        {"system", "p5.48xlarge"},
                                        {"accelerators", "8"},
                                        {"region", "us-east-1"}}));
    EXPECT_EQ(undoText(*document), QStringLiteral("Add c"));
    EXPECT_TRUE(document->duplicateCandidate(QStringLiteral("trn2")));
    EXPECT_EQ(undoText(*document), QStringLiteral("Duplicate trn2"));
    EXPECT_EQ(document->candidateNames().join(QLatin1Char(' ')),
              QStringLiteral("trn2 trn2-2 h100 c"));
    EXPECT_TRUE(document->moveCandidate(3, 0));
    EXPECT_TRUE(document->removeCandidate(QStringLiteral("h100")));
    EXPECT_EQ(undoText(*document), QStringLiteral("Remove h100"));
    EXPECT_TRUE(document->setOverride("chip/trainium2/hbm_bytes", "90 GiB", "measured"));
    EXPECT_EQ(undoText(*document), QStringLiteral("Override hbm bytes of trainium2"));
    EXPECT_TRUE(document->removeOverride("chip/trainium2/hbm_bytes"));
    EXPECT_TRUE(document->pinLayout(QStringLiteral("trn2"), choice));
    EXPECT_EQ(undoText(*document), QStringLiteral("Pin layout t8 p2 of trn2"));
    EXPECT_TRUE(document->editText("version: 1\n", QStringLiteral("Edit the text")));
    while (document->undoStack()->canUndo()) document->undoStack()->undo();
    EXPECT_EQ(document->text(), kText);
    EXPECT_FALSE(document->isModified());
}

TEST_F(Document, WhatCannotBeEditedIsSaid) {
    auto document = opened();
    QSignalSpy refused(document.get(), &ScenarioDocument::refused);
    EXPECT_FALSE(document->set("candidates.name", "x"));
    EXPECT_EQ(refused.count(), 1);
    EXPECT_TRUE(document->removeCandidate(QStringLiteral("trn2")));
    EXPECT_FALSE(document->removeCandidate(QStringLiteral("h100"))) << "the last one";
    EXPECT_EQ(refused.count(), 2);
    EXPECT_EQ(document->undoStack()->count(), 1);
}

TEST_F(Document, ADragIsOneStepAndBackAtItsStartNone) {
    auto document = opened();
    document->beginGesture();
    for (const char* tokens : {"2T", "30T", "4T"})
        EXPECT_TRUE(document->set("training.tokens", tokens));
    document->endGesture();
    EXPECT_EQ(document->undoStack()->count(), 1);
    EXPECT_EQ(undoText(*document), QStringLiteral("Set tokens to 4T"));
    document->undoStack()->undo();
    EXPECT_EQ(document->text(), kText);

    document->beginGesture();
    for (const char* tokens : {"2T", "1000000T", "1T"}) document->set("training.tokens", tokens);
    document->endGesture();
    EXPECT_EQ(document->text(), kText);
    EXPECT_FALSE(document->isModified());
    EXPECT_FALSE(document->undoStack()->canUndo());

    // Two gestures are two steps, and so are two keys in one.
    document->beginGesture();
    document->set("training.tokens", "2T");
    document->endGesture();
    document->beginGesture();
    document->set("training.tokens", "3T");
    document->set("training.sequence_length", "4096");
    document->endGesture();
    EXPECT_EQ(document->undoStack()->count(), 3);
}

TEST_F(Document, SavesElsewhere) {
    auto document = opened();
    QSignalSpy moved(document.get(), &ScenarioDocument::pathChanged);
    document->set("title", "Other");
    EXPECT_TRUE(document->saveAs(path("b.yaml")));
    EXPECT_EQ(onDisk(), kText);
    EXPECT_EQ(onDisk("b.yaml"), replaced(kText, "'Two of them'", "'Other'"));
    EXPECT_EQ(document->path(), path("b.yaml"));
    EXPECT_EQ(moved.count(), 1);
    EXPECT_EQ(recentFiles(), QStringList({path("b.yaml"), path("a.yaml")}));
}

TEST_F(Document, AnUntitledOneNeedsAPath) {
    ScenarioDocument document;
    document.openText(kText, QStringLiteral("New scenario"), true);
    EXPECT_TRUE(document.isModified());
    EXPECT_EQ(document.name(), QStringLiteral("New scenario"));
    QSignalSpy needed(&document, &ScenarioDocument::pathNeeded);
    EXPECT_FALSE(document.save());
    EXPECT_EQ(needed.count(), 1);
    EXPECT_TRUE(document.saveAs(path("n.yaml")));
    EXPECT_FALSE(document.isModified());
    EXPECT_EQ(onDisk("n.yaml"), kText);
}

TEST_F(Document, RevertsAndReturns) {
    auto document = opened();
    document->set("training.tokens", "2T");
    EXPECT_TRUE(document->revert());
    EXPECT_EQ(document->text(), kText);
    EXPECT_FALSE(document->isModified());
    document->undoStack()->undo();
    EXPECT_EQ(document->value("training.tokens"), "2T");
    EXPECT_TRUE(document->isModified());
}

TEST_F(Document, AFolderThatIsGoneKeepsTheEdits) {
    auto document = opened();
    document->set("training.tokens", "2T");
    QSignalSpy failed(document.get(), &ScenarioDocument::saveFailed);
    EXPECT_FALSE(document->saveAs(path("none/b.yaml")));
    ASSERT_EQ(failed.count(), 1);
    EXPECT_TRUE(document->isModified());
    EXPECT_EQ(document->path(), path());
    EXPECT_EQ(document->value("training.tokens"), "2T");
}

TEST_F(Document, AFileThatIsReadOnlySaysSo) {
    if (geteuid() == 0) GTEST_SKIP() << "may write everything";
    auto document = opened();
    QFile::setPermissions(path(), QFileDevice::ReadOwner);
    EXPECT_THAT(document->notWritableReason().english(), HasSubstr("a.yaml"));
}

TEST_F(Document, ANewerVersionIsReadOnly) {
    auto document = opened("version: 7\nmodel: m\n");
    EXPECT_THAT(document->readOnlyReason().english(), HasSubstr("version 7"));
    QSignalSpy refused(document.get(), &ScenarioDocument::refused);
    EXPECT_FALSE(document->set("model", "x"));
    EXPECT_EQ(refused.count(), 1);
    EXPECT_FALSE(document->save());
    EXPECT_EQ(document->text(), "version: 7\nmodel: m\n");
}

TEST_F(Document, ABrokenFileIsTextWithFindings) {
    auto document = opened("model: {\ntraining: ]\n");
    EXPECT_EQ(document->tree(), nullptr);
    EXPECT_TRUE(hasErrors(document->findings()));
    EXPECT_FALSE(document->set("model", "x"));
    EXPECT_TRUE(document->editText("version: 1\nmodel: m\n", QStringLiteral("Mend")));
    ASSERT_NE(document->tree(), nullptr);
    EXPECT_EQ(document->value("model"), "m");
    document->undoStack()->undo();
    EXPECT_EQ(document->tree(), nullptr);
}

// ---- The disk ----

TEST_F(Document, AChangeOnDiskIsReadWhereNothingIsLost) {
    auto document = opened();
    QSignalSpy reloaded(document.get(), &ScenarioDocument::reloaded);
    write(replaced(kText, "1T ", "2T "));
    ASSERT_TRUE(QTest::qWaitFor([&] { return reloaded.count() > 0; }, 5000));
    EXPECT_EQ(document->value("training.tokens"), "2T");
    EXPECT_FALSE(document->isModified());
    EXPECT_THAT(reloaded[0][0].toString().toStdString(), HasSubstr("1T → 2T"));
    // Undo returns.
    document->undoStack()->undo();
    EXPECT_EQ(document->text(), kText);
    EXPECT_TRUE(document->isModified());
}

TEST_F(Document, AFileRenamedOverItIsSeenEachTime) {
    auto document = opened();
    QSignalSpy reloaded(document.get(), &ScenarioDocument::reloaded);
    for (const char* tokens : {"2T ", "3T ", "4T "}) {
        const int before = static_cast<int>(reloaded.count());
        writeBeside(replaced(kText, "1T ", tokens));
        ASSERT_TRUE(QTest::qWaitFor([&] { return reloaded.count() > before; }, 5000)) << tokens;
    }
    EXPECT_EQ(document->value("training.tokens"), "4T");
}

TEST_F(Document, OtherKeysAreMerged) {
    auto document = opened();
    document->set("training.sequence_length", "4096");
    QSignalSpy changed(document.get(), &ScenarioDocument::changedOnDisk);
    QSignalSpy decided(document.get(), &ScenarioDocument::diskDecided);
    writeBeside(replaced(kText, "1T  ", "2T  "));
    ASSERT_TRUE(QTest::qWaitFor([&] { return changed.count() > 0; }, 5000));
    EXPECT_THAT(changed[0][0].toString().toStdString(), HasSubstr("training.tokens"));
    EXPECT_TRUE(document->isChangedOnDisk());
    EXPECT_EQ(document->value("training.tokens"), "1T");
    EXPECT_FALSE(document->save()) << "nobody has decided";
    EXPECT_EQ(onDisk(), replaced(kText, "1T  ", "2T  "));
    EXPECT_TRUE(document->mergeDisk());
    EXPECT_EQ(decided.count(), 1);
    const std::string both = replaced(replaced(kText, "1T  ", "2T  "), "8192", "4096");
    EXPECT_EQ(document->text(), both);
    EXPECT_TRUE(document->isModified());
    EXPECT_TRUE(document->save());
    EXPECT_EQ(onDisk(), both);
}

TEST_F(Document, TheSameKeyIsNotMerged) {
    auto document = opened();
    document->set("training.tokens", "3T");
    writeBeside(replaced(kText, "1T  ", "2T  "));
    document->checkDisk();
    ASSERT_TRUE(document->isChangedOnDisk());
    const Outcome<std::string> merged = document->mergedText();
    ASSERT_FALSE(merged);
    EXPECT_THAT(merged.findings().front().english(), HasSubstr("training.tokens"));
    EXPECT_FALSE(document->mergeDisk());
    EXPECT_TRUE(document->isChangedOnDisk());
}

TEST_F(Document, MineOverwrites) {
    auto document = opened();
    document->set("training.tokens", "3T");
    const std::string mine = document->text();
    writeBeside(replaced(kText, "1T  ", "2T  "));
    EXPECT_FALSE(document->save()) << "seen at saving at the latest";
    ASSERT_TRUE(document->isChangedOnDisk());
    document->keepMine();
    EXPECT_TRUE(document->isModified());
    EXPECT_TRUE(document->save());
    EXPECT_EQ(onDisk(), mine);
}

TEST_F(Document, TheirsIsTakenAndUndoReturns) {
    auto document = opened();
    document->set("training.tokens", "3T");
    const std::string mine = document->text();
    const std::string theirs = replaced(kText, "1T  ", "2T  ");
    writeBeside(theirs);
    document->checkDisk();
    document->takeDisk();
    EXPECT_EQ(document->text(), theirs);
    EXPECT_FALSE(document->isModified());
    EXPECT_FALSE(document->isChangedOnDisk());
    document->undoStack()->undo();
    EXPECT_EQ(document->text(), mine);
    EXPECT_TRUE(document->isModified());
}

TEST_F(Document, AFileThatIsGoneIsWrittenAgain) {
    auto document = opened();
    QSignalSpy gone(document.get(), &ScenarioDocument::fileGone);
    QFile::remove(path());
    ASSERT_TRUE(QTest::qWaitFor([&] { return gone.count() > 0; }, 5000));
    EXPECT_EQ(document->text(), kText);
    EXPECT_TRUE(document->save());
    EXPECT_EQ(onDisk(), kText);
}

// ---- After a crash ----

TEST_F(Document, ACrashLosesNoEdits) {
    write(kText);
    const pid_t child = fork();
    if (child == 0) {
        // Event loops stay with the parent: this one only opens, edits, writes its copy and dies.
        ScenarioDocument document;
        if (document.open(path())) _exit(2);
        for (const char* tokens : {"2T", "3T", "4T", "5T"}) document.set("training.tokens", tokens);
        document.set("title", "Edited");  // the fifth writes the copy by itself
        kill(getpid(), SIGKILL);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status)) << status;
    EXPECT_EQ(onDisk(), kText);

    const std::vector<RecoveryCopy> copies = recoveryCopies();
    ASSERT_EQ(copies.size(), 1U);
    EXPECT_EQ(copies[0].path, path());
    EXPECT_EQ(copies[0].edits, 5);
    EXPECT_EQ(copies[0].savedText, kText);
    ScenarioDocument document;
    ASSERT_FALSE(document.openRecovered(copies[0]));
    EXPECT_EQ(document.value("training.tokens"), "5T");
    EXPECT_EQ(document.value("title"), "Edited");
    EXPECT_TRUE(document.isModified());
    // It is ours now: nobody else is offered it.
    EXPECT_TRUE(recoveryCopies().empty());
    document.undoStack()->undo();
    EXPECT_EQ(document.text(), kText);
    document.undoStack()->redo();
    EXPECT_TRUE(document.save());
    EXPECT_TRUE(recoveryCopies().empty());
    EXPECT_THAT(onDisk(), HasSubstr("title: 'Edited'\n"));
}

TEST_F(Document, ALivingProgramsCopyIsNotOffered) {
    auto document = opened();
    document->set("training.tokens", "2T");
    document->writeRecovery();
    EXPECT_TRUE(recoveryCopies().empty());
    document.reset();
    // Gone without a word, as in a crash.
    std::vector<RecoveryCopy> copies = recoveryCopies();
    ASSERT_EQ(copies.size(), 1U);
    EXPECT_EQ(copies[0].text, replaced(kText, "1T      #", "2T      #"));
    discardRecoveryCopy(copies[0].id);
    EXPECT_TRUE(recoveryCopies().empty());
}

TEST_F(Document, ClosingByItsUserLeavesNoCopy) {
    auto document = opened();
    document->set("training.tokens", "2T");
    document->writeRecovery();
    document->discardRecovery();
    document.reset();
    EXPECT_TRUE(recoveryCopies().empty());
}

TEST_F(Document, RecoveryOfAnUntitledOneAndOfBytes) {
    {
        ScenarioDocument document;
        document.openText("version: 1\n", QStringLiteral("Sketch"), true);
        document.editText("title: \xff\xfe\n", QStringLiteral("x"));
        document.writeRecovery();
    }
    const std::vector<RecoveryCopy> copies = recoveryCopies();
    ASSERT_EQ(copies.size(), 1U);
    EXPECT_EQ(copies[0].text, "title: \xff\xfe\n");
    ScenarioDocument document;
    ASSERT_FALSE(document.openRecovered(copies[0]));
    EXPECT_EQ(document.name(), QStringLiteral("Sketch"));
    EXPECT_TRUE(document.isModified());
    document.discardRecovery();
}

// ---- Recent files ----

TEST_F(Document, RecentFilesAreTenNewestFirst) {
    for (int i = 0; i < 12; ++i) {
        const std::string name = "f" + std::to_string(i) + ".yaml";
        write("x", name.c_str());
        addRecentFile(path(name.c_str()));
    }
    addRecentFile(path("f5.yaml"));
    QStringList all = recentFiles();
    ASSERT_EQ(all.size(), 10);
    EXPECT_EQ(all[0], path("f5.yaml"));
    EXPECT_EQ(all[1], path("f11.yaml"));
    QFile::remove(path("f11.yaml"));
    EXPECT_EQ(recentFiles().size(), 9);
    clearRecentFiles();
    EXPECT_TRUE(recentFiles().isEmpty());
}

TEST_F(Document, EveryExampleIsSavedAsItWas) {
    for (const QFileInfo& info :
         QDir(QStringLiteral(TRAINWRIGHT_EXAMPLES)).entryInfoList({QStringLiteral("*.yaml")})) {
        ScenarioDocument document;
        ASSERT_FALSE(document.open(info.filePath()));
        EXPECT_FALSE(hasErrors(document.findings())) << info.fileName().toStdString();
        const std::string before = document.text();
        ASSERT_TRUE(document.saveAs(path("copy.yaml")));
        EXPECT_EQ(onDisk("copy.yaml"), before);
    }
}

}  // namespace
}  // namespace trainwright::ui

namespace {

void failOnRemarks(QtMsgType type, const QMessageLogContext&, const QString& message) {
    if (type == QtWarningMsg || type == QtCriticalMsg)
        ADD_FAILURE() << "Qt: " << message.toStdString();
}

}  // namespace

int main(int argc, char** argv) {
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
    QStandardPaths::setTestModeEnabled(true);
    QCoreApplication::setOrganizationName(QStringLiteral("trainwright"));
    // Tests that run beside each other have settings and copies of their own.
    QCoreApplication::setApplicationName(
        QStringLiteral("document-tests-%1").arg(QCoreApplication::applicationPid()));
    QTemporaryDir settings;
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, settings.path());
    QApplication application(argc, argv);
    testing::InitGoogleTest(&argc, argv);
    qInstallMessageHandler(failOnRemarks);
    const int failed = RUN_ALL_TESTS();
    QDir(QStandardPaths::writableLocation(QStandardPaths::AppDataLocation)).removeRecursively();
    return failed;
}
