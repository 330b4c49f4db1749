import ArkivedCrypto
import Foundation

/// The header of a file in the age format, version 1 (C2SP, age.md), which determines who can open
/// it.
struct AgeHeader {
  /// A wrapped copy of the file key.
  struct Stanza {
    var type: String
    var arguments: [String]
    var body: [UInt8]
  }

  static let version = "age-encryption.org/v1"
  private static let columns = 64
  private static let macCount = 32
  /// Real headers have a few hundred bytes; these limits only keep a hostile file from exhausting
  /// memory.
  private static let lineLimit = 1 << 16
  private static let sizeLimit = 1 << 20

  let stanzas: [Stanza]
  let mac: [UInt8]
  /// The bytes covered by the authentication code: everything up to and including the dashes of the
  /// last line.
  let covered: [UInt8]

  // MARK: Reading

  init(reading input: ByteInput) throws {
    guard try Self.line(input) == Array(Self.version.utf8) else {
      throw AgeFailure.header("it doesn’t start with “\(Self.version)”")
    }
    var covered = Array("\(Self.version)\n".utf8)
    var stanzas: [Stanza] = []
    var mac: [UInt8] = []
    while true {
      guard covered.count < Self.sizeLimit else { throw AgeFailure.header("it is too long") }
      let line = try Self.line(input)
      if line.starts(with: Array("---".utf8)) {
        covered += Array("---".utf8)
        mac = try Self.mac(line)
        break
      }
      let (stanza, bytes) = try Self.stanza(line, input)
      stanzas.append(stanza)
      covered += bytes
    }
    guard !stanzas.isEmpty else {
      throw AgeFailure.header("it lists no recipient who could open the file")
    }
    self.stanzas = stanzas
    self.mac = mac
    self.covered = covered
  }

  private static func line(_ input: ByteInput) throws -> [UInt8] {
    guard var line = try input.line(limit: lineLimit), line.last == 0x0A else {
      throw AgeFailure.header("it ends too early")
    }
    line.removeLast()
    return line
  }

  private static func mac(_ line: [UInt8]) throws -> [UInt8] {
    guard line.count > 4, line[3] == UInt8(ascii: " "),
      let mac = StrictBase64.decode(line[4...]), mac.count == macCount
    else { throw AgeFailure.header("its last line is damaged") }
    return mac
  }

  private static func stanza(
    _ first: [UInt8], _ input: ByteInput
  ) throws -> (stanza: Stanza, bytes: [UInt8]) {
    guard first.starts(with: Array("-> ".utf8)) else {
      throw AgeFailure.header("one of its lines doesn’t start with “-> ”")
    }
    let words = first[3...].split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    guard words.allSatisfy({ !$0.isEmpty && $0.allSatisfy { (33...126).contains($0) } }) else {
      throw AgeFailure.header("one of its arguments is empty or contains an invalid character")
    }
    var bytes = first + [0x0A]
    var body: [UInt8] = []
    while true {
      let line = try line(input)
      guard line.count <= columns, let part = StrictBase64.decode(line) else {
        throw AgeFailure.header("one of its keys is damaged")
      }
      body += part
      bytes += line + [0x0A]
      guard bytes.count < sizeLimit else { throw AgeFailure.header("it is too long") }
      if line.count < columns { break }
    }
    let arguments = words.map { String(decoding: $0, as: UTF8.self) }
    return (
      Stanza(type: arguments[0], arguments: Array(arguments.dropFirst()), body: body), bytes
    )
  }

  func verify(_ fileKey: AgeFileKey) throws {
    let code = try Secrets.authenticationCode(
      for: covered, key: try fileKey.derived(salt: [], info: "header"))
    guard Secrets.isEqual(code, mac) else { throw AgeFailure.hmac }
  }

  // MARK: Writing

  /// Returns the bytes of a header with these stanzas.
  static func bytes(_ stanzas: [Stanza], _ fileKey: AgeFileKey) throws -> [UInt8] {
    var bytes = Array("\(version)\n".utf8)
    for stanza in stanzas {
      bytes += Array("-> \(([stanza.type] + stanza.arguments).joined(separator: " "))\n".utf8)
      var text = StrictBase64.encode(stanza.body)[...]
      while text.count >= columns {
        bytes += text.prefix(columns) + [0x0A]
        text = text.dropFirst(columns)
      }
      bytes += text + [0x0A]
    }
    bytes += Array("---".utf8)
    let code = try Secrets.authenticationCode(
      for: bytes, key: try fileKey.derived(salt: [], info: "header"))
    return bytes + [UInt8(ascii: " ")] + StrictBase64.encode(code) + [0x0A]
  }
}
