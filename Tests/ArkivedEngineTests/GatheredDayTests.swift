import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

/// Days that several exports have, each only in part.
@Suite("Days gathered from several exports")
struct GatheredDayTests {
  // MARK: Chats

  enum Service: CaseIterable { case whatsApp, telegram, signal, sms }

  /// A message of 14 March 2026, with its minute after nine o'clock.
  struct Message {
    var minute: Int
    var isMine: Bool
    var text: String
  }

  private static let messages = [
    Message(minute: 0, isMine: false, text: "one"),
    Message(minute: 1, isMine: true, text: "two *stars*"),
    Message(minute: 1, isMine: false, text: "three\n\nand 09:00 – more"),
    Message(minute: 2, isMine: false, text: "four"),
    Message(minute: 2, isMine: true, text: "five"),
  ]

  private static func json(_ text: String) -> String { JSON.string(text).text() }

  private static func export(
    _ messages: some Collection<Message>, of service: Service
  ) -> (name: String, text: String) {
    func line(_ write: (Message, String, Int) -> String) -> [String] {
      messages.map { write($0, $0.minute < 10 ? "0\($0.minute)" : "\($0.minute)", $0.minute) }
    }
    switch service {
    case .whatsApp:
      let lines = line { message, minute, _ in
        "14/03/26, 09:\(minute) - \(message.isMine ? "Bob" : "Ann"): \(message.text)\n"
      }
      return ("WhatsApp Chat with Ann.txt", lines.joined())
    case .telegram:
      let lines = line { message, minute, number in
        #"{"id":1,"type":"message","date":"2026-03-14T09:\#(minute):00","#
          + #""date_unixtime":"\#(1_773_475_200 + number * 60)","#
          + #""from":"\#(message.isMine ? "Bob" : "Ann")","#
          + #""from_id":"\#(message.isMine ? "user1" : "user7")","text":\#(json(message.text))}"#
      }
      return (
        "result.json",
        #"{"name":"Ann","type":"personal_chat","id":7,"messages":[\#(lines.joined(separator: ","))]}"#
      )
    case .signal:
      let lines = line { message, minute, _ in
        #"{"date":"2026-03-14T09:\#(minute):00","sender":"\#(message.isMine ? "Me" : "Ann")","#
          + #""body":\#(json(message.text)),"quote":"","sticker":"","reactions":[],"attachments":[]}"#
          + "\n"
      }
      return ("Ann/data.json", lines.joined())
    case .sms:
      let lines = line { message, _, number in
        #"<sms protocol="0" address="+491701234567" date="\#(1_773_475_200 + number * 60)000" "#
          + #"type="\#(message.isMine ? 2 : 1)" contact_name="Ann" "#
          + #"body="\#(message.text.replacing("\n", with: "&#10;"))" />"#
      }
      return ("sms.xml", "<smses count=\"\(lines.count)\">\(lines.joined())</smses>")
    }
  }

  /// An archive, and what a day of it shows.
  private struct Shelf {
    let chat: ChatArchiveTest
    private static let day = "2026-03-14"

    init() throws { chat = try ChatArchiveTest() }

    @discardableResult
    func bring(
      _ messages: some Collection<Message>, of service: Service, in folder: String
    ) throws -> ImportRun {
      try chat.run(try file(messages, of: service, in: folder))
    }

    func file(
      _ messages: some Collection<Message>, of service: Service, in folder: String
    ) throws -> URL {
      let (name, text) = GatheredDayTests.export(messages, of: service)
      return try chat.test.folder.file("\(folder)/\(name)", text)
    }

    /// Returns the day as its owner sees it.
    func shown() throws -> [String] {
      try chat.entries(Self.day).map { entry in
        [
          entry.text, entry.description ?? "", entry.notes ?? "", "\(entry.startAt as Any)",
          entry.timeZone, "\(entry.people.map(\.name))", "\(entry.durationMinutes ?? 0)",
          "\(entry.measurements)", entry.externalRefs.first?.contentHash ?? "",
        ].joined(separator: " | ")
      }
    }
  }

