package import ArkivedCore

/// The two naming schemes of Ten Week's columns.
package enum TenWeekVariant: String, CaseIterable, Sendable {
  /// The scheme with `id`, `friendly_name`, `detailed_description`, `freeform_notes`.
  case plain
  /// The scheme with `uuid_id`, `title`, `description`, `notes`.
  case uuid
}

/// Ten Week's tables, ordered so that each refers only to earlier ones.
package enum TenWeekTable: String, CaseIterable, Sendable {
  case values = "personal_values"
  case goals
  case terms
  case actions
  case assignments = "term_goal_assignments"
  case progress = "action_goal_progress"
  case archive
  case conversations = "conversation_history"

  /// A column, with a name for its meaning and the names used for it.
  package struct Field: Hashable, Sendable {
    package let meaning: String
    package let plain: String
    package let uuid: String
    /// The names in older versions.
    let older: [String]
    let type: String
    let isRequired: Bool
    let keyPlace: Int

    init(
      _ meaning: String, plain: String? = nil, uuid: String? = nil, older: [String] = [],
      _ type: String = "TEXT", isRequired: Bool = false, keyPlace: Int = 0
    ) {
      self.meaning = meaning
      self.plain = plain ?? meaning
      self.uuid = uuid ?? meaning
      self.older = older
      self.type = type
      self.isRequired = isRequired
      self.keyPlace = keyPlace
    }

    /// The names, in lookup order.
    package var names: [String] { ([uuid, plain] + older).uniqued() }

    package func name(_ variant: TenWeekVariant) -> String {
      variant == .plain ? plain : uuid
    }
  }

  private static func persistable(title isRequired: Bool) -> [Field] {
    [
      Field("key", plain: "id", uuid: "uuid_id", keyPlace: 1),
      Field(
        "title", plain: "friendly_name", older: ["common_name"], isRequired: isRequired),
      Field("description", plain: "detailed_description"),
      Field("notes", plain: "freeform_notes"),
    ]
  }

  /// The known columns, in the order they are written.
  package var fields: [Field] {
    switch self {
    case .actions:
      TenWeekTable.persistable(title: false) + [
        Field("log_time", isRequired: true), Field("measurement_units_by_amount"),
        Field("start_time"), Field("duration_minutes", "REAL"),
      ]
    case .goals:
      TenWeekTable.persistable(title: true) + [
        Field("log_time"), Field("goal_type", older: ["polymorphic_subtype"]),
        Field("measurement_target", "REAL"), Field("measurement_unit"), Field("start_date"),
        Field("target_date"), Field("how_goal_is_relevant"), Field("how_goal_is_actionable"),
        Field("expected_term_length", "INTEGER"),
      ]
    case .values:
      TenWeekTable.persistable(title: true) + [
        Field("log_time"), Field("incentive_type"), Field("priority", "INTEGER"),
        Field("life_domain"), Field("alignment_guidance"),
      ]
    case .terms:
      TenWeekTable.persistable(title: false) + [
        Field("term_number", "INTEGER", isRequired: true), Field("start_date", isRequired: true),
        Field("target_date", isRequired: true), Field("theme"), Field("reflection"),
        Field("created_at", older: ["log_time"]), Field("updated_at"),
      ]
    case .assignments:
      [
        Field("term_uuid", isRequired: true, keyPlace: 1),
        Field("goal_uuid", isRequired: true, keyPlace: 2),
        Field("assignment_order", "INTEGER"), Field("created_at"),
      ]
    case .progress:
      [
        Field("key", plain: "uuid_id", uuid: "uuid_id", older: ["id"], keyPlace: 1),
        Field("action_id", isRequired: true), Field("goal_id", isRequired: true),
        Field("contribution", "REAL"), Field("match_method"), Field("confidence", "REAL"),
        Field("matched_on"), Field("created_at"),
      ]
    case .archive:
      [
        Field("id", keyPlace: 1), Field("source_table", isRequired: true), Field("source_id"),
        Field("record_data", isRequired: true), Field("reason"), Field("archived_at"),
        Field("archived_by"), Field("notes"),
      ]
    case .conversations:
      [
        Field("id", keyPlace: 1), Field("session_id", "INTEGER", isRequired: true),
        Field("prompt"), Field("response"), Field("created_at"), Field("freeform_notes"),
      ]
    }
  }

  package func field(_ meaning: String) -> Field? { fields.first { $0.meaning == meaning } }

  /// Returns the constraints of Ten Week's own schema.
  package func constraints(_ variant: TenWeekVariant) -> [String] {
    let key = variant == .plain ? "id" : "uuid_id"
    return switch self {
    case .terms: ["UNIQUE (term_number)"]
    case .progress:
      [
        "UNIQUE (action_id, goal_id)",
        "FOREIGN KEY (action_id) REFERENCES actions (\(key)) ON DELETE CASCADE",
        "FOREIGN KEY (goal_id) REFERENCES goals (\(key)) ON DELETE CASCADE",
      ]
    case .conversations: ["CHECK (session_id > 0)"]
    default: []
    }
  }

  /// Returns the SQL column clauses of Ten Week's own schema.
  ///
  /// Its Python looks up UUIDs in lower case and its Swift writes upper case; both find values that
  /// are compared case-insensitively. Rows that Ten Week adds to its archive get their ID and date
  /// from the table's defaults.
  package func clauses(_ variant: TenWeekVariant) -> [String: String] {
    var clauses: [String: String] = [:]
    for field in fields where TenWeekTable.identities.contains(field.meaning) {
      clauses[field.name(variant)] = "COLLATE NOCASE"
    }
    for name in ["created_at", "updated_at", "archived_at"] where field(name) != nil {
      clauses[name] = "DEFAULT CURRENT_TIMESTAMP"
    }
    if self == .archive {
      clauses["id"] = "COLLATE NOCASE DEFAULT (\(TenWeekTable.randomIdentity))"
      clauses["archived_by"] = "DEFAULT 'system'"
    }
    return clauses
  }

  /// The meanings of columns that contain a UUID.
  package static let identities: Set = [
    "key", "action_id", "goal_id", "term_uuid", "goal_uuid", "source_id",
  ]

  /// A version 4 UUID as SQLite generates it.
  private static let randomIdentity = """
    hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-' \
    || substr('89AB', abs(random()) % 4 + 1, 1) || substr(hex(randomblob(2)), 2) || '-' \
    || hex(randomblob(6))
    """

  /// Returns the table as created.
  package func layout(_ variant: TenWeekVariant) -> InterchangeTable {
    InterchangeTable(
      name: rawValue,
      columns: fields.map {
        .init(
          name: $0.name(variant), type: $0.type, keyPlace: $0.keyPlace, isRequired: $0.isRequired)
      })
  }

  /// The type of entity that a row becomes; nil if it doesn't become one.
  package var entityType: EntityType? {
    switch self {
    case .values: .personalValue
    case .goals: .goal
    case .terms: .term
    case .actions: .activity
    case .assignments: .assignment
    case .progress: .contribution
    case .archive, .conversations: nil
    }
  }

  /// True if its rows have their own UUID, to which other rows refer.
  package var isPersistable: Bool { [.values, .goals, .terms, .actions].contains(self) }

  /// Returns true if a table contains the UUIDs that Ten Week recorded for rows with numbers.
  package static func isOfMappings(_ name: String) -> Bool { name.lowercased() == "uuid_mappings" }

  /// The word for its rows in sentences.
  package var kind: String {
    switch self {
    case .values: "values"
    case .goals: "goals"
    case .terms: "terms"
    case .actions: "actions"
    case .assignments: "commitments"
    case .progress: "links of actions with goals"
    case .archive: "earlier versions"
    case .conversations: "conversations"
    }
  }

  /// Creates the table for a name in Ten Week's archive, including the older name of values.
  package init?(archived name: String) {
    let name = name.lowercased()
    self.init(rawValue: name == "values" ? "personal_values" : name)
  }

  package init?(_ type: EntityType) {
    guard let table = TenWeekTable.allCases.first(where: { $0.entityType == type }) else {
      return nil
    }
    self = table
  }

  /// Returns true if tables belong to Ten Week; a single one that no other program has is enough.
  package static func areTheirs(_ tables: [InterchangeTable]) -> Bool {
    let signatures: [TenWeekTable: [String]] = [
      .actions: ["measurement_units_by_amount", "log_time"],
      .goals: ["how_goal_is_relevant", "how_goal_is_actionable"],
      .values: ["incentive_type"], .terms: ["term_number", "target_date"],
      .assignments: ["term_uuid", "goal_uuid"], .progress: ["action_id", "goal_id"],
    ]
    return tables.contains { table in
      guard let known = TenWeekTable(rawValue: table.name), let signature = signatures[known]
      else { return false }
      let names = Set(table.columns.map { $0.name.lowercased() })
      return signature.allSatisfy { names.contains($0) }
    }
  }

  /// Returns the variant used for most of a database.
  package static func variant(of tables: [InterchangeTable]) -> TenWeekVariant {
    let names = tables.filter { TenWeekTable.persistables.contains($0.name) }
      .flatMap { $0.columns.map { $0.name.lowercased() } }
    let uuid = names.filter { ["uuid_id", "title", "description", "notes"].contains($0) }.count
    return uuid * 2 > names.filter { TenWeekTable.naming.contains($0) }.count ? .uuid : .plain
  }

  private static let persistables: Set = ["personal_values", "goals", "terms", "actions"]
  private static let naming: Set = [
    "uuid_id", "title", "description", "notes", "id", "friendly_name", "detailed_description",
    "freeform_notes",
  ]
}

extension Sequence where Element: Hashable {
  /// Returns the elements without duplicates, in order of first occurrence.
  fileprivate func uniqued() -> [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
