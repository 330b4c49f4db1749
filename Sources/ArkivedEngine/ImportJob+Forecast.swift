package import ArkivedCore
import ArkivedImport
import ArkivedStore
package import Foundation

extension ImportJob {
  /// Forecasts a path if one of its formats drops coordinates unless the owner chooses to keep
  /// them.
  package func forecastUnanswered(_ path: URL) throws -> [ImportForecast] {
    let scratch = ScratchFolder()
    defer { scratch.remove() }
    // A pipe can be read only once.
    let values = try path.resourceValues(forKeys: [.isRegularFileKey, .isDirectoryKey])
    guard values.isRegularFile == true || values.isDirectory == true else { return [] }
    let reader = ReaderProcess(readers, in: scratch)
    defer { reader.end() }
    let (groups, _) = try reader.find(path, importers, look: watch.look)
    guard groups.contains(where: { places(of: $0.0) != .keep || $0.0 is any MappedImporter }) else {
      return []
    }
    return try forecast(path).runs
  }

  /// Determines what importing a path would do.
  ///
  /// Every entry is decided as in an import, and nothing is saved.
  ///
  /// - Parameters:
  ///   - path: the path.
  ///   - earlier: the runs of paths that would be imported before, to which this one's are added.
  /// - Returns: a forecast for each run that the import would make, and diagnostics about files
  ///   that it would skip.
  /// - Throws: as `run`.
  package func forecast(
    _ path: URL, after earlier: EarlierRuns = EarlierRuns()
  ) throws -> (runs: [ImportForecast], notes: [ImportRun.Warning]) {
    let scratch = ScratchFolder()
    defer { scratch.remove() }
    let reader = ReaderProcess(readers, in: scratch)
    defer { reader.end() }
    let source = try PipedInput.file(path, in: scratch, watch)
    let (groups, notes) = try reader.find(source, importers, look: watch.look)
    var forecasts: [ImportForecast] = []
    var refusals: [ImportRefusal] = []
    let attached = ClaimedFiles()
    for (importer, found) in ClaimedFiles.ordered(groups) {
      let files = attached.rest(of: found, for: importer)
      guard !files.isEmpty else { continue }
      do {
        forecasts.append(
          try forecast(importer, files, reader, scratch, attached, after: earlier))
      } catch let refusal as ImportRefusal {
        refusals.append(refusal)
      }
    }
    if forecasts.isEmpty, let first = refusals.first { throw first }
    return (
      forecasts,
      notes.map { .init(place: $0.place, message: $0.message) }
        + refusals.map { .init(place: $0.place, message: $0.message) }
    )
  }

  private func forecast(
    _ importer: any Importer, _ files: [ImportFile], _ reader: ReaderProcess,
    _ outer: ScratchFolder, _ attached: ClaimedFiles, after earlier: EarlierRuns
  ) throws -> ImportForecast {
    var files = files
    var losses: [ImportRefusal] = []
    while true {
      let scratch = ScratchFolder(in: outer)
      defer { scratch.remove() }
      do {
        return try forecast(importer, files, reader, scratch, losses, attached, after: earlier)
      } catch let lost as ReaderProcess.Lost {
        files = try ReaderProcess.rest(of: files, without: lost, after: losses.count)
        losses.append(lost.refusal)
        watch.beginAgain()
      }
    }
  }

  private func forecast(
    _ importer: any Importer, _ files: [ImportFile], _ reader: ReaderProcess,
    _ scratch: ScratchFolder, _ losses: [ImportRefusal], _ attached: ClaimedFiles,
    after earlier: EarlierRuns
  ) throws -> ImportForecast {
    let confined = reader.confined(importer, isOneOfMany: true)
    let context = ImportContext(
      now: archive.clock.now, homeZone: homeZone, identities: archive.identities,
      files: files, placeNames: placeNames, formerZones: try formerZones(of: importer),
      cameInAtHome: try cameInAtHome(importer),
      scratchFolder: { try scratch.make() })
    let rehearsal = RehearsedImport(
      archive, after: earlier, overridesOwner: overridesOwner, places: places(of: importer),
      watch: watch, mayRepeatDays: files.count > 1 || earlier.isShared)
    for loss in losses { rehearsal.diagnose(ReaderProcess.note(on: loss)) }
    watch.begin(files.map(\.byteCount))
    var refusals: [ImportRefusal] = []
    for file in files {
      do {
        try rehearsal.take { [isAlone = files.count == 1] sink in
          try confined.read(file, context: context, isAlone: isAlone, into: sink)
        }
      } catch let refusal as ImportRefusal {
        guard files.count > 1 else { throw refusal }
        refusals.append(refusal)
        rehearsal.diagnose(Diagnostic(.skipped, place: refusal.place, message: refusal.message))
      }
    }
    if let first = refusals.first, refusals.count == files.count { throw first }
    rehearsal.conclude()
    if !(importer is PhotosImporter) { attached.add(rehearsal.attachedPaths) }
    var forecast = rehearsal.forecast(importer.format, files.map(\.name))
    if let table = (importer as? any MappedImporter)?.table, let file = files.first {
      forecast.table = try table.reading(file)
    }
    return forecast
  }
}

