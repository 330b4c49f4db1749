import ArkivedCore
import ArkivedImport
import ArkivedStore
import Foundation

/// Finding the entries of rows that are identified by little more than their start.
///
/// A row is first looked for by its content, whatever its number is. A row that isn't known as it is
/// waits; in the end, it is an edited version of an entry that no row is, or an entry of its own.
extension ImportWriter {
  /// The next step for a row.
  enum Arrival {
    /// Nothing with its start is known.
    case usual
    case decided(Old)
    /// The entry is only foreseen, so it can't be written.
    case foreseen(isChanged: Bool)
    case held
  }

  /// Returns the next step for an activity.
  ///
  /// - Parameters:
  ///   - activity: receives the name under which it is known.
  ///   - record: the record.
  /// - Returns: the step.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read.
  func arrival(of activity: inout Activity, _ record: ImportedRecord) throws -> Arrival {
    // What was put off has been found before.
    guard isStaging || state.isRehearsal, !record.hasOwnIdentity,
      let start = StartName(activity), try meets(start)
    else { return .usual }
    let starts = state.starts
    let ref = activity.externalRefs[0]
    if starts.foreseen[start.key] == nil, let known = try scope.known(ref), known.isPresent,
      PlaceReduction.isSame(ref.contentHash, known.contentHash)
    {
      switch starts.take(ref.externalID, of: start.provider, by: starts.file, isExact: true) {
      case .none: return .decided(.known(known))
      case .otherFile: return .decided(.second)
      // A file may name the same track twice.
      case .thisFile where start.kind == .place: return .decided(.second)
      case .thisFile: break
      }
    }
    let group = try group(of: start)
    let others = starts.made(start.key)
    if start.kind == .place,
      others.contains(where: { $0.name == ref.externalID && $0.file == starts.file })
    {
      return .decided(.second)
    }
    if let found = exact(&activity, start, group, in: starts.file) { return found }
    guard !group.entries.isEmpty || others.contains(where: { $0.file != starts.file }) else {
      return .usual
    }
    starts.hold(record, start)
    return .held
  }

  /// Returns true if an entry with the start of a new one may be known.
  func mayMeet(_ record: ImportedRecord, _ activity: Activity) throws -> Bool {
    guard !record.hasOwnIdentity, let start = StartName(activity), try meets(start) else {
      return false
    }
    let range = start.range
    return try state.starts.hasOthers(start.key, than: state.starts.file)
      || scope.hasName(of: start.provider, from: range.from, to: range.to)
  }

  /// Remembers a new entry that is identified by its start.
  func noteStart(_ activity: Activity, _ record: ImportedRecord) {
    guard isStaging || state.isRehearsal, !record.hasOwnIdentity, let start = StartName(activity)
    else { return }
    state.starts.note(start, Self.content(of: activity), RowTraits(activity))
  }

  /// Returns true if the archive, or another file of this run, has entries of the same source.
  private func meets(_ start: StartName) throws -> Bool {
    let starts = state.starts
    if starts.hasOthers(start.key, than: starts.file) || starts.foreseen[start.key] != nil {
      return true
    }
    let range = start.sourceRange
    let source = "\(start.provider)\u{0}\(range.from)"
    if let isKnown = starts.sources[source] { return isKnown }
    let isKnown = try scope.hasName(of: start.provider, from: range.from, to: range.to)
    starts.sources[source] = isKnown
    return isKnown
  }

  /// Returns the content of an activity as its source has it.
  private static func content(of activity: Activity) -> String {
    PlaceReduction.content(activity.externalRefs.first?.contentHash ?? "")
  }

  // MARK: The same content

  /// Returns the entry that has exactly the content of a row, if no other row of the file is it.
  private func exact(
    _ activity: inout Activity, _ start: StartName, _ group: StartGroup, in file: Int
  ) -> Arrival? {
    let starts = state.starts
    let content = Self.content(of: activity)
    let own = activity.externalRefs[0].externalID
    let found = group.entries(with: content).filter {
      starts.claim(on: group.entries[$0].name, of: start.provider, by: file) != .thisFile
    }
    let present = found.filter { group.entries[$0].isPresent }
    if let index = present.first(where: { group.entries[$0].name == own }) ?? present.first {
      let entry = group.entries[index]
      activity.externalRefs[0].externalID = entry.name
      guard starts.take(entry.name, of: start.provider, by: file, isExact: true) == .none else {
        return .decided(.second)
      }
      if case .shown(let known) = entry.state { return .decided(.known(known)) }
      return .foreseen(isChanged: false)
    }
    let other = starts.made(start.key).first { made in
      made.file != file && made.content == content
        && starts.claim(on: made.name, of: start.provider, by: file) != .thisFile
    }
    if let other {
      starts.take(other.name, of: start.provider, by: file, isExact: true)
      return .decided(.second)
    }
    guard let gone = found.first.map({ group.entries[$0] }) else { return nil }
    activity.externalRefs[0].externalID = gone.name
    starts.take(gone.name, of: start.provider, by: file, isExact: false)
    if case .deleted = gone.state { return .decided(.new) }
    return .usual
  }

