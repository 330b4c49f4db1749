import ArkivedCore
import Foundation

/// Reads one FIT file, which may consist of several parts.
struct FITReader {
  /// The messages that are read, by type of information.
  private enum Global {
    static let fileID: UInt16 = 0
    static let sport: UInt16 = 12
    static let session: UInt16 = 18
    static let lap: UInt16 = 19
    static let record: UInt16 = 20
    static let event: UInt16 = 21
    static let activity: UInt16 = 34
  }

  private let file: ImportFile
  private let sink: any ImportSink
  private var activities: RecordedActivities
  private var others: [String] = []

  init(_ file: ImportFile, context: ImportContext, sink: any ImportSink) {
    (self.file, self.sink) = (file, sink)
    activities = RecordedActivities(
      context: context, provider: FITImporter.provider, sink: sink)
  }

  /// - Throws: `ImportRefusal` if the first part is damaged, and errors from the sink.
  mutating func read() throws {
    var stream = try FITStream(
      file.url,
      wanted: [
        Global.fileID, Global.sport, Global.session, Global.lap, Global.record, Global.event,
        Global.activity,
      ])
    defer { stream.close() }
    var parts = 0
    var isCut = false
    do {
      while try stream.beginPart() {
        var part = FITPart()
        do {
          var count = 0
          while let message = try stream.next() {
            part.take(message)
            count += 1
            if count.isMultiple(of: 1_024) { sink.reach(stream.offset) }
          }
          try stream.endPart()
        } catch let damage as FITStream.Damage where damage.isCut {
          // Everything a device wrote before it stopped is valid.
          isCut = true
          parts += 1
          try take(part, parts)
          throw damage
        }
        parts += 1
        try take(part, parts)
      }
    } catch let damage as FITStream.Damage {
      let place = "\(file.name) byte \(damage.offset)"
      guard parts > 0 else {
        throw ImportRefusal(
          place: place,
          message: "the FIT file is damaged: \(damage.message). Copy it from the device again")
      }
      sink.diagnose(
        Diagnostic(
          .skipped, place: place,
          message: isCut
            ? "\(damage.message); the file is damaged or cut off, and was read up to here. "
              + "Export it again"
            : "skipped the rest of the file: \(damage.message)", isCut: isCut))
    }
    guard parts > 0 else {
      throw ImportRefusal(place: file.name, message: "this isn’t a FIT file")
    }
    guard activities.count == 0 else { return }
    sink.diagnose(
      Diagnostic(
        .note, place: file.name,
        message: others.first.map {
          "nothing to import: this FIT file contains \($0), not an activity"
        }
          ?? "nothing to import: no activities found"))
  }

  private mutating func take(_ part: FITPart, _ number: Int) throws {
    if part.excess > 0 {
      sink.diagnose(
        Diagnostic(
          .skipped, place: file.name,
          message: "skipped \(part.excess) points over the limit of one million per track"))
    }
    if let type = part.type, type != FITPart.activityType { others.append(FITSport.file(type)) }
    if part.untimed > 0 {
      sink.diagnose(
        Diagnostic(
          .skipped, place: "\(file.name) session field “start_time”",
          message:
            "skipped \(part.untimed) sessions without a date because the device’s clock wasn’t set")
      )
    }
    for activity in part.activities(place: file.name) { try activities.take(activity) }
  }

  /// The data from one part of a file.
  private struct FITPart {
    static let activityType = 4
    /// The maximum length of an activity, in milliseconds; no real activity lasts longer.
    private static let longest: Int64 = 30 * 86_400_000

    /// A record, kept small because there may be a million of them.
    private struct Sample {
      /// Seconds since 1970.
      var seconds: UInt32
      var segment: UInt16
      var rate: UInt8
      var place: GeoPoint?
      /// In metres; not a number if it isn't given, and the same applies to the distance.
      var height: Float
      var metres: Float

      var time: Int64 { Int64(seconds) * 1_000 }
    }

    private struct Session {
      var start: Int64
      var end: Int64
      var message: FITMessage
    }

    private(set) var type: Int?
    private(set) var excess = 0
    /// Sessions that don't give their time.
    private(set) var untimed = 0
    private var device: String?
    private var profile = ""
    private var samples: [Sample] = []
    private var sessions: [Session] = []
    private var laps: [Int64] = []
    private var offset: Int?
    private var segment: UInt16 = 0

    // MARK: Messages

