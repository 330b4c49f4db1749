import ArkivedCore
import Foundation

/// Imports bank and card statements in OFX (also Quicken's QFX), with an entry for each booking.
///
/// Sources of the format: the specifications of OFX 1.0.2 (SGML) and 2.2 (XML), and the reports of
/// what banks write instead, in the trackers of ofxparse, ofxtools and libofx.
package struct OFXImporter: Importer {
  package init() {}

  package var format: String { "ofx" }

  package func recognises(head: [UInt8], fileName: String) -> Bool {
    let text = HeadText.of(head).uppercased().drop(while: \.isWhitespace)
    return text.hasPrefix("OFXHEADER")
      || text.hasPrefix("<") && (text.contains("<OFX>") || text.contains("<?OFX "))
  }

  /// A statement's bytes alone decide what it becomes.
  package func surroundings(of file: ImportFile) -> [String]? { [] }

  package func read(
    _ file: ImportFile, context: ImportContext, into sink: any ImportSink
  ) throws {
    var bytes = try TextBytes(file.url)
    defer { bytes.close() }
    var tokens = OFXTokens()
    let statement = OFXStatement(file: file, context: context, sink: sink)
    var offset = 0
    while let piece = try bytes.readChunk(), !sink.isOver {
      try tokens.take(piece) { try statement.take($0, line: $1) }
      offset += piece.count
      sink.reach(offset)
    }
    try tokens.finish { try statement.take($0, line: $1) }
    try statement.finish(line: tokens.line)
  }
}

/// Collects the fields of an OFX document's bookings.
private final class OFXStatement {
  /// The elements that begin a statement of an account.
  private static let statements: Set<String> = ["STMTRS", "CCSTMTRS", "INVSTMTRS"]
  /// The elements in a booking that have fields of their own.
  private static let groups: Set<String> = [
    "PAYEE", "BANKACCTTO", "CCACCTTO", "CURRENCY", "ORIGCURRENCY", "IMAGEDATA",
  ]
  private static let accounts: Set<String> = ["BANKACCTFROM", "CCACCTFROM", "INVACCTFROM"]
  private static let trades: Set<String> = [
    "BUYDEBT", "BUYMF", "BUYOPT", "BUYOTHER", "BUYSTOCK", "CLOSUREOPT", "INCOME", "INVEXPENSE",
    "JRNLFUND", "JRNLSEC", "MARGININTEREST", "REINVEST", "RETOFCAP", "SELLDEBT", "SELLMF",
    "SELLOPT", "SELLOTHER", "SELLSTOCK", "SPLIT", "TRANSFER",
  ]
  private static let fields: Set<String> = [
    "TRNTYPE", "DTPOSTED", "DTUSER", "TRNAMT", "FITID", "CORRECTACTION", "CHECKNUM", "NAME",
    "EXTDNAME", "MEMO",
  ]

  private let file: ImportFile
  private let context: ImportContext
  private let sink: any ImportSink

  private var isFound = false
  private var isEnded = false
  /// The opening tag before the current text.
  private var name: String?
  private var isInAccount = false
  private var account = ""
  private var currency = ""
  /// The fields of the open booking.
  private var booking: [String: String]?
  private var start = 0
  private var group: String?
  /// The names of the bookings in the current statement, with the number of each.
  private var counts: [String: Int] = [:]
  /// The names of the bookings in earlier statements of the file.
  private var seen: Set<String> = []
  private var read = 0
  private var pending = 0
  private var traded = 0
  private var repeated = 0

  init(file: ImportFile, context: ImportContext, sink: any ImportSink) {
    (self.file, self.context, self.sink) = (file, context, sink)
  }

  func take(_ token: OFXTokens.Token, line: Int) throws {
    switch token {
    case .open(let tag):
      name = tag
      try open(tag, line)
    case .close(let tag):
      name = nil
      try close(tag)
    case .text(let text):
      if isFound, let name { take(name, text, line) }
      name = nil
    }
  }

  private func open(_ tag: String, _ line: Int) throws {
    switch tag {
    case "OFX": isFound = true
    case "STMTTRN":
      // Its predecessor was never closed.
      try finishBooking()
      (booking, start, group) = ([:], line, nil)
    case "STMTTRNP": pending += 1
    case _ where Self.statements.contains(tag):
      try finishBooking()
      for name in counts.keys { seen.insert(name) }
      (account, currency, counts) = ("", "", [:])
    case _ where Self.accounts.contains(tag): isInAccount = true
    case _ where booking != nil && Self.groups.contains(tag): group = tag
    case _ where booking == nil && Self.trades.contains(tag): traded += 1
    default: break
    }
  }

  private func close(_ tag: String) throws {
    switch tag {
    case "STMTTRN", "BANKTRANLIST": try finishBooking()
    case "OFX":
      try finishBooking()
      isEnded = true
    case _ where tag == group: group = nil
    case _ where Self.accounts.contains(tag): isInAccount = false
    default: break
    }
  }

  private func take(_ name: String, _ text: String, _ line: Int) {
    if booking != nil {
      if group == name {
        // Some banks write a text where others write fields: `<PAYEE>Bakery`.
        group = nil
        if ["PAYEE", "CURRENCY", "ORIGCURRENCY"].contains(name) { booking?[name] = text }
        return
      }
      let key =
        switch (group, name) {
        case ("PAYEE"?, "NAME"): "PAYEE"
        case ("CURRENCY"?, "CURSYM"): "CURRENCY"
        case ("ORIGCURRENCY"?, "CURSYM"): "ORIGCURRENCY"
        case (nil, _) where Self.fields.contains(name): name
        default: ""
        }
      if !key.isEmpty { booking?[key] = text }
      return
    }
    switch name {
    case "ACCTID" where isInAccount: account = text
    case "CURDEF": currency = text
    case "SEVERITY" where text.uppercased() == "ERROR":
      sink.diagnose(
        Diagnostic(
          .note, place: "\(file.name):\(line)",
          message: "the bank reports an error, so bookings may be missing. Export the file again"))
    default: break
    }
  }

