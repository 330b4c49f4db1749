import Foundation

/// Somebody who takes part, as people write it: `Priya Nair <priya@example.org>`.
package enum AttendeeLine {
  /// - Returns: nil for a blank line.
  package static func read(_ line: String) -> Attendance? {
    let text = line.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !text.isEmpty else { return nil }
    if text.hasSuffix(">"), let open = text.lastIndex(of: "<") {
      let address = text[text.index(after: open)...].dropLast()
        .trimmingCharacters(in: .whitespaces)
      let name = text[..<open].trimmingCharacters(in: CharacterSet(charactersIn: " \t\""))
      if !address.isEmpty {
        return Attendance(name: name.isEmpty ? address : name, address: address)
      }
    }
    return Attendance(name: text, address: Person.isAddress(text) ? text : nil)
  }

  /// What is clearly a mistake about somebody typed in: an address without one of its parts.
  ///
  /// What calendars tell is not looked at so: it may hold anything, and is kept as it is.
  /// - Returns: what is wrong and what would be right; nil where nothing is.
  package static func mistake(in attendance: Attendance) -> String? {
    if let address = attendance.address { return mistake(inAddress: address) }
    let name = attendance.name
    // "@Priya" is a name, and so may be words around an @.
    let isWord = name.contains("@") && !name.contains(where: \.isWhitespace)
    return isWord && !(name.hasPrefix("@") && name.count { $0 == "@" } == 1 && name.count > 1)
      ? mistake(inAddress: name) : nil
  }

  private static func mistake(inAddress address: String) -> String? {
    guard !Person.isAddress(address) else { return nil }
    return "is \(FieldError.shown(address)), but an address looks like name@example.org"
  }

  package static func write(_ attendance: Attendance) -> String {
    guard let address = attendance.address, address != attendance.name else {
      return attendance.name
    }
    return "\(attendance.name) <\(address)>"
  }
}
