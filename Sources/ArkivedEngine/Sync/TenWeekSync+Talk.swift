import ArkivedCore
import ArkivedImport
import ArkivedStore
import Foundation

/// Conversations, by the rules of the other kinds: each row of `conversation_history` is a question with its answer,
/// each session a thread.
extension TenWeekSyncRun {
  /// A question with its answer as it stands here.
  struct Said {
    var thread: UUID
    var question: ConversationMessage?
    var answer: ConversationMessage?

    var prompt: String { question?.text ?? "" }
    var response: String { answer?.text ?? "" }
    var messages: [ConversationMessage] { [question, answer].compactMap { $0 } }
    var version: Instant { messages.map(\.updatedAt).max() ?? .earliest }

    func says(_ exchange: TenWeekExchange) -> Bool {
      prompt == exchange.prompt && response == exchange.response
    }
  }

  /// What is said on both sides.
  struct Talk {
    /// By the key of the row.
    fileprivate(set) var here: [String: Said] = [:]
    fileprivate var keys: [String] = []
    fileprivate var threads: [Int: UUID] = [:]
    fileprivate var sessions: [UUID: Int] = [:]
    fileprivate var lastSession = 0
  }

  // MARK: Both sides

  private static func talk(
    _ there: TenWeekFile, _ bases: [String: InterchangeRow], _ side: some TenWeekSide
  ) throws -> Talk {
    var talk = Talk()
    let rows = there.rows[.conversations] ?? [:]
    var made: [UUID: String] = [:]
    var written: [UUID: String] = [:]
    var sessions: [String: Int] = [:]
    for row in rows.values.map(\.row) + bases.values.filter({ rows[$0.key] == nil }) {
      if case .integer(let number)? = row["session_id"], let session = Int(exactly: number) {
        talk.lastSession = max(talk.lastSession, session)
      }
      for row in [row, bases[row.key]].compactMap({ $0 }) {
        guard let exchange = try? TenWeekExchange(row, there.reader) else { continue }
        for role in [MessageRole.user, .assistant] { made[exchange.id(role)] = row.key }
        if let id = exchange.writtenFrom { written[id] = row.key }
        if sessions[row.key] == nil { sessions[row.key] = exchange.session }
      }
    }
    let messages = Dictionary(
      grouping: try side.all(ConversationMessage.self).enumerated(), by: \.element.threadID)
    var keys: [String] = []
    for thread in try side.all(ConversationThread.self).sorted(by: {
      ($0.createdAt, $0.id.uuidString) < ($1.createdAt, $1.id.uuidString)
    }) {
      let said = (messages[thread.id] ?? []).sorted {
        ($0.element.createdAt, $0.offset) < ($1.element.createdAt, $1.offset)
      }
      for (question, answer) in ConversationMessage.exchanges(said.map(\.element), keys: made) {
        let ids = [answer?.id, question?.id].compactMap { $0 }
        let known = ids.compactMap { made[$0] }.first ?? ids.compactMap { written[$0] }.first
        guard let key = known ?? ids.first?.uuidString else { continue }
        var exchange = talk.here[key] ?? Said(thread: thread.id)
        if talk.here[key] == nil { keys.append(key) }
        exchange.question = exchange.question ?? question
        exchange.answer = exchange.answer ?? answer
        talk.here[key] = exchange
        guard let session = sessions[key] else { continue }
        if talk.sessions[thread.id] == nil { talk.sessions[thread.id] = session }
        if talk.threads[session] == nil { talk.threads[session] = thread.id }
      }
    }
    let order = there.order[.conversations] ?? []
    talk.keys =
      order + keys.filter { rows[$0] == nil }
      + bases.keys.filter { rows[$0] == nil && talk.here[$0] == nil }.sorted()
    return talk
  }

  mutating func bringTalkInLine(
    _ bases: [String: InterchangeRow], _ there: inout TenWeekFile
  ) throws {
    talk = try Self.talk(there, bases, try scope)
    noteTalk(there)
    for key in talk.keys { try bringTalkInLine(key, bases[key], &there) }
  }

  /// The same in several short transactions, when `readTalk` has read both sides.
  mutating func bringTalkInLine(
    _ bases: [String: InterchangeRow], _ there: inout TenWeekFile, _ change: LongChange
  ) throws {
    noteTalk(there)
    let open = talk.keys.filter { key in
      guard let entry = there.rows[.conversations]?[key], let said = talk.here[key],
        bases[key] == entry.row, let exchange = try? TenWeekExchange(entry.row, there.reader)
      else { return true }
      return !said.says(exchange)
    }
    try inParts(open, change) { run, key in try run.bringTalkInLine(key, bases[key], &there) }
  }

  private mutating func noteTalk(_ there: TenWeekFile) {
    amounts[.conversations] = Amount(
      here: talk.here.count, there: there.rows[.conversations]?.count ?? 0)
  }

