import ArkivedCore

/// Builds sessions from the use of programs, separately for each local day.
///
/// Window time counts only while somebody was present. Uses of a program at most fifteen minutes
/// apart form one session, regardless of what was used in between; its length is the sum of the
/// uses. A session of five minutes or more becomes an activity; shorter ones count only toward the
/// day's screen time.
struct WatchDays {
  /// The longest pause within a session, in milliseconds.
  private static let gap: Int64 = 900_000
  private static let minimum: Int64 = 300_000
  private static let browsers = [
    "firefox", "chrome", "chromium", "safari", "edge", "brave", "opera", "vivaldi", "arc", "zen",
    "librewolf", "epiphany", "waterfox", "navigator",
  ]

  private struct Use {
    var start: Int64
    var end: Int64
    var app: String
    var title: String
  }

  private struct Session {
    var app: String
    var start: Int64
    var end: Int64
    var active: Int64 = 0
    /// The time spent on each title or site, in milliseconds.
    var titles: [String: Int64] = [:]
    var sites: [String: Int64] = [:]
  }

  private let source: String
  private let host: String
  private let presence: WatchPresence
  private let context: ImportContext
  private let sink: any ImportSink
  private var days: DayGathering<Use>
  /// The last day of the file, of which it may have only the beginning, and the end of its last use.
  private var lastDay: DayKey?
  private var latest = Int64.min
  /// The number of sessions and days passed on.
  private(set) var count = 0

  init(
    source: String, host: String, presence: WatchPresence, context: ImportContext,
    sink: any ImportSink
  ) {
    self.source = source
    self.host = host
    self.presence = presence
    self.context = context
    self.sink = sink
    days = DayGathering(zones: context.zones)
  }

  mutating func take(_ event: WatchEvent) throws {
    guard event.end > event.start, let app = Self.app(event.data) else { return }
    let title = event.data["title"]?.string.flatMap(PlaceEntries.line) ?? ""
    var start = event.start
    // A use that lasts past midnight counts for both days.
    while start < event.end, let moment = PlaceTime.instant(start) {
      // The last representable day has no end.
      let midnight = days.span(at: moment).upperBound
      let end = midnight > start ? min(event.end, midnight) : event.end
      let use = Use(start: start, end: end, app: app, title: String(title.prefix(80)))
      let day = days.day(at: moment)
      lastDay = max(lastDay ?? day, day)
      latest = max(latest, end)
      if days.add(use, at: moment) { try takeDue() }
      start = end
    }
  }

  private mutating func takeDue() throws {
    for (day, uses) in days.takeDue() { try take(uses, on: day) }
  }

  mutating func finish(_ file: String) throws {
    for (day, uses) in days.takeRest() { try take(uses, on: day) }
    guard days.late + days.excess > 0 else { return }
    sink.diagnose(
      Diagnostic(
        .skipped, place: file,
        message:
          "skipped events (\(days.late + days.excess)): too far in the file from the other events of the same "
          + "day, or too many for one day"))
  }

  /// Returns the program's name without its Windows file extension.
  private static func app(_ data: JSON) -> String? {
    guard let name = data["app"]?.string.flatMap(PlaceEntries.line), name.lowercased() != "unknown"
    else { return nil }
    let isProgram = name.lowercased().hasSuffix(".exe") && name.count > 4
    return String((isProgram ? String(name.dropLast(4)) : name).prefix(80))
  }

  // MARK: A day

  private mutating func take(_ uses: [Use], on day: DayKey) throws {
    var sessions: [Session] = []
    var present: [String: Int] = [:]
    var total: Int64 = 0
    var reached = Int64.min
    for use in uses.sorted(by: { ($0.start, $0.end, $0.app) < ($1.start, $1.end, $1.app) }) {
      // Only one window can be in front at a time.
      let start = max(use.start, reached)
      reached = max(reached, use.end)
      guard start < use.end else { continue }
      for span in presence.active(host, start, use.end) {
        total += span.end - span.start
        let index: Int
        if let last = present[use.app], span.start - sessions[last].end <= Self.gap {
          index = last
        } else {
          index = sessions.count
          sessions.append(Session(app: use.app, start: span.start, end: span.end))
          present[use.app] = index
        }
        add(span, of: use, to: &sessions[index])
      }
    }
    for session in sessions where session.active >= Self.minimum { try take(session, on: day) }
    if total >= 60_000 { try takeTotal(total, on: day) }
  }

  private func add(_ span: WatchPresence.Span, of use: Use, to session: inout Session) {
    session.end = max(session.end, span.end)
    session.active += span.end - span.start
    if !use.title.isEmpty, session.titles.count < 2_000 || session.titles[use.title] != nil {
      session.titles[use.title, default: 0] += span.end - span.start
    }
    let name = use.app.lowercased()
    guard Self.browsers.contains(where: { name.contains($0) }) else { return }
    for page in presence.pages(host, span.start, span.end) {
      session.sites[presence.sites[Int(page.site)], default: 0] += page.end - page.start
    }
  }

  private mutating func take(_ session: Session, on day: DayKey) throws {
    let start = Instant(milliseconds: session.start)
    let details = Self.most(session.sites.isEmpty ? session.titles : session.sites)
    let minutes = Self.minutes(session.active)
    var activity = Activity(
      id: context.identities.next(), dayKey: day, startAt: start,
      endAt: Instant(milliseconds: session.end), timeZone: days.zones.zone(at: start).identifier,
      kind: .other,
      text: session.app, description: details.isEmpty ? nil : details,
      source: .activityWatchImport, durationMinutes: minutes, createdAt: context.now,
      updatedAt: context.now)
    activity.externalRefs = [
      ExternalRef(
        provider: ActivityWatchImporter.provider,
        externalID: "\(TableIdentity.hash("\(source)\u{1F}\(session.app)").prefix(16))/\(start)",
        fetchedAt: context.now,
        contentHash: TableIdentity.hash("\(session.end)\u{1F}\(minutes)\u{1F}\(details)"))
    ]
    try pass(.activity(activity), of: day, from: "\(host) \(session.app) \(start)")
  }

  private mutating func takeTotal(_ total: Int64, on day: DayKey) throws {
    let metric = DayMetric(
      id: context.identities.next(), dayKey: day, metric: "screenMinutes", unit: "min",
      value: Self.minutes(total), source: "ActivityWatch \(source)", createdAt: context.now,
      updatedAt: context.now)
    try pass(.metric(metric), of: day, from: "\(host) \(day)")
  }

  private mutating func pass(
    _ value: ImportedRecord.Value, of day: DayKey, from place: String
  ) throws {
    var record = ImportedRecord(value, place: place, linksPeople: false)
    if day == lastDay { record.coveredUntil = Instant(milliseconds: latest) }
    count += 1
    try sink.take(record)
  }

  private static func minutes(_ milliseconds: Int64) -> Double {
    (Double(milliseconds) / 6_000).rounded() / 10
  }

  /// Returns the three titles or sites used longest, at least a minute each, as in "github.com 12
  /// min, swift.org 8 min".
  private static func most(_ times: [String: Int64]) -> String {
    times.filter { $0.value >= 60_000 }.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(3)
      .map { "\($0.key) \($0.value / 60_000) min" }.joined(separator: ", ")
  }
}
