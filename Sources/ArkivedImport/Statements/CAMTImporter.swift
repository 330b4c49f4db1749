import ArkivedCore
import Foundation

/// Imports bank statements and reports in ISO 20022's XML (camt.053, camt.052), with an entry for
/// each booking.
///
/// Sources of the format: the message definitions of versions 2 to 13, and the reports of what banks
/// write instead, in the trackers of OCA's bank-statement-import, firefly-iii and genkgo/camt.
package struct CAMTImporter: Importer {
  package init() {}

  package var format: String { "camt" }

  package func recognises(head: [UInt8], fileName: String) -> Bool {
    let text = HeadText.of(head).drop(while: \.isWhitespace)
    return text.hasPrefix("<") && Self.root(of: String(text)) != nil
      && (text.contains("BkToCstmrStmt") || text.contains("BkToCstmrAcctRpt")
        || text.contains(":camt.053.") || text.contains(":camt.052."))
  }

  /// A statement's bytes alone decide what it becomes.
  package func surroundings(of file: ImportFile) -> [String]? { [] }

  package func read(
    _ file: ImportFile, context: ImportContext, into sink: any ImportSink
  ) throws {
    let head = HeadText.of(try ZipMembers.head(of: file))
    let reader = CAMTReader(file: file, context: context, sink: sink)
    let stream = XMLStream(reader, root: Self.root(of: head) ?? "Document")
    reader.stream = stream
    let problem = try XMLDocument.read(file, by: stream, into: sink) { sink.isOver }
    try reader.finish(problem)
  }

  /// Returns the name of the root with the prefix of its namespace: `Document`, `ns2:Document`.
  private static func root(of text: String) -> String? {
    for part in text.split(separator: "<") {
      let name = part.prefix { !$0.isWhitespace && $0 != ">" }
      if name == "Document" || name.hasSuffix(":Document") { return String(name) }
    }
    return nil
  }
}

/// Collects the bookings of a statement.
private final class CAMTReader: XMLTextEvents {
  /// The fields of a booking or of a transaction in it, by their paths.
  private struct Fields {
    var texts: [String: String] = [:]
    var currency: String?

    subscript(paths: String...) -> String? {
      for path in paths {
        if let text = texts[path] { return text }
      }
      return nil
    }
  }

  private static let statements: Set<String> = ["Stmt", "Rpt"]
  private static let textLimit = 1 << 16
  private static let fieldLimit = 200
  private static let transactionLimit = 10_000

  private let file: ImportFile
  private let context: ImportContext
  private let sink: any ImportSink
  var stream: XMLStream?

  private var stack: [String] = []
  private var words: [UInt8] = []
  private var ccy: String?
  private var account = ""
  private var accountCurrency = ""
  private var entry: Fields?
  private var entryDepth = 0
  private var transaction: Fields?
  private var transactionDepth = 0
  private var transactions: [Fields] = []
  private var excess = 0
  private var line = 0
  private var counts: [String: Int] = [:]
  private var seen: Set<String> = []
  private var loss: Diagnostic?
  private var read = 0
  private var pending = 0
  private var repeated = 0

  init(file: ImportFile, context: ImportContext, sink: any ImportSink) {
    (self.file, self.context, self.sink) = (file, context, sink)
  }

  func begin(_ name: UnsafePointer<CChar>, _ attributes: XMLAttributes) throws {
    let name = XMLDocument.local(name)
    stack.append(name)
    words.removeAll(keepingCapacity: true)
    ccy = attributes["Ccy"]
    if Self.statements.contains(name), entry == nil {
      for name in counts.keys { seen.insert(name) }
      (account, accountCurrency, counts) = ("", "", [:])
    } else if name == "Ntry", entry == nil {
      entry = Fields()
      entryDepth = stack.count
      (transactions, excess, transaction) = ([], 0, nil)
      line = stream?.line ?? 0
    } else if name == "TxDtls", entry != nil, transaction == nil {
      transaction = Fields()
      transactionDepth = stack.count
    }
  }

  func text(_ part: UnsafeBufferPointer<UInt8>) {
    guard words.count < Self.textLimit else { return }
    words.append(contentsOf: part)
  }

  func end(_ name: UnsafePointer<CChar>) throws {
    guard !stack.isEmpty else { return }
    let text = String(decoding: words, as: UTF8.self).split(whereSeparator: \.isWhitespace)
      .joined(separator: " ")
    words.removeAll(keepingCapacity: true)
    let depth = stack.count
    if transaction != nil {
      let path = stack[transactionDepth...].joined(separator: "/")
      if !text.isEmpty { Self.add(text, at: path, ccy, to: &transaction) }
      if depth == transactionDepth {
        if let transaction, transactions.count < Self.transactionLimit {
          transactions.append(transaction)
        } else {
          excess += 1
        }
        transaction = nil
      }
    } else if entry != nil {
      let path = stack[entryDepth...].joined(separator: "/")
      if !text.isEmpty { Self.add(text, at: path, ccy, to: &entry) }
      if depth == entryDepth { try finishEntry() }
    } else if !text.isEmpty {
      let path = stack.suffix(4).joined(separator: "/")
      if path.hasSuffix("Acct/Id/IBAN") || path == "Acct/Id/Othr/Id" {
        if account.isEmpty { account = text }
      } else if path.hasSuffix("/Acct/Ccy") {
        accountCurrency = text
      }
    }
    ccy = nil
    stack.removeLast()
  }

  func lost(line: Int, byte: Int, reason: String) {
    loss = Diagnostic(
      .skipped, place: "\(file.name):\(line)",
      message: "\(reason); the rest of the file can’t be read. Export it again", isCut: true)
  }

