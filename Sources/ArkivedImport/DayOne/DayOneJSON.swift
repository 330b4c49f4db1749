import ArkivedCore

/// Parses an entry, and retries with a repaired text if only its strings are broken.
///
/// A program that cuts a text between the halves of an emoji must not cause the whole entry to be
/// lost.
enum DayOneJSON {
  struct Parsed {
    var json: JSON
    var remarks: [DayOneEntry.Remark] = []
  }

  /// Parses an entry.
  ///
  /// - Throws: `JSONSyntaxError` if the repaired entry isn't JSON either.
  static func parse(_ bytes: [UInt8]) throws -> Parsed {
    do {
      return Parsed(json: try JSON(parsing: bytes))
    } catch let error as JSONSyntaxError {
      guard let json = try? JSON(parsing: mended(bytes)) else { throw error }
      return Parsed(
        json: json,
        remarks: [
          DayOneEntry.Remark(
            field: nil,
            message: "its JSON was damaged (\(error)). Unreadable text is shown as �")
        ])
    }
  }

  /// Returns JSON whose strings are valid UTF-8, without bare control characters or unpaired
  /// surrogates.
  private static func mended(_ bytes: [UInt8]) -> [UInt8] {
    let text = Array(String(decoding: bytes, as: UTF8.self).utf8)
    var output: [UInt8] = []
    output.reserveCapacity(text.count)
    var isInString = false
    var position = 0
    while position < text.count {
      let byte = text[position]
      if isInString, byte == UInt8(ascii: "\\") {
        let length = escapeLength(text, position)
        if isHalf(text, position, length) {
          output.append(contentsOf: "\\ufffd".utf8)
        } else {
          output.append(contentsOf: text[position..<position + length])
        }
        position += length
        continue
      }
      if byte == UInt8(ascii: "\"") { isInString.toggle() }
      if isInString, byte < 0x20 {
        output.append(contentsOf: control(byte).utf8)
      } else {
        output.append(byte)
      }
      position += 1
    }
    return output
  }

  private static func control(_ byte: UInt8) -> String {
    switch byte {
    case 0x0A: "\\n"
    case 0x0D: "\\r"
    case 0x09: "\\t"
    default: " "
    }
  }

  /// Returns 12 for a surrogate pair, 6 for another `\uXXXX`, and otherwise 2.
  private static func escapeLength(_ text: [UInt8], _ start: Int) -> Int {
    guard let first = unit(text, start) else { return min(2, text.count - start) }
    guard (0xD800...0xDBFF).contains(first), let second = unit(text, start + 6),
      (0xDC00...0xDFFF).contains(second)
    else { return 6 }
    return 12
  }

  private static func isHalf(_ text: [UInt8], _ start: Int, _ length: Int) -> Bool {
    guard length == 6, let unit = unit(text, start) else { return false }
    return (0xD800...0xDFFF).contains(unit)
  }

  /// Returns the code unit of the `\uXXXX` at a position.
  private static func unit(_ text: [UInt8], _ start: Int) -> UInt16? {
    guard start + 6 <= text.count, text[start] == UInt8(ascii: "\\"),
      text[start + 1] == UInt8(ascii: "u")
    else { return nil }
    return UInt16(String(decoding: text[(start + 2)..<(start + 6)], as: UTF8.self), radix: 16)
  }
}
