package import ArkivedCore
import Foundation
import GRDB

/// An activity in the form of the archive's rows: everything that can be computed before the
/// archive is locked.
///
/// A class, because it is large and passed between threads.
package final class ActivityRow: Sendable {
  package let activity: Activity
  let id: String
  let dayKey: String
  let measurements: [(unit: String, amount: Double)]
  let tags: [Name]
  let people: [(name: Name, personID: UUID?)]
  let document: SearchDocument

  /// A name as written and in its normalised form.
  struct Name: Sendable {
    var name: String
    var folded: String

    init(_ name: String) {
      self.name = name
      folded = NameFolding.key(name)
    }
  }

  /// Prepares the row.
  ///
  /// - Throws: `FieldError` if the activity is not valid.
  package init(_ activity: Activity) throws(FieldError) {
    try activity.validate()
    self.activity = activity
    id = activity.id.identityText
    dayKey = activity.dayKey.description
    measurements = activity.measurements.sorted { $0.key < $1.key }
      .map { (unit: $0.key, amount: $0.value) }
    var seen = Set<String>()
    tags = activity.tags.map(Name.init).filter { seen.insert($0.folded).inserted }
    people = activity.people.map { (Name($0.name), $0.personID) }
    document = SearchDocument(activity, pk: 0)
  }
}

extension ChangeScope {
  /// Writes a new activity with its tags, people, measurements, attachments and references.
  ///
  /// - Throws: `FieldError` if the activity is not valid.
  package func insert(_ activity: Activity) throws {
    let row = try ActivityRow(activity)
    try insertRow(row, orIgnore: false)
    let key = db.lastInsertedRowID
    try insertBelongings(of: row, key: key, isNew: true)
    let isLinked = try adoptOrphans(of: activity.id, key: key)
    try inferContributions(ofActivity: activity, key: key, isNew: !isLinked)
  }

  /// Writes an activity unless its ID or one of its references already exists.
  ///
  /// - Returns: true if it was written.
  package func insertIfNew(_ row: ActivityRow) throws -> Bool {
    for ref in row.activity.externalRefs {
      var probe = try RowWriter(
        self, .knownReference, "SELECT 1 FROM external_refs WHERE provider = ? AND external_id = ?")
      probe.bind(ref.provider)
      probe.bind(ref.externalID)
      guard try !probe.run() else { return false }
    }
    try insertRow(row, orIgnore: true)
    guard db.changesCount > 0 else { return false }
    let key = db.lastInsertedRowID
    try insertBelongings(of: row, key: key, isNew: true)
    let isLinked = try adoptOrphans(of: row.activity.id, key: key)
    try inferContributions(ofActivity: row.activity, key: key, isNew: !isLinked)
    try writeDocuments(moreThan: Self.gatheredDocuments)
    return true
  }

  /// The largest number of waiting documents; other writers wait for them at the end of the
  /// transaction too.
  private static let gatheredDocuments = 8_192

  private func insertRow(_ row: ActivityRow, orIgnore: Bool) throws {
    let activity = row.activity
    var writer = try RowWriter(
      self, orIgnore ? .newActivity : .activity,
      orIgnore ? Self.insertSQL + " ON CONFLICT (id) DO NOTHING" : Self.insertSQL)
    writer.bind(row.id)
    writer.bind(row.dayKey)
    writer.bind(activity.startAt?.milliseconds)
    writer.bind(activity.endAt?.milliseconds)
    writer.bind(activity.timeZone)
    writer.bind(activity.kind.rawValue)
    writer.bind(activity.text)
    writer.bind(activity.description)
    writer.bind(activity.notes)
    writer.bind(activity.source.rawValue)
    writer.bind(activity.isPinned ? 1 : 0)
    writer.bind(activity.locationLabel)
    writer.bind(activity.lat)
    writer.bind(activity.lon)
    writer.bind(activity.durationMinutes)
    writer.bind(activity.dayPeriod?.rawValue)
    writer.bind(activity.weather?.columnText)
    writer.bind(activity.typedText)
    writer.bind(changeKey)
    writer.bind(changeKey)
    writer.bind(activity.createdAt.milliseconds)
    writer.bind(activity.updatedAt.milliseconds)
    try writer.run()
  }

  private static let insertSQL = """
    INSERT INTO activity_rows
      (id, day_key, start_at, end_at, time_zone, kind, text, description, notes, source,
       is_pinned, location_label, lat, lon, duration_minutes, day_period, weather, typed_text,
       change_pk, changed_pk, created_at, updated_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    """

  func insertBelongings(of row: ActivityRow, key: Int64, isNew: Bool = false) throws {
    let now = change.at.milliseconds
    for (unit, amount) in row.measurements {
      var writer = try RowWriter(
        self, .measurement, "INSERT INTO measurements (activity_pk, unit, amount) VALUES (?, ?, ?)")
      writer.bind(key)
      writer.bind(unit)
      writer.bind(amount)
      try writer.run()
    }
    for (position, tag) in row.tags.enumerated() {
      let tagKey = try tagKey(of: tag)
      var writer = try RowWriter(
        self, .tagLink,
        """
        INSERT INTO activity_tags (activity_pk, tag_pk, position, created_at) VALUES (?, ?, ?, ?)
        """)
      writer.bind(key)
      writer.bind(tagKey)
      writer.bind(Int64(position))
      writer.bind(now)
      try writer.run()
    }
    for (position, person) in row.people.enumerated() {
      let personKey = try person.personID.flatMap(personKey)
      var writer = try RowWriter(
        self, .mention,
        """
        INSERT INTO mentions (activity_pk, position, name, folded, person_pk, created_at)
        VALUES (?, ?, ?, ?, ?, ?)
        """)
      writer.bind(key)
      writer.bind(Int64(position))
      writer.bind(person.name.name)
      writer.bind(person.name.folded)
      writer.bind(personKey)
      writer.bind(now)
      try writer.run()
    }
    let activity = row.activity
    try insertAttachments(
      activity.attachments, owner: "activity_pk", key: key, dayKey: activity.dayKey)
    try replaceReferences(activity.externalRefs, owner: "activity_pk", key: key, isNew: isNew)
    var document = row.document
    document.pk = key
    if !isNew { document.add(try Meeting.words(ofActivity: key, db)) }
    try index(document)
  }
}
