package import ArkivedCore
package import ArkivedStore
package import Foundation
import Synchronization

/// IDs that are the same in every run: 00000000-0000-4000-8000-000000000001 and so on.
package final class CountedIdentities: IdentitySource {
  private let count = Mutex(0)

  package init() {}

  package func next() -> UUID {
    let number = count.withLock { count in
      count += 1
      return count
    }
    let digits = String(number, radix: 16, uppercase: true)
    let tail = String(repeating: "0", count: 12 - digits.count) + digits
    return UUID(uuidString: "00000000-0000-4000-8000-\(tail)") ?? UUID()
  }
}

/// A clock that a test sets.
package final class HandClock: ArchiveClock {
  private let time: Mutex<Instant>

  package init(_ now: Instant) { time = Mutex(now) }

  package var now: Instant { time.withLock { $0 } }

  package func set(_ now: Instant) { time.withLock { $0 = now } }
  package func advance(seconds: Int) { time.withLock { $0 = $0.adding(seconds: seconds) } }
}

/// A folder that is deleted when the test is over.
package final class TemporaryFolder: Sendable {
  package let url: URL

  package init() throws {
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("arkived-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// Creates a file with this content in the folder.
  package func file(_ name: String, _ content: String) throws -> URL {
    try file(name, Data(content.utf8))
  }

  package func file(_ name: String, _ content: Data) throws -> URL {
    let target = url.appendingPathComponent(name)
    try FileManager.default.createDirectory(
      at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
    try content.write(to: target)
    return target
  }

  /// Creates a script in the folder that can be run at once.
  ///
  /// Another process writes it. A program can't be run while any process has it open for writing,
  /// and a process that another test is just starting holds a copy of every descriptor open here.
  package func script(
    _ name: String, _ lines: String, for interpreter: String = "/bin/sh"
  ) throws -> URL {
    let text = try file(name + ".text", "#!\(interpreter)\n\(lines)\n")
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: text.path)
    let target = url.appendingPathComponent(name)
    let copying = try Process.run(
      URL(fileURLWithPath: "/bin/cp"), arguments: ["-p", text.path, target.path])
    copying.waitUntilExit()
    try FileManager.default.removeItem(at: text)
    guard copying.terminationStatus == 0 else { throw CocoaError(.fileWriteUnknown) }
    return target
  }
}

/// A real archive in a temporary folder, on Saturday, 14 March 2026, 21:00 in Berlin.
package struct TestArchive: Sendable {
  package static let now = Instant(milliseconds: 1_773_518_400_000)
  package static let zoneName = "Europe/Berlin"

  package let folder: TemporaryFolder
  package let clock: HandClock
  package let archive: Archive
  package let zone: Zone

  package init() throws {
    folder = try TemporaryFolder()
    clock = HandClock(TestArchive.now)
    archive = try Archive(
      at: .folder(folder.url.appendingPathComponent("archive")), clock: clock,
      identities: CountedIdentities())
    zone = Zone(TestArchive.zoneName) ?? .utc
  }

  /// Makes the archive appear to have existed for some days, by the computer's clock.
  package func haveStood(days: Int) throws {
    guard let folder = archive.databaseFile?.deletingLastPathComponent() else { return }
    let file = folder.appendingPathComponent("identity.json")
    var object = try JSON(parsing: Data(contentsOf: file)).object ?? [:]
    object["since"] = JSON(Instant(Date().addingTimeInterval(-Double(days) * 86_400)))
    try Data(JSON.object(object).bytes()).write(to: file)
  }

  /// Returns an additional connection to the same archive, as another process would have.
  package func another() throws -> Archive {
    try Archive(at: archive.location, clock: clock)
  }

  /// Returns the archive's contents for a day.
  package func day(_ text: String) throws -> Day {
    guard let key = DayKey(text) else { throw FieldError("day", "is no day") }
    return try archive.day(key)
  }

  /// Returns an unsaved activity.
  package func activity(
    _ text: String, on day: String = "2026-03-14", from start: String? = nil,
    to end: String? = nil, tags: [String] = [], people: [String] = [],
    kind: ActivityKind = .other, measurements: [String: Double] = [:]
  ) throws -> Activity {
    guard let key = DayKey(day) else { throw FieldError("day", "is no day") }
    func instant(_ clockText: String?) -> Instant? {
      guard let clockText, let time = ISODateTime("\(day)T\(clockText)") else { return nil }
      return zone.instant(of: time.wall)
    }
    return Activity(
      id: archive.identities.next(), dayKey: key, startAt: instant(start), endAt: instant(end),
      timeZone: zone.identifier, kind: kind, text: text, measurements: measurements, tags: tags,
      people: people.map { Mention(name: $0) }, createdAt: clock.now, updatedAt: clock.now)
  }

  /// Saves an activity.
  @discardableResult
  package func add(
    _ text: String, on day: String = "2026-03-14", from start: String? = nil,
    to end: String? = nil, tags: [String] = [], people: [String] = [],
    kind: ActivityKind = .other, measurements: [String: Double] = [:]
  ) throws -> Activity {
    try archive.add(
      try activity(
        text, on: day, from: start, to: end, tags: tags, people: people, kind: kind,
        measurements: measurements)
    ).value
  }
}
