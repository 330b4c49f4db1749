extension Archive {
  /// A position in a device's log: the last segment read and its link.
  package struct ReplicaPlace: Hashable, Sendable {
    package var sequence: Int
    package var link: String

    package init(sequence: Int, link: String) {
      self.sequence = sequence
      self.link = link
    }

    package static let start = ReplicaPlace(sequence: 0, link: "")
  }
}
