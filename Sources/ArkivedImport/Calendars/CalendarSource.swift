package import ArkivedCore
package import Foundation

/// A source of calendar events.
package protocol CalendarSource: Sendable {
  /// Reports the changes since the last fetch.
  ///
  /// Only reported resources count as changed or removed. Removals known in time are reported
  /// before additions, so an event that moved to another name still exists afterwards.
  ///
  /// - Parameters:
  ///   - known: the resources taken before, with their versions.
  ///   - state: the result of the last successful fetch; nil the first time.
  ///   - sink: takes the reports in order; an error it throws ends the fetch.
  /// - Returns: The state to pass to the next fetch (a token, an ETag, a date).
  /// - Throws: `CalendarSourceError`, or `CancellationError`; the reports then don't count as
  ///   complete, but each reported resource is whole.
  func fetch(known: [String: String], state: JSON?, into sink: any CalendarSink) async throws
    -> JSON?
}

/// A file of events from a calendar source.
package struct CalendarResource: Sendable {
  package enum Content: Sendable {
    case bytes([UInt8])
    /// A file that is guaranteed to stay unchanged only while `take` runs.
    case file(URL)
  }

  /// A path below the folder, a file name, or the path of a DAV address.
  package var name: String
  /// The version that distinguishes this content from others: an ETag, or `size-mtimeNs-sha256` for
  /// files.
  package var version: String
  package var content: Content

  package init(name: String, version: String, content: Content) {
    self.name = name
    self.version = version
    self.content = content
  }
}

/// A receiver of a calendar source's reports.
package protocol CalendarSink: Sendable {
  /// Takes a new or changed resource.
  func take(_ resource: CalendarResource) async throws
  /// Removes a known resource that no longer exists.
  func remove(_ name: String) async throws
  /// Reports progress.
  ///
  /// - Parameters:
  ///   - done: the completed part.
  ///   - total: nil while it is unknown.
  /// - Throws: `CancellationError` if the sync is to end.
  func progress(_ done: Int, of total: Int?) async throws
  /// Reports something that couldn't be used; the rest continues.
  func warn(_ place: String, _ message: String) async
}