    mutating func take(_ message: FITMessage) {
      switch message.definition.global {
      case Global.fileID:
        type = message.number(0).map { Int($0) }
        device = message.text(8) ?? FITSport.maker(message.number(1))
      case Global.sport: profile = message.text(3) ?? ""
      case Global.session: takeSession(message)
      case Global.lap:
        if let start = message.moment(2) ?? message.time { laps.append(start) }
      case Global.record: takeRecord(message)
      // The timer starts again after a pause.
      case Global.event:
        if message.number(0) == 0, message.number(1) == 0 { segment &+= 1 }
      case Global.activity:
        guard let local = message.number(5), let time = message.timestamp else { return }
        let quarters = ((local - Double(time)) / 900).rounded()
        if quarters != 0, abs(quarters) <= 56 { offset = Int(quarters) * 900 }
      default: break
      }
    }

    private mutating func takeSession(_ message: FITMessage) {
      let length = (message.number(7) ?? message.number(8)).map { Int64($0) } ?? 0
      let elapsed = (0...Self.longest).contains(length) ? length : 0
      guard let start = message.moment(2) ?? message.time.map({ $0 - elapsed }) else {
        untimed += 1
        return
      }
      sessions.append(Session(start: start, end: start + elapsed, message: message))
    }

    private mutating func takeRecord(_ message: FITMessage) {
      guard let time = message.time else { return }
      guard samples.count < TrackEntries.pointLimit else {
        excess += 1
        return
      }
      let height = (message.number(78) ?? message.number(2)).map { Float($0 / 5 - 500) } ?? .nan
      samples.append(
        Sample(
          seconds: UInt32(clamping: time / 1_000), segment: segment,
          rate: UInt8(clamping: Int(message.number(3) ?? 0)),
          place: message.place(0, 1), height: height,
          metres: message.number(5).map { Float($0 / 100) } ?? .nan))
    }

    // MARK: Activities

    func activities(place: String) -> [RecordedActivity] {
      guard sessions.isEmpty else {
        return sessions.enumerated().map { number, session in
          activity(session, place: sessions.count > 1 ? "\(place) session \(number + 1)" : place)
        }
      }
      // A device that stopped in the middle wrote no session.
      guard type == nil || type == Self.activityType, untimed == 0 else { return [] }
      return unfinished(place: place).map { [$0] } ?? []
    }

    private func activity(_ session: Session, place: String) -> RecordedActivity {
      let message = session.message
      var activity = RecordedActivity(
        sport: FITSport.sport(message.number(5)), kind: FITSport.kind(message.number(6)),
        device: device, start: Instant(milliseconds: session.start), offset: offset, place: place)
      if activity.kind.isEmpty { activity.kind = message.text(110) ?? profile }
      if session.end > session.start { activity.end = Instant(milliseconds: session.end) }
      activity.seconds = (message.number(8) ?? message.number(7)).map { $0 / 1_000 }
      activity.metres = message.number(9).flatMap { $0 > 0 ? $0 / 100 : nil }
      activity.kilocalories = message.number(11)
      activity.heartMean = message.number(16)
      activity.heartMost = message.number(17)
      activity.ascent = message.number(22)
      let own =
        sessions.count == 1
        ? samples : samples.filter { (session.start...session.end).contains($0.time) }
      activity.laps =
        sessions.count == 1
        ? laps.count
        : laps.count { (session.start..<max(session.end, session.start + 1)).contains($0) }
      fill(&activity, own)
      return activity
    }

    private func unfinished(place: String) -> RecordedActivity? {
      guard let first = samples.map(\.time).min(), let last = samples.map(\.time).max() else {
        return nil
      }
      var activity = RecordedActivity(
        kind: profile, device: device, start: Instant(milliseconds: first), offset: offset,
        place: place)
      if last > first {
        activity.end = Instant(milliseconds: last)
        activity.seconds = Double(last - first) / 1_000
      }
      activity.metres = samples.lazy.map(\.metres).filter { !$0.isNaN }.max().flatMap {
        $0 > 0 ? Double($0) : nil
      }
      activity.laps = laps.count
      fill(&activity, samples)
      return activity
    }

    /// Adds the information from an activity's records.
    private func fill(_ activity: inout RecordedActivity, _ samples: [Sample]) {
      let rates = samples.lazy.map { Double($0.rate) }.filter { $0 >= 20 }
      if activity.heartMean == nil, let most = rates.max() {
        activity.heartMean = rates.reduce(0, +) / Double(rates.count)
        activity.heartMost = activity.heartMost ?? most
      }
      activity.track.points = samples.compactMap { sample in
        sample.place.map {
          RecordedTrack.Point(
            place: $0, time: sample.time, height: sample.height.isNaN ? nil : sample.height,
            segment: Int32(sample.segment))
        }
      }
    }
  }
}
