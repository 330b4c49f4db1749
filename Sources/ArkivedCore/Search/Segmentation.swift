import Foundation

/// Makes scripts that are written without spaces searchable by a tokenizer that splits at spaces:
/// each of their characters becomes a token of its own, and a query becomes a phrase of them.
package enum Segmentation {
  /// Stands between the parts; a control character, so that no text of a person is taken for it.
  package static let separator: Unicode.Scalar = "\u{1F}"
  /// Stand around a found word in a snippet.
  package static let markStart: Unicode.Scalar = "\u{2}"
  package static let markEnd: Unicode.Scalar = "\u{3}"

  /// The text with separators around every character of a script without spaces. The three control
  /// characters above are taken out of it.
  package static func spaced(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { $0 < 0x80 && $0 != 0x1F && $0 != 2 && $0 != 3 }
    guard !isPlain else { return text }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
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

  /// The text as it was before `spaced`.
  package static func joined(_ text: String) -> String {
    var scalars = text.unicodeScalars
    scalars.removeAll { $0 == separator }
    return String(scalars)
  }

  /// Whether a script that is written without spaces uses this character: Thai, Lao, Tibetan,
  /// Myanmar, Khmer, kana, Han, Hangul and the signs among them.
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
