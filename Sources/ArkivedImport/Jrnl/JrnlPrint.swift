/// Reverses the formatting that jrnl applies when it prints entries.
enum JrnlPrint {
  /// Removes the escape sequences that colour a terminal's text: ESC `[` numbers `m`.
  static func withoutColours(_ bytes: [UInt8]) -> [UInt8] {
    var plain: [UInt8] = []
    plain.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      if bytes[index] == 0x1B, index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "[") {
        var end = index + 2
        while end < bytes.count, (0x30...0x3B).contains(bytes[end]) { end += 1 }
        if end < bytes.count, bytes[end] == UInt8(ascii: "m") {
          index = end + 1
          continue
        }
      }
      plain.append(bytes[index])
      index += 1
    }
    return plain
  }

  /// Joins the lines of the title, and removes the bars from the body, joining lines at the
  /// trailing space where they were wrapped.
  static func unwrapped(_ text: String) -> String {
    var title = ""
    var body = ""
    var isBroken = true
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      guard line.hasPrefix("|") else {
        if !line.isEmpty {
          title += (title.isEmpty || title.hasSuffix(" ") ? "" : " ") + line
        }
        continue
      }
      let content = line.hasPrefix("| ") ? line.dropFirst(2) : line.dropFirst()
      let isBlank = content.allSatisfy(\.isWhitespace)
      if !isBroken || isBlank { body += "\n" }
      body += isBlank ? "" : content
      isBroken = !isBlank && content.hasSuffix(" ")
    }
    return "\(title)\n\(body)"
  }
}
