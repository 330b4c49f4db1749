import ArkivedBackup
import ArkivedCore
package import ArkivedCrypto
import ArkivedImport
package import ArkivedStore
package import Foundation

/// Adds a device to the group, using a code that is typed on the new device and a number that both
/// devices show.
///
/// The code is a secret of 100 bits. The messages that the two devices exchange through the folder
/// are sealed with keys derived from it, so somebody who only has access to the folder can't
/// intercept the exchange. The number confirms that both devices have received each other's keys.
package enum DevicePairing {
  /// The number of seconds for which a code can be used.
  package static let validSeconds = 3_600

  /// The default name of a new device.
  package static var hostName: String {
    let name = ProcessInfo.processInfo.hostName.split(separator: ".").first.map(String.init) ?? ""
    return name.isEmpty ? said("Computer") : String(name.prefix(60))
  }

  /// A device that asks to join.
  package struct Request: Sendable {
    package var device: OwnDevice
    /// The number that both devices show.
    package var comparison: String
    var place: String
  }

  // MARK: The first device

  /// Makes this device the first in a group that uses a shared folder.
  ///
  /// - Parameters:
  ///   - archive: the archive of this device.
  ///   - name: the name that other devices show.
  ///   - place: the shared folder.
  ///   - signing: the key with which this device signs, and from which its ID is derived.
  /// - Returns: the job of the new group.
  /// - Throws: `ArchiveError.refused` if it already belongs to a group, `.notFound` if the folder
  ///   doesn't exist.
  package static func start(
    _ archive: Archive, name: String, at place: SharedPlace, signing: Ed25519Key = Ed25519Key()
  ) throws -> DeviceSyncJob {
    try refuseMember(archive)
    try place.prepare(for: archive)
    let identity = DeviceIdentity(
      name: name, circle: Secrets.random(8).hexadecimal, nameKey: Secrets.random(32),
      keys: [DeviceIdentity.CircleKey(number: 1, identity: AgeIdentity(), excluded: [])],
      folder: place.text, signing: signing)
    let folder = try SharedPlace.open(place.text, circle: identity.circle, of: archive)
    try DurableFile.makeFolder(folder.folder(of: identity.id))
    try folder.mirror?.send(identity.circle, own: identity.id, isFirst: true)
    try archive.startReplica(device: identity.id, settings: identity.json)
    let own = OwnDevice(identity)
    try archive.setReplica(own.values, of: own.key, publishes: false)
    try archive.captureReplica(publishes: false)
    return try opened(archive)
  }

  package static func start(
    _ archive: Archive, name: String, folder: URL, signing: Ed25519Key = Ed25519Key()
  ) throws -> DeviceSyncJob {
    try start(archive, name: name, at: .folder(folder), signing: signing)
  }

  private static func refuseMember(_ archive: Archive) throws {
    guard try archive.replicaSettings() == nil else {
      throw ArchiveError.refused(
        "This archive already syncs with other devices. To join others, run `arkived sync leave` first."
      )
    }
  }

  private static func opened(_ archive: Archive) throws -> DeviceSyncJob {
    guard let job = try DeviceSyncJob(archive: archive) else {
      throw ArchiveError.notFound("This archive isn’t synced with other devices.")
    }
    return job
  }

  // MARK: The new device

  /// Answers a code: finds the device that showed it and asks to join.
  ///
  /// - Returns: the number to compare.
  /// - Throws: `ArchiveError.refused` if this archive is already synced, `.notFound` if no device
  ///   showed the code in this folder.
  package static func ask(
    _ archive: Archive, name: String, folder: URL, code: String,
    signing: Ed25519Key = Ed25519Key()
  ) throws -> String {
    try ask(archive, name: name, at: .folder(folder), code: code, signing: signing)
  }

  package static func ask(
    _ archive: Archive, name: String, at place: SharedPlace, code: String,
    signing: Ed25519Key = Ed25519Key()
  ) throws -> String {
    try refuseMember(archive)
    let secret = try PairingSecret(code)
    try place.prepare(for: archive)
    if let settings = try archive.joiningReplica(), let known = try? DeviceIdentity(settings),
      known.notes["code"]?.string == secret.text, known.folder == place.text,
      let inviter = OwnDevice(known.notes["inviter"] ?? .null)
    {
      // The request was sent before; the other device may be showing the number, or may have
      // accepted this one.
      try send(known, secret, of: archive)
      return secret.comparison(inviter, OwnDevice(known))
    }
    let home = try SharedPlace.open(place.text, circle: "", of: archive)
    try home.mirror?.bringInvitations("invite-\(secret.place)")
    guard let (circle, inviter) = find(secret, in: home.home) else {
      throw ArchiveError.notFound(
        "No device shows this code in \(place.text). Check the code, and that the folder is up to date."
      )
    }
    var identity = DeviceIdentity(
      name: name, circle: circle, nameKey: [], keys: [], folder: place.text, signing: signing)
    identity.notes["inviter"] = .object(JSONObject(inviter.values, id: inviter.id))
    identity.notes["code"] = .string(secret.text)
    // The keys are stored before the other device can see the request.
    try archive.requestReplica(identity.json)
    try send(identity, secret, of: archive)
    return secret.comparison(inviter, OwnDevice(identity))
  }

  /// Writes the request of a device that wants to join to the folder, unless it is already there.
  private static func send(
    _ identity: DeviceIdentity, _ secret: PairingSecret, of archive: Archive
  ) throws {
    let folder = try SharedPlace.open(identity.folder, circle: identity.circle, of: archive)
    let name = "request-\(secret.place)"
    if !folder.has(name, of: identity.id) {
      let card = JSON.object(JSONObject(OwnDevice(identity).values, id: identity.id))
      try folder.write(try secret.sealed(card), as: name, of: identity.id)
    }
    try folder.mirror?.send(identity.circle, own: identity.id)
  }

  private static func find(
    _ secret: PairingSecret, in home: URL
  ) -> (circle: String, inviter: OwnDevice)? {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: home.path)) ?? []
    for name in names.sorted() where name.hasPrefix("arkived-") {
      let folder = SharedFolder(home: home, circle: String(name.dropFirst("arkived-".count)))
      for device in folder.devices() {
        guard let data = folder.read("invite-\(secret.place)", of: device),
          let card = secret.opened(data), card["circle"]?.string == folder.circle,
          let inviter = OwnDevice(card), inviter.id == device
        else { continue }
        return (folder.circle, inviter)
      }
    }
    return nil
  }

  /// Continues once the other device has accepted this one.
  ///
  /// If the program stops in the middle, the next call starts again.
  ///
  /// - Returns: nil if it hasn't been accepted yet, or while another program on this computer is
  ///   doing this.
  package static func finish(_ archive: Archive) throws -> DeviceSyncJob? {
    guard try archive.joiningReplica() != nil else { return nil }
    let lock: FileLock?
    do { lock = try DeviceSyncJob.lock(archive) } catch is ArchiveError { return nil }
    defer { lock?.release() }
    // Another program may have finished while this one was waiting.
    guard let request = try archive.joiningReplica() else { return nil }
    return try finish(archive, request)
  }

  private static func finish(_ archive: Archive, _ request: JSON) throws -> DeviceSyncJob? {
    var identity = try DeviceIdentity(request)
    guard let inviter = OwnDevice(identity.notes["inviter"] ?? .null),
      let secret = try? PairingSecret(identity.notes["code"]?.string ?? "")
    else { return nil }
    let folder = try SharedPlace.open(identity.folder, circle: identity.circle, of: archive)
    if let mirror = folder.mirror {
      do { try mirror.bring(identity.circle, own: identity.id) } catch is WebDAVFailure {
        return nil
      }
    }
    guard let data = folder.read("welcome-\(secret.place)", of: inviter.id),
      let welcome = try? SealedFile(
        data, circle: identity.circle, unlocks: [identity.encryption],
        signer: { $0 == inviter.id ? inviter.signingKey : nil }),
      welcome.kind == .welcome, let number = welcome.head["snapshot"]?.int
    else { return nil }
    identity.nameKey = welcome.head["nameKey"]?.string.flatMap { [UInt8](hexadecimal: $0) } ?? []
    identity.keys = try (welcome.head["keys"]?.array ?? []).map(DeviceIdentity.CircleKey.init)
    identity.notes = JSONObject()
    var probe = try DeviceSyncJob(archive, identity)
    probe.members[inviter.id] = inviter
    // The snapshot must have arrived completely; it may have been replaced by a later one.
    guard let snapshot = probe.lastSnapshot(of: inviter.id), snapshot.number >= number,
      (0..<snapshot.parts).allSatisfy({
        folder.has(SharedFolder.snapshot(snapshot.number, part: $0), of: inviter.id)
      })
    else { return nil }
    try archive.startReplica(device: identity.id, settings: identity.json, joining: request)
    do {
      // The entries that were here before go to the other devices.
      try archive.captureReplica(publishes: true)
      _ = try probe.merge(snapshot.number, snapshot.parts, snapshot.places, of: inviter.id)
    } catch {
      try archive.stopReplica(keeping: request)
      throw error
    }
    try archive.endJoiningReplica()
    folder.remove("request-\(secret.place)", of: identity.id)
    return try opened(archive)
  }

  /// Returns the folder and the number to compare while this device is waiting to be accepted.
  package static func pending(_ archive: Archive) throws -> (folder: String, comparison: String)? {
    guard let settings = try archive.joiningReplica(),
      let identity = try? DeviceIdentity(settings),
      let inviter = OwnDevice(identity.notes["inviter"] ?? .null),
      let secret = try? PairingSecret(identity.notes["code"]?.string ?? "")
    else { return nil }
    return (identity.folder, secret.comparison(inviter, OwnDevice(identity)))
  }

  /// Returns true if this device is waiting to be accepted.
  package static func isAsking(_ archive: Archive) throws -> Bool {
    try archive.joiningReplica() != nil
  }

  /// Removes this device from the group, or withdraws its request to join; the archive’s content is
  /// kept.
  package static func leave(_ archive: Archive) throws {
    // A running exchange would store its settings again.
    let lock = try DeviceSyncJob.lock(archive)
    defer { lock?.release() }
    try archive.stopReplica()
    try SharedPlace.forget(archive)
  }
}

