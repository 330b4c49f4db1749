import ArkivedCore

/// Reading of the links and remarks of an event: URL, CONFERENCE, ATTACH, CONTACT and COMMENT.
extension CalendarEvents {
  /// The number of links and remarks of an event; anything beyond it is counted as unread.
  private static let linkLimit = 50

  /// Returns a description followed by the links and remarks that it doesn't contain itself.
  func description(_ text: String?, of component: CalendarComponent) -> String? {
    var lines: [String] = []
    for line in component.lines {
      let bytes = component.bytes(of: line)
      guard let found = remark(line.property, bytes) else { continue }
      guard lines.count < Self.linkLimit else {
        unread[line.property.rawValue, default: 0] += 1
        continue
      }
      // Many programs also write the link of a meeting into the description.
      guard !(text?.contains(found.value) ?? false),
        !lines.contains(where: {
          $0.hasSuffix(found.value)
        })
      else { continue }
      lines.append(found.label.map { "\($0): \(found.value)" } ?? found.value)
    }
    let parts = [text, lines.isEmpty ? nil : lines.joined(separator: "\n")].compactMap { $0 }
    return parts.isEmpty ? nil : parts.joined(separator: "\n\n")
  }

  private func remark(
    _ property: CalendarProperty, _ bytes: ArraySlice<UInt8>
  ) -> (label: String?, value: String)? {
    func value() -> String? {
      CalendarEvents.text(CalendarText.unescaped(CalendarText.value(bytes)))
    }
    switch property {
    case .url, .googleConference, .teamsConference: return value().map { (nil, $0) }
    case .conference:
      return value().map { (CalendarText.parameter("LABEL", of: bytes), $0) }
    case .contact: return value().map { ("Contact", $0) }
    case .comment: return value().map { ("Comment", $0) }
    case .attachment:
      guard let link = value() else { return nil }
      // Only a link leads somewhere: a file inside the calendar or its e-mail isn't stored.
      let isInside =
        CalendarText.parameter("VALUE", of: bytes)?.uppercased() == "BINARY"
        || CalendarText.parameter("ENCODING", of: bytes) != nil
        || ["cid:", "data:"].contains { link.lowercased().hasPrefix($0) }
      guard !isInside else {
        unread["ATTACH", default: 0] += 1
        return nil
      }
      let name =
        CalendarText.parameter("FILENAME", of: bytes)
        ?? CalendarText.parameter("X-FILENAME", of: bytes)
        ?? CalendarText.parameter("X-APPLE-FILENAME", of: bytes)
      return (name, link)
    default: return nil
    }
  }

  /// Reports the properties with content that weren't read, once by name.
  func tellUnread(_ others: [String: Int]) {
    let all = unread.merging(others, uniquingKeysWith: +)
    guard recordCount > 0, !all.isEmpty else { return }
    let names = all.sorted { $0.value != $1.value ? $0.value > $1.value : $0.key < $1.key }
    diagnose(
      .note, 1,
      "not imported: \(names.prefix(12).map { "\($0.key) (\($0.value))" }.joined(separator: ", "))"
        + (names.count > 12 ? " and \(names.count - 12) more fields" : ""))
  }
}
