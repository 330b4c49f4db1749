import ArkivedCore
import ArkivedCrypto
import ArkivedTestSupport
import Foundation
import GRDB
import Synchronization

@testable import ArkivedEngine
@testable import ArkivedStore

/// Random numbers that are the same for the same seed (SplitMix64: Steele, Lea and Flood, 2014).
struct HistoryNumbers: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

/// Identities that follow from a seed.
final class SeededIdentities: IdentitySource {
  private let numbers: Mutex<HistoryNumbers>

  init(seed: UInt64) { numbers = Mutex(HistoryNumbers(seed: seed)) }

  func next() -> UUID {
    let (high, low) = numbers.withLock { ($0.next(), $0.next()) }
    var bytes = withUnsafeBytes(of: high.bigEndian, Array.init)
    bytes += withUnsafeBytes(of: low.bigEndian, Array.init)
    bytes[6] = (bytes[6] & 0x0F) | 0x40
    bytes[8] = (bytes[8] & 0x3F) | 0x80
    return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }
}

/// One device with its own copy of the shared folder.
final class SimulatedDevice {
  let archive: Archive
  let clock: HandClock
  let folder: URL

  init(archive: Archive, clock: HandClock, folder: URL) {
    self.archive = archive
    self.clock = clock
    self.folder = folder
  }

  var circle: URL? {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.first { $0.hasPrefix("arkived-") }.map { folder.appendingPathComponent($0) }
  }
}

/// A history of several devices: random changes, a folder that delays, cuts off, doubles and loses files,
/// clocks that are wrong, and devices that are stopped in the middle.
final class DeviceSyncSimulation {
  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  private struct Stopped: Error {}

  let seed: UInt64
  private var numbers: HistoryNumbers
  private(set) var devices: [SimulatedDevice] = []
  private let home: TemporaryFolder
  /// Words that were acknowledged, with the thing in which they were written.
  private var words: [(word: String, id: UUID?)] = []
  private var purged: Set<UUID> = []
  private var count = 0
  private var oldHeads: [String: [Data]] = [:]
  private let hasFiles: Bool
  /// The number of unread segments after which devices write a snapshot instead.
  private let longestLog: Int

  init(seed: UInt64) throws {
    self.seed = seed
    numbers = HistoryNumbers(seed: seed)
    hasFiles = Int.random(in: 0..<4, using: &numbers) == 0
    longestLog = Int.random(in: 0..<4, using: &numbers) == 0 ? 4 : 2_000
    home = try TemporaryFolder()
  }

  private func roll(_ sides: Int) -> Int { Int.random(in: 0..<sides, using: &numbers) }

  // MARK: The history

  /// Runs the history and checks what must be so after it.
  func run(steps: Int = 40) throws {
    let size = 2 + (roll(4) == 0 ? roll(7) : roll(4))
    for _ in 0..<size { try addDevice() }
    for _ in 0..<roll(8) { try change(devices[0]) }
    try pair()
    for _ in 0..<steps {
      let device = devices[roll(devices.count)]
      device.clock.advance(seconds: 1 + roll(4_000))
      switch roll(40) {
      case 0..<24: try change(device)
      case 24..<32: try exchange(device, stops: roll(6) == 0)
      case 32: try leaveAndReturn(device)
      default: try carry()
      }
    }
    try settle()
    try check()
  }

