import Foundation

/// Walks through an iCalendar file and hands out its components one by one.
///
/// It asks little of the file: components count wherever they stand, also outside a VCALENDAR or
/// inside something unknown, and one that is not closed is reported and passed over.
struct CalendarScanner {
  enum Item {
    case component(CalendarComponent)
    /// A component of which nothing can be used, where it began, and why.
    case broken(kind: String, number: Int, reason: String)
    /// A task, which is no event, with its name.
    case task(summary: String, number: Int)
    /// A property of the calendar object itself.
    case calendarProperty(name: String, value: String)
  }

  /// What was seen so far, for the sentence that says what a file without events held.
  private(set) var kindCounts: [String: Int] = [:]
  private(set) var calendarCount = 0
  /// Whether something that only a calendar has was seen.
  var isCalendar: Bool { calendarCount > 0 || !kindCounts.isEmpty }
  /// The BEGIN of a calendar object that the file does not close.
  private(set) var unclosedCalendar: Int?
  /// Whether the file ends inside a component.
  private(set) var endsInsideComponent = false
  /// The last line read.
  private(set) var lastLine = 0

  private var lines: CalendarLines
  private var current: CalendarComponent?
  /// Names of the components open inside `current`.
  private var inner: [String] = []
  /// The kind that is passed over until its END, with the number of its open namesakes.
  private var passedOver: (kind: String, depth: Int)?
  /// The line and the name of the task that is passed over.
  private var task: (number: Int, summary: String)?
  private var queue: [Item] = []
  private var isAtEnd = false

  private static let ignored: Set<String> = ["VTODO", "VFREEBUSY", "VALARM", "VAVAILABILITY"]

  init(_ url: URL) throws { lines = try CalendarLines(url) }

  func close() { lines.close() }

  /// The next item, or nil at the end of the file.
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
      if current == nil, passedOver == nil, calendarCount > 0 { takeCalendarProperty(name, line) }
      return
    }
    switch property {
    case .summary where passedOver?.kind == "VTODO" && task?.summary == "":
      task?.summary = String(CalendarText.value(line).prefix(200))
    case .begin: begin(Self.componentName(line))
    case .finish: end(Self.componentName(line))
    default:
      guard current != nil, passedOver == nil, inner.isEmpty || current?.kind == .timeZone else {
        return
      }
      current?.append(property, lines.line, number: lines.number)
    }
  }

  private mutating func takeCalendarProperty(_ name: ArraySlice<UInt8>, _ line: ArraySlice<UInt8>) {
    let name = String(decoding: name, as: UTF8.self).uppercased()
    guard name == "X-WR-TIMEZONE" || name == "METHOD" else { return }
    queue.append(.calendarProperty(name: name, value: CalendarText.value(line)))
  }

  private static func componentName(_ line: ArraySlice<UInt8>) -> String {
    // NUL and its like in a name would make two names look alike.
    let value = CalendarText.value(line).uppercased()
    return String(value.unicodeScalars.filter { $0.value >= 0x20 }.map(Character.init))
  }

  private mutating func begin(_ name: String) {
    if let open = passedOver {
      if name == open.kind { passedOver?.depth += 1 }
      // A new event or calendar shows that the END of the one passed over is missing.
      guard ["VEVENT", "VJOURNAL", "VCALENDAR"].contains(name), open.kind != name else { return }
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
      if name == "VTODO" { task = (lines.number, "") }
    }
  }

  private mutating func end(_ name: String) {
    if let open = passedOver {
      if name == open.kind { passedOver?.depth -= 1 }
      if passedOver?.depth == 0 || name == "VCALENDAR" { passedOver = nil }
      if passedOver == nil, let task {
        queue.append(.task(summary: task.summary, number: task.number))
        self.task = nil
      }
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
