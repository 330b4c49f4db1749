import ArkivedCore
import ArkivedTestSupport
import Foundation
import Synchronization
import Testing

@testable import ArkivedEngine
@testable import ArkivedImport
@testable import ArkivedStore

/// Two devices that meet at an address.
private struct DistantDevices {
  let one: Computer
  let two: Computer

  init(_ address: String, _ credentials: CalendarCredentials = .none) throws {
    one = try Computer()
    two = try Computer()
    let place = SharedPlace(address, credentials: credentials)
    var first = try DevicePairing.start(one.archive, name: "desk", at: place)
    let code = try first.invite()
    let number = try DevicePairing.ask(two.archive, name: "laptop", at: place, code: code)
    try first.bringRequests()
    let request = try #require(try first.request())
    #expect(request.comparison == number)
    try first.accept(request)
    var second = try #require(try DevicePairing.finish(two.archive))
    try second.exchange()
    try exchange()
  }

  func job(_ computer: Computer) throws -> DeviceSyncJob {
    try #require(try DeviceSyncJob(archive: computer.archive))
  }

  @discardableResult
  func exchange(_ computer: Computer) throws -> Set<DeviceSyncStatus.Trouble> {
    computer.clock.advance(seconds: 1)
    var job = try job(computer)
    try job.exchange()
    return job.troubles
  }

  func exchange() throws { for computer in [one, two, one, two, one] { try exchange(computer) } }

  func addPhoto(_ text: String, to computer: Computer) throws -> Activity {
    let photo = try computer.archive.store(
      Data(repeating: 7, count: 300_000),
      as: Attachment(
        id: UUID(), type: .file, originalName: "photo.bin", createdAt: computer.clock.now,
        updatedAt: computer.clock.now))
    var activity = computer.activity(text)
    activity.attachments = [photo]
    return try computer.archive.add(activity).value
  }
}

@Suite("Devices that meet on a WebDAV server")
struct DeviceSyncWebDAVTests {
  private static let impatient = CalendarNetwork(
    connect: .seconds(2), idle: .milliseconds(300))

