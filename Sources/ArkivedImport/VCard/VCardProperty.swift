import Foundation

/// A property of a vCard: `item1.TEL;TYPE=home,voice:+49 30 1234567`.
struct VCardProperty {
  /// The name that groups properties together: `item1`.
  var group: String?
  /// In capitals.
  var name: String
  /// Parameters, keyed by their names in capitals; parameters that version 2.1 writes without a
  /// name are types.
  var parameters: [String: [String]] = [:]
  /// The value as written, with its escapes.
  var value: String
  /// The bytes of a value in Base64.
  var data: Data?
  /// The number of its first line, from 1.
  var line: Int
  /// True if the bytes weren't valid text in the declared encoding.
  var isOfOtherEncoding = false

  /// The words of `TYPE`, in lower case.
  var types: [String] { (parameters["TYPE"] ?? []).map { $0.lowercased() } }

  /// Reads a property; nil for a line that isn't one.
  init?(_ line: VCardLines.Line) {
    guard let colon = Self.colon(in: line.bytes) else { return nil }
    let head = String(decoding: line.bytes[..<colon], as: UTF8.self)
    var parts = Self.split(head, at: ";")
    guard !parts.isEmpty else { return nil }
    var full = parts.removeFirst().trimmingCharacters(in: .whitespaces)
    if let dot = full.firstIndex(of: ".") {
      group = full[..<dot].lowercased()
      full = String(full[full.index(after: dot)...])
    }
    name = full.uppercased()
    guard !name.isEmpty,
      name.utf8.allSatisfy({
        $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") || (0x30...0x39).contains($0)
          || (0x41...0x5A).contains($0)
      })
    else { return nil }
    self.line = line.number
    var encoding = ""
    for part in parts {
      let (key, values) = Self.parameter(part)
      switch key {
      case "ENCODING": encoding = values.first?.uppercased() ?? ""
      default: parameters[key, default: []] += values
      }
    }
    let bytes = line.bytes[(colon + 1)...]
    switch encoding {
    case "QUOTED-PRINTABLE":
      (value, isOfOtherEncoding) = Self.text(
        Self.unquoted(bytes)[...], parameters["CHARSET"]?.first)
    case "B", "BASE64":
      value = ""
      data = Data(base64Encoded: Data(bytes), options: .ignoreUnknownCharacters)
    default:
      (value, isOfOtherEncoding) = Self.text(bytes, parameters["CHARSET"]?.first)
    }
  }

  // MARK: Name and parameters

  /// Returns the position of the colon before the value: the first one outside quotes.
  private static func colon(in bytes: [UInt8]) -> Int? {
    var isQuoted = false
    for (index, byte) in bytes.enumerated() {
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      if byte == UInt8(ascii: ":"), !isQuoted { return index }
      guard index < 4096 else { return nil }
    }
    // An unclosed quotation mark.
    return isQuoted ? bytes.firstIndex(of: UInt8(ascii: ":")) : nil
  }

  private static func split(_ text: String, at separator: Character) -> [String] {
    var parts: [String] = [""]
    var isQuoted = false
    for character in text {
      if character == "\"" { isQuoted.toggle() }
      if character == separator, !isQuoted {
        parts.append("")
      } else {
        parts[parts.count - 1].append(character)
      }
    }
    return parts
  }

  private static func parameter(_ text: String) -> (name: String, values: [String]) {
    guard let sign = text.firstIndex(of: "=") else {
      let word = text.trimmingCharacters(in: .whitespaces).uppercased()
      return ["QUOTED-PRINTABLE", "BASE64", "7BIT", "8BIT"].contains(word)
        ? ("ENCODING", [word]) : ("TYPE", [word])
    }
    let name = text[..<sign].trimmingCharacters(in: .whitespaces).uppercased()
    let values = split(String(text[text.index(after: sign)...]), at: ",").flatMap { value in
      let plain = value.replacing("\"", with: "")
      // `TYPE="voice,home"` is a list as well.
      return name == "TYPE" ? plain.split(separator: ",").map(String.init) : [plain]
    }
    // RFC 6868.
    return (
      name,
      values.map {
        $0.replacing("^n", with: "\n").replacing("^'", with: "\"").replacing("^^", with: "^")
          .trimmingCharacters(in: .whitespaces)
      }
    )
  }

  // MARK: Value

  private static func text(
    _ bytes: ArraySlice<UInt8>, _ charset: String?
  ) -> (text: String, isOther: Bool) {
    if let text = String(validating: bytes, as: UTF8.self) { return (text, false) }
    // Windows-1252 adds letters where Latin-1 has none, so one decoder is enough for both.
    let isTold =
      charset.map {
        $0.uppercased().hasPrefix("ISO-8859-1")
          || $0.uppercased().hasPrefix("WINDOWS-1252")
      } ?? false
    return (String(decoding: WindowsLatin.utf8(bytes), as: UTF8.self), !isTold)
  }

  /// Decodes quoted-printable text (RFC 2045 §6.7); anything else is left unchanged.
  private static func unquoted(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var index = bytes.startIndex
    while index < bytes.endIndex {
      if bytes[index] == UInt8(ascii: "="), index + 2 < bytes.endIndex,
        let high = Character(Unicode.Scalar(bytes[index + 1])).hexDigitValue,
        let low = Character(Unicode.Scalar(bytes[index + 2])).hexDigitValue
      {
        result.append(UInt8(high * 16 + low))
        index += 3
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return result
  }

  /// The value as a text.
  var text: String { Self.plain(value) }

  /// The parts of a value such as a name or an address.
  var components: [String] { Self.cut(value, at: ";").map { Self.plain($0) } }

  /// The items of a list such as nicknames.
  var items: [String] {
    Self.cut(value, at: ",").map { Self.plain($0) }.filter { !$0.isEmpty }
  }

  private static func cut(_ text: String, at separator: Character) -> [String] {
    var parts: [String] = [""]
    var isEscaped = false
    for character in text {
      if character == separator, !isEscaped {
        parts.append("")
      } else {
        parts[parts.count - 1].append(character)
      }
      isEscaped = character == "\\" && !isEscaped
    }
    return parts
  }

  /// Returns a text without escapes, control characters or surrounding spaces.
  private static func plain(_ text: String) -> String {
    var result = ""
    var isEscaped = false
    // Unicode scalars, because a line end would form a single character with the one before it.
    for scalar in text.unicodeScalars {
      if isEscaped {
        isEscaped = false
        switch scalar {
        case "n", "N": result.append("\n")
        case "\\", ",", ";", ":", "\"": result.unicodeScalars.append(scalar)
        default:
          result.append("\\")
          result.unicodeScalars.append(scalar)
        }
      } else if scalar == "\\" {
        isEscaped = true
      } else if scalar == "\n" || scalar == "\t"
        || !(scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value))
      {
        result.unicodeScalars.append(scalar)
      }
    }
    if isEscaped { result.append("\\") }
    return result.trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
