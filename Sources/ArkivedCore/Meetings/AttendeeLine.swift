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

  package static func write(_ attendance: Attendance) -> String {
    guard let address = attendance.address, address != attendance.name else {
      return attendance.name
    }
    return "\(attendance.name) <\(address)>"
  }
}