  // MARK: Bookings

  private func finishBooking() throws {
    guard let fields = booking else { return }
    booking = nil
    group = nil
    let place = "\(file.name):\(start)"
    func skip(_ field: String, _ message: String) {
      read += 1
      sink.diagnose(
        Diagnostic(.skipped, place: "\(place) field “\(field)”", message: "skipped: \(message)"))
    }
    if fields["CORRECTACTION"]?.uppercased() == "DELETE" {
      return skip(
        "CORRECTACTION", "the bank deleted an earlier booking. Delete its entry if you imported it")
    }
    let written = fields["DTPOSTED"] ?? ""
    guard let day = OFXDate.day(written, home: context.homeZone) else {
      return skip(
        "DTPOSTED", "\(FieldError.shown(written)) isn’t a valid date (such as 20260310)")
    }
    let sum = fields["TRNAMT"] ?? ""
    guard let amount = BankAmount(sum) else {
      return skip("TRNAMT", "\(FieldError.shown(sum)) isn’t a valid amount (such as -12.80)")
    }
    let words = [fields["PAYEE"], fields["NAME"], fields["MEMO"]].compactMap { $0 }
    let number =
      fields["FITID"] ?? "-\(TableIdentity.hash(words.joined(separator: "\n")).prefix(16))"
    // Some banks restart their numbers with each statement, so the number alone isn’t unique.
    var id =
      "\(TableIdentity.hash(account).prefix(16))/"
      + "\(number.utf8.count > 80 ? String(TableIdentity.hash(number).prefix(32)) : number)/"
      + "\(day)/\(amount.name)"
    counts[id, default: 0] += 1
    if let count = counts[id], count > 1 {
      id += "/\(count)"
      counts[id] = 1
    }
    read += 1
    guard !seen.contains(id) else { return repeated += 1 }
    let name = fields["PAYEE"] ?? fields["EXTDNAME"] ?? fields["NAME"]
    var booking = BankBooking(
      format: "ofx", id: id, day: day, amount: amount, currency: fields["CURRENCY"] ?? currency,
      payee: name, purpose: fields["MEMO"])
    if let user = fields["DTUSER"].flatMap({ OFXDate.day($0, home: context.homeZone) }), user != day
    {
      booking.details.append("Date of purchase: \(user)")
    }
    if let original = fields["ORIGCURRENCY"] {
      booking.details.append("Original currency: \(original)")
    }
    if let cheque = fields["CHECKNUM"], cheque.contains(where: { $0 != "0" }) {
      booking.details.append("Cheque number: \(cheque)")
    }
    if fields["CORRECTACTION"] != nil {
      sink.diagnose(
        Diagnostic(
          .note, place: place,
          message: "this booking replaces an earlier one. Delete the earlier entry if you imported "
            + "it"))
    }
    try booking.take(at: place, context, into: sink)
  }

  func finish(line: Int) throws {
    guard isFound else {
      throw ImportRefusal(
        place: "\(file.name):\(line)", message: "not an OFX file: the element OFX is missing")
    }
    if !isEnded {
      // A booking that was cut off may lack digits of its amount.
      booking = nil
      sink.diagnose(
        Diagnostic(
          .skipped, place: "\(file.name):\(line)",
          message: "the file ends in the middle of its data. Export it again", isCut: true))
    }
    func note(_ message: String) {
      sink.diagnose(Diagnostic(.note, place: file.name, message: message))
    }
    if pending > 0 { note("skipped bookings that are still pending: \(pending)") }
    if traded > 0 { note("skipped purchases and sales of securities: \(traded)") }
    if repeated > 0 { note("skipped bookings that the file contains twice: \(repeated)") }
    if read + pending + traded == 0, isEnded {
      note("nothing to import: the file contains no bookings")
    }
  }
}

/// Dates as OFX writes them: `20260310`, `20260310120000.000[-5:EST]`.
enum OFXDate {
  /// Returns the day of a booking.
  ///
  /// It is the day that the bank wrote, regardless of the offset: a booking has no time of day, and
  /// the hours that banks add are noon, midnight or made up. Only a midnight at home that the bank
  /// converted to UTC belongs to the next day.
  ///
  /// - Parameters:
  ///   - written: the date.
  ///   - home: the home zone.
  /// - Returns: nil if it isn't a date.
  static func day(_ written: String, home: Zone) -> DayKey? {
    let digits = written.prefix { ("0"..."9").contains($0) }
    guard digits.count >= 8, digits.count <= 14, let year = Int(digits.prefix(4)),
      let month = Int(digits.dropFirst(4).prefix(2)),
      let number = Int(digits.dropFirst(6).prefix(2)),
      let day = DayKey(year: year, month: month, day: number)
    else { return nil }
    let zone = written.drop { $0 != "[" }
    guard digits.count == 14, zone.hasPrefix("[0:") || zone.hasPrefix("[+0:") || zone == "[0]",
      let hour = Int(digits.dropFirst(8).prefix(2)),
      let minute = Int(digits.dropFirst(10).prefix(2)),
      (13..<24).contains(hour), (0..<60).contains(minute)
    else { return day }
    let second = hour * 3600 + minute * 60
    let wall = WallTime(day: day, secondOfDay: second)
    let local = home.wallTime(at: Zone.utc.instant(of: wall))
    return local.secondOfDay == 0 && local.day > day ? local.day : day
  }
}
