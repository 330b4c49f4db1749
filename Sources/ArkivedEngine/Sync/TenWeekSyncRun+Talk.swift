import ArkivedCore
import ArkivedImport
import ArkivedStore
import Foundation

/// Synchronising single questions with their answers, by the same rules as other kinds: each row of
/// `conversation_history` is one question with its answer, and each session is a thread.
extension TenWeekSyncRun {
  /// A question with its answer in this archive.
  struct Said {
    var thread: UUID
    var question: ConversationMessage?
    var answer: ConversationMessage?

    init(_ exchange: InterchangeIndex.Exchange, _ messages: [UUID: ConversationMessage]) {
      thread = exchange.thread
      question = exchange.question.flatMap { messages[$0] }
      answer = exchange.answer.flatMap { messages[$0] }
    }

    var prompt: String { question?.text ?? "" }
    var response: String { answer?.text ?? "" }
    var messages: [ConversationMessage] { [question, answer].compactMap { $0 } }
    var version: Instant { messages.map(\.updatedAt).max() ?? .earliest }

    func says(_ exchange: TenWeekExchange) -> Bool {
      prompt == exchange.prompt && response == exchange.response
    }
  }

  // MARK: One exchange

  mutating func bringTalkInLine(_ key: String, _ there: inout TenWeekFile) throws {
    let table = TenWeekTable.conversations
    let base = try scope.interchangeRow(table.rawValue, key, from: source)
    let it = Case(table: table, key: key, base: base)
    do {
      switch (try there.entry(table, key), try present(key)) {
      case (let entry?, let said?): try both(it, entry, said, &there)
      case (let entry?, nil): try onlyThere(it, entry, &there)
      case (nil, let said?): try onlyHere(it, said, &there)
      case (nil, nil): try forget(it.table, key)
      }
    } catch let error as FieldError {
      leaveAlone(it, error)
    }
  }

  /// Returns the current messages, which may have been changed since they were read.
  private func present(_ key: String) throws -> Said? {
    guard let exchange = try index.exchange(key) else { return nil }
    let said = Said(
      exchange,
      try scope.messages([exchange.question, exchange.answer].compactMap { $0 }))
    return said.messages.isEmpty ? nil : said
  }

  private func hasChanged(
    _ said: Said, since base: InterchangeRow?, _ reader: TenWeekReader
  ) -> Bool {
    guard let base, let before = try? TenWeekExchange(base, reader) else { return true }
    return !said.says(before)
  }

  /// Returns the time of a row's last change there.
  private func version(_ exchange: TenWeekExchange) throws -> Instant {
    let changed = try index.fate(of: TenWeekReader.exchangeKey(exchange.key)).changed
    return max(exchange.at, changed ?? exchange.at)
  }

  private static func name(_ prompt: String, _ response: String) -> String {
    ConversationThread.title(asking: prompt.isEmpty ? response : prompt)
  }

  private mutating func both(
    _ it: Case, _ entry: TenWeekFile.Entry, _ said: Said, _ there: inout TenWeekFile
  ) throws {
    let exchange = try TenWeekExchange(entry.row, there.reader)
    guard !said.says(exchange) else { return try keep(entry.row) }
    let isChangedHere = hasChanged(said, since: it.base, there.reader)
    let isChangedThere = it.base.map { $0 != entry.row } ?? true
    let isConflict = isChangedHere && isChangedThere
    let version = try version(exchange)
    let isPull = isChangedThere && (!isChangedHere || version > said.version)
    if isConflict {
      report.conflicts.append(
        .init(
          place: it.place, isFromHere: !isPull,
          message:
            "“\(Self.name(said.prompt, said.response))” was changed on both sides; the newer "
            + "version was kept, the older one is in the history"))
    }
    guard !isPull else {
      try take(exchange, version, over: said)
      report.count("changed", isPulled: true)
      return try keep(entry.row)
    }
    if isConflict {
      for message in exchange.messages(in: said.thread)
      where !said.messages.contains(where: {
        $0.role == message.role && $0.text == message.text
      }) {
        var older = message
        older.id = said.messages.first { $0.role == message.role }?.id ?? message.id
        try scope.keepOlder(older, entry.row)
      }
    }
    let fields: TenWeekWriter.Fields = [
      "prompt": .text(said.prompt), "response": .text(said.response),
    ]
    guard let row = try there.update(it.table, entry, fields) else {
      return report.warn(it.place, "the database’s rules don’t allow the change")
    }
    report.count("changed", isPulled: false)
    try noteSent(.keep(row))
  }

