import ArkivedCore
import ArkivedEngine
import ArkivedStore
import Foundation

/// Reports changes to the archive by any program to open pages and programs.
///
/// One watch serves all listeners, and none runs while there are no listeners.
actor ChangeFeed {
  /// A message to a listener.
  enum Message: Hashable, Sendable {
    case change(NotedChange)
    /// There are more changes than can be reported one by one; only the newest is given.
    case missed(UUID?)
    /// The current day in the home zone, sent at the start and when a new one begins.
    case today(DayKey)
    /// A reminder given by any program, with its text in each language.
    case nudge(JSONObject, texts: [String: String])
    /// A sign that the connection is alive.
    case beat
  }

  /// The messages of one listener.
  struct Listener: Sendable {
    let id: Int
    let messages: AsyncStream<Message>
  }

  /// The maximum number of listeners; browsers use one for each visible page.
  static let listenerLimit = 64
  /// The number of pending messages at which a listener is dropped; it then asks again for anything
  /// it missed.
  static let backlogLimit = 1_000
  /// The interval between checks for new writes during activity, or if the system doesn't report
  /// them.
  static let interval = Duration.milliseconds(250)
  /// The interval between signs that the connection is alive.
  private static let beatInterval = Duration.seconds(15)

  private let archive: Archive
  private let zone: Zone
  private let news: ArchiveNews
  private var listeners: [Int: Line] = [:]
  private var nextID = 0
  private var watching: Task<Void, Never>?
  private var newest: UUID?
  private var today: DayKey
  /// The reminders already reported to listeners, or given before there were any.
  private var toldNudges: Set<String> = []

  /// The connection to a listener.
  private struct Line {
    let continuation: AsyncStream<Message>.Continuation
    /// Messages that arrived while the listener is still receiving those it missed; nil afterwards.
    var held: [Message]? = []
    /// Changes already reported as missed, which a watch that lags behind may still reach.
    var told: Set<UUID> = []
  }

  init(archive: Archive, zone: Zone, news: ArchiveNews) {
    self.archive = archive
    self.news = news
    self.zone = zone
    today = zone.dayKey(at: archive.clock.now)
  }

  /// Returns the language for a page that requests it in `Accept-Language`.
  func language(asked header: String) async -> Language {
    let archive = archive
    let chosen = try? await offServer { try archive.preferences().language.fixed }
    return chosen ?? Language.accepted(header)
  }

  var isFull: Bool { listeners.count >= ChangeFeed.listenerLimit }
  /// True if the watch runs.
  var isWatching: Bool { watching != nil }

  /// The changes that a listener already knows.
  enum Known: Hashable, Sendable {
    /// Everything up to the present.
    case everything
    /// Everything up to a change; nil if there was none yet.
    case upTo(UUID?)
  }

  /// Starts reporting changes to a listener, beginning with those it missed.
  ///
  /// - Returns: nil if there are too many listeners.
  func listen(after known: Known) async throws -> Listener? {
    let archive = archive
    if watching == nil {
      // Anything committed after the watch was created is new to it.
      let (watch, newest, nudges) = try await offServer {
        (try ArchiveWatch(archive), try archive.newestChange(), try archive.nudgeMemory())
      }
      if watching == nil {
        self.newest = newest
        toldNudges = Set(nudges.given.map(\.nudge.id))
        today = zone.dayKey(at: archive.clock.now)
        watching = Task { await self.watch(watch) }
      }
    }
    guard !isFull else { return nil }
    nextID += 1
    let id = nextID
    let (messages, continuation) = AsyncStream<Message>.makeStream(
      bufferingPolicy: .bufferingOldest(ChangeFeed.backlogLimit))
    listeners[id] = Line(continuation: continuation)
    continuation.yield(.today(today))
    do {
      if case .upTo(let last) = known {
        let missed = try await offServer { try archive.changes(after: last) }
        tell(missed, to: id)
      }
    } catch {
      leave(id)
      throw error
    }
    release(id)
    return Listener(id: id, messages: messages)
  }

  private func tell(_ missed: NewChanges, to id: Int) {
    guard let line = listeners[id] else { return }
    switch missed {
    case .unlisted(let newest): line.continuation.yield(.missed(newest))
    case .all(let changes):
      for change in changes { line.continuation.yield(.change(change)) }
      listeners[id]?.told = Set(changes.map(\.change.id))
    }
  }

  private func release(_ id: Int) {
    let held = listeners[id]?.held ?? []
    listeners[id]?.held = nil
    for message in held { send(message, to: id) }
  }

  /// Sends a message to a listener, which is dropped if it is too far behind.
  private func send(_ message: Message, to id: Int) {
    if case .change(let change) = message, listeners[id]?.told.remove(change.change.id) != nil {
      return
    }
    if case .dropped? = listeners[id]?.continuation.yield(message) { leave(id) }
  }

  /// Ends a listener's messages.
  func leave(_ id: Int) {
    listeners.removeValue(forKey: id)?.continuation.finish()
    guard listeners.isEmpty else { return }
    watching?.cancel()
    watching = nil
  }

  private func watch(_ watch: ArchiveWatch) async {
    var nextBeat = ContinuousClock.now + ChangeFeed.beatInterval
    var heard = 0
    var isBehind = false
    while !Task.isCancelled {
      do {
        isBehind = try await offServer(watch.hasNews) || isBehind
        if isBehind { try await look() }
        isBehind = false
      } catch {
        // The archive couldn't be read just now; the next round looks for the same changes.
        isBehind = true
      }
      let now = zone.dayKey(at: archive.clock.now)
      if now != today, !Task.isCancelled {
        today = now
        broadcast(.today(now))
      }
      let untilBeat = ContinuousClock.now.duration(to: nextBeat)
      if untilBeat <= .zero {
        broadcast(.beat)
        nextBeat = ContinuousClock.now + ChangeFeed.beatInterval
      }
      let longest = isBehind ? .zero : min(untilBeat, untilTomorrow)
      heard = await news.wait(
        after: heard, pausing: ChangeFeed.interval, atMost: max(longest, ChangeFeed.interval))
    }
  }

  /// The time until another day begins, by the archive's clock.
  private var untilTomorrow: Duration {
    let tomorrow = zone.start(of: today.advanced(by: 1))
    return .milliseconds(tomorrow.milliseconds - archive.clock.now.milliseconds)
  }

  private func look() async throws {
    let last = newest
    let archive = archive
    let news = try await offServer { try archive.changes(after: last) }
    guard !Task.isCancelled else { return }
    switch news {
    case .all(let changes):
      for change in changes { broadcast(.change(change)) }
      if let change = changes.last { newest = change.change.id }
    case .unlisted(let id):
      newest = id
      broadcast(.missed(id))
    }
    try await tellNudges()
  }

  private func tellNudges() async throws {
    let (desk, told) = (NudgeDesk(archive: archive, zone: zone), toldNudges)
    for one in try await offServer({ try desk.announcements(besides: told) })
    where toldNudges.insert(one.words.id).inserted {
      var nudge = one.words.json.object ?? JSONObject()
      nudge["notifies"] = .bool(one.notifies)
      broadcast(.nudge(nudge, texts: one.texts))
    }
  }

  private func broadcast(_ message: Message) {
    for (id, line) in listeners {
      if line.held != nil {
        listeners[id]?.held?.append(message)
      } else {
        send(message, to: id)
      }
    }
  }
}
