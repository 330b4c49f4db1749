public import Foundation

/// An old version of an entity, kept when it was changed or deleted.
package struct HistoryRecord: Hashable, Sendable, Identifiable {
  /// The reason the old version was kept.
  package struct Reason: OpenString {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }

    package static let update: Reason = "update"
    package static let delete: Reason = "delete"
    package static let manualArchive: Reason = "manual_archive"
    package static let `import`: Reason = "import"
    package static let restore: Reason = "restore"
  }

  package var id: UUID
  package var sourceTable: EntityType
  package var sourceID: UUID
  /// The complete old version.
  package var record: JSON
  package var reason: Reason
  package var archivedAt: Instant
  package var archivedBy: Author

  package init(
    id: UUID, sourceTable: EntityType, sourceID: UUID, record: JSON, reason: Reason,
    archivedAt: Instant, archivedBy: Author
  ) {
    self.id = id
    self.sourceTable = sourceTable
    self.sourceID = sourceID
    self.record = record
    self.reason = reason
    self.archivedAt = archivedAt
    self.archivedBy = archivedBy
  }
}

/// A record that the owner deleted something, which keeps imports from restoring it.
package struct Tombstone: Hashable, Sendable {
  package var sourceTable: EntityType
  package var sourceID: UUID
  /// The provider of the reference under which an import might restore it; nil if the tombstone is
  /// for its ID.
  package var provider: String?
  package var externalID: String?
  package var deletedAt: Instant

  package init(
    sourceTable: EntityType, sourceID: UUID, provider: String?, externalID: String?,
    deletedAt: Instant
  ) {
    self.sourceTable = sourceTable
    self.sourceID = sourceID
    self.provider = provider
    self.externalID = externalID
    self.deletedAt = deletedAt
  }
}

/// The entry that an attachment belongs to.
public enum AttachmentOwner: Hashable, Sendable {
  /// An activity, by its ID.
  case activity(UUID)
  /// The page of a day.
  case day(DayKey)
  /// A note, by its ID.
  case note(UUID)
}
