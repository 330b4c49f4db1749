import ArkivedCore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Entities and their JSON")
struct EntityTests {
  private let defaults = EntryDefaults(
    now: TestArchive.now, homeZone: .utc, identities: CountedIdentities())

  private func activity(_ text: String) throws -> Activity {
    var fields = FieldReader(try #require(try JSON(parsing: text).object))
    return try Activity(&fields, defaults: defaults)
  }

  @Test func anActivityNeedsOnlyTextAndADayOrAStart() throws {
    #expect(try activity(#"{"text":"a","dayKey":"2026-01-02"}"#).dayKey.description == "2026-01-02")
    let zoned = try activity(
      #"{"text":"a","startAt":"2026-01-02T23:30:00Z","timeZone":"Asia/Tokyo"}"#)
    #expect(zoned.dayKey.description == "2026-01-03")
    #expect(throws: FieldError.self) { try activity(#"{"text":"a"}"#) }
    #expect(throws: FieldError.self) { try activity(#"{"dayKey":"2026-01-02"}"#) }
  }

  @Test("Texts that no line of a backup can hold are refused")
  func largeTexts() throws {
    var walk = try activity(#"{"text":"a","dayKey":"2026-01-02"}"#)
    walk.notes = String(repeating: "a", count: 67_000_000)
    #expect(throws: FieldError("notes", "is too large. Attach it as a file")) {
      try walk.validate()
    }
    var fields = FieldReader(["dayKey": "2026-01-02"])
    var day = try DayEntry(&fields, defaults: defaults)
    day.note = walk.notes ?? ""
    #expect(throws: FieldError.self) { try day.validate() }
  }

  @Test("Texts count as they are written in JSON, all together")
  func sizesOfTexts() {
    func excess(_ one: String, _ other: String? = nil) -> String? {
      TextSize.excess(of: [("one", one), ("other", other)], limit: 1_000).map { "\($0)" }
    }
    let plain = String(repeating: "a", count: 900)
    #expect(excess(plain) == nil && excess(plain, "b") == nil)
    #expect(excess(plain, String(repeating: "b", count: 200)) == "one")
    #expect(excess("a", String(repeating: "b", count: 1_001)) == "other")
    // Each of these takes six bytes.
    #expect(excess(String(repeating: "\u{1}", count: 160)) == nil)
    #expect(excess(String(repeating: "\u{1}", count: 170)) == "one")
  }

  @Test func theJSONOfAnActivityHasEveryFieldOfTheContract() throws {
    let json = try activity(#"{"text":"a","dayKey":"2026-01-02"}"#).json
    #expect(
      json.object?.keys.prefix(22) == [
        "id", "dayKey", "startAt", "endAt", "timeZone", "kind", "text", "description", "notes",
        "source", "isPinned", "locationLabel", "lat", "lon", "measurements", "durationMinutes",
        "tags", "people", "attachments", "externalRefs", "createdAt", "updatedAt",
      ])
  }

  @Test func anActivitySurvivesItsJSON() throws {
    let whole = try activity(
      #"""
      {"text":"a","dayKey":"2026-01-02","startAt":"2026-01-02T10:00:00.5Z",
       "endAt":"2026-01-02T11:00:00Z","timeZone":"Europe/Rome","kind":"future-kind",
       "description":"d","notes":"n","source":"x","isPinned":true,"locationLabel":"l",
       "lat":41.9,"lon":12.5,"measurements":{"km":5,"kg":0.25},"durationMinutes":59.5,
       "weather":{"conditions":"rain","temperatureCelsius":-3.5},"typedText":"a at 10",
       "tags":["é","b"],"people":["Sam"],"provider":"p","externalId":"1",
       "attachments":[{"type":"link","externalURL":"https://example.org/"}],
       "createdAt":"2026-01-02T12:00:00Z","updatedAt":"2026-01-03T12:00:00Z"}
      """#)
    #expect(try activity(whole.json.text()) == whole)
    #expect(whole.externalRefs.first?.externalID == "1")
    #expect(whole.kind.rawValue == "future-kind")
  }

  @Test(arguments: [
    (#""mood":9"#, "mood"), (#""energy":0"#, "energy"), (#""mood":"good""#, "mood"),
    (#""dayKey":"2026-02-30""#, "dayKey"), (#""weather":5"#, "weather"),
  ])
  func aDayWithAWrongValueNamesTheField(member: String, field: String) throws {
    let text = member.contains("dayKey") ? "{\(member)}" : #"{"dayKey":"2026-01-01",\#(member)}"#
    var fields = FieldReader(try #require(try JSON(parsing: text).object))
    let error = #expect(throws: FieldError.self) { try DayEntry(&fields, defaults: defaults) }
    #expect(error?.field == field)
  }

  @Test(arguments: [
    (#""text":"  ""#, "text"), (#""lat":91,"lon":0"#, "lat"), (#""lat":1"#, "lon"),
    (#""lon":-181,"lat":0"#, "lon"), (#""measurements":{"km":-1}"#, "measurements.km"),
    (#""measurements":{"km":"x"}"#, "measurements.km"), (#""measurements":{"":1}"#, "measurements"),
    (#""durationMinutes":-5"#, "durationMinutes"), (#""tags":[""]"#, "tags"),
    (#""tags":"a""#, "tags"), (#""people":[" "]"#, "people"), (#""timeZone":"""#, "timeZone"),
    (#""startAt":"yesterday""#, "startAt"),
    (#""startAt":"2026-01-02T10:00:00Z","endAt":"2026-01-02T09:00:00Z""#, "endAt"),
    (#""startAt":"2026-05-02T10:00:00Z""#, "dayKey"), (#""id":"7""#, "id"),
    (#""provider":"x""#, "externalId"),
    (#""attachments":[{"relativePath":"../../etc/passwd"}]"#, "attachments.relativePath"),
    (#""attachments":[{"externalURL":"javascript:alert(1)"}]"#, "attachments.externalURL"),
  ])
  func anActivityWithAWrongValueNamesTheField(member: String, field: String) throws {
    let text =
      member.contains(#""text""#)
      ? #"{"dayKey":"2026-01-02",\#(member)}"# : #"{"text":"a","dayKey":"2026-01-02",\#(member)}"#
    let error = #expect(throws: FieldError.self) { try activity(text) }
    #expect(error?.field == field)
    #expect(error?.problem.isEmpty == false)
  }

  @Test func namesFoldByCaseAndCompositionButKeepAccents() {
    #expect(NameFolding.key(" JOSE\u{301} ") == NameFolding.key("josé"))
    #expect(NameFolding.key("Jose") != NameFolding.key("José"))
  }

  @Test func aTimeReadsAsThePageShowsIt() throws {
    let berlin = #""timeZone":"Europe/Berlin","dayKey":"2026-03-14","text":"a""#
    func text(_ times: String) throws -> String? { try activity("{\(berlin),\(times)}").timeText }
    #expect(try text(#""startAt":"2026-03-14T08:00:00Z""#) == "09:00")
    #expect(
      try text(#""startAt":"2026-03-14T08:00:00Z","endAt":"2026-03-14T08:15:00Z""#)
        == "09:00–09:15")
    #expect(
      try text(#""startAt":"2026-03-14T22:30:00Z","endAt":"2026-03-14T23:30:00Z""#)
        == "23:30–00:30 (+1)")
    #expect(
      try text(#""startAt":"2026-03-13T23:00:00Z","endAt":"2026-03-14T23:00:00Z""#) == "all day")
    #expect(try text(#""notes":"x""#) == nil)
  }

  @Test func movingAnActivityKeepsItsClockTimesAcrossAChangeOfOffset() throws {
    var moved = try activity(
      #"""
      {"timeZone":"Europe/Berlin","dayKey":"2026-03-28","text":"a",
       "startAt":"2026-03-28T08:00:00Z","endAt":"2026-03-28T09:00:00Z"}
      """#)
    try ActivityTimes.change(&moved, day: DayKey("2026-03-29"), start: nil, end: nil)
    #expect(moved.startAt?.description == "2026-03-29T07:00:00Z")
    #expect(moved.timeText == "09:00–10:00")
    try ActivityTimes.change(&moved, day: nil, start: "23:30", end: "00:15")
    #expect(moved.timeText == "23:30–00:15 (+1)")
    try ActivityTimes.change(&moved, day: nil, start: "", end: "")
    #expect(moved.startAt == nil && moved.endAt == nil)
    #expect(throws: FieldError.self) {
      try ActivityTimes.change(&moved, day: nil, start: "25:00", end: nil)
    }
  }

  @Test(arguments: [
    ("5 km, 300 kcal", ["km": 5.0, "kcal": 300]), ("8,000 steps", ["steps": 8000]),
    ("5,2 km", ["km": 5.2]), ("", [:]), ("2 miles; 10 pages", ["miles": 2, "pages": 10]),
  ])
  func measurementsReadFromOneField(text: String, amounts: [String: Double]) throws {
    #expect(try MeasureText.read(text) == amounts)
    #expect(try MeasureText.read(MeasureText.write(amounts)) == amounts)
  }

  @Test(arguments: [
    ("1.200 Schritte, 2,5 Stunden", ["steps": 1200, "hours": 2.5]), ("10,125 km", ["km": 10.125]),
    ("0.125 km", ["km": 0.125]), ("1.234,5 km; 5.2 kg", ["km": 1234.5, "kg": 5.2]),
  ])
  func measurementsReadFromOneFieldInGerman(text: String, amounts: [String: Double]) throws {
    #expect(try MeasureText.read(text, in: .german) == amounts)
    let written = MeasureText.write(amounts, in: .german)
    #expect(try MeasureText.read(written, in: .german) == amounts, "\(written)")
  }

  @Test(arguments: ["km", "5", "five km", "- km", "5 km, km"])
  func whatIsNoMeasurementIsRefused(text: String) {
    #expect(throws: FieldError.self) { try MeasureText.read(text) }
  }

  @Test func argumentsChangeOnlyWhatTheyNameAndRefuseWhatTheyDoNotKnow() throws {
    var subject = try activity(#"{"text":"a","dayKey":"2026-01-02","notes":"n"}"#)
    let object = try #require(
      try JSON(parsing: #"{"kind":"work","notes":null,"startAt":"2026-01-05T10:00:00Z"}"#).object)
    try ActivityArguments.change(&subject, object, homeZone: .utc)
    #expect(subject.kind == .work && subject.notes == nil && subject.text == "a")
    #expect(subject.dayKey.description == "2026-01-05")
    let unknown = try #require(try JSON(parsing: #"{"colour":"red"}"#).object)
    #expect(throws: FieldError.self) {
      try ActivityArguments.change(&subject, unknown, homeZone: .utc)
    }
  }

  @Test func anEntryWithOnlyAnEndIsOnTheDayOfThat() throws {
    let zone = try #require(Zone("Europe/Berlin"))
    let defaults = EntryDefaults(
      now: try #require(Instant("2026-03-14T18:00:00Z")), homeZone: zone,
      identities: RandomIdentities())
    func day(_ object: JSONObject) throws -> String {
      try ActivityArguments.create(object, source: .manual, defaults: defaults).dayKey.description
    }
    #expect(try day(["text": "a", "endAt": "2026-03-01T10:00:00Z"]) == "2026-03-01")
    // Until midnight.
    #expect(try day(["text": "a", "endAt": "2026-03-01T23:00:00Z"]) == "2026-03-01")
    #expect(
      try day(["text": "a", "endAt": "2026-03-01T10:00:00Z", "dayDate": "2026-02-28"])
        == "2026-02-28")
    #expect(try day(["text": "a", "dayKey": nil]) == "2026-03-14")
  }

  @Test(arguments: [
    (#"{"timeZone":"Asia/Tokyo"}"#, "2026-03-15", "2026-03-14T22:00:00Z"),
    (#"{"timeZone":"Europe/Berlin"}"#, "2026-03-14", "2026-03-14T22:00:00Z"),
    (#"{"timeZone":"Asia/Tokyo","dayKey":"2026-03-15"}"#, "2026-03-15", "2026-03-14T22:00:00Z"),
    (#"{"timeZone":"Asia/Tokyo","dayKey":"2026-03-20"}"#, "2026-03-20", "2026-03-19T22:00:00Z"),
  ])
  func anotherZonePutsAnEntryOnTheDayThatItsClocksShow(
    change: String, day: String, start: String
  ) throws {
    var subject = try activity(
      #"{"text":"a","startAt":"2026-03-14T22:00:00Z","timeZone":"Europe/Berlin"}"#)
    try ActivityArguments.change(
      &subject, try #require(try JSON(parsing: change).object), homeZone: .utc)
    #expect(subject.dayKey.description == day)
    #expect(subject.startAt?.description == start)
  }

  @Test func aNightStaysOnTheDayOfWakingInAnotherZone() throws {
    var subject = try activity(
      #"{"text":"slept","dayKey":"2026-03-14","startAt":"2026-03-13T22:00:00Z","timeZone":"UTC"}"#)
    let object = try #require(try JSON(parsing: #"{"timeZone":"Europe/Lisbon"}"#).object)
    try ActivityArguments.change(&subject, object, homeZone: .utc)
    #expect(subject.dayKey.description == "2026-03-14")
  }

  @Test func aMediaTypeComesFromTheContentNotTheName() {
    let html = Data("<html><script>alert(1)</script>".utf8)
    #expect(!MediaType(sniffing: html, fileName: "photo.jpg").isSafeInline)
    #expect(!MediaType(sniffing: Data("<svg onload=…>".utf8), fileName: "a.svg").isSafeInline)
    let jpeg = Data([0xFF, 0xD8, 0xFF, 0xE0])
    #expect(MediaType(sniffing: jpeg, fileName: "a.html").name == "image/jpeg")
  }
}