extension DeviceSyncJob {
  init(_ archive: Archive, _ identity: DeviceIdentity) throws {
    self.archive = archive
    self.identity = identity
    folder = try SharedPlace.open(identity.folder, circle: identity.circle, of: archive)
    members[identity.id] = OwnDevice(identity)
  }

  /// Creates a code with which another device can join within an hour.
  package mutating func invite() throws -> String {
    try alone { job in try job.makeInvitation() }
  }

  private mutating func makeInvitation() throws -> String {
    try refuseRemoved()
    guard folder.isThere else {
      throw ArchiveError.notFound("The shared folder \(identity.folder) isn’t there.")
    }
    let secret = PairingSecret()
    var card = JSONObject(OwnDevice(identity).values, id: identity.id)
    card["circle"] = .string(identity.circle)
    withdrawInvitation()
    try folder.write(
      try secret.sealed(.object(card)), as: "invite-\(secret.place)", of: identity.id)
    try send()
    identity.notes["invitation"] = [
      "code": .string(secret.text),
      "until": JSON(archive.clock.now.adding(seconds: DevicePairing.validSeconds)),
    ]
    try keepSettings()
    return secret.text
  }

  /// The code that another device can use now.
  package var validCode: String? {
    guard let invitation = identity.notes["invitation"],
      let until = invitation["until"]?.string.flatMap({ Instant($0) }), archive.clock.now < until
    else { return nil }
    return invitation["code"]?.string
  }

