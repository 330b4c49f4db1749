import ArkivedCore
import ArkivedImport
import ArkivedStore
import Foundation

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
    state.starts.tracksMade = mayRepeatDays
    state.starts.keepsTraits = earlier.isShared
    state.starts.foreseen = earlier.starts
    self.watch = watch
  }

  func diagnose(_ diagnostic: Diagnostic) { state.diagnose(diagnostic) }

  /// Processes one file's entries without saving them.
  func take(_ read: @escaping @Sendable (any ImportSink) throws -> Void) throws {
    state.starts.beginFile()
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
            try writer.makeRoom(measure)
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

  /// Forgets the waiting rows of a file that was refused.
  func dropFile() { state.starts.dropFile() }

  /// Decides the rows that had to wait until all files were read, and makes the entries of this run
  /// visible to later runs.
  func conclude() throws {
    while !state.starts.isEmpty {
      try watch.look()
      try rehearsal.attempt { scope in
        let end = ContinuousClock.now.advanced(by: .seconds(Self.batchSeconds))
        try ImportWriter(scope: scope, state: state, isStaging: false).decideHeld(
          until: { ContinuousClock.now >= end }, measure)
      }
    }
    earlier.add(marks)
    if earlier.isShared { earlier.starts = state.starts.left() }
  }

  /// The time in seconds for which waiting rows are decided at once, because other writers wait.
  private static let batchSeconds = 0.2

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
    if record.isNamedByStart {
      // Files may have different entries of the same name.
      let keys = record.value.keys.map { "\(state.starts.file)\u{0}\($0)".hashValue }
      guard keys.contains(where: { !seen.contains($0) }) else { return writer.isSecond(record) }
      seen.formUnion(keys)
      return try measure(record) { try writer.take(record) }
    }
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
    try measure(record) {
      let created = state.account.created
      let stored = isPart ? try writer.stored(record) : nil
      try writer.take(record)
      if isPart {
        earlier.hold(record, with: stored, isNew: state.account.created != created)
      }
    }
  }

  /// Counts what a decision on a record changes.
  private func measure(_ record: ImportedRecord, _ decide: () throws -> Void) throws {
    let (before, told) = (state.account, state.toldCount)
    try decide()
    let after = state.account
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
    if standing != .leftOut, !record.isNamedByStart { marks.formUnion(record.marks) }
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
  /// True if it is identified by little more than its start.
  var isNamedByStart: Bool {
    guard !hasOwnIdentity, case .activity(let activity) = value else { return false }
    return StartName(activity) != nil
  }

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
