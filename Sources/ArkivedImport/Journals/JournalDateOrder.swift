import ArkivedCore

/// The order of days and months in the dates of an export, such as `03/02/2024`.
///
/// One date beyond the twelfth shows it for all, so the dates of all files are looked at, but only
/// once a date is found that both orders fit.
struct JournalDateOrder {
  private let format: String
  private let context: ImportContext
  /// Returns the dates of the whole run as written.
  private let dates: () -> [String]

  private struct Settled: Sendable {
    var order: DateOrder
    var isAssumed: Bool
  }

  init(_ format: String, _ context: ImportContext, dates: @escaping () -> [String]) {
    (self.format, self.context, self.dates) = (format, context, dates)
  }

  /// Returns the order in which to read dates; if nothing shows it, that of the locale, which is
  /// reported once.
  ///
  /// - Parameters:
  ///   - texts: the dates of an entry as written.
  ///   - place: the entry's place in its source.
  ///   - sink: takes the report.
  /// - Returns: the order.
  func order(of texts: [String], at place: String, into sink: any ImportSink) -> DateOrder {
    guard texts.contains(where: JournalDate.isOpen) else { return .dayFirst }
    let settled = context.notes.found("date order \(format)") {
      var votes: [DateOrder: Int] = [:]
      for text in dates() {
        if let order = JournalDate.order(toldBy: text) { votes[order, default: 0] += 1 }
      }
      let (days, months) = (votes[.dayFirst] ?? 0, votes[.monthFirst] ?? 0)
      guard days + months > 0 else {
        return Settled(order: .inProcess, isAssumed: true)
      }
      return Settled(order: days >= months ? .dayFirst : .monthFirst, isAssumed: false)
    }
    if settled.isAssumed, context.notes.isFirst("date order of \(format)") {
      let first = settled.order == .monthFirst ? "month" : "day"
      sink.diagnose(
        Diagnostic(
          .note, place: place,
          message: "the export doesn’t show whether its dates start with the day or the month. "
            + "They were read with the \(first) first. If that’s wrong, undo this import and run "
            + "it again with LC_TIME=\(first == "day" ? "en_US" : "en_GB").UTF-8"))
    }
    return settled.order
  }
}
