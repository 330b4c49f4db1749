import ArkivedCore
import ArkivedStore
import Foundation

extension ToolWork {
  var archive: Archive { box.archive }
  var zone: Zone { box.zone }
  var now: Instant { archive.clock.now }
  var today: DayKey { zone.dayKey(at: now) }

  // MARK: Reading

  /// Returns a day with its meetings.
  func day() throws -> JSON {
    let key = try requiredDay("dayDate")
    var filter = MeetingFilter()
    (filter.from, filter.to, filter.order, filter.limit) = (key, key, .oldest, .max)
    let meetings = try archive.meetings(filter).map(\.json)
    let links = try archive.backlinks(to: .day(key), limit: Self.backlinkLimit)
    return try archive.day(key).json.adding([
      "meetings": .array(meetings), "backlinks": links.json,
    ])
  }

  /// The number of links to a day that its result contains.
  private static let backlinkLimit = 20

  func tags() throws -> JSON {
    let found = try archive.tags(
      prefix: arguments.text("prefix") ?? "", limit: arguments.int("limit") ?? 100)
    return [
      "tags": .array(
        found.map {
          [
            "name": .string($0.tag.name), "count": JSON($0.count),
            "colorHex": JSON($0.tag.colorHex),
          ]
        })
    ]
  }

  /// Returns the day of a required argument.
  func requiredDay(_ name: String) throws -> DayKey {
    guard let day = arguments.day(name, in: zone) else { throw FieldError(name, "is missing") }
    return day
  }

  // MARK: Activities

  func createActivity() throws -> JSON {
    let defaults = EntryDefaults(now: now, homeZone: zone, identities: archive.identities)
    var activity = try ActivityArguments.create(
      arguments.object, source: caller.source, defaults: defaults)
    activity.source = caller.source(insteadOf: activity.source)
    return try answering { key, answer in
      try archive.add(activity, by: caller.author, once: key) { saved in
        answer([
          "created": saved.value.toolSummary, "changeId": JSON(saved.change?.id.uuidString),
        ])
      }
    }
  }

  func updateActivity() throws -> JSON {
    let old = try activity()
    let fields = arguments.leavingOut("id")
    guard !fields.isEmpty else {
      throw FieldError("id", "is given alone. Also give the fields to change")
    }
    var new = old
    try ActivityArguments.change(&new, fields, homeZone: zone)
    guard new != old else {
      return ["updated": old.toolSummary, "before": old.json, "after": old.json]
    }
    return try propose("Change “\(old.text.prefix(120))” (\(old.dayKey))", old, new)
  }

  func deleteActivity() throws -> JSON {
    let all = try activities()
    let summary =
      all.count > 1
      ? "Delete \(all.count) entries" : "Delete “\(all[0].text.prefix(120))” (\(all[0].dayKey))"
    return try propose(summary, all.flatMap { try archive.deletionEffects(of: $0) })
  }

  /// Adds tags at once; removing one needs the owner's confirmation unless the owner is the caller.
  func tagActivity() throws -> JSON {
    let added = Tag.names(arguments.texts("add"))
    let removed = Set(Tag.names(arguments.texts("remove")).map(NameFolding.key))
    guard !added.isEmpty || !removed.isEmpty else {
      throw FieldError("add", "and remove are missing. Give tags in one of them")
    }
    func retag(_ tags: inout [String]) {
      tags.removeAll { removed.contains(NameFolding.key($0)) }
      for tag in added where !tags.contains(where: { Self.isSame($0, tag) }) { tags.append(tag) }
    }
    func retag(_ activity: inout Activity) throws {
      retag(&activity.tags)
      try activity.validate()
    }
    if let note = try archive.note(try arguments.identity("id")) {
      guard arguments.texts("ids").isEmpty else {
        throw FieldError("ids", "can’t be combined with a note, only with an entry")
      }
      return try tag(note, loses: note.tags.contains { removed.contains(NameFolding.key($0)) }) {
        retag(&$0)
      }
    }
    let all = try activities()
    let first = all[0]
    let loses = all.contains { $0.tags.contains { removed.contains(NameFolding.key($0)) } }
    if loses, caller != .owner {
      let effects = try all.compactMap { old -> PendingAct.Effect? in
        var new = old
        try retag(&new)
        return new == old ? nil : Self.effect(old, new)
      }
      // A tag that is removed and added again changes nothing, so there is nothing to approve.
      guard !effects.isEmpty else {
        return [
          "updated": first.toolSummary, "others": .array(all.dropFirst().map(\.toolSummary)),
        ]
      }
      // Of several, one alone may change.
      let told =
        effects.count == 1
        ? "“\(effects[0].title.prefix(120))”" : "\(effects.count) entries"
      return try propose("Change the tags of \(told)", effects)
    }
    guard all.count > 1 else {
      let saved = try archive.updateActivity(
        first.id, version: first.updatedAt, by: caller.author,
        summary: "Tagged “\(first.text.prefix(120))”", retag)
      return [
        "updated": saved.value.toolSummary, "changeId": JSON(saved.change?.id.uuidString),
      ]
    }
    let saved = try archive.changeActivities(
      all.map(\.id), by: caller.author, action: "edit", summary: { "Tagged entries: \($0)" }, retag)
    let now = Dictionary(saved.value.map { ($0.id, $0) }) { one, _ in one }
    return [
      "updated": (now[first.id] ?? first).toolSummary,
      "others": .array(all.dropFirst().compactMap { now[$0.id]?.toolSummary }),
      "changeId": JSON(saved.change?.id.uuidString),
    ]
  }

