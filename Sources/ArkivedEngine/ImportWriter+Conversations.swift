import ArkivedCore
import ArkivedImport
import ArkivedStore
import Foundation

/// Import of Ten Week's conversations: a row is a question with its answer, a session is a thread.
extension ImportWriter {
  /// Imports a row of a conversation.
  ///
  /// - Parameters:
  ///   - said: the first message in the row, in the thread that the importer gave its session. If
  ///     part of the session is already here, its thread is used instead.
  ///   - original: the row.
  ///   - base: the row at the last sync; nil if it is new.
  ///   - record: the record.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be written.
  func take(
    _ said: ConversationMessage, _ original: InterchangeRow, _ base: InterchangeRow?,
    _ record: ImportedRecord
  ) throws {
    var exchange = try TenWeekExchange(original, TenWeekReader(homeZone: .utc, now: scope.now))
    exchange.at = said.createdAt
    let here = try scope.messages(of: exchange)
    if let thread = here.first?.threadID, thread != said.threadID {
      state.threads[said.threadID] = thread
    }
    guard base != original || overridesOwner else { return leave(record) }
    let thread = here.first?.threadID ?? state.threads[said.threadID] ?? said.threadID
    let told = exchange.messages(in: thread).filter { message in
      !here.contains { $0.role == message.role && $0.text == message.text }
    }
    let isWritten = here.contains { $0.id == exchange.writtenFrom }
    guard !told.isEmpty, !isWritten || overridesOwner else { return leave(record) }
    for message in told {
      if let old = here.first(where: { $0.role == message.role }) {
        try change(old, to: message.text, isNewer: base != nil, original, record)
      } else {
        try add(message, exchange, record)
      }
    }
  }

  private func add(
    _ message: ConversationMessage, _ exchange: TenWeekExchange, _ record: ImportedRecord
  ) throws {
    let ids = [message.id, exchange.writtenFrom].compactMap { $0 }
    for id in ids where try scope.isBuried(id, []) {
      guard overridesOwner else { return leave(record) }
      try scope.forgetDeletion(of: id, [])
    }
    let isFirst = try scope.entity(.thread, message.threadID) == nil
    try scope.attempt { try scope.say(message, beginning: exchange) }
    if isFirst { state.account.created["thread", default: 0] += 1 }
    state.account.created["message", default: 0] += 1
  }

  private func change(
    _ old: ConversationMessage, to text: String, isNewer: Bool, _ original: InterchangeRow,
    _ record: ImportedRecord
  ) throws {
    var new = old
    new.text = text
    guard try overridesOwner || isNewer && !scope.isOwners(.message, old.id) else {
      try scope.keepOlder(new, original)
      return leave(
        record, "your version of “\(old.text.prefix(80))” is as new or newer and was kept")
    }
    new.updatedAt = later(than: old.updatedAt)
    try scope.attempt { try scope.update(new, reason: .import) }
    state.account.updated += 1
  }
}

extension ChangeScope {
  /// Returns the messages here that were made from a row, or the one that the row was written from.
  func messages(of exchange: TenWeekExchange) throws -> [ConversationMessage] {
    try [exchange.id(.user), exchange.id(.assistant), exchange.writtenFrom].compactMap { id in
      try id.flatMap { try entity(.message, $0) as? ConversationMessage }
    }
  }

  /// Stores the text of a version that did not win.
  func keepOlder(_ message: ConversationMessage, _ row: InterchangeRow) throws {
    var part = row
    part.key += "/\(message.role.rawValue)"
    guard let record = TenWeekMerge.historyRecord(.entity(message), part, now),
      try !hasHistory(record.id), try !isPurged(record)
    else { return }
    try adopt(record)
  }

  /// Adds a message to its thread, which is created from an exchange if it does not exist.
  func say(_ message: ConversationMessage, beginning exchange: TenWeekExchange) throws {
    if try entity(.thread, message.threadID) == nil {
      try forgetDeletion(of: message.threadID, [])
      try insert(exchange.thread(message.threadID))
    }
    try insert(message)
    try spoke(in: message.threadID, at: message.createdAt)
  }
}
