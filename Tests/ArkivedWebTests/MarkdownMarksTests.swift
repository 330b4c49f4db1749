import Foundation
import Testing

@testable import ArkivedWeb

@Suite struct MarkdownMarksTests {
  private static let id = "6C0F3E6B-4A57-4C4B-9C1F-0D6B5D6A1E11"

  @Test func checkBoxesAreShownAsSuchAndOtherBracketsStay() {
    let html = Markdown.html("- [ ] bread\n- [x] *milk*\n- [y] tea\n- [ ]\n\n[ ] alone\n")
    #expect(html.contains("<span class=\"tick\" role=\"img\" aria-label=\"not done\">"))
    #expect(html.contains("<span class=\"tick is-done\" role=\"img\" aria-label=\"done\">"))
    #expect(html.contains("<span></span></span>bread") && html.contains("<em>milk</em>"))
    #expect(html.contains("[y] tea") && html.contains("[ ] alone"))
    #expect(html.components(separatedBy: "class=\"tick").count == 3)
  }

  @Test func ownPicturesAreThumbnailsThatLeadToTheirFiles() {
    let html = Markdown.html("![the pier](/attachments/\(Self.id))")
    #expect(
      html.contains(
        "<a href=\"/attachments/\(Self.id)\"><img src=\"/attachments/\(Self.id)/thumbnail?size=large\""
      ))
    let linked = Markdown.html("[![pier](/attachments/\(Self.id))](/day/2026-03-13)")
    #expect(linked.contains("<a href=\"/day/2026-03-13\"><img src=\"/attachments/\(Self.id)/thumb"))
    #expect(linked.components(separatedBy: "<a ").count == 2)
    for other in ["/attachments/x", "https://example.org/a.png", "/attachments/\(Self.id)/../x"] {
      #expect(Markdown.html("![a](\(other))").contains("<img src=\"\(other)\""))
    }
  }

  @Test func markupInWhatIsMarkedIsText() {
    let html = Markdown.html(
      "- [ ] <img src=x onerror=alert(1)>\n![\"><b>](/attachments/\(Self.id))")
    #expect(!html.contains("<img src=x") && !html.contains("<b>"))
  }

  @Test func aFieldKeepsEveryKindOfLineEnding() {
    #expect(FormValue("a\r\nb\rc\n").renderText == "a&#13;\nb&#13;c\n")
  }
}
