import ArkivedCore
import ArkivedImport
import ArkivedTestSupport
import Foundation
import Testing

/// What crosses from the process that reads files comes out as it went in, and nothing else is taken.
@Suite("Frames between two processes")
struct FrameTests {
  private final class Sink: ImportSink {
    var records: [ImportedRecord] = []
    var diagnostics: [Diagnostic] = []

    func take(_ record: ImportedRecord) { records.append(record) }
    func diagnose(_ diagnostic: Diagnostic) { diagnostics.append(diagnostic) }
  }

  private static let now = TestArchive.now

  private static var defaults: EntryDefaults {
    EntryDefaults(now: now, homeZone: .utc, identities: RandomIdentities())
  }

  private func frame(_ body: (inout FrameWriter) -> Void) -> [UInt8] {
    var frames = FrameWriter()
    let isWhole = frames.frame(7, body)
    #expect(isWhole)
    return frames.bytes
  }

  /// Reads one frame that comes in pieces.
  private func read<Value>(
    _ bytes: some Collection<UInt8>, in size: Int = 1 << 20,
    _ body: (inout FrameReader) throws -> Value
  ) throws -> Value? {
    var buffer = FrameBuffer()
    var rest = Array(bytes)[...]
    while !rest.isEmpty {
      buffer.append(rest.prefix(size))
      rest = rest.dropFirst(size)
      if let value = try buffer.next({ _, frame in try body(&frame) }) { return value }
    }
    return nil
  }

  private func crossed(_ record: ImportedRecord) throws -> ImportedRecord {
    try #require(try read(frame { $0.put(record) }) { try $0.record(Self.defaults) })
  }

  private func isSame(_ one: ImportedRecord.Value, _ other: ImportedRecord.Value) -> Bool {
    switch (one, other) {
    case (.activity(let one), .activity(let other)): one == other
    case (.event(let one), .event(let other)): one == other
    case (.day(let one), .day(let other)): one == other
    case (.person(let one), .person(let other)): one == other
    case (.tag(let one), .tag(let other)): one == other
    case (.metric(let one), .metric(let other)): one == other
    case (.attachment(let one, let owner, let file), .attachment(let other, let its, let lies)):
      one == other && owner == its && file?.path == lies?.path
    case (.history(let one), .history(let other)): one == other
    case (.tombstone(let one), .tombstone(let other)): one == other
    case (.goalSide(let one), .goalSide(let other)): AnyHashable(one) == AnyHashable(other)
    case (.interchange(let one), .interchange(let other)): one == other
    default: false
    }
  }

  private func expectSame(_ record: ImportedRecord) throws {
    let other = try crossed(record)
    #expect(isSame(record.value, other.value), "\(record.place)")
    #expect(record.hasOwnIdentity == other.hasOwnIdentity)
    #expect(record.hasOwnVersion == other.hasOwnVersion && record.place == other.place)
    #expect(record.linksPeople == other.linksPeople)
    #expect(record.allowsFirstNames == other.allowsFirstNames)
    #expect(record.attachmentsFolder?.path == other.attachmentsFolder?.path)
    #expect(record.original == other.original && record.isEditedHere == other.isEditedHere)
    #expect(record.coveredUntil == other.coveredUntil)
  }

  /// An entry that leaves no field at its default.
  private var full: Activity {
    let later = Self.now.adding(seconds: 90)
    var activity = Activity(
      id: UUID(), dayKey: DayKey(clamping: -700_000), startAt: Self.now, endAt: later,
      timeZone: "Antarctica/Troll", kind: "tinkering", text: "Grüße 👩‍👩‍👧 e\u{301}\u{0} end",
      description: "", notes: "a\r\nb", source: "elsewhere", isPinned: true,
      locationLabel: "Zürich", lat: -47.123456789, lon: 0.1 + 0.2,
      measurements: ["km": 1.0 / 3, "kcal": .greatestFiniteMagnitude, "": -0.0],
      durationMinutes: 0.001, typedText: "as typed", tags: ["b", "a", "b"],
      createdAt: Self.now, updatedAt: later)
    activity.weather = Weather(
      conditions: "fog", temperatureCelsius: -3.25, humidityPercent: 99, windSpeedKph: 0)
    activity.people = [Mention(name: "Sam"), Mention(name: "Ann", personID: UUID())]
    activity.attachments = [
      ArkivedCore.Attachment(
        id: UUID(), type: .photo, caption: "c", relativePath: "a/b c.jpg",
        externalURL: "file:///x", contentHash: "00", byteCount: 1 << 40, mediaType: "image/jpeg",
        originalName: "ä", createdAt: Self.now, updatedAt: later)
    ]
    activity.externalRefs = [
      ExternalRef(provider: "p", externalID: "1", fetchedAt: later, contentHash: "h"),
      ExternalRef(provider: "q", externalID: "2", fetchedAt: Instant(milliseconds: -1)),
    ]
    return activity
  }