  @Test(arguments: Service.allCases, 1..<5)
  func halvesInAnyOrderGiveTheWholeDay(service: Service, place: Int) throws {
    let whole = try Shelf()
    try whole.bring(Self.messages, of: service, in: "a")
    #expect(try whole.chat.entries("2026-03-14").first?.description == "5 messages")
    let parts = [Self.messages[..<place], Self.messages[place...]]
    for order in [[0, 1], [1, 0]] {
      let shelf = try Shelf()
      for index in order { try shelf.bring(parts[index], of: service, in: "\(index)") }
      #expect(try shelf.shown() == whole.shown(), "\(order)")
      // Each part again, in either order, and the whole: nothing swings.
      let export = try shelf.chat.export()
      for index in [0, 1, 0] {
        let run = try shelf.bring(parts[index], of: service, in: "\(index)")
        #expect(run.created.isEmpty && run.updated == 0)
      }
      #expect(try shelf.bring(Self.messages, of: service, in: "c").updated == 0)
      #expect(try shelf.chat.export() == export)
    }
  }

  @Test(arguments: Service.allCases)
  func aShorterOrOverlappingExportRemovesNothing(service: Service) throws {
    let shelf = try Shelf()
    try shelf.bring(Self.messages, of: service, in: "a")
    let export = try shelf.chat.export()
    for part in [Self.messages[1...], Self.messages[..<3], Self.messages[2..<3]] {
      let run = try shelf.bring(part, of: service, in: "b")
      #expect(run.updated == 0 && run.unchanged == 1)
    }
    #expect(try shelf.chat.export() == export)
  }

  @Test(arguments: Service.allCases)
  func bothInOneFolderAreForeseenAsTheyComeIn(service: Service) throws {
    let whole = try Shelf()
    try whole.bring(Self.messages, of: service, in: "a")
    let shelf = try Shelf()
    _ = try shelf.file(Self.messages[..<3], of: service, in: "in/a")
    _ = try shelf.file(Self.messages[2...], of: service, in: "in/b")
    let folder = shelf.chat.test.folder.url.appendingPathComponent("in")
    let job = ImportJob(archive: shelf.chat.test.archive, homeZone: shelf.chat.test.zone)
    let foreseen = try #require(try job.forecast(folder).runs.first)
    let run = try #require(try job.run(folder).first)
    #expect(run.created == ["activity": 1] && run.updated == 1 && run.skipped == 0)
    #expect(foreseen.created == run.created && foreseen.updated == run.updated)
    #expect(foreseen.skipped == 0)
    #expect(try shelf.shown() == whole.shown())
    let export = try shelf.chat.export()
    #expect(!export.contains { $0.hasPrefix(#"{"type":"history""#) })
    let again = try shelf.chat.run(folder)
    #expect(again.created.isEmpty && again.updated == 0)
    #expect(try shelf.chat.export() == export)
    let change = try shelf.chat.test.archive.importRun(matching: run.id.uuidString).changeID
    _ = try shelf.chat.test.archive.undo(change)
    let left = try shelf.chat.export()
    #expect(!left.contains { $0.hasPrefix(#"{"type":"activity""#) })
  }

  @Test func severalPathsAreForeseenAsTheyComeIn() throws {
    let shelf = try Shelf()
    let paths = try [
      shelf.file(Self.messages[..<3], of: .sms, in: "a"),
      shelf.file(Self.messages[2...], of: .sms, in: "b"),
      shelf.file(Self.messages[1..<3], of: .sms, in: "c"),
    ]
    let job = ImportJob(archive: shelf.chat.test.archive, homeZone: shelf.chat.test.zone)
    let earlier = EarlierRuns(isShared: true)
    let foreseen = try paths.flatMap { try job.forecast($0, after: earlier).runs }
    let runs = try paths.flatMap { try job.run($0) }
    #expect(runs.map(\.created) == [["activity": 1], [:], [:]])
    #expect(foreseen.map(\.created) == runs.map(\.created))
    #expect(runs.map(\.updated) == [0, 1, 0] && foreseen.map(\.updated) == [0, 1, 0])
    #expect(foreseen.map(\.unchanged) == runs.map(\.unchanged))
  }

  @Test(arguments: Service.allCases)
  func undoingTheSecondExportRestoresTheFirst(service: Service) throws {
    let shelf = try Shelf()
    try shelf.bring(Self.messages[..<3], of: service, in: "a")
    let export = try shelf.chat.export()
    let run = try shelf.bring(Self.messages[2...], of: service, in: "b")
    #expect(run.updated == 1)
    let change = try shelf.chat.test.archive.importRun(matching: run.id.uuidString).changeID
    _ = try shelf.chat.test.archive.undo(change)
    #expect(try shelf.chat.export() == export)
    // Brought again, the messages come in again.
    #expect(try shelf.bring(Self.messages[2...], of: service, in: "b").updated == 1)
    #expect(try shelf.chat.entries("2026-03-14").first?.description == "5 messages")
  }

