import ArkivedCore
import ArkivedTestSupport
import Foundation
import Testing

@testable import ArkivedAssistant

@Suite("Reading and refusing queries")
struct QueryDecoderTests {
  private func query(_ json: JSON) throws -> Query {
    let zone = try #require(Zone(TestArchive.zoneName))
    return try QueryDecoder(reader: TimeReader(now: TestArchive.now, zone: zone)).query(json)
  }

  private func refusal(_ json: JSON) -> FieldError? {
    do {
      _ = try query(json)
      return nil
    } catch { return error as? FieldError }
  }

  @Test func aQueryIsReadAsItsTypes() throws {
    let read = try query([
      "source": [
        "entries": ["tag": "#run", "not": ["person": "Alex"], "time": "last month"]
      ], "fold": "sum", "unit": "km", "group": "week", "order": "most", "limit": 3,
      "citations": 0,
    ])
    let february = try #require(DayKey("2026-02-01"))...(try #require(DayKey("2026-02-28")))
    var wanted = Query(
      .entries(.all([.tag("run"), .not(.person("Alex", role: .any)), .days(february)])), .sum)
    (wanted.unit, wanted.group, wanted.order) = ("km", .week, .most)
    (wanted.limit, wanted.citations) = (3, 0)
    #expect(read == wanted)
    let meetings = try query([
      "source": ["meetings": ["person": ["name": "Alex", "role": "organizer"]]]
    ])
    #expect(meetings.source == .items(.meetings, .person("Alex", role: .organizer)))
    let event = try query([
      "source": ["days": ["concept": ["phrase": "the move", "role": "event"]]], "fold": "first",
    ])
    #expect(
      event.source == .days(.concept(Query.Concept(phrase: "the move", role: .event))))
  }

  @Test(arguments: [
    #"{"source":{"entries":{}}}"#,
    #"{"source":{"entries":{"all":[{}]}},"fold":"count"}"#,
    #"{"source":{"entries":{"tag":"a","all":[{"tag":"b"},{"tag":"c"}]}},"fold":"count"}"#,
    #"{"source":{"entries":{"all":[{"tag":"a"},{"tag":"b"},{}]}},"fold":"count"}"#,
    #"{"source":{"entries":{"any":[{"alone":false},{"not":{"mood":{"min":2,"max":4.5}}}]}}}"#,
    #"{"source":{"entries":{"days":{"to":"2026-03-01"},"month":[5,1],"weekday":["sunday"]}}}"#,
    #"{"source":{"days":{"hours":{"from":"22:05","to":"05:00"},"season":["winter"]}}}"#,
    #"{"source":{"entries":{"concept":{"phrase":"sea","role":"event"},"text":"x","source":"y"}}}"#,
    #"{"source":{"meetings":{"person":{"name":"A","role":"organizer"},"place":"B","kind":"work"}}}"#,
    #"{"source":{"promises":{"done":false,"person":"A"}},"target":"name","order":"newest"}"#,
    #"{"source":{"metric":{"name":"steps","where":{"time":"2025"}}},"fold":"highest","rank":3}"#,
    #"{"source":{"onDays":{"source":{"entries":{}},"of":{"days":{}},"from":-2,"to":1}}}"#,
    #"{"source":{"union":[{"minus":{"source":{"goals":{}},"without":{"goals":{"text":"x"}}}}]}}"#,
    """
    {"source":{"between":{"source":{"entries":{"amount":{"unit":"km","min":1}}},"start":{"days":{}},
    "end":{"days":{"energy":{"max":2},"metric":{"name":"steps","min":9}}}}},"fold":"compare",
    "by":"sum","unit":"km","against":{"entries":{}},"limit":3,"citations":0}
    """,
  ])
  func aQueryIsWrittenAsItIsRead(_ text: String) throws {
    let read = try query(JSON(parsing: text))
    #expect(try query(read.json) == read, "\(read.json.text())")
    #expect(SchemaCheck.fits(read.json, QueryEngine.schema), "\(read.json.text())")
  }

  @Test(arguments: [
    (#"{}"#, "/source"), (#"{"source":5}"#, "/source"), (#"{"source":{}}"#, "/source"),
    (#"{"source":{"entries":{},"days":{}}}"#, "/source"),
    (##"{"source":{"$ref":"#/source"}}"##, "/source/$ref"),
    (#"{"source":{"entries":{"colour":"red"}}}"#, "/source/entries/colour"),
    (#"{"source":{"entries":{"a/b~c":1}}}"#, "/source/entries/a~1b~0c"),
    (#"{"source":{"entries":{"tag":5}}}"#, "/source/entries/tag"),
    (#"{"source":{"entries":{"tag":""}}}"#, "/source/entries/tag"),
    (#"{"source":{"entries":{"tag":null}}}"#, "/source/entries/tag"),
    (#"{"source":{"entries":{"any":[{"tag":"a"},{"mood":{}}]}}}"#, "/source/entries/any/1/mood"),
    (#"{"source":{"entries":{"all":[]}}}"#, "/source/entries/all"),
    (#"{"source":{"entries":{"time":"the blue one"}}}"#, "/source/entries/time"),
    (#"{"source":{"entries":{"days":{}}}}"#, "/source/entries/days"),
    (#"{"source":{"entries":{"days":{"from":"2026-02-30"}}}}"#, "/source/entries/days/from"),
    (
      #"{"source":{"entries":{"days":{"from":"2026-03-02","to":"2026-03-01"}}}}"#,
      "/source/entries/days/to"
    ),
    (
      #"{"source":{"entries":{"hours":{"from":"25:00","to":"01:00"}}}}"#,
      "/source/entries/hours/from"
    ),
    (#"{"source":{"entries":{"month":[13]}}}"#, "/source/entries/month/0"),
    (#"{"source":{"entries":{"amount":{"unit":"km"}}}}"#, "/source/entries/amount"),
    (
      #"{"source":{"entries":{"amount":{"unit":"km","min":5,"max":1}}}}"#,
      "/source/entries/amount/max"
    ),
    (#"{"source":{"entries":{"done":true}}}"#, "/source/entries/done"),
    (#"{"source":{"people":{"time":"2025"}}}"#, "/source/people/time"),
    (
      #"{"source":{"entries":{"person":{"name":"A","role":"organizer"}}}}"#,
      "/source/entries/person/role"
    ),
    (
      #"{"source":{"minus":{"source":{"entries":{}},"without":{"days":{}}}}}"#,
      "/source/minus/without"
    ),
    (#"{"source":{"union":[{"entries":{}},{"goals":{}}]}}"#, "/source/union/1"),
    (#"{"source":{"onDays":{"source":{"entries":{}}}}}"#, "/source/onDays/of"),
    (#"{"source":{"onDays":{"source":{"people":{}},"of":{"days":{}}}}}"#, "/source/onDays/source"),
    (#"{"source":{"entries":{}},"fold":"avg"}"#, "/fold"),
    (#"{"source":{"entries":{}},"fold":"sum"}"#, "/unit"),
    (#"{"source":{"days":{}},"fold":"sum","unit":"km"}"#, "/unit"),
    (#"{"source":{"entries":{}},"target":"amount"}"#, "/unit"),
    (#"{"source":{"entries":{}},"order":"most"}"#, "/unit"),
    (#"{"source":{"entries":{}},"fold":"distinct"}"#, "/target"),
    (#"{"source":{"goals":{}},"target":"place"}"#, "/target"),
    (#"{"source":{"entries":{}},"fold":"compare"}"#, "/against"),
    (#"{"source":{"entries":{}},"fold":"count","against":{"days":{}}}"#, "/against"),
    (#"{"source":{"entries":{}},"fold":"share","against":{"days":{}}}"#, "/against"),
    (
      #"{"source":{"entries":{}},"fold":"share","by":"mean","unit":"km","against":{"entries":{}}}"#,
      "/by"
    ),
    (#"{"source":{"entries":{}},"fold":"nth"}"#, "/rank"),
    (#"{"source":{"entries":{}},"rank":2}"#, "/rank"),
    (#"{"source":{"entries":{}},"group":"month"}"#, "/group"),
    (#"{"source":{"entries":{}},"fold":"trend","group":"tag"}"#, "/group"),
    (#"{"source":{"entries":{}},"fold":"run","group":"person"}"#, "/group"),
    (#"{"source":{"goals":{}},"fold":"count","group":"person"}"#, "/group"),
    (#"{"source":{"entries":{}},"fold":"count","group":["day"]}"#, "/group"),
    (#"{"source":{"entries":{}},"fold":"count","order":"most"}"#, "/order"),
    (#"{"source":{"entries":{}},"fold":"count","group":"day","limit":1000000}"#, "/limit"),
    (#"{"source":{"entries":{}},"limit":1.5}"#, "/limit"),
    (#"{"source":{"entries":{}},"citations":-1}"#, "/citations"),
    (#"{"source":{"entries":{}},"select":"*"}"#, "/select"),
  ])
  func whatDoesNotFitIsRefusedWithItsPlace(_ text: String, _ pointer: String) throws {
    let error = try #require(refusal(try JSON(parsing: text)), "\(text)")
    #expect(error.field == pointer, "\(text): \(error)")
    #expect(error.problem.count > 5 && error.problem.count < 1_000)
  }

  /// What the decoder takes fits the schema, and what does not fit the schema it refuses.
  @Test func theSchemaSaysWhatTheDecoderTakes() throws {
    let texts = [
      #"{"source":{"entries":{"any":[{"tag":"a"},{"not":{"mood":{"max":2}}}]}},"fold":"count"}"#,
      #"{"source":{"metric":{"name":"steps"}},"fold":"mean","group":"weekday"}"#,
      #"{"source":{"union":[{"days":{}},{"days":{"concept":{"phrase":"sea"}}}]}}"#,
      #"{"source":{"entries":{"person":5}}}"#, #"{"source":{"entries":{"any":[]}}}"#,
      #"{"source":{"entries":{},"days":{}}}"#, #"{"source":{"entries":{}},"limit":0}"#,
      #"{"source":{"entries":{"weekday":["caturday"]}}}"#,
    ]
    for text in texts {
      let json = try JSON(parsing: text)
      #expect(SchemaCheck.fits(json, QueryEngine.schema) == (refusal(json) == nil), "\(text)")
    }
    #expect(QueryEngine.schema.text().utf8.count < 16_000)
  }

  // MARK: Hostile queries

  @Test func whatIsTooDeepTooLargeOrNoJSONIsRefusedAtOnce() throws {
    func refused(_ text: String) -> String {
      do {
        return try query(QueryEngine.parse(text)).fold.rawValue
      } catch { return "\(error)" }
    }
    let deep = #"{"source":{"entries":"# + String(repeating: #"{"not":"#, count: 10_000)
    #expect(refused(deep).contains("nested deeper") || refused(deep).contains("larger than"))
    let shallow = String(repeating: #"{"not":"#, count: 200)
    #expect(refused(#"{"source":{"entries":"# + shallow).contains("nested deeper"))
    #expect(refused(String(repeating: " ", count: 5 << 20)).contains("larger than 64 KB"))
    #expect(refused(#"{"source":{"entries":{"mood":{"min":NaN}}}}"#).contains("isn’t valid JSON"))
    #expect(refused(#"{"source":{"entries":{"mood":{"min":1e999}}}}"#).contains("too large"))
    #expect(
      refused("[1]").contains("must be an object") && refused("").contains("isn’t valid JSON"))
    #expect(refused(#"{"source":{},"source":{}}"#).contains("occurs twice"))
  }

  @Test func aQueryHasLimits() throws {
    var nested: JSON = ["tag": "a"]
    for _ in 0..<100 { nested = ["not": nested] }
    let deep = try #require(refusal(["source": ["entries": nested]]))
    #expect(deep.problem.contains("nested too deeply"))
    let many = JSON.array(Array(repeating: ["tag": "a"], count: 51))
    #expect(refusal(["source": ["entries": ["any": many]]])?.field == "/source/entries/any")
    let fifty = JSON.array(Array(repeating: ["tag": "a"], count: 50))
    let wide = JSON.array(Array(repeating: ["any": fifty], count: 50))
    let large = try #require(refusal(["source": ["entries": ["all": wide]]]))
    #expect(large.problem.contains("has too many values"))
    let phrases = JSON.array((0..<21).map { ["concept": .string("phrase \($0)")] })
    let searched = try #require(refusal(["source": ["entries": ["any": phrases]]]))
    #expect(searched.field == "/source/entries/any/20/concept")
    let name = String(repeating: "x", count: 10_000)
    let unknown = try #require(refusal(["source": ["entries": [name: 1]]]))
    #expect(unknown.field.count < 100)
  }
}
