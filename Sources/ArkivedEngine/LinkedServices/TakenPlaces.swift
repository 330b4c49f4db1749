import ArkivedCore
import ArkivedImport
import Foundation
import Synchronization

/// The stays and journeys of some days that a reading found.
///
/// More positions on a day may give it other stays and journeys. Earlier ones at the same times
/// would then describe the same hours twice.
final class TakenPlaces: Sendable {
  private struct State {
    var names: Set<String> = []
    var spans: [DayKey: [ClosedRange<Instant>]] = [:]
  }

  /// The days to import.
  let days: Set<DayKey>
  private let state = Mutex(State())

  init(_ days: Set<DayKey>) { self.days = days }

  func note(_ activity: Activity) {
    state.withLock { state in
      for ref in activity.externalRefs { state.names.insert(Self.name(ref)) }
      guard let start = activity.startAt else { return }
      state.spans[activity.dayKey, default: []].append(start...max(start, activity.endAt ?? start))
    }
  }

  /// Returns true if the reading has other entries instead of an earlier one.
  func replaces(_ old: Activity) -> Bool {
    guard let start = old.startAt, let end = old.endAt, end > start else { return false }
    return state.withLock { state in
      guard !old.externalRefs.contains(where: { state.names.contains(Self.name($0)) }) else {
        return false
      }
      // A journey ends where a stay begins.
      return (state.spans[old.dayKey] ?? []).contains {
        $0.lowerBound < end && start < $0.upperBound
      }
    }
  }

  private static func name(_ ref: ExternalRef) -> String { "\(ref.provider)\u{0}\(ref.externalID)" }
}

/// A sink that passes on the entries of some days, and notes them.
final class PlacesSink: ImportSink {
  private let sink: any ImportSink
  private let taken: TakenPlaces

  init(_ sink: any ImportSink, _ taken: TakenPlaces) {
    self.sink = sink
    self.taken = taken
  }

  func take(_ record: ImportedRecord) throws {
    guard case .activity(let activity) = record.value, taken.days.contains(activity.dayKey) else {
      return
    }
    taken.note(activity)
    try sink.take(record)
  }

  func diagnose(_ diagnostic: Diagnostic) {
    // Few positions since the last sync are nothing to report.
    guard diagnostic.severity == .skipped || diagnostic.isCut else { return }
    sink.diagnose(diagnostic)
  }

  func reach(_ offset: Int) { sink.reach(offset) }
  func goOn() { sink.goOn() }
  var isOver: Bool { sink.isOver }
}