  /// Reads what is said on both sides before anything is changed.
  ///
  /// - Throws: `NeedsOneTransaction` where so much may have to be deleted that somebody has to be asked.
  mutating func readTalk(
    _ there: TenWeekFile, _ bases: [String: InterchangeRow], _ archive: Archive,
    allowsDeletions: Bool
  ) throws {
    talk = try Self.talk(there, bases, archive)
    guard !allowsDeletions else { return }
    let rows = there.rows[.conversations] ?? [:]
    let missing = rows.keys.filter { talk.here[$0] == nil }
    let new = missing.filter { bases[$0] == nil }.flatMap { key -> [UUID] in
      guard let row = rows[key]?.row, let it = try? TenWeekExchange(row, there.reader) else {
        return []
      }
      return [it.id(.user), it.writtenFrom].compactMap { $0 }
    }
    let goneHere =
      try missing.count { bases[$0] != nil } + archive.deletedCount(among: new)
    let leaving = talk.here.keys.count { key in
      rows[key] == nil && there.reader.exchangeDeletions[TenWeekReader.exchangeKey(key)] != nil
    }
    guard max(goneHere, leaving) <= LargeDeletion.limit else { throw NeedsOneTransaction() }
  }

  // MARK: One exchange

  private mutating func bringTalkInLine(
    _ key: String, _ base: InterchangeRow?, _ there: inout TenWeekFile
  ) throws {
    let it = Case(table: .conversations, key: key, base: base)
    do {
      switch (there.rows[.conversations]?[key], try present(key)) {
      case (let entry?, let said?): try both(it, entry, said, &there)
      case (let entry?, nil): try onlyThere(it, entry, &there)
      case (nil, let said?): try onlyHere(it, said, &there)
      case (nil, nil): try forget(it.table, key)
      }
    } catch let error as FieldError {
      leaveAlone(it, error)
    }
  }

  /// What is said here by now: others may have changed it since it was read.
  private func present(_ key: String) throws -> Said? {
    guard var said = talk.here[key] else { return nil }
    func now(_ message: ConversationMessage?) throws -> ConversationMessage? {
      try message.flatMap { try scope.entity(.message, $0.id) as? ConversationMessage }
    }
    (said.question, said.answer) = (try now(said.question), try now(said.answer))
    return said.messages.isEmpty ? nil : said
  }

  private func hasChanged(
    _ said: Said, since base: InterchangeRow?, _ reader: TenWeekReader
  ) -> Bool {
    guard let base, let before = try? TenWeekExchange(base, reader) else { return true }
    return !said.says(before)
  }

  /// When a row was last changed there.
  private func version(_ exchange: TenWeekExchange, _ reader: TenWeekReader) -> Instant {
    let changed = reader.exchangeChanges[TenWeekReader.exchangeKey(exchange.key)]
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
    let version = version(exchange, there.reader)
    let isPull = isChangedThere && (!isChangedHere || version > said.version)
    if isConflict {
      report.conflicts.append(
        .init(
          place: it.place, isFromHere: !isPull,
          message:
            "“\(Self.name(said.prompt, said.response))” was changed on both sides; the newer "
            + "was kept, the older is in the history"))
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
      return report.warn(it.place, "the database's own rules refuse the change")
    }
    report.count("changed", isPulled: false)
    try noteSent(.keep(row))
  }

  /// Takes what a row says in the place of what is said here.
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
    let version = version(exchange, there.reader)
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
    var thread = talk.threads[exchange.session] ?? exchange.threadID
    if try scope.entity(.thread, thread) == nil { thread = exchange.threadID }
    try scope.attempt {
      for id in ids { try scope.forgetDeletion(of: id, []) }
      for message in exchange.messages(in: thread) {
        try scope.say(message, beginning: exchange)
      }
    }
    talk.threads[exchange.session] = thread
    talk.sessions[thread] = exchange.session
    report.count("new", isPulled: true)
    try keep(entry.row)
  }

  private mutating func onlyHere(
    _ it: Case, _ said: Said, _ there: inout TenWeekFile
  ) throws {
    if let witness = there.reader.exchangeDeletions[TenWeekReader.exchangeKey(it.key)] {
      let isChanged = it.base != nil && hasChanged(said, since: it.base, there.reader)
      // A deletion that was carried out here and taken back since is not carried out again.
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
        // Undo goes backwards, and the question comes before its answer.
        for message in said.messages.reversed() { try scope.delete(.message, message.id) }
        if try scope.isSilent(said.thread) { try scope.delete(.thread, said.thread) }
        amounts[it.table]?.deletedHere += 1
        report.count("deleted", isPulled: true)
        return try forget(it.table, it.key)
      }
    } else if it.base != nil {
      report.warn(
        it.place, "the row is gone, but the database's archive tells of no deletion; written back")
    }
    let session = talk.sessions[said.thread] ?? talk.lastSession + 1
    var fields = writer.fields(said.question, said.answer, session: session)
    // A row that is written back is the one that it was.
    for name in ["id", "session_id", "created_at", "freeform_notes"] {
      if let value = it.base?[name] { fields[name] = value }
    }
    guard let row = try there.insert(it.table, it.key, fields) else {
      return report.warn(it.place, "the database's own rules refuse the row")
    }
    talk.sessions[said.thread] = session
    if talk.threads[session] == nil { talk.threads[session] = said.thread }
    talk.lastSession = max(talk.lastSession, session)
    report.count("new", isPulled: false)
    try noteSent(.keep(row))
  }
}