  private func tag(
    _ note: Note, loses: Bool, _ retag: (inout [String]) -> Void
  ) throws -> JSON {
    if loses, caller != .owner {
      var new = note
      retag(&new.tags)
      guard new != note else { return ["updated": note.json] }
      return try propose(
        "Change the tags of “\(note.headline.prefix(120))”",
        [
          PendingAct.Effect(
            type: .note, id: note.id, dayKey: note.dayKey ?? zone.dayKey(at: note.createdAt),
            before: note.json, after: new.json)
        ])
    }
    let saved = try archive.updateNote(
      note.id, version: note.updatedAt, by: caller.author,
      summary: "Tagged “\(note.headline.prefix(120))”"
    ) { retag(&$0.tags) }
    return ["updated": saved.value.json, "changeId": JSON(saved.change?.id.uuidString)]
  }

  private static func isSame(_ left: String, _ right: String) -> Bool {
    NameFolding.key(left) == NameFolding.key(right)
  }

  private func activity() throws -> Activity {
    try activity(try arguments.identity("id"))
  }

  /// Returns the activity with an ID; a meeting's ID refers to its entry on the day.
  private func activity(_ id: UUID) throws -> Activity {
    if let activity = try archive.activity(id) { return activity }
    guard let meeting = try archive.meeting(id) else { throw try archive.noActivity(id) }
    return meeting.activity
  }

  /// Returns the named activity and the additional ones, without duplicates; never empty.
  private func activities() throws -> [Activity] {
    let first = try activity()
    var seen: Set<UUID> = [first.id]
    let further = arguments.texts("ids").compactMap(UUID.init(identity:))
    return try [first] + further.filter { seen.insert($0).inserted }.map { try activity($0) }
  }

  private static func effect(_ old: Activity, _ new: Activity) -> PendingAct.Effect {
    PendingAct.Effect(
      type: .activity, id: old.id, dayKey: old.dayKey, before: old.record, after: new.record)
  }

  private func propose(_ summary: String, _ old: Activity, _ new: Activity) throws -> JSON {
    try propose(summary, [Self.effect(old, new)])
  }

  // MARK: Days

  /// Writes an empty note or appends to one at once; replacing its text needs the owner's
  /// confirmation.
  func upsertDay() throws -> JSON {
    let key = try requiredDay("dayDate")
    let given = ["title", "note", "appendNote", "mood", "energy", "weather"].contains {
      arguments.object[$0].map { $0 != .null } ?? false
    }
    guard given else {
      throw FieldError("note", "is missing. Give title, note, appendNote, mood, energy or weather")
    }
    let weather = try arguments.text("weather").flatMap { try Weather.typed($0) }
    var before: DayEntry?
    do {
      return try answering { request, answer in
        try archive.updateDay(
          key, by: caller.author, once: request,
          answer: { saved, day in
            answer([
              "day": day.json, "before": before.map(Self.page) ?? .null,
              "after": Self.page(saved.value), "changeId": JSON(saved.change?.id.uuidString),
            ])
          }
        ) { entry in
          before = entry
          guard !replacesSomething(of: entry, weather) else { throw NeedsYes(entry: entry) }
          apply(to: &entry)
          entry.weather = weather ?? entry.weather
        }
      }
    } catch let pause as NeedsYes {
      var new = pause.entry
      apply(to: &new)
      new.weather = weather ?? new.weather
      try new.validate()
      return try propose(
        "Overwrite the day note for \(key)",
        [
          PendingAct.Effect(
            type: .day, id: new.id, dayKey: key, before: pause.entry.json, after: new.json)
        ])
    }
  }