  @Test func everyFieldOfEveryKindCrosses() throws {
    let day = DayKey(clamping: 20_000)
    var meeting = Meeting(
      id: UUID(), activityID: full.id, eventIdentifier: "uid", seriesIdentifier: "series",
      organizer: "o", purpose: "p", outcomes: "r", summary: "s", status: .tentative,
      isAllDay: true, isEventDeleted: true, linkID: UUID(), resource: "a.ics",
      createdAt: Self.now, updatedAt: Self.now)
    meeting.attendances = [
      Attendance(
        name: "Sam", address: "s@x.org", personID: UUID(), role: .chair, reply: .delegated,
        isOrganizer: true)
    ]
    meeting.event = CalendarEvent(
      title: "t", dayKey: day, startAt: Self.now, endAt: nil, timeZone: "UTC", isAllDay: true,
      location: "l", description: "d", organizer: "o", status: .cancelled, tags: ["x"],
      invited: ["i"], addedBefore: ["j"])
    let entry = DayEntry(
      id: UUID(), dayKey: day, title: "t", note: "n", mood: 5, energy: 1,
      weather: Weather(conditions: "sun"), people: full.people, attachments: full.attachments,
      externalRefs: full.externalRefs, createdAt: Self.now, updatedAt: Self.now)
    let person = Person(
      id: UUID(), name: "Sam", email: "s@x.org", furtherAddresses: ["t@x.org"],
      aliases: ["S"], relationshipSummary: "friend", externalRefs: full.externalRefs,
      createdAt: Self.now, updatedAt: Self.now)
    let metric = DayMetric(
      id: UUID(), dayKey: day, metric: "steps", unit: "steps", value: 8_000.5, minimum: -1,
      maximum: .infinity, source: "watch", createdAt: Self.now, updatedAt: Self.now)
    let row = InterchangeRow(
      table: "t", key: "k",
      columns: [
        .init(name: "a", value: .null), .init(name: "b", value: .integer(.min)),
        .init(name: "c", value: .real(-0.0)), .init(name: "d", value: .text("e\u{301}")),
        .init(name: "e", value: .brokenText([0xFF])), .init(name: "f", value: .blob([0, 1, 2])),
      ])
    let old = HistoryRecord(
      id: UUID(), sourceTable: .activity, sourceID: UUID(),
      record: ["a": [1, 2.5, nil, true, ["b": "c"]], "d": .integer(.max)], reason: .delete,
      archivedAt: Self.now, archivedBy: .importer)
    let mark = Tombstone(
      sourceTable: .day, sourceID: UUID(), provider: "p", externalID: "e", deletedAt: Self.now)
    let tag = ArkivedCore.Tag(
      id: UUID(), name: "a", colorHex: "#102030", createdAt: Self.now, updatedAt: Self.now)
    let values: [ImportedRecord.Value] = [
      .activity(full), .event(MeetingEntry(meeting: meeting, activity: full)), .day(entry),
      .person(person), .tag(tag), .metric(metric), .history(old), .tombstone(mark),
      .interchange(row),
      .attachment(
        full.attachments[0], owner: .note(UUID()), file: URL(fileURLWithPath: "/a/b c")),
      .attachment(full.attachments[0], owner: .activity(UUID()), file: nil),
      .attachment(full.attachments[0], owner: .day(day), file: nil),
    ]
    for value in values {
      var record = ImportedRecord(
        value, hasOwnIdentity: true, hasOwnVersion: true, place: "a.x:7", linksPeople: false,
        attachmentsFolder: URL(fileURLWithPath: "/a/b", isDirectory: true), original: row)
      record.allowsFirstNames = true
      record.isEditedHere = true
      record.coveredUntil = Instant(milliseconds: 1_773_475_200_000)
      try expectSame(record)
      try expectSame(ImportedRecord(value, place: ""))
    }
  }

