import ArkivedBackup
import ArkivedCrypto
import Foundation
import Testing

/// The test vectors of the age format (C2SP CCTV), which lie beside the repository where the project
/// is developed.
enum AgeVectors {
  static let folder = URL(filePath: #filePath).resolvingSymlinksInPath()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "shared/testdata/age")

  static let names: [String] =
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()

  /// Those for keys that withstand quantum computers (ML-KEM with X25519): backups have none.
  static let hybrid = names.filter { $0.contains("hybrid") }
  static let applicable = names.filter { !$0.contains("hybrid") }
}

/// One file of the vectors: what it expects, and the age file.
struct AgeVector {
  var expectation = ""
  var payload: String?
  var unlocks: [AgeUnlock] = []
  var isArmored = false
  var file: [UInt8] = []

  init(_ name: String) throws {
    let bytes = [UInt8](try Data(contentsOf: AgeVectors.folder.appending(path: name)))
    var rest = bytes[...]
    var isCompressed = false
    while let end = rest.firstIndex(of: 0x0A) {
      let line = String(decoding: rest[..<end], as: UTF8.self)
      rest = rest[(end + 1)...]
      guard !line.isEmpty, let colon = line.firstRange(of: ": ") else { break }
      let value = String(line[colon.upperBound...])
      switch line[..<colon.lowerBound] {
      case "expect": expectation = value
      case "payload": payload = value
      case "identity": unlocks.append(.identity(try AgeIdentity(value)))
      case "passphrase":
        unlocks.append(.passphrase(value, workLimit: AgeUnlock.highestWorkLimit))
      case "armored": isArmored = value == "yes"
      case "compressed": isCompressed = value == "zlib"
      default: break
      }
    }
    file = isCompressed ? try Self.inflated(Array(rest)) : Array(rest)
  }

  private static func inflated(_ bytes: [UInt8]) throws -> [UInt8] {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (packed, plain) = (folder.appending(path: "packed"), folder.appending(path: "plain"))
    try Data(bytes).write(to: packed)
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/python3")
    process.arguments = [
      "-c",
      "import sys,zlib;open(sys.argv[2],'wb').write(zlib.decompress(open(sys.argv[1],'rb').read()))",
      packed.path, plain.path,
    ]
    try process.run()
    process.waitUntilExit()
    return [UInt8](try Data(contentsOf: plain))
  }

  /// Opens it as far as that goes: the SHA-256 of what came out, and how it ended.
  func opened() -> (hash: String, ending: String) {
    var hash = SHA256()
    var ending = "success"
    do {
      let input = isArmored ? AgeArmor.decoded(ByteInput(file)) : ByteInput(file)
      let decryptor = try AgeDecryptor(input, unlocks: unlocks)
      while let piece = try decryptor.next() { hash.update(data: piece) }
    } catch let failure as AgeFailure {
      ending =
        switch failure {
        case .header: "header failure"
        case .armor: "armor failure"
        case .hmac: "HMAC failure"
        case .noMatch: "no match"
        case .payload: "payload failure"
        case .key: "a wrong key"
        }
    } catch {
      ending = "\(error)"
    }
    return (hash.finalize().hexadecimal, ending)
  }
}

@Suite(.enabled(if: !AgeVectors.names.isEmpty, "the test vectors of age are not here"))
struct AgeVectorTests {
  @Test(arguments: AgeVectors.applicable)
  func everyVectorEndsAsItSays(name: String) throws {
    let vector = try AgeVector(name)
    let (hash, ending) = vector.opened()
    #expect(ending == vector.expectation)
    if let payload = vector.payload { #expect(hash == payload) }
  }

  /// The same files read from any place, as backups are.
  @Test(arguments: AgeVectors.applicable.filter { !$0.hasPrefix("armor") })
  func readingFromAnyPlaceAcceptsTheSameFiles(name: String) throws {
    let vector = try AgeVector(name)
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(vector.file).write(to: file)
    var hash = SHA256()
    var isGood = false
    if let age = try? AgeFile(try PlainFile(file), unlocks: vector.unlocks) {
      var buffer = [UInt8](repeating: 0, count: 100_000)
      var offset = 0
      while offset < age.count {
        guard
          let count = try? buffer.withUnsafeMutableBytes({ try age.read(at: offset, into: $0) }),
          count > 0
        else { break }
        hash.update(data: buffer[..<count])
        offset += count
      }
      isGood = offset == age.count
    }
    #expect(isGood == (vector.expectation == "success"))
    guard isGood, let payload = vector.payload else { return }
    #expect(hash.finalize().hexadecimal == payload)
  }

  @Test func onlyVectorsForOtherKeysAreLeftOut() {
    #expect(AgeVectors.applicable.count + AgeVectors.hybrid.count == AgeVectors.names.count)
    #expect(AgeVectors.hybrid.count < 30 && AgeVectors.applicable.count > 100)
  }
}