  /// Makes the code invalid.
  package mutating func withdraw() throws {
    try alone { job in
      job.withdrawInvitation()
      try job.send()
      job.identity.notes["invitation"] = nil
      try job.keepSettings()
    }
  }

  private func withdrawInvitation() {
    for name in folder.names(in: folder.folder(of: identity.id)) where name.hasPrefix("invite-") {
      folder.remove(name, of: identity.id)
    }
  }

  /// The device that has answered the code; nil if none has yet, or when the hour is over.
  package func request() throws -> DevicePairing.Request? {
    guard let invitation = identity.notes["invitation"],
      let until = invitation["until"]?.string.flatMap({ Instant($0) }), archive.clock.now < until,
      let secret = try? PairingSecret(invitation["code"]?.string ?? "")
    else { return nil }
    for device in folder.devices() where members[device] == nil {
      guard let data = folder.read("request-\(secret.place)", of: device),
        let card = secret.opened(data), let asking = OwnDevice(card), asking.id == device
      else { continue }
      return DevicePairing.Request(
        device: asking, comparison: secret.comparison(OwnDevice(identity), asking),
        place: secret.place)
    }
    return nil
  }

  /// Accepts a device: sends it the keys and everything that this device knows.
  package mutating func accept(_ request: DevicePairing.Request) throws {
    try alone { job in try job.letIn(request) }
  }

  private mutating func letIn(_ request: DevicePairing.Request) throws {
    let device = request.device
    try archive.setReplica(device.values, of: device.key)
    members[device.id] = device
    _ = try run()
    try writeSnapshot()
    let head: JSON = [
      "nameKey": .string(identity.nameKey.hexadecimal),
      "keys": .array(identity.keys.map(\.json)), "snapshot": identity.notes["snapshot"] ?? 0,
    ]
    let welcome = SealedFile(kind: .welcome, device: identity.id, head: head)
    try folder.write(
      try welcome.bytes(by: identity, to: [try AgeRecipient(device.recipient)]),
      as: "welcome-\(request.place)", of: identity.id)
    withdrawInvitation()
    try send()
    identity.notes["invitation"] = nil
    try keepSettings()
  }