  @Test func whatTheOwnerChangedStaysAndIsTold() throws {
    let shelf = try Shelf()
    try shelf.bring(Self.messages[..<3], of: .whatsApp, in: "a")
    let id = try #require(try shelf.chat.entries("2026-03-14").first?.id)
    _ = try shelf.chat.test.archive.updateActivity(id) { $0.notes = "mine" }
    let run = try shelf.bring(Self.messages, of: .whatsApp, in: "b")
    #expect(run.updated == 0)
    #expect(run.warnings.contains { $0.message.contains("your version was kept") })
    #expect(try shelf.chat.entries("2026-03-14").first?.notes == "mine")
  }

  @Test func aFileComesInOnceItIsThereAndStays() throws {
    let shelf = try Shelf()
    let bare = "14/03/26, 09:15 - Ann: <Media omitted>\n14/03/26, 09:16 - Bob: nice\n"
    let whole =
      "14/03/26, 09:15 - Ann: IMG-20260314-WA0001.jpg (file attached)\n14/03/26, 09:16 - Bob: nice\n"
    func bring(_ text: String, in folder: String) throws -> ImportRun {
      try shelf.chat.run(
        try shelf.chat.test.folder.file("\(folder)/WhatsApp Chat with Ann.txt", text))
    }
    _ = try shelf.chat.test.folder.file(
      "b/IMG-20260314-WA0001.jpg", TestPicture.png(width: 4, height: 4))
    _ = try bring(bare, in: "a")
    #expect(try bring(whole, in: "b").updated == 1)
    let notes = [
      "**09:15 Ann:** ![photo](attachment:IMG-20260314-WA0001.jpg)", "**09:16 Bob:** nice",
    ]
    #expect(try shelf.chat.notes("2026-03-14") == notes)
    // Without media again, also from a phone in another language.
    for text in [bare, bare.replacing("<Media omitted>", with: "<Medien ausgeschlossen>")] {
      #expect(try bring(text, in: "c").updated == 0)
    }
    #expect(try shelf.chat.notes("2026-03-14") == notes)
    #expect(try shelf.chat.entries("2026-03-14").first?.attachments.count == 1)
  }

  @Test func filesOfOneNameAreKeptApart() throws {
    let shelf = try Shelf()
    for (index, minute) in ["15", "17"].enumerated() {
      _ = try shelf.chat.test.folder.file(
        "\(index)/Ann/media/a.png", TestPicture.png(width: 4, height: 4, seed: UInt8(index + 1)))
      let line =
        #"{"date":"2026-03-14T09:\#(minute):00","sender":"Ann","body":"","quote":"","sticker":"","#
        + #""reactions":[],"attachments":[{"name":"a.png","path":"media/a.png"}]}"#
      let file = try shelf.chat.test.folder.file("\(index)/Ann/data.json", line + "\n")
      #expect(try shelf.chat.run(file).updated == index)
    }
    let notes = [
      "**09:15 Ann:** ![photo](attachment:a.png)", "**09:17 Ann:** ![photo](attachment:2-a.png)",
    ]
    #expect(try shelf.chat.notes("2026-03-14") == notes)
    let files = try #require(try shelf.chat.entries("2026-03-14").first?.attachments)
    #expect(files.map(\.originalName) == ["a.png", "2-a.png"])
    #expect(Set(files.compactMap(\.contentHash)).count == 2)
    for index in [0, 1, 0] {
      let file = shelf.chat.test.folder.url.appendingPathComponent("\(index)/Ann/data.json")
      #expect(try shelf.chat.run(file).updated == 0)
    }
  }

