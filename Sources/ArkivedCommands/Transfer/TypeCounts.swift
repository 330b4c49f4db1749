import ArkivedCore

/// How many things of each kind, as imports, syncs and packs count them.
enum TypeCounts {
  // English tells kinds by their own names, “2 activity”; other languages have words for them.
  // words: {1} activity / {1} activities | {1} day / {1} days | {1} person / {1} people
  // words: {1} attachment / {1} attachments | {1} metric / {1} metrics | {1} tag / {1} tags
  // words: {1} goal / {1} goals | {1} personalValue / {1} values | {1} term / {1} terms
  // words: {1} lifetime / {1} lifetimes | {1} contribution / {1} links | {1} row / {1} rows
  // words: {1} alignment / {1} alignments | {1} assignment / {1} commitments
  // words: {1} meeting / {1} meetings | {1} note / {1} notes | {1} tombstone / {1} deletions
  // words: {1} goals | {1} values | {1} terms | {1} actions | {1} contributions | {1} alignments
  // words: {1} assignments | {1} new | {1} changed | {1} deleted
  // words: {1} thread / {1} threads | {1} message / {1} messages

  /// “12 activity, 3 goal”; “nothing” where there is nothing.
  static func text(_ counts: [String: Int]) -> String {
    guard !counts.isEmpty else { return said("nothing") }
    return counts.sorted { $0.key < $1.key }.map { count(of: $0.key, $0.value) }
      .joined(separator: ", ")
  }

  private static func count(of kind: String, _ number: Int) -> String {
    guard Language.current != .english else { return "\(number) \(kind)" }
    return Phrase(counting: number, one: kind, many: kind).text()
  }
}
