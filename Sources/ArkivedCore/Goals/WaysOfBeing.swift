public import Foundation

/// A thing that the archive keeps under an identity, with words about it.
public protocol Persistable: Identifiable where ID == UUID {
  /// The identity, which never changes.
  var id: UUID { get }
  /// The name in lists; never empty in a valid entity.
  var title: String { get }
  /// A longer text about it.
  var description: String? { get }
  /// The owner's remarks.
  var notes: String? { get }
  /// When it was logged, as its owner tells it.
  var logTime: Instant { get }
}

/// Something to reach by a day and in a measure.
public protocol Achievable {
  /// The first day whose actions count; nil leaves that side open.
  var startDate: DayKey? { get }
  /// The last day whose actions count; nil leaves that side open.
  var targetDate: DayKey? { get }
  /// The unit of the target, such as km.
  var measurementUnit: String? { get }
  /// The amount to reach, in `measurementUnit`; finite and greater than 0.
  var measurementTarget: Double? { get }
}

extension Achievable {
  /// Returns whether an action of that day can count.
  public func accepts(_ day: DayKey) -> Bool {
    (startDate.map { day >= $0 } ?? true) && (targetDate.map { day <= $0 } ?? true)
  }
}

/// A thing that was done: how much, for how long, from when.
public protocol Performed {
  /// Unit to amount; amounts are finite and not negative.
  var measurements: [String: Double] { get }
  /// Minutes.
  var duration: Double? { get }
  /// The moment it began, where that is known.
  var startAt: Instant? { get }
}

/// A thing that moves a person, at no time in particular.
public protocol Motivating {
  /// 1 is the highest, 100 the lowest.
  var priority: Int { get }
  /// The part of life it concerns, such as Health.
  var lifeDomain: String { get }
}

extension Sequence where Element: Motivating & Persistable {
  /// Returns the elements with the most important first; equals stand by title, then by identity.
  public func byPriority() -> [Element] {
    sorted {
      ($0.priority, $0.title, $0.id.uuidString) < ($1.priority, $1.title, $1.id.uuidString)
    }
  }
}

/// A thing whose old versions are kept when it is changed or deleted.
public protocol Archivable: Hashable, Sendable, Validatable, Identifiable where ID == UUID {
  /// The identity, under which its old versions are found.
  var id: UUID { get }
  /// When it came into the archive.
  var createdAt: Instant { get }
  /// The version: later after every change.
  var updatedAt: Instant { get }
}

/// An archivable entity that is written as one JSON object, for the history, exports and programs.
package protocol RecordedEntity: Archivable {
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

extension Activity: Persistable, Performed, Archivable {
  /// The text that says what was done.
  public var title: String { text }
  /// The moment it came into the archive.
  public var logTime: Instant { createdAt }
}

extension DayEntry: Archivable {}
extension DayMetric: Archivable {}
extension Person: Archivable {}
extension Tag: Archivable {}
extension Attachment: Archivable {}

/// An activity, looked at from the side of goals: what was done towards something.
public typealias Action = Activity
