import Foundation

/// An attendee as people write one: `Priya Nair <priya@example.org>`.
package enum AttendeeLine {
  /// Reads an attendee.
  ///
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

  /// Returns the obvious mistake in an attendee that was typed in, namely an address that lacks one
  /// of its parts.
  ///
  /// Attendees from calendars are not checked; whatever a calendar contains is kept unchanged.
  ///
  /// - Returns: the problem and its correction, or nil if there is none.
  package static func mistake(in attendance: Attendance) -> String? {
    if let address = attendance.address { return mistake(inAddress: address) }
    let name = attendance.name
    // "@Priya" is a name, and other words around an @ may be one too.
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