  @Test(
    "Entries and files go through a real server, which keeps nothing that all devices have",
    .enabled(if: WebDAVServer.isInstalled))
  func realServer() async throws {
    let server = try await WebDAVServer()
    let pair = try DistantDevices(server.address, .basic(user: "me", password: server.password))
    let saved = try pair.addPhoto("by the river", to: pair.one)
    try pair.exchange()
    let found = try #require(try pair.two.archive.activity(saved.id))
    let file = try #require(found.attachments.first)
    #expect(try pair.two.archive.content(of: file) == Data(repeating: 7, count: 300_000))
    func kept() throws -> [String] {
      try FileManager.default.subpathsOfDirectory(atPath: server.folder.path)
        .filter { $0.contains("/log-") || $0.contains("/snapshot-") }
    }
    // On a busy machine a request may have to wait for the next exchange.
    for _ in 0..<20 where try !kept().isEmpty { try pair.exchange() }
    #expect(try kept().isEmpty)
    // The password is where the archive's secrets are, and nowhere else.
    let home = try #require(pair.one.archive.databaseFile).deletingLastPathComponent()
    let settings = try #require(try pair.one.archive.replicaSettings()).text()
    #expect(!settings.contains(server.password))
    #expect(
      try String(contentsOf: home.appendingPathComponent("secrets.json"), encoding: .utf8)
        .contains(server.password))
    try DevicePairing.leave(pair.one.archive)
    #expect(
      try !String(contentsOf: home.appendingPathComponent("secrets.json"), encoding: .utf8)
        .contains(server.password))
    #expect(
      !FileManager.default.fileExists(atPath: home.appendingPathComponent("device-sync").path))
  }

  @Test("Only the owner may read the copies of a server's files, whatever the program's umask is")
  func privateCopies() throws {
    let server = try FaultyWebDAV()
    let pair = try DistantDevices(server.address)
    _ = try pair.addPhoto("by the river", to: pair.one)
    for _ in 0..<3 { try pair.exchange() }
    for computer in [pair.one, pair.two] {
      let home = try #require(computer.archive.databaseFile).deletingLastPathComponent()
        .appendingPathComponent("device-sync")
      let paths = try FileManager.default.subpathsOfDirectory(atPath: home.path)
      #expect(paths.contains { $0.contains("/head") })
      for path in [""] + paths {
        let attributes = try FileManager.default.attributesOfItem(
          atPath: home.appendingPathComponent(path).path)
        let permissions = try #require((attributes[.posixPermissions] as? NSNumber)?.intValue)
        #expect(permissions & 0o077 == 0, "\(path)")
      }
    }
  }

  @Test("What a server took though its answer was lost goes once all devices have it")
  func lostAnswer() throws {
    let server = try FaultyWebDAV()
    let pair = try DistantDevices(server.address)
    for _ in 0..<3 { try pair.exchange() }
    server.fail { $0.method == "PUT" && $0.path.contains("/log-") ? .unanswered : nil }
    let saved = try pair.one.archive.add(pair.one.activity("by the river")).value
    #expect(try !pair.exchange(pair.one).isEmpty)
    server.fail { _ in nil }
    // It is read before its writer knows that it is there.
    try pair.exchange(pair.two)
    #expect(try pair.two.archive.activity(saved.id) != nil)
    for _ in 0..<3 { try pair.exchange() }
    #expect(server.paths.filter { $0.contains("/log-") || $0.contains("/snapshot-") } == [])
  }

  @Test("A server whose tags don't tell two versions within a second apart keeps nothing, either")
  func coarseTags() throws {
    let server = try FaultyWebDAV(hasCoarseTags: true)
    let pair = try DistantDevices(server.address)
    for _ in 0..<3 { try pair.exchange() }
    let saved = try pair.one.archive.add(pair.one.activity("by the river")).value
    for _ in 0..<3 { try pair.exchange() }
    #expect(try pair.two.archive.activity(saved.id) != nil)
    #expect(server.paths.filter { $0.contains("/log-") || $0.contains("/snapshot-") } == [])
  }

  @Test(
    "A wrong password and a wrong folder are said", .enabled(if: WebDAVServer.isInstalled))
  func wrongPassword() async throws {
    let server = try await WebDAVServer()
    let computer = try Computer()
    for (address, password, kind) in [
      (server.address, "wrong", WebDAVFailure.Kind.unauthorised),
      (server.address + "none/", server.password, .missing),
    ] {
      let place = SharedPlace(address, credentials: .basic(user: "me", password: password))
      let failure = #expect(throws: WebDAVFailure.self) {
        _ = try DevicePairing.start(computer.archive, name: "desk", at: place)
      }
      #expect(failure?.kind == kind)
      #expect(failure?.sentence.contains(password) == false)
      #expect(try computer.archive.replicaSettings() == nil)
    }
  }

  @Test("A server that fails in the middle of anything delays changes and loses none")
  func faults() throws {
    let server = try FaultyWebDAV()
    let pair = try DistantDevices(server.address)
    for seed in UInt64(1)...6 {
      let numbers = Mutex(HistoryNumbers(seed: seed))
      server.fail { _ in
        numbers.withLock { numbers in
          guard Int.random(in: 0..<4, using: &numbers) == 0 else { return nil }
          return FaultyWebDAV.Fault.allCases.randomElement(using: &numbers)
        }
      }
      for round in 0..<6 {
        let computer = round.isMultiple(of: 2) ? pair.one : pair.two
        _ = try pair.addPhoto("seed \(seed) round \(round)", to: computer)
        let troubles = try pair.exchange(computer)
        #expect(
          troubles.allSatisfy { ["serverTrouble", "missing", "rolledBack"].contains($0.name) },
          "\(troubles)")
      }
      server.fail { _ in nil }
      for _ in 0..<3 { try pair.exchange() }
      #expect(try pair.exchange(pair.one).isEmpty)
      #expect(try pair.exchange(pair.two).isEmpty)
      #expect(
        try DeviceSyncSimulation.lines(pair.one.archive)
          == DeviceSyncSimulation.lines(pair.two.archive))
      for computer in [pair.one, pair.two] {
        let day = try computer.day("2026-03-14")
        #expect(day.activities.count == Int(seed) * 6)
        for activity in day.activities {
          let file = try #require(activity.attachments.first)
          #expect(try computer.archive.content(of: file).count == 300_000)
        }
        var job = try pair.job(computer)
        let status = try job.status()
        #expect(status.isInStep, "\(status.json.text())")
      }
    }
    #expect(!server.paths.contains { $0.contains("/log-") }, "\(server.paths)")
  }

  @Test("A copy of the archive is noticed through the server, too")
  func copies() throws {
    let server = try FaultyWebDAV()
    let pair = try DistantDevices(server.address)
    let home = try #require(pair.one.archive.databaseFile).deletingLastPathComponent()
    let folder = try TemporaryFolder()
    let copy = folder.url.appendingPathComponent("copy")
    try FileManager.default.copyItem(at: home, to: copy)
    let archive = try Archive(at: .folder(copy), clock: pair.one.clock)
    _ = try pair.one.archive.add(pair.one.activity("on the desk"))
    try pair.exchange()
    _ = try archive.add(pair.one.activity("on the copy"))
    var job = try #require(try DeviceSyncJob(archive: archive))
    try job.exchange()
    #expect(job.troubles.contains(.copied))
    #expect(try pair.exchange(pair.one).isEmpty)
  }

  /// The files in a device's copy of the server's folder.
  private func copied(_ computer: Computer) throws -> [String] {
    let home = try #require(computer.archive.databaseFile).deletingLastPathComponent()
    return try FileManager.default.subpathsOfDirectory(
      atPath: home.appendingPathComponent(FolderMirror.folderName).path)
  }

  @Test("A server’s other files aren’t fetched, whatever their number and size")
  func otherFiles() throws {
    let server = try FaultyWebDAV()
    let pair = try DistantDevices(server.address)
    let own = try pair.job(pair.one).thisDevice
    let head = try #require(server.paths.first { $0.hasSuffix("\(own)/head") })
    let folder = String(head.dropLast("head".count))
    for number in 0..<1_000 {
      server.put(Array("junk".utf8), at: "\(folder)junk-\(number)")
      server.put(Array("junk".utf8), at: "\(folder)log-\(number)")
    }
    // It is larger than any file of this kind.
    let name =
      "keys-000009-\(String(repeating: "0", count: 12))-\(String(repeating: "0", count: 16))"
    server.put([UInt8](repeating: 0, count: SealedFile.largestSmall + 1), at: folder + name)
    let saved = try pair.addPhoto("by the river", to: pair.one)
    try pair.exchange()
    #expect(try pair.two.archive.activity(saved.id) != nil)
    for computer in [pair.one, pair.two] {
      let names = try copied(computer)
      #expect(!names.contains { $0.contains("junk-") || $0.contains(name) })
      #expect(!names.contains { $0.contains("/log-") && !$0.contains("/log-0") })
    }
  }

  @Test("A file of unknown size is fetched only up to the size that ours can have")
  func unknownSizes() throws {
    let server = try FaultyWebDAV(hidesSizes: true)
    let pair = try DistantDevices(server.address)
    let saved = try pair.addPhoto("by the river", to: pair.one)
    try pair.exchange()
    let found = try #require(try pair.two.archive.activity(saved.id)?.attachments.first)
    #expect(try pair.two.archive.content(of: found).count == 300_000)
    let own = try pair.job(pair.one).thisDevice
    let head = try #require(server.paths.first { $0.hasSuffix("\(own)/head") })
    let name =
      "keys-000009-\(String(repeating: "0", count: 12))-\(String(repeating: "0", count: 16))"
    let path = String(head.dropLast("head".count)) + name
    server.put([UInt8](repeating: 0, count: 3 * SealedFile.largestSmall), at: path)
    #expect(try pair.exchange(pair.two).map(\.name) == ["serverTrouble"])
    #expect(try !copied(pair.two).contains { $0.contains(name) })
    server.put(nil, at: path)
    #expect(try pair.exchange(pair.two).isEmpty)
  }

  @Test("Only our names are ours")
  func names() {
    let device = String(repeating: "0a", count: 8)
    let place = String(repeating: "9f", count: 12)
    for name in [
      SharedFolder.head, SharedFolder.segment(1), SharedFolder.segment(12_345_678_901),
      SharedFolder.snapshot(2, part: 3), SharedFolder.removal(of: device),
      SharedFolder.keys(4, "0123456789ab", for: device), "invite-\(place)", "request-\(place)",
      "welcome-\(place)",
    ] {
      #expect(SharedFolder.isOurs(name), "\(name)")
    }
    for name in ["", "head-1", "log-1", "log-0000000001-1", "files", "invite-1", "index", device] {
      #expect(!SharedFolder.isOurs(name), "\(name)")
    }
  }

  @Test("What the server refuses is said, and changes wait")
  func refusals() throws {
    let server = try FaultyWebDAV()
    let pair = try DistantDevices(server.address)
    for (code, kind) in [
      (401, WebDAVFailure.Kind.unauthorised), (403, .forbidden), (405, .notAFolder),
      (413, .tooLarge), (423, .locked), (507, .full), (503, .serverError),
    ] {
      let broken = try CalendarServer { _ in .answer(code) }
      let folder = try Blocking.run { [origin = broken.origin] in
        try await WebDAVFolder(origin + "/dav", credentials: .none)
      }
      let failure = #expect(throws: WebDAVFailure.self) {
        try Blocking.run { _ = try await folder.list("") }
      }
      #expect(failure?.kind == kind)
      #expect(failure?.sentence.contains("\(code)") == true)
    }
    let id = try pair.one.archive.add(pair.one.activity("waits")).value.id
    server.fail { $0.method == "PUT" ? .refused : nil }
    let troubles = try pair.exchange(pair.one)
    #expect(troubles.contains { $0.name == "serverTrouble" && $0.isStuck })
    var job = try pair.job(pair.one)
    #expect(try job.status().unsent > 0)
    // Today tells it once it has lasted.
    #expect(try DeviceSyncStatus.lastTrouble(pair.one.archive) == nil)
    pair.one.clock.advance(seconds: 90_000)
    try pair.exchange(pair.one)
    #expect(try DeviceSyncStatus.lastTrouble(pair.one.archive)?.name == "serverTrouble")
    server.fail { _ in nil }
    try pair.exchange()
    #expect(try pair.two.archive.activity(id)?.text == "waits")
    #expect(try DeviceSyncStatus.lastTrouble(pair.one.archive) == nil)
  }

  @Test("The old server never gets the password of one to which moving failed")
  func failedMove() throws {
    let (server, other) = (try FaultyWebDAV(), try FaultyWebDAV())
    let pair = try DistantDevices(server.address, .basic(user: "me", password: "earlier word"))
    other.fail { $0.method == "MKCOL" ? .refused : nil }
    #expect(throws: WebDAVFailure.self) {
      var job = try pair.job(pair.one)
      try job.move(
        to: SharedPlace(
          other.address, credentials: .basic(user: "me", password: "later word")))
    }
    let home = try #require(pair.one.archive.databaseFile).deletingLastPathComponent()
    let secrets = try String(
      contentsOf: home.appendingPathComponent("secrets.json"), encoding: .utf8)
    #expect(secrets.contains("earlier word") && !secrets.contains("later word"))
    #expect(try pair.exchange(pair.one).isEmpty)
  }

  @Test("If there is no room for the copy of a server's files, this computer's disk is said")
  func fullDisk() throws {
    let server = try FaultyWebDAV()
    let pair = try DistantDevices(server.address)
    #expect(try pair.job(pair.one).trouble(of: POSIXError(.ENOSPC))?.name == "localDisk")
  }

  @Test("Neither an unencrypted address nor one with a password in it is asked")
  func unsafeAddresses() throws {
    for (address, kind) in [
      ("http://198.51.100.7/dav/", WebDAVFailure.Kind.unencrypted),
      ("https://me:secret@example.org/dav/", .unusableAddress), ("https://", .unusableAddress),
    ] {
      let failure = #expect(throws: WebDAVFailure.self) {
        _ = try Blocking.run { try await WebDAVFolder(address, credentials: .none) }
      }
      #expect(failure?.kind == kind)
      #expect(failure?.sentence.contains("secret") == false)
    }
  }

  @Test("A silent server is given up, and a download goes on where it ended")
  func slowServer() throws {
    let network = Self.impatient
    let silent = try CalendarServer { _ in .silence }
    let folder = try Blocking.run { [origin = silent.origin] in
      try await WebDAVFolder(origin + "/dav", credentials: .none, network: network)
    }
    let failure = #expect(throws: WebDAVFailure.self) {
      try Blocking.run { _ = try await folder.list("") }
    }
    #expect(failure?.kind == .timedOut)
    let content = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
    let server = try CalendarServer { request in
      if request.headers["range"] == "bytes=40000-" {
        return .answer(
          206, headers: ["Content-Range": "bytes 40000-99999/100000"],
          body: Array(content[40_000...]))
      }
      return .drip(
        Array("HTTP/1.1 200 Answer\r\nContent-Length: 100000\r\n\r\n".utf8)
          + content[..<40_000], piece: [])
    }
    let other = try Blocking.run { [origin = server.origin] in
      try await WebDAVFolder(origin + "/dav", credentials: .none, network: network)
    }
    let place = try TemporaryFolder()
    let target = place.url.appendingPathComponent("file")
    let entry = WebDAVFolder.Entry(
      name: "file", isFolder: false, size: 100_000, mark: "\"1\"|100000")
    #expect(throws: WebDAVFailure.self) {
      try Blocking.run { try await other.fetch("file", entry, to: target) }
    }
    try Blocking.run { try await other.fetch("file", entry, to: target) }
    #expect(try Data(contentsOf: target) == Data(content))
    #expect(try FileManager.default.contentsOfDirectory(atPath: place.url.path) == ["file"])
  }
}
