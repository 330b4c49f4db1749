import Foundation

/// The vocabulary's view of a character: without case and accents, or as a gap between words.
///
/// These are the rules of the uncased BERT tokenizer: control characters are removed, white space
/// separates words, Han characters and punctuation become separate words, and everything else is
/// decomposed (NFD), stripped of nonspacing marks and lower-cased.
struct TextFolding {
  /// The parts that a character is folded to, in order.
  enum Part: Hashable {
    case space
    case letter(Unicode.Scalar)
    /// A character that is a separate word.
    case sign(Unicode.Scalar)
  }

  private var known: [Unicode.Scalar: [Part]] = [:]

  /// Returns the parts that a character is folded to.
  ///
  /// Results are cached, because decomposition is slow and the same characters recur in a text.
  mutating func parts(of scalar: Unicode.Scalar) -> [Part] {
    if let parts = known[scalar] { return parts }
    let parts = TextFolding.fold(scalar)
    known[scalar] = parts
    return parts
  }

  /// Returns the part that an ASCII character is folded to, or nil for control characters.
  static func ascii(_ byte: UInt8) -> Part? {
    switch byte {
    case 0x09, 0x0A, 0x0D, 0x20: .space
    case 0x30...0x39, 0x61...0x7A: .letter(Unicode.Scalar(byte))
    case 0x41...0x5A: .letter(Unicode.Scalar(byte + 0x20))
    case 0x21...0x7E: .sign(Unicode.Scalar(byte))
    default: nil
    }
  }

  static func fold(_ scalar: Unicode.Scalar) -> [Part] {
    if scalar.isASCII { return ascii(UInt8(scalar.value)).map { [$0] } ?? [] }
    let properties = scalar.properties
    if scalar == "\u{FFFD}" || isControl(properties) { return [] }
    if properties.isWhitespace { return [.space] }
    let letters = String(scalar).decomposedStringWithCanonicalMapping.unicodeScalars
      .filter { !isMark($0) }
      .flatMap { $0.properties.lowercaseMapping.unicodeScalars }
      .map { isSign($0) ? Part.sign($0) : .letter($0) }
    return isHan(scalar.value) ? [.space] + letters + [.space] : letters
  }

  /// Returns true if the character is in Unicode 8, which the reference's tables are based on;
  /// newer characters have no category there.
  private static func isKnown(_ properties: Unicode.Scalar.Properties) -> Bool {
    guard let age = properties.age else { return false }
    return age.major <= 8
  }

  private static func isControl(_ properties: Unicode.Scalar.Properties) -> Bool {
    switch properties.generalCategory {
    case .control, .privateUse: true
    case .format: isKnown(properties)
    default: false
    }
  }

  /// Characters whose category changed after Unicode 8.
  private static let marksThen: Set<Unicode.Scalar> = ["\u{1734}", "\u{1171E}"]
  private static let noMarksThen: Set<Unicode.Scalar> = [
    "\u{1885}", "\u{1886}", "\u{A9BD}", "\u{111C9}",
  ]
  private static let signsThen: Set<Unicode.Scalar> = ["\u{166D}", "\u{111C9}"]

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.properties.generalCategory == .nonspacingMark {
      return isKnown(scalar.properties) && !noMarksThen.contains(scalar)
    }
    return marksThen.contains(scalar)
  }

  private static func isSign(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII {
      if case .sign? = ascii(UInt8(scalar.value)) { return true }
      return false
    }
    switch scalar.properties.generalCategory {
    case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation,
      .initialPunctuation, .finalPunctuation, .otherPunctuation:
      return isKnown(scalar.properties)
    default: return signsThen.contains(scalar)
    }
  }

  /// Returns true for the blocks of Han characters that the reference separates.
  private static func isHan(_ value: UInt32) -> Bool {
    switch value {
    case 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x20000...0x2A6DF, 0x2A700...0x2B81F,
      0x2B920...0x2CEAF, 0x2F800...0x2FA1F:
      true
    default: false
    }
  }
}
