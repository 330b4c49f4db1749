/// A sync that was not carried out, since it would delete most of something and nobody agreed to
/// that.
package struct LargeDeletion: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Side: String, Sendable { case here, there }

  /// How many of how many rows of a kind would go.
  package struct Part: Hashable, Sendable {
    package var side: Side
    /// "goals", "actions".
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

  /// The linked place.
  package var address: String
  package var parts: [Part]

  package init(address: String, parts: [Part]) {
    self.address = address
    self.parts = parts
  }

  /// More rows than these have to go before anybody is asked, and more than half of a kind.
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
