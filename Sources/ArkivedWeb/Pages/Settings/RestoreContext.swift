import ArkivedCore
import ArkivedEngine
import ArkivedSearch
import Foundation

/// The data of a backup that is tested or restored, for its page.
struct RestoreContext {
  let settings: SettingsPages
  let job: RestoreDesk.Job

  /// The largest number of problems and remaining steps that are listed.
  private static let lineLimit = 50

  /// Returns the folder of the new archive that a restore created; nil if it created none.
  static func newFolder(of job: RestoreDesk.Job) -> URL? {
    switch job.outcome {
    case .beside(let folder): folder
    case .moved(_, let folder): folder
    default: nil
    }
  }

  var context: [String: Any] {
    var context = job.context
    context.merge([
      "jobVerb": verb, "isTest": job.purpose == .test, "standing": standing, "endTitle": ending,
      "replacesSomething": job.replacesSomething,
      "isTested": false, "isWell": false, "isBeside": false, "isReplaced": false,
      "hasSafetyCopy": false, "isMoved": false, "newFolder": "", "isDay": false,
    ]) { $1 }
    if let contents = job.contents { context.merge(look(contents)) { $1 } }
    if let outcome = job.outcome { context.merge(ended(outcome)) { $1 } }
    return context
  }

  private var verb: String {
    switch (job.purpose, job.stage) {
    case (.test, _): said("Testing")
    case (_, .working): said("Restoring")
    default: said("Checking")
    }
  }

  private var standing: String {
    if job.isCancelled { return said("cancelling") }
    guard let progress = job.progress, progress.entries > 0 else {
      return said("Reading the backup and verifying every file in it")
    }
    return said("\(SettingsPages.number(progress.entries)) entries read")
  }

  private var ending: String {
    switch job.outcome {
    case .tested(let test):
      return test.isGood ? said("This backup can be restored") : said("This backup has problems")
    case .replaced, .beside, .day: return said("Restored")
    case .moved(let report, _):
      return report.isComplete
        ? said("Everything is here") : said("Not everything arrived")
    case nil:
      if job.isCancelled { return said("Cancelled") }
      return job.purpose == .test ? said("The test failed") : said("Nothing was restored")
    }
  }

  // MARK: Contents of the backup

  private func look(_ contents: BackupContents) -> [String: Any] {
    let home = settings.archive.home
    let folder = home.map { PreparedRestore.folder(beside: $0, madeAt: contents.madeAt).path }
    return [
      "isPacked": contents.isPacked, "facts": facts(contents),
      "differences": contents.differences.map { difference in
        [
          "type": saidWhole(difference.type), "here": SettingsPages.number(difference.here),
          "there": SettingsPages.number(difference.there),
          "onlyHere": SettingsPages.number(difference.onlyHere),
          "onlyThere": SettingsPages.number(difference.onlyThere),
          "differing": SettingsPages.number(difference.differing),
        ]
      },
      "hasShortfalls": !contents.shortfalls.isEmpty,
      "shortfalls": contents.shortfalls.prefix(Self.lineLimit).map { ["line": saidAgain($0)] },
      "folder": FormValue(folder ?? ""), "hasManifest": contents.madeAt != nil,
      "firstDay": contents.days?.lowerBound.description ?? "",
      "lastDay": contents.days?.upperBound.description ?? "",
      "losesEntries": contents.differences.contains { $0.onlyHere > 0 },
      "losesLine": losing(contents.differences.reduce(0) { $0 + $1.onlyHere }),
    ]
  }

  private func losing(_ count: Int) -> String {
    said(
      count, one: "\(count) entry here isn’t in the backup.",
      other: "\(SettingsPages.number(count)) entries here aren’t in the backup.")
  }

  private func facts(_ contents: BackupContents) -> [[String: String]] {
    var facts: [(String, String)] = []
    if let madeAt = contents.madeAt {
      facts.append((said("Made on"), settings.entries.moment(madeAt)))
    }
    if let program = contents.program { facts.append((said("Made with"), "Arkived \(program)")) }
    if let days = contents.days {
      facts.append(
        (
          said("Days"), said("\(days.lowerBound.shownName) to \(days.upperBound.shownName)")
        ))
    }
    facts.append((said("Entries"), SettingsPages.number(contents.entries)))
    let size = contents.fileBytes > 0 ? " (\(EntryContext.size(contents.fileBytes)))" : ""
    facts.append((said("Attachments"), SettingsPages.number(contents.files) + size))
    if !contents.missing.isEmpty {
      facts.append(
        (said("Files that were already missing"), SettingsPages.number(contents.missing.count)))
    }
    return facts.map { ["factName": $0.0, "factText": ClippedText.of($0.1, limit: 300)] }
  }

  // MARK: Result

  private func ended(_ outcome: RestoreDesk.Outcome) -> [String: Any] {
    switch outcome {
    case .tested(let test):
      var context = look(test.contents)
      context["isTested"] = true
      context["isWell"] = test.isGood
      context["checks"] = Self.checks(test).map { ["line": $0] }
      context["testProblems"] = test.problems.prefix(Self.lineLimit).map {
        ["line": ClippedText.of(saidAgain($0), limit: 500)]
      }
      return context
    case .replaced(let outcome):
      return [
        "isReplaced": true, "hasSafetyCopy": outcome.safetyCopy != nil,
        "safetyCopy": ClippedText.of(outcome.safetyCopy?.path ?? "", limit: 500),
        "endedSync": outcome.endedSync,
      ]
    case .day(let day, let runs):
      let created = runs.flatMap(\.created.values).reduce(0, +)
      let updated = runs.reduce(0) { $0 + $1.updated }
      let same = runs.reduce(0) { $0 + $1.unchanged }
      return [
        "isDay": true, "dayHref": "/day/\(day)", "dayName": day.shownName,
        "dayLine": said(
          "\(created) restored, \(updated) reverted, \(same) unchanged."),
      ]
    case .beside(let folder):
      return ["isBeside": true, "newFolder": ClippedText.of(folder.path, limit: 500)]
    case .moved(let report, let folder):
      return [
        "isMoved": true, "isBeside": folder != nil,
        "newFolder": ClippedText.of(folder?.path ?? "", limit: 500),
        "fingerprint": report.fingerprint, "fromHost": ClippedText.of(report.pack.host, limit: 100),
        "moveProblems": report.problems.prefix(Self.lineLimit).map { ["line": saidAgain($0)] },
        "remaining": report.remaining.prefix(Self.lineLimit).map {
          ["line": ClippedText.of(saidAgain($0), limit: 500)]
        },
      ]
    }
  }

  /// Returns what a test checked, one line for each step.
  private static func checks(_ test: BackupTest) -> [String] {
    let contents = test.contents
    return [
      said("Every file in it matches the checksum saved when the backup was created."),
      said(
        contents.entries,
        one: "A new archive with 1 entry was created from it in a temporary folder.",
        other: """
          A new archive with \(SettingsPages.number(contents.entries)) entries was created from it \
          in a temporary folder.
          """),
      said("The database, its links, the search index and the goal totals were checked."),
      said(
        test.comparedFiles, one: "1 attached file was read and verified.",
        other: "\(SettingsPages.number(test.comparedFiles)) attached files were read and verified."),
      said("The temporary archive was removed. Your archive wasn’t touched."),
    ]
  }
}
