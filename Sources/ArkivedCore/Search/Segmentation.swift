import Foundation

/// Makes scripts without spaces searchable with a tokenizer that splits at spaces: each of their
/// characters becomes a token, and a query becomes a phrase of these tokens.
package enum Segmentation {
  /// The separator between the parts; a control character, which text written by people doesn't
  /// contain.
  package static let separator: Unicode.Scalar = "\u{1F}"
  /// The mark before a found word in a snippet.
  package static let markStart: Unicode.Scalar = "\u{2}"
  package static let markEnd: Unicode.Scalar = "\u{3}"

  /// Returns the text with separators around every character of a script without spaces, without
  /// the three control characters above, and with composed characters: the tokenizer takes “й” in
  /// two parts for another letter, and each syllable of decomposed Hangul for several.
  package static func spaced(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { $0 < 0x80 && $0 != 0x1F && $0 != 2 && $0 != 3 }
    guard !isPlain else { return text }
    var result = String.UnicodeScalarView()
    let isComposed = !text.unicodeScalars.contains(where: isPart)
    let composed = isComposed ? text : text.precomposedStringWithCanonicalMapping
    for scalar in composed.unicodeScalars {
      if scalar == separator || scalar == markStart || scalar == markEnd { continue }
      if isUnspaced(scalar) {
        result.append(separator)
        result.append(scalar)
        result.append(separator)
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }

  /// Returns true if a character may be a part of a composed one.
  private static func isPart(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x300: false
    case 0x1100...0x11FF: true
    default: scalar.properties.canonicalCombiningClass != .notReordered
    }
  }

  /// Reverses `spaced`.
  package static func joined(_ text: String) -> String {
    var scalars = text.unicodeScalars
    scalars.removeAll { $0 == separator }
    return String(scalars)
  }

  /// Returns true if a character belongs to a script written without spaces: Thai, Lao, Tibetan,
  /// Myanmar, Khmer, kana, Han, Hangul and the signs used with them.
  package static func isUnspaced(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0E00...0x0FFF, 0x1000...0x109F, 0x1100...0x11FF, 0x1780...0x17FF, 0x2E80...0x2FDF,
      0x3005...0x3007, 0x3021...0x3029, 0x3031...0x3035, 0x3040...0x31FF, 0x3400...0x4DBF,
      0x4E00...0x9FFF, 0xA960...0xA97F, 0xAA60...0xAA7F, 0xAC00...0xD7FF, 0xF900...0xFAFF,
      0xFF66...0xFFDC, 0x1B000...0x1B16F, 0x20000...0x3FFFF:
      true
    default: false
    }
  }
}