  private func addDevice() throws {
    // Some clocks are wrong by years.
    let wrong = [0, 0, 0, 0, -1_773_000_000, -86_400 * 900, 86_400 * 800, 3_600]
    let clock = HandClock(TestArchive.now.adding(seconds: wrong[roll(wrong.count)] + roll(600)))
    let folder = home.url.appendingPathComponent("device-\(devices.count)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // Attachments need a folder; an archive in memory is quicker.
    let place: ArchiveLocation =
      hasFiles ? .folder(home.url.appendingPathComponent("archive-\(devices.count)")) : .memory
    devices.append(
      SimulatedDevice(
        archive: try Archive(
          at: place, clock: clock, identities: SeededIdentities(seed: numbers.next())),
        clock: clock, folder: folder))
  }

  private func key() throws -> Ed25519Key {
    try Ed25519Key(secret: (0..<32).map { _ in UInt8(roll(256)) })
  }

  private func pair() throws {
    var first = try DevicePairing.start(
      devices[0].archive, name: "one", folder: devices[0].folder, signing: try key())
    try first.exchange()
    for (place, device) in devices.enumerated().dropFirst() {
      // Some come with content of their own.
      if roll(3) == 0 { for _ in 0..<roll(5) { try change(device) } }
      try join(device, as: "device \(place)")
      if roll(2) == 0 { try carryAll() }
    }
  }

  private func join(_ device: SimulatedDevice, as name: String) throws {
    guard var inviter = try DeviceSyncJob(archive: devices[0].archive) else {
      throw Failure(description: "the first device left")
    }
    inviter.longestLog = longestLog
    let code = try inviter.invite()
    try carryAll()
    let number = try DevicePairing.ask(
      device.archive, name: name, folder: device.folder, code: code, signing: try key())
    try carryAll()
    guard let request = try inviter.request(), request.comparison == number else {
      throw Failure(description: "the numbers differ")
    }
    if roll(4) == 0 { try stop(&inviter) { try $0.accept(request) } }
    // The owner accepts it again.
    if let request = try inviter.request() { try inviter.accept(request) }
    try carryAll()
    guard var joined = try DevicePairing.finish(device.archive) else {
      throw Failure(description: "\(name) was not let in")
    }
    try joined.exchange()
  }

  /// Takes a device out of the group, changes things on both sides, and lets it join again.
  private func leaveAndReturn(_ device: SimulatedDevice) throws {
    guard device !== devices[0], let old = try DeviceSyncJob(archive: device.archive)?.thisDevice
    else { return }
    // Some leave while the others lack their last changes.
    for round in 0..<(roll(3) == 0 ? 0 : 3) {
      for one in [device, devices[0]] {
        one.clock.advance(seconds: round)
        try exchange(one)
        try carryAll()
      }
    }
    // What it has left in its part of the folder stays there.
    try carryAll(of: device) { $0.contains("/\(DeviceSyncJob.files)/") }
    try DevicePairing.leave(device.archive)
    guard var first = try DeviceSyncJob(archive: devices[0].archive) else { return }
    first.longestLog = longestLog
    if roll(4) == 0 { try stop(&first) { try $0.revoke(old) } }
    if first.devices.contains(where: { $0.id == old && !$0.isRevoked }) { try first.revoke(old) }
    for _ in 0..<roll(6) { try change(device) }
    for _ in 0..<roll(4) { try change(devices[roll(devices.count)]) }
    if roll(2) == 0 { try exchange(devices[0]) }
    count += 1
    try join(device, as: "again \(count)")
  }

  /// Does something that is interrupted at a random write, as when the program is stopped.
  private func stop(
    _ job: inout DeviceSyncJob, _ act: (inout DeviceSyncJob) throws -> Void
  ) throws {
    var left = roll(8)
    job.folder.interrupts = {
      left -= 1
      if left < 0 { throw Stopped() }
    }
    do { try act(&job) } catch is Stopped {}
    guard let fresh = try DeviceSyncJob(archive: job.archive) else { return }
    job = fresh
    job.longestLog = longestLog
  }

  /// Syncs a device; `stops` interrupts it at a random point.
  ///
  /// - Returns: false if something of another device is missing.
  @discardableResult
  private func exchange(_ device: SimulatedDevice, stops: Bool = false) throws -> Bool {
    guard var job = try DeviceSyncJob(archive: device.archive) else { return true }
    job.longestLog = longestLog
    if stops {
      var left = roll(6)
      job.folder.interrupts = {
        left -= 1
        if left < 0 { throw Stopped() }
      }
    }
    do {
      try job.exchange()
    } catch is Stopped {
      return true
    }
    var isWhole = true
    for trouble in job.troubles {
      switch trouble {
      case .missing, .overdue: isWhole = false
      case .rolledBack, .clock: break
      default: throw Failure(description: "\(trouble) on \(job.identity.name)")
      }
    }
    return isWhole
  }

  // MARK: The folder

  private func files(of device: SimulatedDevice) throws -> [(name: String, file: URL)] {
    guard let circle = device.circle else { return [] }
    let own = try ownName(device)
    let folder = circle.appendingPathComponent(own)
    func names(_ folder: URL) -> [String] {
      ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
        .filter { !$0.hasPrefix(".") }
    }
    let shelf = names(folder.appendingPathComponent(DeviceSyncJob.files))
    return
      (names(folder).filter { $0 != DeviceSyncJob.files }
      + shelf.map { "\(DeviceSyncJob.files)/\($0)" })
      .map { ("\(circle.lastPathComponent)/\(own)/\($0)", folder.appendingPathComponent($0)) }
  }

  /// The device that holds a secret key, which takes long to find out.
  private var namesOfKeys: [String: String] = [:]

  private func ownName(_ device: SimulatedDevice) throws -> String {
    guard
      let settings = try device.archive.replicaSettings() ?? device.archive.replicaNote("joining")
    else { return "none" }
    let key = settings["signing"]?.string ?? ""
    if let name = namesOfKeys[key] { return name }
    let name = try DeviceIdentity(settings).id
    namesOfKeys[key] = name
    return name
  }

  /// Brings some files to some devices: late, cut off, doubled, in an old version, or takes them away.
  private func carry() throws {
    for source in devices {
      let files = try files(of: source)
      for target in devices where target !== source {
        for (name, file) in files where roll(3) > 0 {
          guard let content = try? Data(contentsOf: file) else { continue }
          let place = target.folder.appendingPathComponent(name)
          try makeFolder(place)
          switch roll(20) {
          case 0: try content.prefix(roll(max(1, content.count))).write(to: place)
          case 1:
            try? FileManager.default.removeItem(at: place)
          case 2:
            try content.write(
              to: place.deletingLastPathComponent()
                .appendingPathComponent("\(place.lastPathComponent) (1)"))
          case 3 where name.hasSuffix("/head"):
            try (oldHeads[name]?.randomElement(using: &numbers) ?? content).write(to: place)
          default: try content.write(to: place)
          }
          if name.hasSuffix("/head") { oldHeads[name, default: []].append(content) }
        }
        if roll(2) == 0 { try removeGone(from: target, files, of: source) }
      }
    }
  }

  private func removeGone(
    from target: SimulatedDevice, _ files: [(name: String, file: URL)], of source: SimulatedDevice
  ) throws {
    guard let first = files.first else { return }
    let own = first.name.split(separator: "/").prefix(2).joined(separator: "/")
    let folder = target.folder.appendingPathComponent(own)
    let kept = Set(files.map { String($0.name.dropFirst(own.count + 1)) })
    for name in (try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []
    where name != DeviceSyncJob.files && !kept.contains(name) {
      try? FileManager.default.removeItem(at: folder.appendingPathComponent(name))
    }
  }

  private func makeFolder(_ file: URL) throws {
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
  }

  /// Brings everything everywhere.
  private func carryAll() throws {
    for source in devices {
      try carryAll(of: source) { _ in true }
      let files = try files(of: source)
      for target in devices where target !== source {
        try removeGone(from: target, files, of: source)
      }
    }
  }

  private func carryAll(of source: SimulatedDevice, _ isTaken: (String) -> Bool) throws {
    for (name, file) in try files(of: source) where isTaken(name) {
      for target in devices where target !== source {
        let place = target.folder.appendingPathComponent(name)
        try makeFolder(place)
        try Data(contentsOf: file).write(to: place)
      }
    }
  }

  /// Lets all of it arrive.
  private func settle() throws {
    for round in 0..<16 {
      var isQuiet = true
      for device in devices {
        device.clock.advance(seconds: 4_000)
        let before = try device.archive.replicaPlaces()
        let isWhole = try exchange(device)
        try carryAll()
        if try !isWhole || device.archive.replicaPlaces() != before { isQuiet = false }
      }
      if isQuiet, round > 1 { return }
    }
  }

  // MARK: Checks

  /// All that an archive holds, but what each device finds or counts by itself.
  static func lines(_ archive: Archive) throws -> [String] {
    var lines: [String] = []
    _ = try ExportJob(archive: archive).writeJSONLines { lines.append($0) }
    return try lines.filter { line in
      guard let json = try? JSON(parsing: line), let type = json["type"]?.string else {
        return true
      }
      return !["arkived", "history", "tombstone", "importRun", "file"].contains(type)
        && json["matchMethod"]?.string != MatchMethod.autoInferred.rawValue
    }.map(sorted).sorted()
  }

  /// References have no order of their own.
  private static func sorted(_ line: String) throws -> String {
    guard var object = try JSON(parsing: line).object, let refs = object["externalRefs"]?.array
    else {
      return line
    }
    object["externalRefs"] = .array(refs.sorted { $0.text() < $1.text() })
    return JSON.object(object).text()
  }

  private func check() throws {
    let expected = try Self.lines(devices[0].archive)
    for (place, device) in devices.enumerated().dropFirst() {
      let found = try Self.lines(device.archive)
      guard found == expected else {
        let one = Set(expected).subtracting(found).sorted()
        let other = Set(found).subtracting(expected).sorted()
        throw Failure(
          description: "device 0 and \(place) differ:\n\(one.joined(separator: "\n"))\n"
            + "-- against\n\(other.joined(separator: "\n"))\n"
            + (try states(of: one + other, devices[0], device)))
      }
    }
    try checkWords(expected)
    try checkConflicts(expected)
    for device in devices {
      let wrong = try device.archive.read { db in
        try String.fetchAll(db, sql: "PRAGMA integrity_check")
          + Row.fetchAll(
            db, sql: "PRAGMA foreign_key_check"
          ).map(\.description)
      }
      guard wrong == ["ok"] else { throw Failure(description: "\(wrong)") }
      try checkFiles(device)
    }
  }

  /// Every attached file is on every device, whole.
  private func checkFiles(_ device: SimulatedDevice) throws {
    guard let home = device.archive.attachmentsFolder else { return }
    for file in try device.archive.replicaFiles() {
      let content = try? Data(contentsOf: home.appendingPathComponent(file.path))
      guard let content, SHA256.hash(data: content).hexadecimal == file.hash else {
        throw Failure(description: "\(file.path) isn’t whole on \(device.folder.lastPathComponent)")
      }
    }
  }

  /// The states of what differs, and of the tags and people that it names.
  private func states(of lines: [String], _ devices: SimulatedDevice...) throws -> String {
    var keys: Set<String> = []
    for line in lines {
      for id in line.matches(of: /[0-9A-F]{8}-[0-9A-F-]{27}/) { keys.insert(String(id.output)) }
    }
    return try devices.map { device in
      try device.archive.read { db in
        try Row.fetchAll(
          db,
          sql: """
            SELECT type, id, waits, shown, state FROM replica_states
            WHERE id IN (SELECT value FROM json_each(?)) OR type = 'tags' ORDER BY type, id
            """, arguments: [JSON(keys.sorted()).text()]
        ).map(\.description).joined(separator: "\n")
      }
    }.joined(separator: "\n--\n")
  }

  private func histories(_ device: SimulatedDevice) throws -> String {
    try device.archive.read { db in
      try String.fetchAll(db, sql: "SELECT record FROM history").joined(separator: "\n")
    }
  }

  /// Whatever was acknowledged is there, or in a history.
  private func checkWords(_ lines: [String]) throws {
    let all =
      lines.joined(separator: "\n") + (try devices.map(histories).joined(separator: "\n"))
    for (word, id) in words where !all.contains(word) {
      // With something that is purged go those that turn out to be the same, and a meeting's entries.
      if let id,
        try purged.contains(id) || devices.contains(where: { try isPurged(id, $0.archive) })
      {
        continue
      }
      throw Failure(description: "\(word) is lost")
    }
    guard !purged.isEmpty else { return }
    for (place, device) in devices.enumerated() {
      let text = try Self.dump(device.archive)
      for (word, id) in words {
        if let id, purged.contains(id), text.contains(word) {
          let rows = try Self.rows(with: word, device.archive)
          throw Failure(
            description: "\(word) of \(id) is forgotten and still on device \(place): \(rows)")
        }
      }
    }
  }

  private func isPurged(_ id: UUID, _ archive: Archive) throws -> Bool {
    try archive.read { db in
      let tables = ReplicaTables(db: db)
      let key = ReplicaKey(type: EntityType.activity.rawValue, id: id.uuidString)
      return try tables.load(tables.canonical(key))?.state.isPurged ?? false
    }
  }

  /// The rows that contain a word.
  private static func rows(with word: String, _ archive: Archive) throws -> String {
    try archive.read { db in
      try String.fetchAll(
        db,
        sql:
          "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'"
      ).flatMap { table in
        try Row.fetchAll(db, sql: "SELECT * FROM \(table.quotedDatabaseIdentifier)")
          .filter { $0.description.contains(word) }.map { "\(table) \($0.description.prefix(700))" }
      }.joined(separator: "\n  ")
    }
  }

  /// Every text in the database.
  private static func dump(_ archive: Archive) throws -> String {
    try archive.read { db in
      var text = ""
      let tables = try String.fetchAll(
        db,
        sql:
          "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'")
      for table in tables {
        for row in try Row.fetchAll(db, sql: "SELECT * FROM \(table.quotedDatabaseIdentifier)") {
          for value in row.databaseValues {
            if let found = String.fromDatabaseValue(value) { text += found + "\n" }
          }
        }
      }
      return text
    }
  }

  /// The version that gave way is in the history, or is there again.
  private func checkConflicts(_ lines: [String]) throws {
    let present = lines.joined(separator: "\n")
    for device in devices {
      let history = try histories(device)
      for conflict in try device.archive.replicaConflicts(limit: 1_000) {
        guard case .string(let text) = conflict.gaveWay, !text.isEmpty,
          ReplicaFields.types.contains(conflict.type)
        else { continue }
        let words = text.split(whereSeparator: \.isWhitespace).filter { $0.hasPrefix("word") }
        for word in words where !history.contains(word) && !present.contains(word) {
          throw Failure(description: "\(word) of \(conflict.json.text()) is in no history")
        }
      }
    }
  }

  // MARK: Changes

  private func word(in id: UUID?) -> String {
    count += 1
    let word = "word\(seed)x\(count)y"
    words.append((word, id))
    return word
  }

  /// Does one random thing; what the archive refuses is no change.
  private func change(_ device: SimulatedDevice) throws {
    let known = words.count
    do {
      try choose(device.archive, device.clock.now)
    } catch is ArchiveError {
      words.removeSubrange(known...)
    } catch is FieldError {
      words.removeSubrange(known...)
    }
  }

  private func pick(_ sql: String, _ archive: Archive) throws -> UUID? {
    let ids = try archive.read { db in try String.fetchAll(db, sql: sql) }
    guard !ids.isEmpty else { return nil }
    return UUID(uuidString: ids[roll(ids.count)])
  }

  private func day() -> DayKey { DayKey("2026-03-1\(roll(5))") ?? .earliest }

  private func make<Entity: RecordedEntity>(
    _ type: Entity.Type, _ archive: Archive, _ object: JSONObject
  ) throws -> Entity {
    var fields = FieldReader(object)
    return try Entity(
      &fields,
      defaults: EntryDefaults(
        now: archive.clock.now, homeZone: .utc, identities: archive.identities))
  }

  private func choose(_ archive: Archive, _ now: Instant) throws {
    switch roll(34) {
    case 0..<5: try addActivity(archive, now)
    case 5..<9: try editActivity(archive)
    case 9:
      if let id = try pick("SELECT id FROM activities ORDER BY id", archive) {
        _ = try archive.deleteActivities([id])
      }
    case 10..<14: try writeDay(archive)
    case 14: _ = try archive.deleteDay(day())
    case 15, 16, 17: try changeTag(archive)
    case 18, 19, 20: try changePerson(archive, now)
    case 21, 22: try changeNote(archive, now)
    case 23, 24, 25: try changeGoals(archive)
    case 26: _ = try archive.undo()
    case 27:
      guard roll(3) == 0,
        let id = try pick("SELECT id FROM activities ORDER BY id", archive)
      else { return }
      let before = words.count
      _ = try archive.purge(.entities([id]))
      words.removeSubrange(before...)
      purged.insert(id)
    case 28, 29: try changeMeeting(archive, now)
    case 30:
      let id = archive.identities.next()
      _ = try archive.write(by: .owner, "add", "Added a number") { scope in
        let metric = try self.make(
          metric: [
            "id": .string(id.uuidString), "dayKey": JSON(self.day()), "metric": "steps",
            "value": JSON(self.roll(9_000)), "source": "watch",
          ], archive)
        if let known = try scope.metric(like: metric)?.metric { try scope.deleteMetric(known.id) }
        try scope.insert(metric)
      }
    case 31:
      let question = word(in: nil)
      _ = try archive.say(
        "question \(question)", answered: "answer", details: .null,
        in: try pick("SELECT id FROM threads ORDER BY id", archive)
      ) { _, _, _ in KeptAnswer(status: 200, location: nil, etag: nil, body: Data()) }
    case 32: try archive.updatePreferences { $0.zoom = 80 + 10 * roll(5) }
    default:
      try archive.updatePreferences { $0.theme = [.light, .dark, .auto][roll(3)] }
    }
  }

  private func make(metric object: JSONObject, _ archive: Archive) throws -> DayMetric {
    var fields = FieldReader(object)
    return try DayMetric(
      &fields,
      defaults: EntryDefaults(
        now: archive.clock.now, homeZone: .utc, identities: archive.identities))
  }

  private func addActivity(_ archive: Archive, _ now: Instant) throws {
    let id = archive.identities.next()
    var object: JSONObject = [
      "id": .string(id.uuidString), "dayKey": JSON(day()), "timeZone": "Europe/Berlin",
      "text": .string("did \(word(in: id))"), "createdAt": JSON(now), "updatedAt": JSON(now),
    ]
    if roll(2) == 0 { object["tags"] = JSON(["tag\(roll(4))"]) }
    if roll(2) == 0 { object["people"] = JSON(["Person \(roll(3))"]) }
    if roll(3) == 0 { object["measurements"] = ["km": JSON(roll(20))] }
    if roll(4) == 0 {
      // The same source on several devices.
      let ref = "event-\(roll(3))"
      object["externalRefs"] = [["provider": "pool", "externalId": .string(ref)]]
    }
    if roll(2) == 0 { object["notes"] = .string("first\n\(word(in: id))\nlast") }
    if hasFiles, roll(2) == 0 {
      // Some files are attached on several devices.
      let file = try archive.store(
        Data("file \(roll(12))".utf8),
        as: Attachment(
          id: archive.identities.next(), type: .file, originalName: "file.txt", createdAt: now,
          updatedAt: now))
      object["attachments"] = [file.json]
    }
    var fields = FieldReader(object)
    let activity = try Activity(
      &fields,
      defaults: EntryDefaults(now: now, homeZone: .utc, identities: archive.identities))
    for ref in activity.externalRefs {
      let isKnown = try archive.read { db in
        try Bool.fetchOne(
          db, sql: "SELECT EXISTS (SELECT 1 FROM external_refs WHERE external_id = ?)",
          arguments: [ref.externalID]) ?? false
      }
      if isKnown { throw FieldError("externalRefs", "is here") }
    }
    _ = try archive.add(activity)
  }

  private func editActivity(_ archive: Archive) throws {
    guard let id = try pick("SELECT id FROM activities ORDER BY id", archive) else { return }
    let choice = roll(7)
    let (new, place, tag) = (word(in: id), roll(50), "tag\(roll(4))")
    var isUsed = false
    _ = try archive.updateActivity(id) { activity in
      switch choice {
      case 0:
        activity.text = "did \(new)"
        isUsed = true
      case 1:
        activity.notes = (activity.notes ?? "") + "\n\(new)"
        isUsed = true
      case 2: activity.isPinned.toggle()
      case 3: (activity.lat, activity.lon) = (Double(place), 10)
      case 4: activity.tags = activity.tags.contains(tag) ? [] : activity.tags + [tag]
      case 5: activity.measurements["km"] = Double(place)
      default: activity.kind = [.work, .health, .social][place % 3]
      }
    }
    if !isUsed { words.removeLast() }
  }

  private func writeDay(_ archive: Archive) throws {
    let day = day()
    let choice = roll(4)
    let new = word(in: nil)
    let place = roll(100)
    _ = try archive.updateDay(day) { entry in
      var lines = entry.note.split(separator: "\n", omittingEmptySubsequences: false).map(
        String.init)
      switch choice {
      case 0: lines.insert(new, at: lines.isEmpty ? 0 : place % lines.count)
      case 1 where !lines.isEmpty: lines[place % lines.count] += " \(new)"
      default: lines.append(new)
      }
      entry.note = lines.joined(separator: "\n")
      if choice == 3 { entry.mood = 1 + place % 5 }
    }
  }

  private func changeTag(_ archive: Archive) throws {
    let all = "SELECT id FROM tags ORDER BY id"
    guard let id = try pick(all, archive) else { return }
    switch roll(4) {
    case 0: _ = try archive.renameTag(id, to: "tag\(roll(7))")
    case 1: _ = try archive.deleteTag(id)
    case 2: if let other = try pick(all, archive) { _ = try archive.mergeTag(id, into: other) }
    default: _ = try archive.colourTag(id, TagColour.allCases[roll(TagColour.allCases.count)])
    }
  }

  private func changePerson(_ archive: Archive, _ now: Instant) throws {
    let all = "SELECT id FROM persons ORDER BY id"
    let id = try pick(all, archive)
    switch roll(5) {
    case 0:
      let new = archive.identities.next()
      _ = try archive.create(
        Person(
          id: new, name: "Person \(roll(5))", email: "p\(roll(4))@example.org", createdAt: now,
          updatedAt: now))
    case 1:
      guard let id else { return }
      let new = word(in: nil)
      _ = try archive.updatePerson(id) { $0.relationshipSummary = "knows \(new)" }
    case 2:
      guard let id else { return }
      let name = "Person \(roll(6))"
      _ = try archive.updatePerson(id) { $0.name = name }
    case 3: if let id { _ = try archive.deletePerson(id) }
    default:
      if let id, let other = try pick(all, archive) { _ = try archive.merge(id, into: other) }
    }
  }

  private func changeNote(_ archive: Archive, _ now: Instant) throws {
    if roll(2) == 0 {
      let meeting = try pick("SELECT id FROM meetings ORDER BY id", archive)
      // Notes of a meeting are forgotten with it.
      let new = word(in: try meeting.flatMap { try archive.meeting($0)?.activity.id })
      _ = try archive.create(
        try make(
          Note.self, archive,
          [
            "title": "note", "text": .string("- [ ] \(new) by Friday\n\nend"),
            "meetingId": JSON(meeting?.uuidString),
            "createdAt": JSON(now),
          ]))
      return
    }
    guard let id = try pick("SELECT id FROM notes ORDER BY id", archive) else { return }
    if roll(5) == 0 {
      _ = try archive.deleteNote(id)
    } else {
      let meeting = try archive.note(id)?.meetingID
      let new = word(in: try meeting.flatMap { try archive.meeting($0)?.activity.id })
      _ = try archive.updateNote(id) { $0.text += "\n\(new)" }
    }
  }

  private func changeMeeting(_ archive: Archive, _ now: Instant) throws {
    if roll(2) == 0 {
      let activity = archive.identities.next()
      let new = word(in: activity)
      let object: JSONObject = [
        "id": .string(activity.uuidString), "startAt": "2026-03-12T09:00:00Z",
        "endAt": "2026-03-12T10:00:00Z", "timeZone": "Europe/Berlin", "source": "calendarImport",
        "text": .string("met \(new)"), "createdAt": JSON(now),
      ]
      var fields = FieldReader(object)
      let entry = try Activity(
        &fields, defaults: EntryDefaults(now: now, homeZone: .utc, identities: archive.identities))
      let meeting = try make(
        Meeting.self, archive,
        [
          "activityId": .string(activity.uuidString),
          "eventIdentifier": .string("event-\(roll(4))"),
          "attendees": [["name": "Person 1", "address": "p1@example.org"]],
        ])
      _ = try archive.create(MeetingEntry(meeting: meeting, activity: entry))
      return
    }
    guard let id = try pick("SELECT id FROM meetings ORDER BY id", archive) else { return }
    if roll(4) == 0 {
      _ = try archive.deleteMeeting(id)
    } else {
      let owner = try archive.meeting(id)?.activity.id
      let new = word(in: owner)
      _ = try archive.updateMeeting(id) {
        $0.meeting.purpose = ($0.meeting.purpose ?? "") + "\n\(new)"
      }
    }
  }

  private func changeGoals(_ archive: Archive) throws {
    let goal = try pick("SELECT id FROM goals ORDER BY id", archive)
    switch roll(9) {
    case 0, 1:
      let new = word(in: nil)
      _ = try archive.create(
        try make(
          Goal.self, archive,
          [
            "title": .string("goal \(new)"), "measurementUnit": "km", "measurementTarget": 100,
          ]))
    case 2:
      guard let goal else { return }
      let new = word(in: nil)
      _ = try archive.update(Goal.self, goal) { $0.title = "goal \(new)" }
    case 3:
      guard let goal else { return }
      let target = Double(50 + roll(100))
      _ = try archive.update(Goal.self, goal) { $0.measurementTarget = target }
    case 4: if let goal, roll(2) == 0 { _ = try archive.delete(Goal.self, goal) }
    case 5:
      _ = try archive.create(
        try make(PersonalValue.self, archive, ["title": .string("value \(word(in: nil))")]))
    case 6:
      _ = try archive.create(
        try make(
          Term.self, archive,
          [
            "termNumber": JSON(roll(3)), "startDate": "2026-03-01",
            "theme": .string("theme \(word(in: nil))"),
          ]))
    case 7:
      guard let goal, let term = try pick("SELECT id FROM terms ORDER BY id", archive) else {
        return
      }
      _ = try archive.create(
        try make(
          TermGoalAssignment.self, archive,
          ["termId": .string(term.uuidString), "goalId": .string(goal.uuidString)]))
    default:
      guard let goal, let value = try pick("SELECT id FROM personal_values ORDER BY id", archive)
      else { return }
      _ = try archive.create(
        try make(
          GoalValueAlignment.self, archive,
          [
            "goalId": .string(goal.uuidString), "valueId": .string(value.uuidString),
            "strength": JSON(1 + roll(10)),
          ]))
    }
  }
}
