import ArkivedCore
import Foundation

/// A picture that is rendered in two ways: into a page, with the colours of the tokens, and as a
/// file with its own colours.
struct Drawing {
  /// The meaning of a shape, which determines its colour.
  enum Tone: String {
    case accent, second, soft, line, ink, mark, none
    case level0, level1, level2, level3, level4, level5
    /// Text on the darker levels.
    case over

    /// The colour in a file, which uses the light appearance.
    var colour: String {
      switch self {
      case .accent: "#0d6a66"
      case .second: "#a85505"
      case .soft: "#5c5953"
      case .line: "#d8d3c8"
      case .ink: "#1e1d1b"
      case .mark: "#b3261e"
      case .none: "none"
      case .level0: "#f1efea"
      case .level1: "#e1f0ee"
      case .level2: "#b5dbd7"
      case .level3: "#7fc0ba"
      case .level4: "#1c7b75"
      case .level5: "#0a4f4c"
      case .over: "#ffffff"
      }
    }

    static func level(_ level: Int) -> Tone { Tone(rawValue: "level\(level)") ?? .level0 }
  }

  enum Target { case page, file }

  /// The width in a file of a picture that otherwise fills the available width.
  static let fileWidth = 720.0

  let target: Target
  private var writer = HTMLWriter()

  init(for target: Target) { self.target = target }

  var html: String { writer.text }

  private func fill(_ tone: Tone) -> String {
    target == .page ? "class=\"t-\(tone.rawValue)\"" : "fill=\"\(tone.colour)\""
  }

  private func stroke(_ tone: Tone, _ width: Double, dashed: Bool) -> String {
    let dash = dashed ? " stroke-dasharray=\"5 4\"" : ""
    let shape = " fill=\"none\" stroke-width=\"\(SVGNumber.of(width))\"\(dash)"
    return target == .page
      ? "class=\"s-\(tone.rawValue)\"\(shape)" : "stroke=\"\(tone.colour)\"\(shape)"
  }

  /// Begins a picture.
  ///
  /// - Parameters:
  ///   - name: the name.
  ///   - label: the text alternative.
  ///   - width: the width in the picture's own units, or nil if positions are shares of the
  ///     available width.
  ///   - height: the height in the picture's own units.
  ///   - hasLinks: true for a picture with links, which is a group of links instead of an image.
  mutating func begin(
    _ name: String, label: String, width: Double?, height: Double, hasLinks: Bool = false
  ) {
    let wide = SVGNumber.of(width ?? Self.fileWidth)
    let high = SVGNumber.of(height)
    let role = hasLinks ? "group" : "img"
    switch target {
    case .page:
      let size = width == nil ? "height=\"\(high)\"" : "viewBox=\"0 0 \(wide) \(high)\""
      writer.raw("<svg class=\"ins-svg ins-\(name)\" \(size) role=\"\(role)\" aria-label=\"")
      writer.shown(label)
      writer.raw("\">")
    case .file:
      let scale = width == nil ? 1.0 : 2.0
      writer.raw(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" "
          + "width=\"\(SVGNumber.of((width ?? Self.fileWidth) * scale))\" "
          + "height=\"\(SVGNumber.of(height * scale))\" "
          + (width == nil ? "" : "viewBox=\"0 0 \(wide) \(high)\" ")
          + "role=\"img\" font-family=\"system-ui, sans-serif\" font-size=\"12\"><title>")
      writer.shown(label)
      writer.raw("</title><rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>")
    }
  }

  mutating func end() { writer.raw("</svg>") }

  /// Begins a part that is stretched over a field, with positions as shares of its width and height
  /// from 0 to 100.
  ///
  /// - Parameters:
  ///   - x: the position in hundredths of the picture's width, as is `width`.
  ///   - y: the position from above.
  ///   - width: the width.
  ///   - height: the height.
  mutating func beginStretched(x: Double, y: Double, width: Double, height: Double) {
    writer.raw(
      "<svg x=\"\(SVGNumber.of(x))%\" y=\"\(SVGNumber.of(y))\" "
        + "width=\"\(SVGNumber.of(width))%\" height=\"\(SVGNumber.of(height))\" "
        + "viewBox=\"0 0 100 100\" preserveAspectRatio=\"none\">")
  }

  /// Draws a rectangle.
  ///
  /// - Parameters:
  ///   - x: the left edge.
  ///   - y: the upper edge.
  ///   - width: the width.
  ///   - height: the height.
  ///   - unit: the unit of the horizontal positions, "%" or nothing.
  ///   - radius: the radius of the corners.
  ///   - tone: the colour.
  ///   - tip: the text shown when the pointer rests on it.
  mutating func rect(
    x: Double, y: Double, width: Double, height: Double, unit: String = "", radius: Double = 0,
    _ tone: Tone, tip: String? = nil
  ) {
    writer.raw(
      "<rect x=\"\(SVGNumber.of(x))\(unit)\" y=\"\(SVGNumber.of(y))\" "
        + "width=\"\(SVGNumber.of(width))\(unit)\" height=\"\(SVGNumber.of(height))\" "
        + (radius > 0 ? "rx=\"\(SVGNumber.of(radius))\" " : "") + fill(tone))
    close("rect", tip)
  }

  mutating func circle(x: Double, y: Double, radius: Double, _ tone: Tone, tip: String) {
    writer.raw(
      "<circle cx=\"\(SVGNumber.of(x))\" cy=\"\(SVGNumber.of(y))\" r=\"\(SVGNumber.of(radius))\" "
        + "fill-opacity=\"0.55\" \(fill(tone))")
    close("circle", tip)
  }

  mutating func line(
    _ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, unit: String = "", _ tone: Tone,
    width: Double = 1, dashed: Bool = false
  ) {
    writer.raw(
      "<line x1=\"\(SVGNumber.of(x1))\(unit)\" y1=\"\(SVGNumber.of(y1))\" "
        + "x2=\"\(SVGNumber.of(x2))\(unit)\" y2=\"\(SVGNumber.of(y2))\" "
        + "vector-effect=\"non-scaling-stroke\" " + stroke(tone, width, dashed: dashed) + "/>")
  }

  mutating func path(_ path: String, _ tone: Tone, width: Double) {
    writer.raw(
      "<path d=\"\(path)\" vector-effect=\"non-scaling-stroke\" stroke-linejoin=\"round\" "
        + "stroke-linecap=\"round\" " + stroke(tone, width, dashed: false) + "/>")
  }

  mutating func text(
    _ text: String, x: Double, y: Double, unit: String = "", anchor: String = "start",
    size: Double? = nil, _ tone: Tone
  ) {
    writer.raw("<text x=\"\(SVGNumber.of(x))\(unit)\" y=\"\(SVGNumber.of(y))\" ")
    if anchor != "start" { writer.raw("text-anchor=\"\(anchor)\" ") }
    if let size { writer.raw("font-size=\"\(SVGNumber.of(size))\" ") }
    writer.raw(fill(tone) + ">")
    writer.shown(text)
    writer.raw("</text>")
  }

  /// Begins a link to a page; a file has no links.
  mutating func beginLink(_ href: String, label: String) {
    guard target == .page else { return }
    writer.raw("<a href=\"")
    writer.value(href)
    writer.raw("\" aria-label=\"")
    writer.shown(label)
    writer.raw("\">")
  }

  mutating func endLink() { if target == .page { writer.raw("</a>") } }

  private mutating func close(_ name: String, _ tip: String?) {
    guard let tip else { return writer.raw("/>") }
    writer.raw("><title>")
    writer.shown(tip)
    writer.raw("</title></\(name)>")
  }
}
