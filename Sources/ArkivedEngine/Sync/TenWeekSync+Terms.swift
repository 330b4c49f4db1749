import ArkivedCore
import ArkivedImport
import ArkivedStore
import Foundation

extension TenWeekEntity {
  var term: Term? { if case .entity(let entity) = self { entity as? Term } else { nil } }
}

/// Synchronising the numbers of terms.
///
/// No two terms may have the same number at any moment, so terms that exchange numbers give them up
/// before any takes another.
extension TenWeekSyncRun {
  /// A term whose number is to change.
  struct Renumbering {
    let it: Case
    let entry: TenWeekFile.Entry
    let term: Term
  }

  /// Changes the numbers of terms.
  ///
  /// - Parameters:
  ///   - there: the file.
  ///   - isLast: true if changes that remain impossible are reported and skipped.
  /// - Throws: an error if the file can't be written.
  mutating func exchangeNumbers(_ there: inout TenWeekFile, isLast: Bool) throws {
    try exchangeHere()
    try exchangeThere(&there)
    guard isLast else { return }
    for left in numbersHere + numbersThere {
      leaveAlone(
        left.it,
        FieldError(
          "termNumber", "is \(left.term.termNumber), but another term already has that number"))
    }
  }

  private mutating func exchangeHere() throws {
    let held = try scope.all(Term.self).map { ($0.id.uuidString, $0.termNumber) }
    let ready = Self.possible(numbersHere, Dictionary(held) { first, _ in first })
    let keys = Set(ready.map(\.it.key))
    numbersHere.removeAll { keys.contains($0.it.key) }
    guard !ready.isEmpty else { return }
    do {
      try scope.attempt {
        try scope.letGo(ofNumbersOf: ready.map(\.term.id))
        for one in ready { try scope.update(one.term, reason: .update) }
      }
    } catch let error as FieldError {
      for one in ready { leaveAlone(one.it, error) }
      return
    }
    for one in ready {
      report.count("changed", isPulled: true)
      try keep(one.entry.row)
    }
  }

  private mutating func exchangeThere(_ there: inout TenWeekFile) throws {
    let held = try there.termNumbers()
    let ready = Self.possible(numbersThere, held)
    let keys = Set(ready.map(\.it.key))
    numbersThere.removeAll { keys.contains($0.it.key) }
    // In the meantime they have numbers that no term has or will get.
    let taken = Set(held.values).union(ready.map(\.term.termNumber))
    for (one, number) in zip(ready, (1...).lazy.filter { !taken.contains($0) }) {
      _ = try there.renumber(one.entry, to: .integer(Int64(number)))
    }
    for one in ready {
      let fields = writer.fields(.entity(one.term), .terms, kept: one.entry.row, there.reader)
      guard let row = try there.update(.terms, one.entry, fields) else {
        if let number = one.entry.row["term_number"] {
          _ = try there.renumber(one.entry, to: number)
        }
        report.warn(one.it.place, "the database’s rules don’t allow the change")
        continue
      }
      report.count("changed", isPulled: false)
      try noteSent(.keep(row))
    }
  }

  /// Returns the terms that can have their numbers once all of them have given up their current
  /// ones.
  ///
  /// - Parameters:
  ///   - wanted: the terms with the numbers they should have.
  ///   - held: the current numbers of all terms, by key.
  /// - Returns: the terms.
  private static func possible(
    _ wanted: [Renumbering], _ held: [String: Int]
  ) -> [Renumbering] {
    var ready = wanted
    while true {
      let keys = Set(ready.map(\.it.key))
      var taken = Set(held.filter { !keys.contains($0.key) }.values)
      let next = ready.filter { taken.insert($0.term.termNumber).inserted }
      guard next.count < ready.count else { return ready }
      ready = next
    }
  }
}
