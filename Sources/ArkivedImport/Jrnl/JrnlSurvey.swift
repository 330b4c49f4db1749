import ArkivedCore
import Foundation

/// The properties of a journal's text as a whole, found in a first pass.
///
/// They are the form of its headers, the order of numbers in its dates, and whether it is jrnl's
/// printed output instead of its storage format.
struct JrnlSurvey {
  private(set) var form = JrnlHeaderForm.bracketed
  private(set) var order = JrnlDateOrder.monthFirst
  /// True if nothing in the file determined the order of its dates although it matters.
  private(set) var isOrderGuessed = false
  /// True if the years have two digits.
  private(set) var hasShortYears = false
  /// True if bodies follow bars and long lines are wrapped.
  private(set) var isPrinted = false
  private(set) var headerCount = 0
  private(set) var lineCount = 0

  /// Surveys a file.
  ///
  /// - Parameters:
  ///   - url: the file.
  ///   - day: the day in the file's path or name.
  ///   - isNamedJournal: true if the file has a name that jrnl gives to journals.
  /// - Throws: Any error from reading the file.
  init(_ url: URL, day: DayKey?, isNamedJournal: Bool) throws {
    var lines = try JrnlLines(url)
    defer { lines.close() }
    var orders = OrderEvidence(day: day)
    var bare: [(form: JrnlHeaderForm, count: Int)] = []
    var bars = BarEvidence()
    var isFirst = true
    while try lines.next() {
      lineCount = lines.number
      guard !lines.isTooLong, !lines.isBlank else { continue }
      if isFirst {
        isFirst = false
        if form.header(lines.line) == nil {
          lines.takesOutColours = true
          bare = JrnlHeaderForm.bareForms(lines.line, allowsDaysAlone: isNamedJournal)
            .map { ($0, 0) }
        }
      }
      guard let first = bare.first?.form else {
        let isTimed = day != nil && JrnlHeaderForm.timeOnly(lines.line) != nil
        if isTimed { headerCount += 1 }
        guard let stamp = form.header(lines.line)?.stamp else { continue }
        if headerCount == 0 { hasShortYears = stamp.hasShortYear }
        guard accepts(stamp) else { continue }
        headerCount += 1
        orders.take(stamp)
        continue
      }
      guard let stamp = first.header(lines.line)?.stamp else {
        bars.take(lines.line)
        continue
      }
      bars.startEntry()
      headerCount += 1
      hasShortYears = stamp.hasShortYear
      orders.take(stamp)
      for index in bare.indices where bare[index].form.header(lines.line) != nil {
        bare[index].count += 1
      }
    }
    // "09:30 PM" may be a time, or 09:30 and a title that begins with PM, so all headers must
    // agree.
    if let chosen = bare.last(where: { $0.count == headerCount }) { form = chosen.form }
    isPrinted = bars.isPrinted
    (order, isOrderGuessed) = orders.conclusion
  }

  /// Returns true if a date-time begins an entry here.
  ///
  /// A two-digit year could also be a version number, so it counts only if the journal's first date
  /// has one.
  func accepts(_ stamp: JrnlStamp) -> Bool { hasShortYears || !stamp.hasShortYear }
}

/// Collects evidence for the order of the numbers in dates such as `07/05/2016`.
private struct OrderEvidence {
  private struct Count {
    var impossible = 0
    var backwards = 0
    var onDay = 0
    var last: DayKey?
    var earliest = DayKey.latest
    var latest = DayKey.earliest

    var span: Int { max(0, earliest.distance(to: latest)) }
  }

  private let day: DayKey?
  private var counts: [JrnlDateOrder: Count] = [:]
  private var isOpen = false
  private var readingsDiffer = false
  private var separator: Unicode.Scalar = "/"
  private var isShort = false

  init(day: DayKey?) { self.day = day }

  mutating func take(_ stamp: JrnlStamp) {
    guard stamp.isOpen else { return }
    if !isOpen {
      isOpen = true
      separator = stamp.separator
      isShort = stamp.hasShortYear
    }
    var readings: Set<DayKey> = []
    for order in JrnlDateOrder.allCases {
      var count = counts[order] ?? Count()
      if let reading = stamp.day(order) {
        readings.insert(reading)
        if let last = count.last, reading < last { count.backwards += 1 }
        if reading == day { count.onDay += 1 }
        count.last = reading
        count.earliest = min(count.earliest, reading)
        count.latest = max(count.latest, reading)
      } else {
        count.impossible += 1
      }
      counts[order] = count
    }
    if readings.count > 1 { readingsDiffer = true }
  }

  /// The order for which every date exists, the dates match the file's day, and the entries are in
  /// sequence, because jrnl sorts them.
  ///
  /// If several orders qualify, the result is a guess: the order under which the entries are much
  /// closer together, or else the usual one for the separator.
  var conclusion: (JrnlDateOrder, isGuessed: Bool) {
    let usual = usualOrders
    guard isOpen else { return (usual[0], false) }
    func count(_ order: JrnlDateOrder) -> Count { counts[order] ?? Count() }
    func rank(_ order: JrnlDateOrder) -> (Int, Int, Int) {
      (count(order).impossible, -count(order).onDay, count(order).backwards)
    }
    let best = usual.dropFirst().reduce(usual[0]) { rank($1) < rank($0) ? $1 : $0 }
    let equals = usual.filter { rank($0) == rank(best) }
    let dense = equals.dropFirst().reduce(best) {
      (count($1).span + 1) * 10 < count($0).span ? $1 : $0
    }
    return (dense, equals.count > 1 && readingsDiffer)
  }

  private var usualOrders: [JrnlDateOrder] {
    switch separator {
    case "/": [.monthFirst, .dayFirst, .yearFirst]
    case "-" where isShort: [.yearFirst, .dayFirst, .monthFirst]
    default: [.dayFirst, .monthFirst, .yearFirst]
    }
  }
}

/// Evidence that a text without brackets is jrnl's printed output: bodies follow bars, and only
/// bars follow a bar in an entry.
private struct BarEvidence {
  private var barCount = 0
  private var isBroken = false
  private var isBehindBar = false

  var isPrinted: Bool { barCount > 0 && !isBroken }

  mutating func startEntry() { isBehindBar = false }

  mutating func take(_ line: [UInt8]) {
    let hasBar = line.first == UInt8(ascii: "|") && (line.count == 1 || line[1] == 0x20)
    if hasBar {
      barCount += 1
      isBehindBar = true
    } else if isBehindBar {
      isBroken = true
    }
  }
}
