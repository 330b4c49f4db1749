package import ArkivedCore
package import Foundation
import GRDB

/// Finding goals, values and terms by the names people use.
extension Archive {
  /// Returns the goal with an ID, the beginning of one, a title or a part of it.
  ///
  /// - Throws: `ArchiveError.notFound`, or `.ambiguous` with the candidates.
  package func goal(named text: String) throws -> Goal {
    try Archive.pick(text, among: try goals(), what: "goal")
  }

  /// Returns the value or life area that a text refers to, as for goals.
  package func value(named text: String) throws -> PersonalValue {
    try Archive.pick(text, among: try values(), what: "value")
  }

  /// Returns the term with a number, "current", "last", "next", its title in the current language,
  /// or as for goals.
  package func term(named text: String, today: DayKey) throws -> Term {
    let terms = try terms()
    let word = NameFolding.loose(text.trimmingCharacters(in: .whitespaces))
    let shown = terms.filter { $0.isShown(as: word) }
    if shown.count == 1, let term = shown.first { return term }
    var number = word
    for prefix in ["term ", "term", "#"] where number.hasPrefix(prefix) {
      number = String(number.dropFirst(prefix.count))
      break
    }
    if let wanted = Int(number) {
      if let term = terms.first(where: { $0.termNumber == wanted }) { return term }
      // “3” must never refer to term 13, whose title merely contains it; a year may be part of a
      // theme, and four digits may begin an ID.
      guard number == word, word.count >= 4 else {
        throw ArchiveError.notFound("No term named “\(text.prefix(60))”.")
      }
    }
    switch word {
    case "current", "active", "this", "now":
      guard let term = terms.active(on: today) else {
        throw ArchiveError.notFound("No active term on \(today).")
      }
      return term
    case "last", "previous":
      guard let term = terms.lastEnded(before: today) else {
        throw ArchiveError.notFound("No term before \(today).")
      }
      return term
    case "next", "upcoming":
      guard let term = terms.next(after: today) else {
        throw ArchiveError.notFound("No term after \(today).")
      }
      return term
    default: return try Archive.pick(text, among: terms, what: "term")
    }
  }

  /// Returns the term that includes a day; if there are several, the one that began last.
  package func activeTerm(today: DayKey) throws -> Term? { try terms().active(on: today) }

  private static func pick<Entity: Persistable>(
    _ text: String, among all: [Entity], what: String
  ) throws -> Entity {
    let wanted = NameFolding.loose(text.trimmingCharacters(in: .whitespacesAndNewlines))
    guard !wanted.isEmpty else { throw ArchiveError.notFound("No name given for the \(what).") }
    let digits = text.uppercased().filter { $0 != "-" }
    let isIdentity =
      digits.count >= 4 && digits.count <= 32 && digits.allSatisfy { $0.isHexDigit && $0.isASCII }
    let tests: [(Entity) -> Bool] = [
      { NameFolding.loose($0.title) == wanted },
      { isIdentity && $0.id.uuidString.filter { $0 != "-" }.hasPrefix(digits) },
      { NameFolding.loose($0.title).hasPrefix(wanted) },
      { NameFolding.loose($0.title).contains(wanted) },
    ]
    for test in tests {
      let found = all.filter(test)
      if found.count == 1, let only = found.first { return only }
      if found.count > 1 {
        let lines = found.prefix(5).map { "\n  \($0.id.uuidString.prefix(8))  \($0.title)" }
        throw ArchiveError.ambiguous(
          "“\(text.prefix(60))” matches several. Choose one by its ID:" + lines.joined()
            + (found.count > 5 ? "\n  …" : ""))
      }
    }
    throw ArchiveError.notFound("No \(what) named “\(text.prefix(60))”.")
  }

  /// Returns the default number of the next term and the day on which it begins: the day after the
  /// last one, today at the earliest.
  package func nextTerm(today: DayKey) throws -> (number: Int, start: DayKey) {
    let terms = try terms()
    let last = terms.map(\.targetDate).max()
    return (
      (terms.map(\.termNumber).max() ?? 0) + 1, max(today, last?.advanced(by: 1) ?? today)
    )
  }
}

extension Archive {
  /// Returns true if there is any value or term.
  package func hasGoalSide() throws -> Bool {
    try read { db in
      try Bool.fetchOne(
        db,
        sql: "SELECT EXISTS (SELECT 1 FROM personal_values) OR EXISTS (SELECT 1 FROM terms)")
        ?? false
    }
  }

  /// Returns the ID of the most recently deleted goal, value or term with a title.
  package func deletedID(titled title: String) throws -> UUID {
    let wanted = NameFolding.loose(title.trimmingCharacters(in: .whitespacesAndNewlines))
    let found = try read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT source_id, coalesce(json_extract(record, '$.title'),
            'term ' || json_extract(record, '$.termNumber')) AS title
          FROM history WHERE source_table IN ('goals', 'personal_values', 'terms')
          ORDER BY pk DESC
          """
      ).first { NameFolding.loose($0["title"] ?? "") == wanted }
        .map { try $0.identity("source_id") }
    }
    guard let found else {
      throw ArchiveError.notFound("No deleted goal named “\(title.prefix(60))”.")
    }
    return found
  }
}
