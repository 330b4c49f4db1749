import Foundation
import Testing

@testable import ArkivedImport

@Suite("XML answers of calendar and address book servers")
struct DAVElementTests {
  private func names(_ text: String) throws -> [String] {
    var names: [String] = []
    try DAVElement.read(Array(text.utf8), textLimit: 100) { element, root in
      names += [root, element.name] + element.children.map(\.name)
      names += element.children.flatMap { $0.attributes.keys.sorted() }
    }
    return names
  }

  @Test func namesHaveTheNamespacesOfTheirPrefixes() throws {
    let found = try names(
      """
      <?xml version="1.0"?><multistatus xmlns="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav">
      <c:response xmlns:c="http://apple.com/ns/ical/"><c:color c:a="1" b="2" xml:lang="en"/>
      <plain xmlns=""/></c:response><d:response xmlns:d="DAV:"><c:comp/></d:response></multistatus>
      """)
    #expect(
      found == [
        "DAV:multistatus", "http://apple.com/ns/ical/response", "http://apple.com/ns/ical/color",
        "plain", "b", "http://apple.com/ns/ical/a", "http://www.w3.org/XML/1998/namespace:lang",
        "DAV:multistatus", "DAV:response", "urn:ietf:params:xml:ns:caldav:comp",
      ])
    #expect(throws: DAVElement.Problem.self) { try names("<a><b:c/></a>") }
  }

  @Test func namesThatWouldFillTheMemoryAreRefused() throws {
    let long = String(repeating: "x", count: 2_000)
    let many = (0..<200).map { " a\($0)=\"\"" }.joined()
    let spaces = (0..<200).map { " xmlns:a\($0)=\"x\"" }.joined()
    for text in [
      "<a xmlns:b=\"\(long)\"><b:c/></a>", "<a xmlns=\"\(long)\"><c/></a>", "<a><b\(many)/></a>",
      "<a><b\(spaces)/></a>",
      "<a><b c=\"" + String(repeating: "x", count: 200_000) + "\"/></a>",
    ] {
      #expect(throws: DAVElement.Problem.self, "\(text.prefix(40))") { try names(text) }
    }
    let text = String(repeating: "long text ", count: 100_000)
    #expect(try names("<a><b>\(text)</b><b><![CDATA[<\(text)]]></b></a>") == ["a", "b", "a", "b"])
  }
}
