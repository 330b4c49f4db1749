import ArkivedCore

/// An error that reports that a sync was not performed because it would delete most entries of a
/// kind without the owner's consent.
package struct LargeDeletion: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Side: String, Sendable { case here, there }

  /// The number of rows of a kind that would be deleted, and the total.
  package struct Part: Hashable, Sendable {
    package var side: Side
    /// The kind: "goals", "actions".
    package var kind: String
    package var count: Int
    package var total: Int

    package init(side: Side, kind: String, count: Int, total: Int) {
      self.side = side
      self.kind = kind
      self.count = count
      self.total = total
    }
  }

  /// The address of the linked place.
  package var address: String
  package var parts: [Part]

  package init(address: String, parts: [Part]) {
    self.address = address
    self.parts = parts
  }

  /// Confirmation is needed if more rows than this, and more than half of a kind, would be deleted.
  static let limit = 20

  static func isLarge(_ count: Int, of total: Int) -> Bool { count > limit && count * 2 > total }

  /// The sentence in English, as programs get it and as it is stored.
  package var description: String {
    "The sync would delete \(parts.map(text).joined(separator: ", ")). Nothing was changed on "
      + "either side."
  }

  /// The sentence in the current language.
  package var sentence: String {
    // The parts are translated one by one: in a list, a place couldn’t be told from the next part.
    let list = parts.map { saidAgain(text($0)) }.joined(separator: ", ")
    return said("The sync would delete \(list). Nothing was changed on either side.")
  }

  private func text(_ part: Part) -> String {
    "\(part.count) of \(part.total) \(part.kind) in "
      + (part.side == .here ? "this archive" : address)
  }
}
