import ArkivedCore
import ArkivedImport
import ArkivedStore
import Foundation

/// Export of conversations and old versions.
///
/// There may be millions, so each is read as it is written.
extension TenWeekContent {
  /// Passes on questions and answers: first the imported rows whose conversation still exists, then
  /// the messages of this archive, with a session for each thread.
  func forEachExchange(_ layout: InterchangeTable, _ body: Body) throws {
    var last = try indexExchanges()
    let table = TenWeekTable.conversations
    try snapshot.forEachRow(table.rawValue) { row in
      var fields: TenWeekWriter.Fields = [:]
      if let exchange = try? TenWeekExchange(row, reader) {
        let question = try snapshot.message(exchange.id(.user))
        let answer = try snapshot.message(exchange.id(.assistant))
        guard question != nil || answer != nil else { return }
        if let text = Self.changed(question, from: exchange.prompt) { fields["prompt"] = text }
        if let text = Self.changed(answer, from: exchange.response) { fields["response"] = text }
      }
      try body(table.rawValue, row.key, columns(layout, table, fields, row))
    }
    try snapshot.forEachThread { thread in
      guard let known = try session(ofThread: thread) else { return }
      if known == .new { last += 1 }
      let session = known.number ?? last
      var pairing = ExchangePairing()
      func write(_ exchanges: [ExchangePairing.Exchange]) throws {
        for exchange in exchanges { try self.write(exchange, session, layout, body) }
      }
      try snapshot.forEachMessage(of: thread) { message, role in
        guard try index.number(message, .made) == nil else { return }
        try write(pairing.add(message, role))
      }
      try write(pairing.end())
    }
  }

  /// Indexes the conversations of the imported rows.
  ///
  /// - Returns: the last of their sessions.
  private func indexExchanges() throws -> Int {
    let table = TenWeekTable.conversations
    var last = 0
    try snapshot.forEachRow(table.rawValue) { row in
      if case .integer(let session)? = row["session_id"] { last = max(last, Int(session)) }
      guard let exchange = try? TenWeekExchange(row, reader),
        let number = try index.add(table.rawValue, row.key)
      else { return }
      for role in [MessageRole.user, .assistant] {
        try index.note(exchange.id(role), .made, of: number)
      }
      if let id = exchange.writtenFrom { try index.note(id, .written, of: number) }
      try index.note(session: exchange.session, first: exchange.id(.user), of: number)
    }
    return last
  }

  /// The session for a thread.
  private enum Session: Hashable {
    case known(Int)
    case new

    var number: Int? { if case .known(let number) = self { number } else { nil } }
  }

  /// Returns the session for a thread.
  ///
  /// - Returns: nil for a thread that contains only imported rows.
  private func session(ofThread thread: Int64) throws -> Session? {
    var hasOwn = false
    var known: Int?
    try snapshot.forEachMessage(of: thread) { message, _ in
      let made = try index.number(message, .made)
      if made == nil { hasOwn = true }
      guard known == nil, let number = try made ?? index.number(message, .written) else {
        return
      }
      known = try index.session(of: number)
    }
    return hasOwn ? known.map { .known($0) } ?? .new : nil
  }

  /// Passes on this archive's own messages.
  private func write(
    _ exchange: ExchangePairing.Exchange, _ session: Int, _ layout: InterchangeTable, _ body: Body
  ) throws {
    let table = TenWeekTable.conversations
    var number: Int64?
    for id in [exchange.answer, exchange.question] where number == nil {
      number = try id.flatMap { try index.number($0, .written) }
    }
    let row = try number.flatMap(index.key(of:)).flatMap { try snapshot.row(table.rawValue, $0) }
    var fields = writer.fields(
      try exchange.question.flatMap(snapshot.message),
      try exchange.answer.flatMap(snapshot.message),
      session: session)
    for name in ["id", "session_id", "created_at"] {
      if let value = row?[name] { fields[name] = value }
    }
    if row != nil { fields["freeform_notes"] = nil }
    try body(table.rawValue, fields["id"]?.text ?? "", columns(layout, table, fields, row))
  }

  /// Returns the text in this archive if it differs from the row.
  private static func changed(
    _ message: ConversationMessage?, from text: String
  ) -> InterchangeValue? {
    let now = message?.text ?? ""
    return now == text ? nil : .text(now)
  }

  /// Passes on the imported rows, followed by the versions of this archive's own history.
  func forEachOldVersion(_ layout: InterchangeTable, _ body: Body) throws {
    let table = TenWeekTable.archive
    try snapshot.forEachRow(table.rawValue) { row in
      try body(table.rawValue, row.key, columns(layout, table, [:], row))
      if let version = try? reader.read(table, row) { try index.note(version.id, .version, of: 0) }
    }
    let actions = Set(snapshot.actions.map(\.id))
    try snapshot.forEachOldVersion { version in
      guard try index.number(version.id, .version) == nil else { return }
      if version.sourceTable == .activity, !actions.contains(version.sourceID),
        version.record["measurements"]?.object?.isEmpty ?? true
      {
        return
      }
      try body(
        table.rawValue, version.id.uuidString,
        columns(layout, table, writer.fields(version, variant), nil))
    }
  }
}
