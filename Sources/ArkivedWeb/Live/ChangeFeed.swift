import ArkivedCore
import ArkivedEngine
import ArkivedStore
import Foundation

/// Tells open pages and programs what any program changed in the archive.
///
/// One watch serves all listeners, and none runs while nobody listens.
actor ChangeFeed {
  /// What a listener is told.
  enum Message: Hashable, Sendable {
    case change(NotedChange)
    /// More changed than can be told one by one; the newest change is named.
    case missed(UUID?)
    /// The day it is in the home zone: first of all, and when a new one begins.
    case today(DayKey)
    /// A nudge was given, by whichever program; its text is there in each language.
    case nudge(JSONObject, texts: [String: String])
    /// Nothing; only that the line is alive.
    case beat
  }

  /// One listener's messages.
  struct Listener: Sendable {
    let id: Int
    let messages: AsyncStream<Message>
  }

  /// Browsers hold one listener for each page that is in sight.
  static let listenerLimit = 64
  /// A listener that is so many messages behind is let go; it asks again for what it missed.
  static let backlogLimit = 1_000
  /// How often is asked whether something was written, while something is or nothing tells.
  static let interval = Duration.milliseconds(250)
  /// How often the line is shown to be alive.
  private static let beatInterval = Duration.seconds(15)

  private let archive: Archive
  private let zone: Zone
  private let news: ArchiveNews
  private var listeners: [Int: Line] = [:]
  private var nextID = 0
  private var watching: Task<Void, Never>?
  private var newest: UUID?
  private var today: DayKey
  /// The nudges that listeners were told of, or that were given before there was any.
  private var toldNudges: Set<String> = []

  /// How one listener is reached.
  private struct Line {
    let continuation: AsyncStream<Message>.Continuation
    /// What came while the listener is still being told what it missed; nil after that.
    var held: [Message]? = []
    /// Changes it was told of as missed; a watch that is behind may still come to them.
    var told: Set<UUID> = []
  }

  init(archive: Archive, zone: Zone, news: ArchiveNews) {
    self.archive = archive
    self.news = news
    self.zone = zone
    today = zone.dayKey(at: archive.clock.now)
  }

  /// The language in which a page is told that asks for it so (`Accept-Language`).
  func language(asked header: String) async -> Language {
    let archive = archive
    let chosen = try? await offServer { try archive.preferences().language.fixed }
    return chosen ?? Language.accepted(header)
  }

  var isFull: Bool { listeners.count >= ChangeFeed.listenerLimit }
  /// Whether the watch runs.
  var isWatching: Bool { watching != nil }

  /// What a listener knows already.
  enum Known: Hashable, Sendable {
    /// All there is now.
    case everything
    /// All up to a change; nil when there was none yet.
    case upTo(UUID?)
  }

  /// Begins to tell a listener what changes, after what it has missed.
  ///
  /// - Returns: nil when there are too many listeners.
  func listen(after known: Known) async throws -> Listener? {
    let archive = archive
    if watching == nil {
      // Whatever is committed after the watch was made is news to it.
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

  /// Tells a listener, who is let go where it is too far behind.
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
        // The archive could not be read just now; the next round looks for the same changes.
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

  /// Until another day begins, by the archive's clock.
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
