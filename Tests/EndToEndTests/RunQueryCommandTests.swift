import ArkivedCore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("arkived query")
struct RunQueryCommandTests {
  private let arkived: Program
  private static let kilometres =
    #"{"source":{"entries":{"tag":"rowing"}},"fold":"sum","unit":"km"}"#

  init() throws {
    arkived = try Program()
    for amount in ["4", "6.5"] {
      #expect(try arkived("add", "rowed \(amount) km #rowing", "--json").status == 0)
    }
    #expect(try arkived("add", "read #books", "--json").status == 0)
  }

  @Test func aQueryComesFromAFileOrAPipe() throws {
    let file = try arkived.folder.file("rowing.json", Self.kilometres)
    let told = try arkived("query", file.path)
    #expect(told.status == 0, "\(told.talk)")
    #expect(told.output.hasPrefix("Total: 10.5 km (2 entries).\n"), "\(told.output)")
    #expect(told.output.contains("rowed"))
    let piped = try arkived("query", "-", "--json", input: Data(Self.kilometres.utf8))
    #expect(piped.json["rows"]?.array?.first?["value"] == 10.5)
    #expect(piped.json["citationCount"] == 2 && piped.json["citations"]?.array?.count == 2)
    let german = try arkived("--language", "de", "query", file.path)
    #expect(german.output.hasPrefix("Insgesamt 10,5 km (2 Einträge).\n"), "\(german.output)")
  }

  @Test func theSchemaIsPrinted() throws {
    let schema = try arkived("query", "--schema")
    #expect(schema.status == 0 && schema.json["$defs"]?["predicate"] != nil)
    #expect(try arkived("query", "--schema", "--json").json == schema.json)
  }

  @Test func whatDoesNotFitNamesItsPlace() throws {
    let cases: [(String, Int32, String)] = [
      (#"{"source":{"entries":{"colour":"red"}}}"#, 65, "/source/entries/colour"),
      (#"{"source":{"entries":{}},"fold":"sum"}"#, 65, "/unit"),
      (#"{"source":{"entries":{}},"fold":"count","group":"day","limit":1000000}"#, 65, "/limit"),
      (#"{"source":"#, 65, "isn’t valid JSON"), ("[]", 65, "must be an object"),
      (#"{"a":"# + String(repeating: "[", count: 10_000), 65, "nested deeper"),
      (String(repeating: " ", count: 5 << 20), 65, "larger than 64 KB"),
    ]
    for (query, status, words) in cases {
      let file = try arkived.folder.file("query.json", query)
      for arguments in [["query", file.path], ["query", file.path, "--json"]] {
        let told = try arkived.run(arguments)
        #expect(told.status == status, "\(query.prefix(60)) \(told.talk)")
        #expect(told.talk.contains(words), "\(query.prefix(60)) \(told.talk)")
      }
    }
    let missing = try arkived("query", "nowhere.json")
    #expect(missing.status == 66 && missing.talk.contains("arkived add query"))
    let words = try arkived("query", "the", "supplier")
    #expect(words.status == 64 && words.talk.contains("arkived add query"))
    #expect(try arkived("query").status == 64)
  }
}