/// A run of an import without lasting effects.
final class RehearsedImport {
  private let rehearsal: ImportRehearsal
  private let state: ImportState
  private let watch: ImportWatch
  private var draft = ImportForecast(format: "", files: [])
  private var exampleCounts: [ImportForecast.Standing: Int] = [:]
  /// The entries already read in this run, which the archive lacks because nothing is saved.
  private var seen: Set<Int> = []
  private let earlier: EarlierRuns
  /// The entries of this run, for later runs.
  private var marks: Set<Int> = []
  /// The paths of the files that entries have as attachments.
  private(set) var attachedPaths: [String] = []
  /// True if a day may come in several parts, so its earlier parts are held.
  private let mayRepeatDays: Bool

  init(
    _ archive: Archive, after earlier: EarlierRuns, overridesOwner: Bool,
    places: PlaceChoice, watch: ImportWatch, mayRepeatDays: Bool
  ) {
    self.earlier = earlier
    self.mayRepeatDays = mayRepeatDays
    rehearsal = ImportRehearsal(archive)
    state = ImportState(archive: archive, overridesOwner: overridesOwner, isRehearsal: true)
    state.places = PlaceReduction(choice: places)
    self.watch = watch
  }

  func diagnose(_ diagnostic: Diagnostic) { state.diagnose(diagnostic) }

  /// Processes one file's entries without saving them.
  func take(_ read: @escaping @Sendable (any ImportSink) throws -> Void) throws {
    let channel = RecordChannel(read)
    defer { channel.close() }
    while let items = try channel.next(within: 100) {
      try watch.look()
      guard !items.isEmpty else { continue }
      try rehearsal.attempt { scope in
        let writer = ImportWriter(scope: scope, state: state, isStaging: false)
        for item in items {
          switch item {
          case .entry(let entry):
            watch.count()
            attachedPaths += entry.record.attachedPaths
            try take(entry.record, by: writer)
          case .diagnostic(let diagnostic): state.diagnose(diagnostic)
          case .reached(let offset): watch.reach(offset)
          }
        }
      }
      channel.giveBack(items)
    }
    watch.finishFile()
  }

  /// Makes the entries of this run visible to later runs.
  func conclude() { earlier.add(marks) }

  func forecast(_ format: String, _ files: [String]) -> ImportForecast {
    var forecast = draft
    (forecast.format, forecast.files) = (format, files)
    forecast.created = state.account.created
    forecast.updated = state.account.updated
    forecast.unchanged = state.account.unchanged
    forecast.skipped = state.account.skipped
    forecast.warnings = state.account.warnings
    forecast.placed = state.account.placed
    forecast.places = state.places.choice
    return forecast
  }

  private func take(_ record: ImportedRecord, by writer: ImportWriter) throws {
    if let isMore = earlier.unite(record) {
      if isMore { state.account.updated += 1 } else { state.account.unchanged += 1 }
      return note(record, isMore ? .changed : .known)
    }
    let isPart = mayRepeatDays && record.isGathered
    guard !earlier.brought(record) || isPart else {
      state.account.unchanged += 1
      return note(record, record.value.isWords ? .kept : .known)
    }
    let keys = record.value.keys.map(\.hashValue)
    guard keys.isEmpty || isPart || keys.contains(where: { !seen.contains($0) }) else {
      return writer.isSecond(record)
    }
    seen.formUnion(keys)
    let (before, told) = (state.account, state.toldCount)
    let stored = isPart ? try writer.stored(record) : nil
    try writer.take(record)
    let after = state.account
    if isPart {
      earlier.hold(record, with: stored, isNew: after.created != before.created)
    }
    let standing: ImportForecast.Standing
    if after.created != before.created {
      standing = .new
    } else if after.updated > before.updated {
      standing = .changed
    } else if after.skipped > before.skipped {
      standing = record.value.hangsOnOthers ? .new : .leftOut
      // It belongs to an entry in another part, which has already been discarded.
      if standing == .new { state.foresee(record.value.typeName, insteadOf: before) }
    } else if after.unchanged > before.unchanged {
      standing = state.toldCount > told ? .kept : .known
    } else {
      return
    }
    if standing != .leftOut { marks.formUnion(record.marks) }
    note(record, standing)
  }