  @Test func aPersonWhoseNameChangedDoesntDoubleTheDay() throws {
    let shelf = try Shelf()
    let group = { (name: String, rest: String) in
      "14/03/26, 09:15 - \(name): Hi\n14/03/26, 09:16 - Ben: Hello\n14/03/26, 09:17 - Zoe: Hey\n"
        + "14/03/26, 09:18 - \(name): How are you?\n" + rest
    }
    func bring(_ text: String, in folder: String) throws -> ImportRun {
      try shelf.chat.run(
        try shelf.chat.test.folder.file("\(folder)/WhatsApp Chat with Team.txt", text))
    }
    _ = try bring(group("+49 170 1234567", ""), in: "a")
    #expect(try bring(group("Ann", "14/03/26, 09:19 - Zoe: Fine\n"), in: "b").updated == 1)
    let notes = [
      "**09:15 Ann:** Hi", "**09:16 Ben:** Hello", "**09:17 Zoe:** Hey",
      "**09:18 Ann:** How are you?", "**09:19 Zoe:** Fine",
    ]
    #expect(try shelf.chat.notes("2026-03-14") == notes)
    #expect(try bring(group("Ann-Marie", ""), in: "c").updated == 0)
    #expect(try bring(group("+49 170 1234567", ""), in: "a").updated == 0)
    #expect(try shelf.chat.notes("2026-03-14") == notes)
  }

  // MARK: Music

  private static let plays = [
    ("09:33", "Heroes", "Bowie", 200_000), ("09:40", "Aria, the first", "Bach", 180_000),
    ("10:10", "Our House", "Crosby, Stills & Nash", 240_000), ("11:00", "Low", "Bowie", 300_000),
  ]

  private static func spotify(_ range: Range<Int>) -> String {
    let lines = plays[range].map { end, title, artist, length in
      #"{"endTime":"2026-03-14 \#(end)","artistName":"\#(artist)","trackName":"\#(title)","#
        + #""msPlayed":\#(length)}"#
    }
    return "[\(lines.joined(separator: ",\n"))]"
  }

  private static func lastFM(_ range: Range<Int>) -> String {
    "Artist;Album;AlbumId;Track;Date#ann\n"
      + range.map { index in
        let (_, title, artist, _) = plays[index]
        return #""\#(artist)";"";"";"\#(title)";"\#(1_773_475_200_000 + index * 600_000)""# + "\n"
      }.joined()
  }

  @Test(arguments: [true, false], 1..<4)
  func halvesOfADayOfMusicGiveTheWhole(isSpotify: Bool, place: Int) throws {
    func file(_ range: Range<Int>) -> (String, String) {
      isSpotify
        ? ("StreamingHistory_music_\(range.lowerBound).json", Self.spotify(range))
        : ("scrobbles.csv", Self.lastFM(range))
    }
    func bring(_ range: Range<Int>, _ shelf: Shelf) throws -> ImportRun {
      let (name, text) = file(range)
      return try shelf.chat.run(
        try shelf.chat.test.folder.file("\(range.lowerBound)-\(range.upperBound)/\(name)", text))
    }
    let whole = try Shelf()
    _ = try bring(0..<4, whole)
    let parts = [0..<place, place..<4]
    for order in [[0, 1], [1, 0]] {
      let shelf = try Shelf()
      for index in order { _ = try bring(parts[index], shelf) }
      #expect(try shelf.shown() == whole.shown(), "\(order)")
      for range in [parts[0], parts[1], 1..<3, 0..<4] {
        let run = try bring(range, shelf)
        #expect(run.created.isEmpty && run.updated == 0)
      }
    }
  }

