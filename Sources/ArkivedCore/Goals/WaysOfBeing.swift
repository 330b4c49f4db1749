package import Foundation

/// What the archive keeps under an identity, with words about it.
package protocol Persistable: Identifiable where ID == UUID {
  var id: UUID { get }
  /// What it is called in lists; never empty.
  var title: String { get }
  var description: String? { get }
  var notes: String? { get }
  /// When it was logged, as its owner tells it.
  var logTime: Instant { get }
}

/// What lies ahead: something to reach, by a day and in a measure.
package protocol Achievable {
  var startDate: DayKey? { get }
  var targetDate: DayKey? { get }
  var measurementUnit: String? { get }
  /// In `measurementUnit`; finite and greater than 0.
  var measurementTarget: Double? { get }
}

/// What was done: how much, for how long, from when.
package protocol Performed {
  /// Unit to amount; amounts are finite and not negative.
  var measurements: [String: Double] { get }
  /// Minutes.
  var duration: Double? { get }
  var startAt: Instant? { get }
}

/// What moves a person, at no time in particular.
package protocol Motivating {
  /// 1 is the highest, 100 the lowest.
  var priority: Int { get }
  /// The part of life it concerns, such as Health.
  var lifeDomain: String { get }
}

/// An entity whose old versions are kept.
package protocol Archivable: Hashable, Sendable, Validatable, Identifiable where ID == UUID {
  /// The name under which history, exports and links know its kind.
  static var entityType: EntityType { get }
  /// What one line of an export, or a message, calls its kind: `goal`.
  static var typeName: String { get }
  var id: UUID { get set }
  var createdAt: Instant { get set }
  var updatedAt: Instant { get set }
  /// The whole entity: every field, absent ones as null.
  var json: JSON { get }
  /// Reads the whole entity. The result is validated.
  init(_ fields: inout FieldReader, defaults: EntryDefaults) throws(FieldError)
}

extension Activity: Persistable, Performed {
  package var title: String { text }
  package var logTime: Instant { createdAt }
}

/// An activity, looked at from the side of goals: what was done towards something.
package typealias Action = Activity
