import ArkivedCore
import Foundation
import Testing

@Suite("JSON")
struct JSONTests {
  @Test func aDocumentKeepsItsKeysInOrder() throws {
    let text = #"{"type":"day","a":[1,2.5,-3e2,true,false,null],"é":"\"\\\n\u0001 日本 😀"}"#
    let value = try JSON(parsing: text)
    #expect(value.object?.keys == ["type", "a", "é"])
    #expect(try JSON(parsing: value.text()) == value)
    #expect(try JSON(parsing: value.text(indented: true)) == value)
    #expect(value.text().hasPrefix(#"{"type":"day","a":[1,2.5,-300.0,true,false,null]"#))
  }

  @Test func escapesAndSurrogatePairsAreRead() throws {
    let value = try JSON(parsing: #""\ud83d\ude00\u00e9\/\b\f\t""#)
    #expect(value.string == "😀é/\u{8}\u{C}\t")
  }

  @Test(arguments: [
    "", " ", "{", "[1,", "{\"a\":1,}", "{\"a\":1 \"b\":2}", "{a:1}", "[1]]", "01", "1.", "-",
    "1e", "nul", "\"abc", "\"\\x\"", "\"\\ud800\"", "\"\u{1}\"", "1e999", "{\"a\":1,\"a\":2}",
    "\u{FEFF}\u{FEFF}1", "'a'", "[1,,2]",
  ])
  func whatIsNotJSONIsRefusedWithItsPlace(text: String) {
    let error = #expect(throws: JSONSyntaxError.self) { try JSON(parsing: text) }
    #expect((error?.offset ?? -1) >= 0)
    #expect(error?.message.isEmpty == false)
  }

  @Test func invalidUTF8InAStringIsRefused() {
    let bytes: [UInt8] = [0x22, 0xC3, 0x28, 0x22]
    #expect(throws: JSONSyntaxError.self) { try JSON(parsing: bytes) }
  }

  @Test func deepNestingIsRefusedBeforeTheStackEnds() throws {
    let deep = String(repeating: "[", count: 100_000)
    let error = #expect(throws: JSONSyntaxError.self) { try JSON(parsing: deep) }
    #expect(error?.message.contains("128") == true)
    let fine = String(repeating: "[", count: 100) + String(repeating: "]", count: 100)
    #expect(throws: Never.self) { try JSON(parsing: fine) }
  }

  @Test func aFieldOfTheWrongTypeIsNamed() throws {
    let object = try #require(try JSON(parsing: #"{"text":5,"list":["a",1],"n":1.5}"#).object)
    var fields = FieldReader(object)
    #expect(throws: FieldError("text", "must be a string, not a number")) {
      try fields.string("text")
    }
    #expect(throws: FieldError.self) { try fields.strings("list") }
    #expect(throws: FieldError("n", "must be a whole number, not 1.5")) { try fields.int("n") }
    #expect(throws: FieldError("day", "is missing")) { try fields.required("day") }
    #expect(fields.unknownKeys.isEmpty)
  }

  @Test func identitiesAreReadAndWrittenAsFoundationDoes() {
    for _ in 0..<200 {
      let id = UUID()
      #expect(id.identityText == id.uuidString)
      #expect(UUID(identity: id.uuidString) == id)
      #expect(UUID(identity: id.uuidString.lowercased()) == id)
    }
    let text = "3F2A91B0-58C4-4D1E-9A7B-0123456789AB"
    for wrong in [
      "", "3F2A91B0", text + "0", String(text.dropLast()), text.replacing("-", with: "0"),
      text.replacing("B", with: "G"), "3F2A91B05-8C4-4D1E-9A7B-0123456789AB",
      text.replacing("F", with: "é"),
    ] {
      #expect(UUID(identity: wrong) == nil, "\(wrong)")
    }
  }
}