  @Test func theOtherOfSpotifysDownloadsDoesntDoubleTheDay() throws {
    let shelf = try Shelf()
    let account = try shelf.chat.test.folder.file(
      "a/StreamingHistory_music_0.json", Self.spotify(0..<2))
    _ = try shelf.chat.run(account)
    let extended = try shelf.chat.test.folder.file(
      "b/Streaming_History_Audio_2026.json",
      #"""
      [{"ts":"2026-03-14T09:33:40Z","ms_played":200000,"master_metadata_track_name":"Heroes",
      "master_metadata_album_artist_name":"Bowie"},
      {"ts":"2026-03-14T12:00:00Z","ms_played":60000,"master_metadata_track_name":"News",
      "master_metadata_album_artist_name":"Radio"}]
      """#)
    #expect(try shelf.chat.run(extended).updated == 1)
    let day = try #require(try shelf.chat.entries("2026-03-14").first)
    #expect(
      day.notes == "- 10:29 Heroes, Bowie\n- 10:37 Aria, the first, Bach\n- 12:59 News, Radio")
    #expect(day.text == "Listened to 3 tracks: Bach, Bowie, Radio")
    #expect(day.description == "Bach (1), Bowie (1), Radio (1)")
    #expect(try shelf.chat.run(account).updated == 0 && shelf.chat.run(extended).updated == 0)
  }

  // MARK: Sums

  @Test func ofTwoSumsOfADayTheLargerStays() throws {
    let shelf = try Shelf()
    func steps(_ count: Int, _ hour: Int) -> String {
      #"[{"dateTime":"03/14/26 \#(hour):00:00","value":"\#(count)"}]"#
    }
    func beats(_ values: Int...) -> String {
      let readings = values.enumerated().map { index, bpm in
        #"{"dateTime":"03/14/26 1\#(index):00:00","value":{"bpm":\#(bpm),"confidence":3}}"#
      }
      return "[\(readings.joined(separator: ","))]"
    }
    func bring(_ name: String, _ text: String) throws -> ImportRun {
      try shelf.chat.run(try shelf.chat.test.folder.file(name, text))
    }
    func metric(_ name: String) throws -> DayMetric? {
      try shelf.chat.test.day("2026-03-14").metrics.first { $0.metric == name }
    }
    _ = try bring("a/steps-2026-03-01.json", steps(1_000, 12))
    func tells(_ run: ImportRun, _ before: Int, _ now: Int) -> Bool {
      let words = "steps on 2026-03-14: \(before) before and \(now) in this export"
      return run.warnings.contains { $0.message.hasPrefix(words) }
    }
    let smaller = try bring("b/steps-2026-03-14.json", steps(20, 20))
    #expect(smaller.updated == 0 && tells(smaller, 1_000, 20))
    #expect(try metric("steps")?.value == 1_000)
    let larger = try bring("c/steps-2026-03-14.json", steps(1_200, 20))
    #expect(larger.updated == 1 && tells(larger, 1_000, 1_200))
    #expect(try bring("a/steps-2026-03-01.json", steps(1_000, 12)).updated == 0)
    #expect(try metric("steps")?.value == 1_200)
    _ = try bring("a/heart_rate-2026-03-14.json", beats(60, 80, 100))
    #expect(try bring("b/heart_rate-2026-03-14.json", beats(55, 65)).updated == 1)
    for name in ["a", "b", "a"] {
      let text = name == "a" ? beats(60, 80, 100) : beats(55, 65)
      #expect(try bring("\(name)/heart_rate-2026-03-14.json", text).updated == 0)
    }
    let rate = try #require(try metric("heartRate"))
    #expect(rate.value == 80 && rate.minimum == 55 && rate.maximum == 100)
  }

  // MARK: Screen time

  /// An export of windows as ActivityWatch writes it, the latest first.
  private static func windows(_ uses: [(day: Int, time: String, minutes: Int)]) -> String {
    let events = uses.reversed().map { use in
      #"{"id":1,"timestamp":"2026-03-\#(use.day)T\#(use.time):00.000000+00:00","#
        + #""duration":\#(use.minutes * 60),"data":{"app":"Paint","title":"a"}}"#
    }
    return #"{"buckets":{"aw-watcher-window_desk":{"id":"aw-watcher-window_desk","#
      + #""created":"2026-03-01T00:00:00","name":null,"type":"currentwindow","#
      + #""client":"aw-watcher-window","hostname":"desk","data":{},"#
      + #""events":[\#(events.joined(separator: ","))]}}}"#
  }

  @Test func anExportFromTheCourseOfADayShortensNothing() throws {
    let shelf = try Shelf()
    var number = 0
    func bring(_ uses: [(day: Int, time: String, minutes: Int)]) throws -> ImportRun {
      number += 1
      return try shelf.chat.run(
        try shelf.chat.test.folder.file("\(number)/aw-buckets-export.json", Self.windows(uses)))
    }
    func minutes() throws -> [Double?] {
      let day = try shelf.chat.test.day("2026-03-12")
      return day.metrics.map { Optional($0.value) } + day.activities.map(\.durationMinutes)
    }
    _ = try bring([(12, "09:00", 20)])
    #expect(try minutes() == [20, 20])
    #expect(try bring([(12, "09:00", 20), (12, "09:25", 30)]).updated == 2)
    #expect(try minutes() == [50, 50])
    #expect(try bring([(12, "09:00", 20)]).updated == 0)
    #expect(try minutes() == [50, 50])
    // One that goes on to the next day has all of this one.
    #expect(try bring([(12, "09:00", 20), (13, "09:00", 10)]).updated == 2)
    #expect(try minutes() == [20, 20])
  }
}
