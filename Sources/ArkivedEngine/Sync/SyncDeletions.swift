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

  package var description: String {
    let list = parts.map { part in
      "\(part.count) of \(part.total) \(part.kind) "
        + (part.side == .here ? "in this archive" : "in \(address)")
    }
    return "The sync would delete \(list.joined(separator: ", ")). Nothing was changed on either "
      + "side."
  }
}
