package import ArkivedCore
package import Foundation

/// A place that calendar events come from.
package protocol CalendarSource: Sendable {
  /// Tells what has changed in the place. Only what is told about is taken as changed or gone.
  ///
  /// What is gone is told before what is new, as far as it is known by then, so that an event that
  /// moved to another name is there in the end.
  ///
  /// - Parameters:
  ///   - known: the resources that were taken before, with the version each had.
  ///   - state: what the last successful fetch returned; nil the first time.
  ///   - sink: takes what is told, in order; what it throws ends the fetch.
  /// - Returns: what to hand in the next time (a token, an ETag, a date).
  /// - Throws: `CalendarSourceError`, or `CancellationError`; then nothing that was told counts as
  ///   complete, but each resource told is whole.
  func fetch(known: [String: String], state: JSON?, into sink: any CalendarSink) async throws
    -> JSON?
}

/// One file of events, as a calendar source gives it.
package struct CalendarResource: Sendable {
  package enum Content: Sendable {
    case bytes([UInt8])
    /// A file that stays as it is while `take` runs, and perhaps no longer.
    case file(URL)
  }

  /// A path below the folder, a file name, or the path of a DAV address.
  package var name: String
  /// What tells this content from another: an ETag, or for files `size-mtimeNs-sha256`.
  package var version: String
  package var content: Content

  package init(name: String, version: String, content: Content) {
    self.name = name
    self.version = version
    self.content = content
  }
}

/// Takes what a calendar source tells.
package protocol CalendarSink: Sendable {
  /// A resource is new or has changed.
  func take(_ resource: CalendarResource) async throws
  /// A resource that was known is gone.
  func remove(_ name: String) async throws
  /// - Parameter total: nil while it is not known.
  func progress(_ done: Int, of total: Int?) async throws
  /// Something could not be used; the rest goes on.
  func warn(_ place: String, _ message: String) async
}