  private static func add(
    _ text: String, at path: String, _ currency: String?, to fields: inout Fields?
  ) {
    if path == "Amt" || path == "AmtDtls/TxAmt/Amt" {
      if fields?.currency == nil { fields?.currency = currency }
    }
    if path.hasPrefix("RmtInf/"), let before = fields?.texts[path] {
      guard before.utf8.count < textLimit else { return }
      fields?.texts[path] = "\(before) \(text)"
    } else if let count = fields?.texts.count, count < fieldLimit, fields?.texts[path] == nil {
      fields?.texts[path] = text
    }
  }

  // MARK: Bookings

  private func finishEntry() throws {
    guard let entry else { return }
    self.entry = nil
    read += 1
    let place = "\(file.name):\(line)"
    func skip(_ field: String, _ message: String) {
      sink.diagnose(
        Diagnostic(.skipped, place: "\(place) field “\(field)”", message: "skipped: \(message)"))
    }
    if let status = entry["Sts/Cd", "Sts"], status != "BOOK" { return pending += 1 }
    let written = entry["BookgDt/Dt", "BookgDt/DtTm", "ValDt/Dt", "ValDt/DtTm"] ?? ""
    // The day that the bank wrote, regardless of an offset.
    guard let day = DayKey(String(written.prefix(10))) else {
      return skip(
        "BookgDt", "\(FieldError.shown(written)) isn’t a valid date (such as 2026-03-10)")
    }
    guard let side = entry["CdtDbtInd"], side == "DBIT" || side == "CRDT" else {
      return skip("CdtDbtInd", "neither DBIT nor CRDT")
    }
    let sum = entry["Amt"] ?? ""
    guard let amount = BankAmount(side == "DBIT" ? "-\(sum)" : sum) else {
      return skip("Amt", "\(FieldError.shown(sum)) isn’t a valid amount (such as 12.80)")
    }
    let currency = entry.currency ?? accountCurrency
    guard let parts = partAmounts(of: amount, currency, side) else {
      return try take(
        entry, transactions.count == 1 ? transactions[0] : nil, amount, currency, day, place)
    }
    for (part, amount) in zip(transactions, parts) {
      try take(entry, part, amount, currency, day, place)
    }
  }

  /// Returns the amounts of a batch's transactions, if they add up to that of the batch.
  private func partAmounts(of whole: BankAmount, _ currency: String, _ side: String)
    -> [BankAmount]?
  {
    guard transactions.count > 1, excess == 0 else { return nil }
    var parts: [BankAmount] = []
    var sum = 0.0
    for transaction in transactions {
      guard (transaction.currency ?? currency) == currency,
        (transaction["CdtDbtInd"] ?? side) == side,
        let written = transaction["Amt", "AmtDtls/TxAmt/Amt"],
        let amount = BankAmount(side == "DBIT" ? "-\(written)" : written)
      else { return nil }
      sum += amount.value
      parts.append(amount)
    }
    return abs(sum - whole.value) < 0.005 ? parts : nil
  }

  private func take(
    _ entry: Fields, _ part: Fields?, _ amount: BankAmount, _ currency: String, _ day: DayKey,
    _ place: String
  ) throws {
    let creditor = part?[
      "RltdPties/Cdtr/Nm", "RltdPties/Cdtr/Pty/Nm", "RltdPties/UltmtCdtr/Nm",
      "RltdPties/UltmtCdtr/Pty/Nm"]
    let debtor = part?[
      "RltdPties/Dbtr/Nm", "RltdPties/Dbtr/Pty/Nm", "RltdPties/UltmtDbtr/Nm",
      "RltdPties/UltmtDbtr/Pty/Nm"]
    let payee = amount.isNegative ? creditor ?? debtor : debtor ?? creditor
    let purpose =
      part?["RmtInf/Ustrd", "RmtInf/Strd/AddtlRmtInf", "RmtInf/Strd/CdtrRefInf/Ref", "AddtlTxInf"]
      ?? entry["AddtlNtryInf"]
    var references = [
      entry["AcctSvcrRef"], part?["Refs/AcctSvcrRef"], part?["Refs/EndToEndId"],
    ].compactMap { $0 }.filter { $0.uppercased() != "NOTPROVIDED" }
    if references.isEmpty { references = [payee ?? "", purpose ?? ""] }
    var id =
      "\(TableIdentity.hash(account).prefix(16))/"
      + "\(TableIdentity.hash(references.joined(separator: "\n")).prefix(32))/\(day)/\(amount.name)"
    counts[id, default: 0] += 1
    if let count = counts[id], count > 1 {
      id += "/\(count)"
      counts[id] = 1
    }
    guard !seen.contains(id) else { return repeated += 1 }
    var booking = BankBooking(
      format: "camt", id: id, day: day, amount: amount, currency: currency, payee: payee,
      purpose: purpose)
    if ["true", "1"].contains(entry["RvslInd"]?.lowercased() ?? "") {
      booking.details.append("Reversal of an earlier booking")
    }
    if part == nil, transactions.count + excess > 1 {
      booking.details.append("Transactions in this booking: \(transactions.count + excess)")
    }
    try booking.take(at: place, context, into: sink)
  }

  func finish(_ problem: Diagnostic?) throws {
    guard stream?.isBegun == true else {
      throw ImportRefusal(
        place: "\(file.name):1", message: "not a bank statement: the element Document is missing")
    }
    for problem in [problem, loss].compactMap({ $0 }) { sink.diagnose(problem) }
    func note(_ message: String) {
      sink.diagnose(Diagnostic(.note, place: file.name, message: message))
    }
    if pending > 0 { note("skipped bookings that are still pending: \(pending)") }
    if repeated > 0 { note("skipped bookings that the file contains twice: \(repeated)") }
    if read == 0, problem == nil, loss == nil {
      note("nothing to import: the file contains no bookings")
    }
  }
}