  private struct NeedsYes: Error {
    let entry: DayEntry
  }

  private func apply(to entry: inout DayEntry) {
    if let title = arguments.text("title") { entry.title = title }
    if let note = arguments.text("note") { entry.note = note }
    if let mood = arguments.int("mood") { entry.mood = mood }
    if let energy = arguments.int("energy") { entry.energy = energy }
    if let addition = arguments.text("appendNote"), !addition.isEmpty {
      entry.note += entry.note.isEmpty ? addition : "\n\n\(addition)"
    }
  }

  private func replacesSomething(of entry: DayEntry, _ weather: Weather?) -> Bool {
    if let weather, let old = entry.weather, weather != old { return true }
    if let title = arguments.text("title"), let old = entry.title, !old.isEmpty, title != old {
      return true
    }
    if let note = arguments.text("note"), !Self.adds(note, to: entry.note) { return true }
    if let mood = arguments.int("mood"), let old = entry.mood, mood != old { return true }
    if let energy = arguments.int("energy"), let old = entry.energy, energy != old { return true }
    return false
  }

  /// Returns whether a text keeps every line of an old one: what continues the last line changes
  /// what was written, like “Paid 50” that becomes “Paid 500”.
  private static func adds(_ text: String, to old: String) -> Bool {
    guard text.utf8.starts(with: old.utf8) else { return false }
    let newline = UInt8(ascii: "\n")
    guard let last = old.utf8.last, last != newline else { return true }
    guard let next = text.utf8.dropFirst(old.utf8.count).first else { return true }
    return next == newline || next == UInt8(ascii: "\r")
  }

  private static func page(_ entry: DayEntry) -> JSON {
    [
      "title": JSON(entry.title), "note": .string(entry.note), "mood": JSON(entry.mood),
      "energy": JSON(entry.energy), "weather": entry.weather.map(\.json) ?? .null,
    ]
  }

  // MARK: Proposing

  /// Stores a request until the owner decides.
  private func propose(_ summary: String, _ effects: [PendingAct.Effect]) throws -> JSON {
    var thread: UUID?
    if case .assistant(let id) = caller { thread = id }
    let act = PendingAct(
      id: archive.identities.next(), tool: tool, arguments: arguments.object,
      summary: String(summary.prefix(200)), effects: effects, author: caller.author,
      threadID: thread, createdAt: now,
      expiresAt: now.adding(seconds: Archive.pendingHours * 3600))
    return try answering { key, answer in
      try archive.propose(act, once: key) {
        answer([
          "pending": act.json.adding([
            "confirmAt": .string(act.confirmPath),
            "message": .string(
              "Nothing was changed. The owner must approve this first, on the page "
                + "\(act.confirmPath) of the web app or with: arkived confirm"),
          ])
        ])
      }
    }
  }
}

extension Activity {
  /// The contract's ActivitySummary.
  var toolSummary: JSON {
    let preview = text.count > 200 ? "\(text.prefix(199))…" : text
    return [
      "id": .string(id.uuidString), "dayKey": JSON(dayKey), "startAt": JSON(startAt),
      "endAt": JSON(endAt), "timeZone": .string(timeZone), "kind": .string(kind.rawValue),
      "textPreview": .string(preview), "tags": JSON(tags), "people": JSON(people.map(\.name)),
      "source": .string(source.rawValue), "isPinned": .bool(isPinned),
    ]
  }
}

extension JSON {
  /// Returns the object with additional members, which replace those with the same name.
  func adding(_ more: JSONObject) -> JSON {
    guard var object else { return self }
    for (key, value) in more.members { object[key] = value }
    return .object(object)
  }
}