  private func note(_ record: ImportedRecord, _ standing: ImportForecast.Standing) {
    if standing == .kept { draft.kept += 1 }
    let day = record.value.dayKey
    if let day, standing != .leftOut {
      draft.firstDay = min(draft.firstDay ?? day, day)
      draft.lastDay = max(draft.lastDay ?? day, day)
    }
    guard standing != .known, standing != .leftOut,
      exampleCounts[standing, default: 0] < ImportForecast.exampleLimit
    else { return }
    exampleCounts[standing, default: 0] += 1
    draft.examples.append(
      ImportForecast.Example(
        standing: standing, dayKey: day, text: record.value.headline, place: record.place,
        activity: record.value.entry))
  }
}

extension ImportState {
  /// Counts an entry that was skipped as new.
  fileprivate func foresee(_ type: String, insteadOf before: Account) {
    account = before
    account.created[type, default: 0] += 1
  }
}

extension ImportedRecord {
  /// True if it is a part of a day, of which other files may have more.
  var isGathered: Bool {
    if case .metric(let metric) = value { return GatheredDay.isGathered(metric) }
    return GatheredDay.isGathered(self)
  }

  /// The values that identify the entry in an archive.
  var marks: [Int] {
    var names: [String] =
      switch value {
      case .activity(let activity):
        activity.externalRefs.map { "\($0.provider)\u{0}\($0.externalID)" }
      case .event(let entry): ["event\u{0}\(entry.meeting.eventIdentifier)"]
      case .day(let entry): ["day\u{0}\(entry.dayKey)"]
      case .metric(let metric):
        ["metric\u{0}\(metric.dayKey)\u{0}\(metric.metric)\u{0}\(metric.source)"]
      case .person(let person):
        (person.email ?? person.name).map { ["person\u{0}\(NameFolding.key($0))"] } ?? []
      case .tag(let tag): ["tag\u{0}\(NameFolding.key(tag.name))"]
      case .attachment, .history, .tombstone, .goalSide, .interchange: []
      }
    if hasOwnIdentity, case .activity(let activity) = value {
      names.append("activity\u{0}\(activity.id)")
    }
    return names.map(\.hashValue)
  }
}

extension ImportedRecord.Value {
  /// The keys that identify the entry; empty if the same entry may well occur twice.
  var keys: [String] {
    switch self {
    case .activity(let activity):
      activity.externalRefs.map { "\($0.provider)\u{0}\($0.externalID)" }
    case .day(let entry): ["day\u{0}\(entry.dayKey)"]
    case .metric(let metric):
      ["metric\u{0}\(metric.dayKey)\u{0}\(metric.metric)\u{0}\(metric.source)"]
    case .event(let entry): ["event\u{0}\(entry.meeting.eventIdentifier)"]
    case .person, .tag, .attachment, .history, .tombstone, .goalSide, .interchange: []
    }
  }

  /// True if it describes a day in words; those of one source are kept.
  fileprivate var isWords: Bool {
    if case .day(let entry) = self { return !entry.note.isEmpty }
    return false
  }

  /// True if it belongs to another entry, which may have come earlier in the same import.
  fileprivate var hangsOnOthers: Bool {
    switch self {
    case .attachment, .goalSide: true
    case .activity, .event, .day, .person, .tag, .metric, .history, .tombstone, .interchange: false
    }
  }

  fileprivate var typeName: String {
    switch self {
    case .activity, .event: "activity"
    case .day: "day"
    case .person: "person"
    case .tag: "tag"
    case .metric: "metric"
    case .attachment: "attachment"
    case .history: "history"
    case .tombstone: "tombstone"
    case .interchange: "row"
    case .goalSide(let entity): type(of: entity).typeName
    }
  }

  fileprivate var entry: Activity? {
    switch self {
    case .activity(let activity): activity
    case .event(let entry): entry.activity
    default: nil
    }
  }

  fileprivate var dayKey: DayKey? {
    switch self {
    case .activity(let activity): activity.dayKey
    case .event(let entry): entry.activity.dayKey
    case .day(let entry): entry.dayKey
    case .metric(let metric): metric.dayKey
    case .person, .tag, .attachment, .history, .tombstone, .goalSide, .interchange: nil
    }
  }

  /// The entry's title in a list.
  fileprivate var headline: String {
    let text =
      switch self {
      case .activity(let activity): activity.text
      case .event(let entry): entry.activity.text
      case .day(let entry): entry.headline
      case .metric(let metric): "\(metric.metric): \(AmountText.plain(metric.value)) \(metric.unit)"
      case .person(let person): person.name ?? person.email ?? "a person"
      case .tag(let tag): tag.name
      case .attachment(let attachment, _, _):
        attachment.originalName ?? attachment.caption ?? "a file"
      case .goalSide(let note as Note): note.headline
      case .goalSide, .history, .tombstone, .interchange: "a \(typeName)"
      }
    return String(text.prefix(120)).split(whereSeparator: \.isNewline).joined(separator: " ")
  }
}