  @Test(arguments: BadInputSample.all)
  func whatEveryImporterReadsCrosses(sample: BadInputSample) throws {
    let folder = try TemporaryFolder()
    let url = try folder.file(sample.file, sample.text)
    let sink = Sink()
    let context = ImportContext(
      now: Self.now, homeZone: try #require(Zone("Europe/Rome")), identities: RandomIdentities(),
      scratchFolder: { folder.url })
    do {
      try sample.importer.read(
        ImportFile(url: url, name: sample.file), context: context, into: sink)
    } catch let refusal as ImportRefusal {
      // A list that nothing lies beside.
      #expect(sample.count == 0, "\(refusal)")
    }
    #expect(!sink.records.isEmpty || sample.count == 0)
    for record in sink.records { try expectSame(record) }
    for diagnostic in sink.diagnostics {
      #expect(try read(frame { $0.put(diagnostic) }) { try $0.diagnostic() } == diagnostic)
    }
  }

  @Test func aWholeInventedLifeCrosses() throws {
    let last = DayKey(clamping: 20_526)
    let life = SampleLife(from: last.advanced(by: -20), through: last)
    try life.write(now: Self.now) { try expectSame($0) }
    try SampleGoals(through: last).write(now: Self.now) { try expectSame($0) }
  }

  @Test func framesThatComeInPiecesAreTheSame() throws {
    let record = ImportedRecord(.activity(full), place: "a")
    let bytes = frame { $0.put(record) }
    for size in [1, 3, 7, 100, bytes.count - 1] {
      let other = try #require(try read(bytes, in: size) { try $0.record(Self.defaults) })
      #expect(isSame(record.value, other.value))
    }
  }

  @Test func whatIsNoFrameIsRefusedAndNeverTraps() throws {
    let bytes = frame {
      $0.put(
        ImportedRecord(.activity(full), place: "a", attachmentsFolder: URL(fileURLWithPath: "/a")))
    }
    // Cut short, with a length that fits, and with every byte changed.
    for count in 5..<bytes.count - 1 {
      var cut = Array(bytes[..<count])
      for place in 0..<4 { cut[place] = UInt8(truncatingIfNeeded: (count - 4) >> (8 * place)) }
      #expect(throws: BrokenFrame.self) { try read(cut) { try $0.record(Self.defaults) } }
    }
    for index in bytes.indices {
      for value in [0, 1, 0x7F, 0x80, 0xFF] as [UInt8] {
        var changed = bytes
        changed[index] = value
        _ = try? read(changed) { try $0.record(Self.defaults) }
      }
    }
    // Lengths that no frame has.
    for start in [[0, 0, 0, 0], [0xFF, 0xFF, 0xFF, 0xFF], [1, 0, 0, 0x10]] as [[UInt8]] {
      #expect(throws: BrokenFrame.self) { try read(start + [0]) { _ in true } }
    }
    // A document that nests without end, a name twice, and a number with which sums overflow.
    var deep: JSON = 1
    for _ in 0..<300 { deep = [deep] }
    let nested = frame { $0.put(deep) }
    let twice = frame {
      $0.put(UInt8(6))
      $0.put(UInt32(2))
      for _ in 0..<2 {
        $0.put("a")
        $0.put(JSON.null)
      }
    }
    #expect(throws: BrokenFrame.self) { try read(nested) { try $0.json() } }
    #expect(throws: BrokenFrame.self) { try read(twice) { try $0.json() } }
    let late = frame { $0.put(Int64.max) }
    #expect(throws: BrokenFrame.self) { try read(late) { try $0.instant() } }
    for path in ["a", "/a\u{0}b", "/a/arkived-import-x/../../b"] {
      let bytes = frame {
        $0.put(path)
        $0.put(false)
      }
      #expect(throws: BrokenFrame.self) { try read(bytes) { try $0.url() } }
    }
  }

  @Test func anEntityThatARuleRefusesIsToldLikeAnyOther() throws {
    let bytes = frame {
      for flag in [true, true] { $0.put(flag) }
      $0.put("a.db: goals 1")
      for flag in [false, false, false, false, false, false] { $0.put(flag) }
      $0.put(UInt8(10))
      $0.put("goal")
      $0.put(["id": "11111111-1111-4111-8111-111111111111"] as JSON)
    }
    let refusal = #expect(throws: InvalidRecord.self) {
      try read(bytes) { try $0.record(Self.defaults) }
    }
    #expect(refusal?.diagnostic.place.hasPrefix("a.db: goals 1 field “") == true)
    #expect(refusal?.diagnostic.severity == .skipped)
  }
}