  /// Replaces the messages here with those of a row.
  private func take(_ exchange: TenWeekExchange, _ version: Instant, over said: Said) throws {
    let texts = [
      (MessageRole.user, said.question, exchange.prompt),
      (.assistant, said.answer, exchange.response),
    ]
    try scope.attempt {
      for (role, old, text) in texts where old?.text ?? "" != text {
        guard var new = old else {
          for message in exchange.messages(in: said.thread) where message.role == role {
            try scope.forgetDeletion(of: message.id, [])
            try scope.say(message, beginning: exchange)
          }
          continue
        }
        new.text = text
        new.updatedAt = max(version, Instant(milliseconds: new.updatedAt.milliseconds + 1))
        try scope.update(new, reason: .update)
      }
    }
  }

  private mutating func onlyThere(
    _ it: Case, _ entry: TenWeekFile.Entry, _ there: inout TenWeekFile
  ) throws {
    let exchange = try TenWeekExchange(entry.row, there.reader)
    let ids = [exchange.id(.user), exchange.id(.assistant), exchange.writtenFrom]
      .compactMap { $0 }
    let deletion = try ids.compactMap { try scope.deletion(of: $0) }.max()
    let version = try version(exchange)
    let name = Self.name(exchange.prompt, exchange.response)
    if let base = it.base, let deletion {
      let isBack = base != entry.row && version > deletion
      if base != entry.row {
        report.conflicts.append(
          .init(
            place: it.place, isFromHere: !isBack,
            message: "“\(name)” was deleted here and changed there; the "
              + (isBack ? "change" : "deletion") + " is newer"))
      }
      guard isBack else { return try deleteThere(it, entry, &there) }
    } else if let deletion, deletion >= version {
      return try deleteThere(it, entry, &there)
    }
    var thread = try index.thread(ofSession: exchange.session) ?? exchange.threadID
    if try scope.entity(.thread, thread) == nil { thread = exchange.threadID }
    try scope.attempt {
      for id in ids { try scope.forgetDeletion(of: id, []) }
      for message in exchange.messages(in: thread) {
        try scope.say(message, beginning: exchange)
      }
    }
    try index.note(thread: thread, isSession: exchange.session, isFirst: false)
    report.count("new", isPulled: true)
    try keep(entry.row)
  }

  private mutating func onlyHere(
    _ it: Case, _ said: Said, _ there: inout TenWeekFile
  ) throws {
    if let witness = try index.fate(of: TenWeekReader.exchangeKey(it.key)).deleted {
      let isChanged = it.base != nil && hasChanged(said, since: it.base, there.reader)
      // A deletion that was applied here and then undone is not applied again.
      let wasBroughtBack =
        try it.base == nil && said.messages.contains { try scope.wasDeleted($0.id) }
      let isDeletion =
        it.base != nil && !isChanged || witness >= said.version && !wasBroughtBack
      if isChanged {
        report.conflicts.append(
          .init(
            place: it.place, isFromHere: !isDeletion,
            message:
              "“\(Self.name(said.prompt, said.response))” was changed here and deleted there; "
              + "the " + (isDeletion ? "deletion" : "change") + " is newer"))
      }
      if isDeletion {
        // Undo goes backwards, and the question must be restored before its answer.
        for message in said.messages.reversed() { try scope.delete(.message, message.id) }
        if try scope.isSilent(said.thread) { try scope.delete(.thread, said.thread) }
        amounts[it.table]?.deletedHere += 1
        report.count("deleted", isPulled: true)
        return try forget(it.table, it.key)
      }
    } else if it.base != nil {
      report.warn(
        it.place,
        "the row is gone, but the database’s archive has no record of a deletion; the row was restored"
      )
    }
    let session = try index.session(ofThread: said.thread) ?? lastSession + 1
    var fields = writer.fields(said.question, said.answer, session: session)
    // A row that is written back is the same row.
    for name in ["id", "session_id", "created_at", "freeform_notes"] {
      if let value = it.base?[name] { fields[name] = value }
    }
    guard let row = try there.insert(it.table, it.key, fields) else {
      return report.warn(it.place, "the database’s rules don’t allow the row")
    }
    try index.note(thread: said.thread, isSession: session)
    lastSession = max(lastSession, session)
    report.count("new", isPulled: false)
    try noteSent(.keep(row))
  }
}
