import ArkivedCore
import ArkivedEngine

/// The data of a merge for the page of another archive.
enum MergeContext {
  /// The largest number of conflicts, and of likely pairs, that are listed.
  private static let conflictLimit = 20
  private static let nameLimit = 20

  static func context(_ job: MergeDesk.Job) -> [String: Any] {
    var context = job.context
    context["jobVerb"] = job.stage == .working ? said("Merging") : said("Checking")
    context["standing"] = standing(job)
    context["endTitle"] = ending(job)
    context["hasProposals"] = job.proposals > 0
    context["proposalLine"] = said(
      job.proposals, one: "\(job.proposals) pair of possible duplicates",
      other: "\(job.proposals) pairs of possible duplicates")
    if job.stage == .ready, let report = job.report {
      context.merge(look(report, job.forecast, job.likely)) { $1 }
    }
    return context
  }

  private static func standing(_ job: MergeDesk.Job) -> String {
    if job.isCancelled { return said("cancelling") }
    guard let progress = job.progress else {
      return said("Reading it and comparing it with your archive")
    }
    let read = said("\(SettingsPages.number(progress.entries)) entries read")
    return progress.isFinished ? "\(read) · \(said("saving"))" : read
  }

  private static func ending(_ job: MergeDesk.Job) -> String {
    if job.run != nil { return said("Merged") }
    if job.problem != nil { return said("Nothing merged") }
    return job.isCancelled
      ? said("Merge cancelled") : said("Nothing to merge")
  }

  // MARK: Comparison with the archive

  private static func look(
    _ report: MergeReport, _ forecast: ImportForecast?, _ likely: [MergeLikeness]
  ) -> [String: Any] {
    var rows: [[String: Any]] = []
    if let forecast {
      var row = ForecastContext.context(forecast)
      // Identical entries are skipped before the import sees them.
      row["unchanged"] = SettingsPages.number(forecast.unchanged + report.isSame)
      rows.append(row)
    }
    let conflicts = report.conflicts.prefix(conflictLimit)
    let more = report.conflictCount - conflicts.count
    return [
      "look": rows,
      "hasNothing": forecast.map(isEmpty) ?? true,
      "hasConflicts": report.conflictCount > 0,
      "conflictLine": said(
        report.conflictCount, one: "\(report.conflictCount) entry was changed in both archives",
        other: "\(report.conflictCount) entries were changed in both archives"),
      "conflicts": conflicts.map(row), "hasMoreConflicts": more > 0,
      "moreConflicts": said("and \(SettingsPages.number(more)) more"),
      "notes": notes(report).map { ["note": $0] },
      "hasLikely": !likely.isEmpty,
      "likelyLine": said(
        likely.count, one: "\(likely.count) entry may be a duplicate of one here",
        other: "\(likely.count) entries may be duplicates of entries here"),
      "likely": likely.prefix(conflictLimit).map { pair in
        [
          "likelyDay": EntryContext.dayName(pair.dayKey),
          "likelyHere": ClippedText.of(pair.text, limit: 120),
          "likelyThere": ClippedText.of(pair.textThere, limit: 120),
        ]
      },
      "hasMoreLikely": likely.count > conflictLimit,
      "moreLikely": said("and \(SettingsPages.number(likely.count - conflictLimit)) more"),
    ]
  }

  private static func isEmpty(_ forecast: ImportForecast) -> Bool {
    forecast.updated == 0 && forecast.created.values.allSatisfy { $0 == 0 }
  }

  private static func row(_ conflict: MergeConflict) -> [String: Any] {
    let outcome =
      switch conflict.outcome {
      case .here: said("keeps this archive’s version")
      case .there: said("uses the version from the other archive")
      case .joined: said("combines both versions")
      }
    return [
      "conflictDay": conflict.dayKey.flatMap { DayKey($0) }.map { EntryContext.dayName($0) } ?? "",
      "conflictTitle": ClippedText.of(conflict.title, limit: 120),
      "conflictType": ClippedText.of(conflict.type, limit: 40), "outcome": outcome,
    ]
  }

  private static func notes(_ report: MergeReport) -> [String] {
    var notes: [String] = []
    if report.linked > 0 {
      notes.append(
        said(
          report.linked,
          one: "\(report.linked) of its entries is already here under a different ID.",
          other: "\(report.linked) of its entries are already here under a different ID."))
    }
    if !report.namesakes.isEmpty {
      let names = report.namesakes.prefix(nameLimit).map { ClippedText.of($0, limit: 60) }
        .joined(separator: ", ")
      notes.append(
        said("People who only share a name with someone here are kept separate: \(names)."))
    }
    if !report.renumberedTerms.isEmpty {
      let numbers = report.renumberedTerms.prefix(nameLimit).map(String.init)
        .joined(separator: ", ")
      notes.append(said("Terms whose number is already used here get a new one: \(numbers)."))
    }
    return notes
  }
}
