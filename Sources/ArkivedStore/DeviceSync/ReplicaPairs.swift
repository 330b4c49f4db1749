import ArkivedCore
import GRDB

/// A setting that lists pairs of things that the owner keeps apart.
///
/// Each pair is a field, so devices that keep different pairs apart keep all of them.
struct ReplicaPairs {
  /// The name of the setting.
  let setting: String
  /// The beginning of the fields; two IDs follow, the smaller one first.
  let prefix: String
  /// The type of the things.
  let type: EntityType
  /// True if the setting has pairs as arrays, false if it has texts.
  private let hasArrays: Bool

  static let all = [
    ReplicaPairs(setting: "tagsApart", prefix: "tagPairs/", type: .tag, hasArrays: true),
    ReplicaPairs(
      setting: "entriesApart", prefix: "entryPairs/", type: .activity, hasArrays: false),
  ]

  static func of(setting: String) -> ReplicaPairs? { all.first { $0.setting == setting } }

  static func of(field: String) -> ReplicaPairs? { all.first { field.hasPrefix($0.prefix) } }

  /// Returns the fields of a list.
  func fields(of list: JSON?) -> ReplicaFields.Values {
    var values: ReplicaFields.Values = [:]
    for pair in list?.array ?? [] {
      let ids =
        hasArrays
        ? (pair.array ?? []).compactMap(\.string)
        : (pair.string ?? "").split(separator: " ").map(String.init)
      if let field = field(of: ids) { values[field] = true }
    }
    return values
  }

  private func field(of ids: [String]) -> String? {
    guard ids.count == 2, ids[0] != ids[1] else { return nil }
    return prefix + ids.sorted().joined(separator: " ")
  }

  /// Returns the list that some fields make.
  ///
  /// Pairs of the known list keep their order, behind new ones.
  func list(of values: ReplicaFields.Values, known: JSON?) -> JSON {
    var fields = Set(values.keys.filter { $0.hasPrefix(prefix) })
    // An older version sends the whole list.
    fields.formUnion(self.fields(of: values["value"]).keys)
    let old = (known?.array ?? []).compactMap { self.fields(of: [$0]).keys.first }
      .filter { fields.remove($0) != nil }
    return .array(
      (fields.sorted() + old).map { field in
        let ids = field.dropFirst(prefix.count)
        return hasArrays
          ? JSON(ids.split(separator: " ").map(String.init)) : .string(String(ids))
      })
  }

  /// Returns the field with the IDs under which the two things are stored now; nil if they are the
  /// same.
  func canonical(_ field: String, _ tables: ReplicaTables) throws -> String? {
    let ids = try field.dropFirst(prefix.count).split(separator: " ").map { id in
      try tables.canonical(ReplicaKey(type: type.rawValue, id: String(id))).id
    }
    return self.field(of: ids)
  }
}

extension ReplicaMerge {
  /// Renames a thing in the list of those that are kept apart, after it was united with another
  /// one.
  func renameInPairs(_ key: ReplicaKey) throws {
    guard let pairs = ReplicaPairs.all.first(where: { $0.type.rawValue == key.type }),
      let list = try StoredSetting.value(pairs.setting, db), list.text().contains(key.id)
    else { return }
    var values: ReplicaFields.Values = [:]
    for field in pairs.fields(of: list).keys {
      if let field = try pairs.canonical(field, tables) { values[field] = true }
    }
    try db.execute(
      sql: "UPDATE settings SET value = ? WHERE name = ?",
      arguments: [pairs.list(of: values, known: list).text(), pairs.setting])
  }
}
