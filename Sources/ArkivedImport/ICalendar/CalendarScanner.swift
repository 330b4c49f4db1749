import Foundation

/// Reads an iCalendar file and returns its components one by one.
///
/// It expects little of the file: components count wherever they appear, even outside a VCALENDAR
/// or inside an unknown component, and an unclosed one is reported and skipped.
struct CalendarScanner {
  enum Item {
    case component(CalendarComponent)
    /// An unusable component, with its start and the reason.
    case broken(kind: String, number: Int, reason: String)
    /// A property of the calendar object itself.
    case calendarProperty(name: String, value: String)
  }

  /// The components seen so far, for the message about a file without events.
  private(set) var kindCounts: [String: Int] = [:]
  private(set) var calendarCount = 0
  /// True if something that only a calendar contains was seen.
  var isCalendar: Bool { calendarCount > 0 || !kindCounts.isEmpty }
  /// The BEGIN of a calendar object that the file doesn't close.
  private(set) var unclosedCalendar: Int?
  /// True if the file ends inside a component.
  private(set) var endsInsideComponent = false
  /// The properties with content that nobody reads, with the number of each.
  private(set) var unread: [String: Int] = [:]
  /// The last line read.
  private(set) var lastLine = 0

  private var lines: CalendarLines
  private var current: CalendarComponent?
  /// The names of the components open inside `current`.
  private var inner: [String] = []
  /// The kind that is being skipped until its END, with the number of open components of that name.
  private var passedOver: (kind: String, depth: Int)?
  private var queue: [Item] = []
  private var isAtEnd = false

  private static let ignored: Set<String> = ["VFREEBUSY", "VALARM", "VAVAILABILITY"]

  init(_ url: URL) throws { lines = try CalendarLines(url) }

  func close() { lines.close() }

  /// Reads the next item; returns nil at the end of the file.
  mutating func next() throws -> Item? {
    while queue.isEmpty {
      guard !isAtEnd else { return nil }
      switch try lines.next() {
      case nil:
        isAtEnd = true
        finish()
      case .tooLong:
        current?.noteTooLong(lines.number)
      case .whole:
        lastLine = lines.number
        take()
      }
    }
    return queue.removeFirst()
  }

  private mutating func finish() {
    guard let open = current else { return }
    current = nil
    endsInsideComponent = true
    if open.kind != .timeZone {
      queue.append(
        .broken(
          kind: open.kind.rawValue, number: open.number,
          reason: "the file ends before END:\(open.kind.rawValue)"))
    }
  }

  private mutating func take() {
    let line = lines.line[...]
    guard let name = CalendarText.name(line) else {
      current?.noteUnreadable(lines.number)
      return
    }
    guard let property = CalendarProperty(name: name) else {
      guard passedOver == nil else { return }
      if let current {
        if current.kind != .timeZone, inner.isEmpty { noteUnread(name, line) }
      } else if calendarCount > 0 {
        takeCalendarProperty(name, line)
      }
      return
    }
    switch property {
    case .begin: begin(Self.componentName(line))
    case .finish: end(Self.componentName(line))
    default:
      guard current != nil, passedOver == nil, inner.isEmpty || current?.kind == .timeZone else {
        return
      }
      // A file inside the calendar isn't kept in memory.
      guard property != .attachment || line.count <= Self.linkLimit else {
        return unread["ATTACH", default: 0] += 1
      }
      current?.append(property, lines.line, number: lines.number)
    }
  }

  /// The largest line of an attachment that can be a link, in bytes.
  private static let linkLimit = 8_192

  /// Facts about an event as a piece of data, which say nothing about what happened.
  private static let facts: Set<String> = [
    "ACKNOWLEDGED", "CLASS", "COLOR", "CREATED", "DTSTAMP", "PRIORITY", "REQUEST-STATUS", "TRANSP",
    "VERSION", "PRODID", "METHOD", "CALSCALE", "NAME", "TZURL",
  ]

  private mutating func noteUnread(_ name: ArraySlice<UInt8>, _ line: ArraySlice<UInt8>) {
    let name = String(decoding: name.prefix(40), as: UTF8.self).uppercased()
    guard name.count < 40, !name.hasPrefix("X-"), !Self.facts.contains(name),
      name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }),
      let start = CalendarText.valueStart(line), !CalendarText.trimmed(line[start...]).isEmpty,
      unread[name] != nil || unread.count < 100
    else { return }
    unread[name, default: 0] += 1
  }

  private mutating func takeCalendarProperty(_ name: ArraySlice<UInt8>, _ line: ArraySlice<UInt8>) {
    let name = String(decoding: name, as: UTF8.self).uppercased()
    guard ["X-WR-TIMEZONE", "METHOD", "X-WR-CALNAME", "NAME"].contains(name) else { return }
    queue.append(.calendarProperty(name: name, value: CalendarText.value(line)))
  }

  private static func componentName(_ line: ArraySlice<UInt8>) -> String {
    // A NUL or the like would make two different names look alike.
    let value = CalendarText.value(line).uppercased()
    return String(value.unicodeScalars.filter { $0.value >= 0x20 }.map(Character.init))
  }

  private mutating func begin(_ name: String) {
    if let open = passedOver {
      if name == open.kind { passedOver?.depth += 1 }
      // A new event or calendar shows that the skipped component has no END.
      guard ["VEVENT", "VJOURNAL", "VTODO", "VCALENDAR"].contains(name), open.kind != name else {
        return
      }
      passedOver = nil
    }
    if name == "VCALENDAR" {
      dropOpen("END:\(current?.kind.rawValue ?? "") is missing before the next calendar")
      calendarCount += 1
      unclosedCalendar = lines.number
      return
    }
    if let kind = CalendarComponent.Kind(rawValue: name) {
      dropOpen("END:\(current?.kind.rawValue ?? "") is missing before the next component")
      kindCounts[name, default: 0] += 1
      current = CalendarComponent(
        kind: kind, number: lines.number, calendar: max(0, calendarCount - 1))
      inner = []
    } else if current != nil {
      if current?.kind == .timeZone { current?.append(.begin, lines.line, number: lines.number) }
      inner.append(name)
    } else if Self.ignored.contains(name) {
      kindCounts[name, default: 0] += 1
      passedOver = (name, 1)
    }
  }

  private mutating func end(_ name: String) {
    if let open = passedOver {
      if name == open.kind { passedOver?.depth -= 1 }
      if passedOver?.depth == 0 || name == "VCALENDAR" { passedOver = nil }
      guard name == "VCALENDAR" else { return }
    }
    if name == "VCALENDAR" {
      dropOpen("END:\(current?.kind.rawValue ?? "") is missing before END:VCALENDAR")
      unclosedCalendar = nil
      return
    }
    guard let open = current else { return }
    if name == open.kind.rawValue {
      current = nil
      inner = []
      queue.append(.component(open))
    } else if let index = inner.lastIndex(of: name) {
      inner.removeSubrange(index...)
      if open.kind == .timeZone { current?.append(.finish, lines.line, number: lines.number) }
    }
  }

  private mutating func dropOpen(_ reason: String) {
    guard let open = current else { return }
    current = nil
    inner = []
    guard open.kind != .timeZone else { return }
    queue.append(.broken(kind: open.kind.rawValue, number: open.number, reason: reason))
  }
}