  /// Switches to another folder for exchanges, for example after the folder was renamed.
  package mutating func move(to home: URL) throws { try move(to: .folder(home)) }

  package mutating func move(to place: SharedPlace) throws {
    try refuseRemoved()
    try place.prepare(for: archive)
    try alone { job in
      job.identity.folder = place.text
      job.folder = try SharedPlace.open(place.text, circle: job.identity.circle, of: job.archive)
      try DurableFile.makeFolder(job.folder.folder(of: job.identity.id))
      try job.archive.unsettleReplicaFiles()
      try job.send(isFirst: true)
      try job.keepSettings()
    }
  }
}

/// The secret in a pairing code.
struct PairingSecret {
  /// Crockford’s base 32, without letters that are easily mistaken for others.
  private static let digits = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
  private static let count = 20

  /// In groups of five.
  let text: String
  private let bytes: [UInt8]

  init() {
    let digits = Secrets.random(Self.count).map { Self.digits[Int($0 & 31)] }
    text = stride(from: 0, to: Self.count, by: 5)
      .map { String(digits[$0..<($0 + 5)]) }.joined(separator: "-")
    bytes = digits.flatMap { Array(String($0).utf8) }
  }

  /// - Throws: `FieldError` if the text isn't a code.
  init(_ text: String) throws(FieldError) {
    let digits = text.uppercased().filter { $0 != "-" && !$0.isWhitespace }
      .map { $0 == "O" ? "0" : $0 == "I" || $0 == "L" ? "1" : $0 }
    guard digits.count == Self.count, digits.allSatisfy({ Self.digits.contains($0) }) else {
      throw FieldError("code", "must have 20 letters and digits, as shown on the other device")
    }
    self.text = stride(from: 0, to: Self.count, by: 5)
      .map { String(digits[$0..<($0 + 5)]) }.joined(separator: "-")
    bytes = digits.flatMap { Array(String($0).utf8) }
  }

  private func derived(_ info: String) throws -> [UInt8] {
    try Secrets.derivedKey(from: bytes, salt: [], info: "arkived pairing \(info)")
  }

  /// The name of the files that belong to the code.
  var place: String { String(((try? derived("place")) ?? []).hexadecimal.prefix(24)) }

  func sealed(_ json: JSON) throws -> Data {
    var plain = json.bytes()
    // Blanks after the object give all requests the same size.
    plain += [UInt8](repeating: 0x20, count: max(0, 1_024 - plain.count))
    let nonce = Secrets.random(ChaChaPoly.nonceCount)
    return Data(nonce + (try ChaChaPoly.seal(plain, key: try derived("seal"), nonce: nonce)))
  }

  func opened(_ data: Data) -> JSON? {
    let bytes = [UInt8](data)
    guard bytes.count > ChaChaPoly.nonceCount, bytes.count < 10_000, let key = try? derived("seal"),
      let plain = try? ChaChaPoly.open(
        Array(bytes.dropFirst(ChaChaPoly.nonceCount)), key: key,
        nonce: Array(bytes.prefix(ChaChaPoly.nonceCount)))
    else { return nil }
    return try? JSON(parsing: plain)
  }

  /// Nine digits derived from the keys of both devices.
  func comparison(_ inviter: OwnDevice, _ asking: OwnDevice) -> String {
    let text = [inviter, asking].map { "\($0.signingKey.hexadecimal) \($0.recipient)" }
    let hash = SHA256.hash(data: bytes + Array(text.joined(separator: " ").utf8))
    let number = hash.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } % 1_000_000_000
    let digits = String(1_000_000_000 + number).dropFirst()
    return stride(from: 0, to: 9, by: 3)
      .map { String(digits.dropFirst($0).prefix(3)) }.joined(separator: " ")
  }
}

extension OwnDevice {
  /// Reads a card.
  fileprivate init?(_ card: JSON) {
    guard let object = card.object, let id = object["id"]?.string else { return nil }
    self.init(id: id, Dictionary(object.members.map { ($0.key, $0.value) }) { $1 })
  }
}

extension JSONObject {
  fileprivate init(_ values: [String: JSON], id: String) {
    self.init()
    self["id"] = .string(id)
    for (key, value) in values.sorted(by: { $0.key < $1.key }) { self[key] = value }
  }
}
