@testable import ArkivedImport
import Foundation
import Testing

/// HTML of other programs as Markdown.
@Suite("HTML as Markdown")
struct HTMLMarkdownTests {
  private func markdown(_ html: String) -> String {
    let text = HTMLMarkdown.text(HTMLTokens(html).tokens)
    return MarkdownPage(text) { $0 }.text ?? ""
  }

  @Test(arguments: [
    ("<p>a</p><p>b <b>c</b><i> d</i></p>", "a\n\nb **c** *d*"),
    ("<div>a</div><div>b</div>", "a\nb"),
    ("a<br>b<br/>c", "a\nb\nc"),
    ("<h1>T</h1><p>x</p>", "# T\n\nx"),
    (
      "<ul><li>a<ul><li>b</li></ul></li><li><p>c</p><p>d</p></li></ul>e", "- a\n    - b\n- c d\n\ne"
    ),
    ("<ol start=\"3\"><li>a</li><li>b <b>c</b> d</li></ol>", "3. a\n4. b **c** d"),
    (
      "<ul><li>a</li><li data-checked=\"true\"><span>x</span><span>y</span></li></ul>",
      "- a\n- [x] xy"
    ),
    (
      "<ul class=\"to-do-list\"><li><div class=\"checkbox checkbox-on\"></div> <span>a</span></li>"
        + "<li><div class=\"checkbox checkbox-off\"></div> b</li></ul>", "- [x] a\n- [ ] b"
    ),
    (
      "<ul><li><input type=\"checkbox\" checked> a</li><li><input type=\"checkbox\"> b</li></ul>",
      "- [x] a\n- [ ] b"
    ),
    (
      "<p><input type=\"checkbox\" checked> a</p><p><input type=\"checkbox\"> b</p>",
      "☑ a\n\n☐ b"
    ),
    (
      "<table><tr><th>a</th></tr><tr><td><div class=\"checkbox checkbox-on\"></div></td></tr></table>",
      "| a |\n| --- |\n| ☑ |"
    ),
    (
      "<table><tr><td> a <b>b</b> c</td><td><div>d</div><div>e<br>f</div></td></tr></table>g",
      "| a **b** c | d e f |\n| --- | --- |\n\ng"
    ),
    ("<blockquote>q<br>r</blockquote>s", "> q\n> r\n\ns"),
    ("<pre><code>a  b\n c</code></pre>", "```\na  b\n c\n```"),
    ("<a href=\"https://example.org/a(b)\">x</a>", "[x](<https://example.org/a(b)>)"),
    ("<a href=\"javascript:alert(1)\">x</a>", "x"),
    (
      "<table><tr><th>a</th><th>b|c</th></tr><tr><td>1</td></tr></table>",
      "| a | b\\|c |\n| --- | --- |\n| 1 |  |"
    ),
    (
      "x &lt;script&gt;alert(1)&lt;/script&gt; &amp;amp; &#x2764;",
      "x \\<script>alert(1)\\</script> \\&amp; ❤"
    ),
    ("<script>alert('<p>')</script><style>p{}</style><!-- <p>no</p> -->y", "y"),
    ("1 < 2 <3 && a<b", "1 < 2 <3 && a"),
    ("* not a list<br># nor a heading", "\\* not a list\n\\# nor a heading"),
    ("<p>a&nbsp;&nbsp;b\n   c</p>", "a b c"),
    ("<span style=\"font-weight: 700\">bold</span>", "**bold**"),
    ("", ""),
  ])
  func whatIsWrittenReadsTheSame(html: String, expected: String) {
    #expect(markdown(html) == expected, "\(html)")
  }

  @Test func whatNestsDeepOrNeverEndsIsReadInTimeStraightInItsLength() {
    for part in [
      "<div>", "<ul><li>", "<blockquote>", "<b>", "<table><tr><td>", "<a href='x'>", "<", "&",
      "<!--", "<p class='",
      "</div>", "<style>", "<svg>", "<pre>",
    ] {
      let start = Date()
      _ = markdown(String(repeating: part, count: 20_000) + "x")
      #expect(Date().timeIntervalSince(start) < 10, "\(part)")
    }
  }
}
