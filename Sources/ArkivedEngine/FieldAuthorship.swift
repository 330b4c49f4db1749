import ArkivedCore
import ArkivedStore
import Foundation

/// The versions of an entity, which show whether the owner or an import set each of its fields.
struct FieldAuthorship {
  /// The newest first, beginning with the current one.
  let versions: [AuthoredVersion]

  init(_ current: AuthoredVersion, earlier: [AuthoredVersion]) { versions = [current] + earlier }

  /// Returns true if an import set a field to its current value, which a closure returns for each
  /// version.
  func isImported<Value: Equatable>(_ field: (JSON) -> Value) -> Bool {
    let value = field(versions[0].record)
    var setter = versions[0]
    for version in versions.dropFirst() {
      guard field(version.record) == value else { return setter.isImported }
      setter = version
    }
    // The value is as old as the oldest known version, which may contain the owner's text.
    return setter.isImported && !setter.isMarkedOwn
  }

  /// Returns the items that were removed by hand and haven't been added again; a closure returns
  /// those of each version.
  func removedByHand(_ items: (JSON) -> Set<String>) -> Set<String> {
    var removed: Set<String> = []
    for (newer, older) in zip(versions, versions.dropFirst()) where older.isReplacedByHand {
      removed.formUnion(items(older.record).subtracting(items(newer.record)))
    }
    return removed.subtracting(items(versions[0].record))
  }
}

extension ImportWriter {
  /// Returns who set the fields of an entity.
  func authorship(of type: EntityType, _ id: UUID, _ record: JSON) throws -> FieldAuthorship {
    FieldAuthorship(
      try scope.currentVersion(record, of: type, id), earlier: try scope.earlierVersions(of: id))
  }
}