  // MARK: Rows that waited

  /// Decides the older half of the waiting rows if too many wait.
  func makeRoom(_ measure: StartRows.Measure) throws {
    guard state.starts.isFull else { return }
    while state.starts.isHalfFull, let rows = state.starts.nextGroup() {
      try decide(rows, measure)
    }
  }

  /// Decides waiting rows until it has taken long enough.
  func decideHeld(until isOver: () -> Bool, _ measure: StartRows.Measure) throws {
    while let rows = state.starts.nextGroup() {
      try decide(rows, measure)
      if isOver() { return }
    }
  }

  /// Decides the waiting rows with a start, file by file.
  private func decide(_ rows: [StartRows.Held], _ measure: StartRows.Measure) throws {
    guard let start = rows.first?.name else { return }
    let group = try group(of: start)
    try load(group)
    var rest = rows[...]
    while let file = rest.first?.file {
      let end = rest.firstIndex { $0.file != file } ?? rest.endIndex
      state.starts.decidedFile = file
      defer { state.starts.decidedFile = nil }
      try decide(Array(rest[..<end]), of: file, in: group, measure)
      rest = rest[end...]
    }
  }

  private func decide(
    _ rows: [StartRows.Held], of file: Int, in group: StartGroup, _ measure: StartRows.Measure
  ) throws {
    let starts = state.starts
    var open: [OpenRow] = []
    var names: Set<String> = []
    for row in rows {
      guard case .activity(var activity) = row.record.value else { continue }
      let name = activity.externalRefs[0].externalID
      if !names.insert(name).inserted {
        try settle(row, name, .decided(.second), measure)
      } else if let found = exact(&activity, row.name, group, in: file) {
        try settle(row, activity.externalRefs[0].externalID, found, measure)
      } else {
        open.append(OpenRow(row: row, name: name, traits: RowTraits(activity)))
      }
    }
    guard let start = rows.first?.name else { return }
    let free = group.entries.indices.filter {
      starts.claim(on: group.entries[$0].name, of: start.provider, by: file) == .none
    }
    let pairs = StartPairing(kind: start.kind, isNewerExport: starts.isNewerExport(file)).pairs(
      open.map { StartPairing.Item(name: $0.name, versions: [$0.traits]) },
      free.map { index in
        let entry = group.entries[index]
        return StartPairing.Item(
          name: entry.name, versions: entry.versions ?? [], isPresent: entry.isPresent,
          isDeleted: entry.isDeleted)
      })
    for (index, row) in open.enumerated() {
      if let entry = pairs[index] {
        try settle(row, as: free[entry], in: group, measure)
      } else {
        try settleAlone(row, in: group, measure)
      }
    }
  }

  /// A row that isn't known as it is.
  private struct OpenRow {
    let row: StartRows.Held
    let name: String
    let traits: RowTraits
  }

  /// Takes a row as the edited version of an entry.
  private func settle(
    _ open: OpenRow, as index: Int, in group: StartGroup, _ measure: StartRows.Measure
  ) throws {
    let (starts, entry) = (state.starts, group.entries[index])
    let row = open.row
    starts.take(entry.name, of: row.name.provider, by: row.file, isExact: false)
    guard case .activity(let activity) = row.record.value else { return }
    let content = Self.content(of: activity)
    func edit() {
      group.edit(index, content, open.traits)
      starts.noteEdit(
        row.name.key,
        StartRows.Foreseen(
          name: entry.name, number: entry.number, content: content,
          versions: (entry.versions ?? []) + [open.traits]))
    }
    switch entry.state {
    case .shown(let known):
      if !known.isEdited || overridesOwner { edit() }
      try settle(row, entry.name, .decided(.known(known)), measure)
    case .foreseen:
      edit()
      try settle(row, entry.name, .foreseen(isChanged: true), measure)
    case .deleted: try settle(row, entry.name, .decided(.new), measure)
    case .hidden: try settle(row, entry.name, .usual, measure)
    }
  }

