import ArkivedCore
import ArkivedImport
import ArkivedStore
import Foundation

/// Synchronising conversations.
///
/// There may be millions, so an index on disk contains their keys and IDs from both sides.
extension TenWeekSyncRun {
  private static let talk = TenWeekTable.conversations

  /// Reads the conversations of both sides before anything is changed.
  mutating func readTalk(_ there: TenWeekFile, _ side: some TenWeekSide) throws {
    var file = there
    try side.forEachInterchangeRow(Self.talk.rawValue, from: source) { base in
      let number: Int64
      if let entry = try index.entry(Self.talk.rawValue, base.key) {
        number = entry.number
        try index.noteBase(of: number)
      } else if let added = try index.add(Self.talk.rawValue, base.key) {
        number = added
        file.learnSession(of: base)
      } else {
        return
      }
      try file.note(base, as: number)
    }
    lastSession = file.lastSession
    var thread: UUID?
    var pairing = ExchangePairing()
    try side.forEachMessage { next, message, role in
      if let thread, thread != next { try note(pairing.end(), of: thread) }
      thread = next
      let found = try pairing.add(message, role) { question in
        try index.number(question, .made) == index.number(message, .made)
      }
      try note(found, of: next)
    }
    if let thread { try note(pairing.end(), of: thread) }
    amounts[Self.talk] = Amount(
      here: try index.exchangeCount(), there: try index.count(Self.talk.rawValue))
  }

  private func note(_ exchanges: [ExchangePairing.Exchange], of thread: UUID) throws {
    for (question, answer) in exchanges {
      let ids = [answer, question].compactMap { $0 }
      var number: Int64?
      for role in [InterchangeIndex.Role.made, .written] {
        for id in ids where number == nil { number = try index.number(id, role) }
      }
      guard let key = try number.flatMap(index.key(of:)) ?? ids.first?.uuidString else {
        continue
      }
      try index.note(
        InterchangeIndex.Exchange(thread: thread, question: question, answer: answer), key,
        spelling: TenWeekReader.exchangeKey(key))
      if let session = try index.session(Self.talk.rawValue, key) {
        try index.note(thread: thread, isSession: session)
      }
    }
  }

  /// Throws if so many entries may have to be deleted that the owner has to be asked.
  ///
  /// - Throws: `NeedsOneTransaction` if the limit is exceeded.
  func refuseDoubtInTalk(_ archive: Archive) throws {
    func refuse(_ count: Int) throws {
      guard count <= LargeDeletion.limit else { throw NeedsOneTransaction() }
    }
    try refuse(index.countGoneThere(Self.talk.rawValue))
    var goneHere = try index.countGoneHere(Self.talk.rawValue)
    try refuse(goneHere)
    var last: Int64 = 0
    while true {
      let new = try index.newThere(
        Self.talk.rawValue, after: last, limit: TenWeekFile.batchCount)
      guard let end = new.last else { return }
      let ids = new.flatMap { [$0.first, UUID(foreign: $0.key)].compactMap { $0 } }
      goneHere += try archive.deletedCount(among: ids)
      try refuse(goneHere)
      last = end.number
    }
  }

  // MARK: Batches

  mutating func bringTalkInLine(_ there: inout TenWeekFile) throws {
    try readTalk(there, try scope)
    var position = InterchangeIndex.PairPosition()
    while let pairs = try nextPairs(&position) {
      for pair in pairs { try bringTalkInLine(pair.key, &there) }
    }
  }

  /// Synchronises conversations in several short transactions, after `readTalk` has read both
  /// sides.
  mutating func bringTalkInLine(
    _ there: inout TenWeekFile, _ archive: Archive, _ change: LongChange
  ) throws {
    var position = InterchangeIndex.PairPosition()
    while let pairs = try nextPairs(&position) {
      let open = try Self.open(pairs, there, source, archive)
      try inParts(open, change) { run, key in try run.bringTalkInLine(key, &there) }
    }
  }

  private func nextPairs(
    _ position: inout InterchangeIndex.PairPosition
  ) throws -> [InterchangeIndex.Pair]? {
    let pairs = try index.pairs(
      Self.talk.rawValue, &position, limit: TenWeekFile.batchCount)
    return pairs.isEmpty ? nil : pairs
  }

  /// Returns the keys of rows that differ between the sides, or differ from what both sides last
  /// had.
  private static func open(
    _ pairs: [InterchangeIndex.Pair], _ there: TenWeekFile, _ source: String, _ archive: Archive
  ) throws -> [String] {
    let both = pairs.filter { $0.there != nil && $0.here != nil }
    guard !both.isEmpty else { return pairs.map(\.key) }
    let bases = try archive.interchangeRows(talk.rawValue, both.map(\.key), from: source)
    let messages = try archive.messages(
      both.flatMap { [$0.here?.question, $0.here?.answer].compactMap { $0 } })
    return try pairs.filter { pair in
      guard let base = bases[pair.key], let here = pair.here,
        let entry = try there.entry(talk, pair.there), base == entry.row,
        let exchange = try? TenWeekExchange(entry.row, there.reader)
      else { return true }
      return !Said(here, messages).says(exchange)
    }.map(\.key)
  }
}
