import Foundation

extension JSON {
  /// Returns the value as UTF-8 bytes of JSON on one line, or indented by two spaces.
  package func bytes(indented: Bool = false) -> [UInt8] {
    var output: [UInt8] = []
    write(to: &output, indent: indented ? 0 : nil)
    return output
  }

  /// Returns the value as JSON text.
  package func text(indented: Bool = false) -> String {
    String(decoding: bytes(indented: indented), as: UTF8.self)
  }

  private func write(to output: inout [UInt8], indent: Int?) {
    switch self {
    case .null: output.append(contentsOf: "null".utf8)
    case .bool(let value): output.append(contentsOf: (value ? "true" : "false").utf8)
    case .integer(let value): output.append(contentsOf: String(value).utf8)
    case .number(let value):
      // JSON cannot represent infinity, and validation rejects such values anyway.
      output.append(contentsOf: (value.isFinite ? "\(value)" : "null").utf8)
    case .string(let value): JSON.write(value, to: &output)
    case .array(let values):
      JSON.write(values, open: "[", close: "]", to: &output, indent: indent) { value, output in
        value.write(to: &output, indent: indent.map { $0 + 2 })
      }
    case .object(let object):
      JSON.write(object.members, open: "{", close: "}", to: &output, indent: indent) {
        member, output in
        JSON.write(member.key, to: &output)
        output.append(contentsOf: (indent == nil ? ":" : ": ").utf8)
        member.value.write(to: &output, indent: indent.map { $0 + 2 })
      }
    }
  }

  private static func write<Element>(
    _ elements: [Element], open: String, close: String, to output: inout [UInt8], indent: Int?,
    element: (Element, inout [UInt8]) -> Void
  ) {
    output.append(contentsOf: open.utf8)
    for (index, value) in elements.enumerated() {
      if index > 0 { output.append(UInt8(ascii: ",")) }
      if let indent { newLine(indent + 2, to: &output) }
      element(value, &output)
    }
    if let indent, !elements.isEmpty { newLine(indent, to: &output) }
    output.append(contentsOf: close.utf8)
  }

  private static func newLine(_ indent: Int, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "\n"))
    output.append(contentsOf: repeatElement(UInt8(ascii: " "), count: indent))
  }

  private static func write(_ text: String, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""): output.append(contentsOf: "\\\"".utf8)
      case UInt8(ascii: "\\"): output.append(contentsOf: "\\\\".utf8)
      case UInt8(ascii: "\n"): output.append(contentsOf: "\\n".utf8)
      case UInt8(ascii: "\r"): output.append(contentsOf: "\\r".utf8)
      case UInt8(ascii: "\t"): output.append(contentsOf: "\\t".utf8)
      case 0..<0x20, 0x7F:
        let digits = String(byte, radix: 16)
        output.append(
          contentsOf: ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8)
      default: output.append(byte)
      }
    }
    output.append(UInt8(ascii: "\""))
  }
}
