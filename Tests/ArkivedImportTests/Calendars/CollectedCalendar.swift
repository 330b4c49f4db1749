import ArkivedCore
import ArkivedImport
import Foundation
import Synchronization
import Testing

/// Takes what a calendar source tells, as an archive would.
final class CollectedCalendar: CalendarSink {
  struct State {
    var contents: [String: String] = [:]
    var versions: [String: String] = [:]
    var taken: [String] = []
    var removed: [String] = []
    var warnings: [String] = []
    var progress: [String] = []
  }

  struct Full: Error {}

  private let held = Mutex(State())
  private let memory = Mutex<JSON?>(nil)
  private let onTake: @Sendable (String) throws -> Void

  init(onTake: @escaping @Sendable (String) throws -> Void = { _ in }) { self.onTake = onTake }

  var state: State { held.withLock { $0 } }
  var contents: [String: String] { state.contents }
  var versions: [String: String] { state.versions }
  var taken: [String] { state.taken }
  var removed: [String] { state.removed }
  var warnings: [String] { state.warnings }
  /// What the source wants to be handed the next time.
  var kept: JSON? {
    get { memory.withLock { $0 } }
    set { memory.withLock { $0 = newValue } }
  }

  /// Fetches once more and keeps what came; `taken`, `removed` and `warnings` are of this fetch.
  @discardableResult
  func fetch(_ source: some CalendarSource) async throws -> Self {
    held.withLock {
      $0.taken = []
      $0.removed = []
      $0.warnings = []
      $0.progress = []
    }
    let state = try await source.fetch(known: versions, state: kept, into: self)
    // As it comes back from an archive.
    kept = try state.map { try JSON(parsing: $0.text()) }
    return self
  }

  func take(_ resource: CalendarResource) async throws {
    try onTake(resource.name)
    let bytes =
      switch resource.content {
      case .bytes(let bytes): bytes
      case .file(let url): [UInt8](try Data(contentsOf: url))
      }
    held.withLock {
      $0.contents[resource.name] = String(decoding: bytes, as: UTF8.self)
      $0.versions[resource.name] = resource.version
      $0.taken.append(resource.name)
    }
  }

  func remove(_ name: String) async throws {
    held.withLock {
      $0.contents[name] = nil
      $0.versions[name] = nil
      $0.removed.append(name)
    }
  }

  func progress(_ done: Int, of total: Int?) async throws {
    held.withLock { $0.progress.append("\(done)/\(total.map(String.init) ?? "?")") }
  }

  func warn(_ place: String, _ message: String) async {
    held.withLock { $0.warnings.append("\(place): \(message)") }
  }

  /// A calendar with one event.
  static func event(_ uid: String, _ title: String = "Talk") -> String {
    "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Test//EN\r\nBEGIN:VEVENT\r\nUID:\(uid)\r\n"
      + "DTSTAMP:20260101T000000Z\r\nDTSTART:20260314T090000Z\r\nDTEND:20260314T100000Z\r\n"
      + "SUMMARY:\(title)\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
  }
}

/// Says that something went otherwise than it should.
func unexpected(_ what: Any, sourceLocation: SourceLocation = #_sourceLocation) {
  Issue.record("\(what)", sourceLocation: sourceLocation)
}
