import ArkivedCore
import ArkivedImport
import Foundation

/// A long life as JSON Lines, in the form that `arkived export` writes: the head, people, tags, and
/// then day by day the note, the numbers and the activities.
struct LifeFile: Sendable {
  let life: LongLife
  let plan: LongLife.Plan

  /// What a file holds.
  struct Account: Sendable {
    var counts = Counts()
    var people = 0
    var tags = 0
    var from: DayKey?
    var bytes = 0

    var json: JSON {
      [
        "activities": JSON(counts.activities), "days": JSON(counts.notes),
        "metrics": JSON(counts.metrics), "people": JSON(people), "tags": JSON(tags),
        "from": JSON(from), "through": JSON(LongLife.lastDay), "bytes": JSON(bytes),
      ]
    }
  }

  struct Counts: Sendable {
    var activities = 0
    var notes = 0
    var metrics = 0
  }

  /// The lines of one month.
  private struct Lines: Sendable {
    var bytes: [UInt8] = []
    var counts = Counts()
    var from: DayKey?

    mutating func append(_ type: String, _ json: JSON) {
      var object = JSONObject()
      object["type"] = .string(type)
      for (key, value) in json.object?.members ?? [] { object[key] = value }
      bytes.append(contentsOf: JSON.object(object).bytes())
      bytes.append(0x0A)
    }
  }

  func write(to file: URL) async throws -> Account {
    guard FileManager.default.createFile(atPath: file.path, contents: nil) else {
      throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: file.path])
    }
    let handle = try FileHandle(forWritingTo: file)
    defer { try? handle.close() }
    var account = Account(people: life.people.count, tags: plan.tags.count)
    func put(_ lines: Lines) throws {
      try handle.write(contentsOf: lines.bytes)
      account.bytes += lines.bytes.count
      account.counts.activities += lines.counts.activities
      account.counts.notes += lines.counts.notes
      account.counts.metrics += lines.counts.metrics
      account.from = account.from ?? lines.from
    }
    try put(head())
    let (life, plan) = (life, plan)
    try await LongLife.inOrder(plan.months) { month in
      Self.lines(life.days(of: month), skipping: month == plan.months.first ? plan.skipped : 0)
    } take: { _, lines in
      try put(lines)
      return true
    }
    return account
  }

  private func head() -> Lines {
    var lines = Lines()
    lines.append(
      "arkived", ["version": JSON(JSONLinesImporter.version), "exportedAt": JSON(LongLife.now)])
    for person in life.people { lines.append("person", person.json) }
    for (number, name) in plan.tags.enumerated() {
      let tag = Tag(
        id: Self.tagIdentity(number, life.seed), name: name, createdAt: LongLife.now,
        updatedAt: LongLife.now)
      lines.append("tag", tag.json)
    }
    return lines
  }

  private static func lines(_ days: [LongLife.LifeDay], skipping skipped: Int) -> Lines {
    var lines = Lines()
    var left = skipped
    for day in days {
      let activities = day.activities.dropFirst(left)
      left -= day.activities.count - activities.count
      // A day of which nothing is kept is not begun.
      guard left == 0, skipped == 0 || !activities.isEmpty || lines.from != nil else { continue }
      lines.from = lines.from ?? day.dayKey
      if let note = day.note {
        lines.append("day", note.json)
        lines.counts.notes += 1
      }
      for metric in day.metrics { lines.append("metric", metric.json) }
      for activity in activities { lines.append("activity", activity.record) }
      lines.counts.metrics += day.metrics.count
      lines.counts.activities += activities.count
    }
    return lines
  }

  /// An identity that number and seed decide, with the bits of a custom (version 8) UUID (RFC 9562).
  private static func tagIdentity(_ number: Int, _ seed: UInt64) -> UUID {
    func byte(_ value: UInt64, _ place: UInt64) -> UInt8 {
      UInt8(truncatingIfNeeded: value >> (56 - place * 8))
    }
    let (high, low) = (seed, UInt64(number))
    return UUID(
      uuid: (
        byte(high, 0), byte(high, 1), byte(high, 2), byte(high, 3), byte(high, 4), byte(high, 5),
        0x80, byte(high, 7), 0x80, byte(high, 6), byte(low, 2), byte(low, 3), byte(low, 4),
        byte(low, 5), byte(low, 6), byte(low, 7)
      ))
  }
}