  /// Creates an entry for a row that matches no known entry, unless another file of this run
  /// contains another version of the row.
  private func settleAlone(
    _ open: OpenRow, in group: StartGroup, _ measure: StartRows.Measure
  ) throws {
    let (starts, row) = (state.starts, open.row)
    let (start, made) = (row.name, starts.made(row.name.key))
    func isOthers(_ name: String) -> Bool {
      starts.claim(on: name, of: start.provider, by: row.file) != .thisFile
    }
    let others = made.filter { $0.file != row.file && isOthers($0.name) }
    let present = group.entries.filter { $0.isPresent && isOthers($0.name) }
    let isSecond =
      others.contains { $0.look.isSame(as: open.traits.look, start.kind) }
      || present.contains { entry in
        // Those that no file has were compared before.
        starts.claim(on: entry.name, of: start.provider, by: row.file) == .otherFile
          && entry.versions?.contains { $0.isSame(as: open.traits, start.kind) } == true
      }
    guard !isSecond else { return try settle(row, open.name, .decided(.second), measure) }
    let isUsed = group.isUsed(start) || made.contains { $0.name == open.name }
    let name = isUsed ? group.nextName(start, besides: made.map(\.number)) : open.name
    if open.traits.look.isTimed, !others.isEmpty || !present.isEmpty,
      case .activity(let activity) = row.record.value
    {
      diagnose(
        Diagnostic(
          .note, place: row.record.place,
          message: "“\(activity.text.prefix(80))” starts at the same time as another entry but is "
            + "different, so both were kept", mayPass: true))
    }
    try settle(row, name, .usual, measure)
  }

  private func settle(
    _ row: StartRows.Held, _ name: String, _ arrival: Arrival, _ measure: StartRows.Measure
  ) throws {
    var record = row.record
    guard case .activity(var activity) = record.value else { return }
    activity.externalRefs[0].externalID = name
    record.value = .activity(activity)
    try measure(row.record) { try take(record, after: arrival) }
  }

  // MARK: Known entries

  /// Returns the entries with the start of a name.
  private func group(of start: StartName) throws -> StartGroup {
    try state.starts.group(start.key) {
      let (range, provider) = (start.range, start.provider)
      let foreseen = state.starts.foreseen[start.key] ?? []
      let overlaid = Set(foreseen.map(\.name))
      var entries = foreseen.map { entry in
        StartGroup.Entry(
          name: entry.name, number: entry.number, id: nil, state: .foreseen,
          content: entry.content, versions: entry.versions)
      }
      var names = Dictionary(foreseen.map { ($0.name, $0.number) }) { first, _ in first }
      for name in try scope.allNames(of: provider, from: range.from, to: range.to) {
        guard let found = StartName(name, of: provider), found.key == start.key else { continue }
        names[name] = found.number
        let ref = ExternalRef(provider: provider, externalID: name, fetchedAt: scope.now)
        guard !overlaid.contains(name), let known = try scope.known(ref), known.type == .activity,
          !known.isNew, [.shown, .hidden].contains(known.standing)
        else { continue }
        entries.append(
          StartGroup.Entry(
            name: name, number: found.number, id: known.id,
            state: known.standing == .shown ? .shown(known) : .hidden,
            content: known.contentHash.map { PlaceReduction.content($0) }))
      }
      for (name, id) in try scope.deletedNames(of: provider, from: range.from, to: range.to) {
        guard let found = StartName(name, of: provider), found.key == start.key else { continue }
        names[name] = found.number
        guard !entries.contains(where: { $0.name == name }) else { continue }
        let hash = try versions(of: id).lazy.flatMap(\.externalRefs)
          .first { $0.provider == provider && $0.externalID == name }?.contentHash
        entries.append(
          StartGroup.Entry(
            name: name, number: found.number, id: id, state: .deleted,
            content: hash.map { PlaceReduction.content($0) }))
      }
      return StartGroup(entries, names: names)
    }
  }

  /// Reads the versions of entries, with which rows are compared.
  private func load(_ group: StartGroup) throws {
    for (index, entry) in group.entries.enumerated() where entry.versions == nil {
      guard let id = entry.id else { continue }
      group.load(index, try traits(of: id, entry.state))
    }
  }

  private func traits(of id: UUID, _ entry: StartGroup.Entry.State) throws -> [RowTraits] {
    switch entry {
    case .shown(let known): try traits(of: known)
    case .deleted: try versions(of: id).map { RowTraits($0) }
    case .hidden: try [scope.anyActivity(id)].compactMap { $0.map { RowTraits($0) } }
    case .foreseen: []
    }
  }

  /// Returns the content of an entry; if its owner changed it, also that of the versions before.
  func traits(of known: ChangeScope.Known) throws -> [RowTraits] {
    let present = try [scope.activity(known.id)].compactMap { $0 }
    return (present + (known.isEdited ? try versions(of: known.id) : [])).map { RowTraits($0) }
  }

  private func versions(of id: UUID) throws -> [Activity] {
    try scope.versions(
      ofActivity: id,
      EntryDefaults(now: scope.now, homeZone: .utc, identities: archive.identities))
  }
}

extension ChangeScope.Known {
  /// True if it is an activity that was there before this change.
  fileprivate var isPresent: Bool { type == .activity && standing == .shown && !isNew }
}
