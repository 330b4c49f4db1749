public import Foundation

/// An item stored under an ID, with text about it.
public protocol Persistable: Identifiable where ID == UUID {
  /// The ID, which never changes.
  var id: UUID { get }
  /// The name shown in lists; never empty in a valid entity.
  var title: String { get }
  /// A longer description.
  var description: String? { get }
  /// The owner's notes.
  var notes: String? { get }
  /// The time at which it was logged, according to its owner.
  var logTime: Instant { get }
}

/// Something to reach by a date and in an amount.
public protocol Achievable {
  /// The first day whose actions count, or nil if there is none.
  var startDate: DayKey? { get }
  /// The last day whose actions count, or nil if there is none.
  var targetDate: DayKey? { get }
  /// The unit of the target, such as "km".
  var measurementUnit: String? { get }
  /// The amount to reach, in `measurementUnit`; finite and greater than 0.
  var measurementTarget: Double? { get }
}

extension Achievable {
  /// Returns true if an action on a day can count.
  public func accepts(_ day: DayKey) -> Bool {
    (startDate.map { day >= $0 } ?? true) && (targetDate.map { day <= $0 } ?? true)
  }
}

/// Something that was done, with its amounts, duration and start.
public protocol Performed {
  /// The amount of each unit; amounts are finite and not negative.
  var measurements: [String: Double] { get }
  /// In minutes.
  var duration: Double? { get }
  /// The instant at which it began, if known.
  var startAt: Instant? { get }
}

/// Something that motivates a person, at no particular time.
public protocol Motivating {
  /// From 1, the highest, to 100, the lowest.
  var priority: Int { get }
  /// The life area it concerns, such as "Health".
  var lifeDomain: String { get }
}

extension Sequence where Element: Motivating & Persistable {
  /// Returns the elements with the most important first; equal ones are ordered by title, then by
  /// ID.
  public func byPriority() -> [Element] {
    sorted {
      ($0.priority, $0.title, $0.id.uuidString) < ($1.priority, $1.title, $1.id.uuidString)
    }
  }
}

/// An item whose old versions are kept when it is changed or deleted.
public protocol Archivable: Hashable, Sendable, Validatable, Identifiable where ID == UUID {
  /// The ID under which its old versions are kept.
  var id: UUID { get }
  /// The time at which it was added to the archive.
  var createdAt: Instant { get }
  /// The version: an instant that moves later with every change.
  var updatedAt: Instant { get }
}

/// An archivable entity that can be written as one JSON object, for the history, exports and other
/// programs.
package protocol RecordedEntity: Archivable {
  /// The name of its kind in the history, exports and links.
  static var entityType: EntityType { get }
  /// The name of its kind in an export's line or a message, such as `goal`.
  static var typeName: String { get }
  var id: UUID { get set }
  var createdAt: Instant { get set }
  var updatedAt: Instant { get set }
  /// The whole entity with every field; absent ones are null.
  var json: JSON { get }
  /// Reads the whole entity and validates it.
  init(_ fields: inout FieldReader, defaults: EntryDefaults) throws(FieldError)
}

extension Activity: Persistable, Performed, Archivable {
  /// The text that describes the activity.
  public var title: String { text }
  /// The time at which it was added to the archive.
  public var logTime: Instant { createdAt }
}

extension DayEntry: Archivable {}
extension DayMetric: Archivable {}
extension Person: Archivable {}
extension Tag: Archivable {}
extension Attachment: Archivable {}

/// An activity from the point of view of goals: something done toward them.
public typealias Action = Activity
