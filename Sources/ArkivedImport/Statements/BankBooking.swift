import ArkivedCore

/// A booking of a bank statement, which becomes an entry on its day.
///
/// Money that was spent is a measurement in its currency, as in a line that the owner types. Money
/// that came in, such as a salary or a refund, is kept in the description: measurements are never
/// negative, and adding it to what was spent would make every sum wrong.
struct BankBooking {
  /// The name of the format, which is also the provider of its references.
  let format: String
  /// The name that distinguishes the booking from all others of its accounts.
  var id: String
  var day: DayKey
  var amount: BankAmount
  /// The currency's code.
  var currency: String
  /// The other side of the booking.
  var payee: String?
  /// The purpose that the statement gives.
  var purpose: String?
  /// Further lines of the description.
  var details: [String] = []

  /// Passes on the booking as an entry.
  ///
  /// - Parameters:
  ///   - place: its position in the statement.
  ///   - context: the information about the import.
  ///   - sink: takes the entry.
  /// - Throws: errors from the sink.
  func take(at place: String, _ context: ImportContext, into sink: any ImportSink) throws {
    if let problem = context.problem(withRecordedDay: day, at: place) {
      return sink.diagnose(problem)
    }
    guard let unit = BankCurrency.unit(currency) else {
      return sink.diagnose(
        Diagnostic(
          .skipped, place: place,
          message: "skipped: \(FieldError.shown(currency)) isn’t a currency code (such as EUR)"))
    }
    var entry = JournalEntry(
      provider: format, id: id, source: .bankImport, day: day, start: nil, zone: context.homeZone)
    let name = JournalEntry.words(payee)
    let purpose = JournalEntry.words(purpose)
    let whole = name ?? purpose ?? (amount.isNegative ? "Payment" : "Money received")
    let title = Self.withoutAccounts(whole)
    entry.title = title
    var notes: [String] = []
    if title != whole, whole != purpose { notes.append(whole) }
    if let purpose, purpose != title { notes.append(purpose) }
    if !notes.isEmpty { entry.text = .plain(notes.joined(separator: "\n")) }
    if amount.isNegative, amount.value > 0 {
      entry.measurements[unit] = amount.value
    } else if amount.value > 0 {
      entry.details.append("Received: \(amount.digits) \(currency.uppercased())")
    }
    entry.details += details
    entry.createdAt = context.now
    try entry.take(at: place, context, into: sink)
  }

  /// Returns a name in which only the last four characters of account and card numbers are shown.
  ///
  /// - Parameter name: the name.
  /// - Returns: the name for a title.
  static func withoutAccounts(_ name: String) -> String {
    var words: [String] = []
    // The groups of four in which account numbers are printed.
    var run: [Substring] = []
    func endRun() {
      let count = run.reduce(0) { $0 + digits(in: $1) }
      if count >= 12 {
        words.append("…\(run.joined(separator: "").suffix(4))")
      } else {
        words += run.map(String.init)
      }
      run = []
    }
    for word in name.split(separator: " ") {
      if (2...4).contains(word.count), digits(in: word) >= 2 {
        run.append(word)
        continue
      }
      endRun()
      words.append(digits(in: word) >= 8 && !isDate(word) ? "…\(word.suffix(4))" : String(word))
    }
    endRun()
    return words.joined(separator: " ")
  }

  /// Returns true for a date that banks put into a purpose: `10.03.2026`, `2026-03-10T14:33`.
  private static func isDate(_ word: Substring) -> Bool {
    let date =
      #/(\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}[\d:.+Z-]{0,12})?|\d{1,2}[.\/]\d{1,2}[.\/]\d{4})[.,:;]?/#
    return word.wholeMatch(of: date) != nil
  }

  private static func digits(in word: Substring) -> Int {
    word.utf8.filter { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.count
  }
}
