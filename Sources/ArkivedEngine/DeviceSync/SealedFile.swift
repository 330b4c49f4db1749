import ArkivedBackup
import ArkivedCore
import ArkivedCrypto
import Foundation

/// A file in the shared folder: its content is signed by the device that wrote it, padded, and
/// encrypted with age.
///
/// The plaintext is a line of JSON (`head`), a line with its signature, and the body. The head
/// contains the body's hash and length; zeros pad the file to one of a few sizes.
struct SealedFile {
  /// The version of the format that this program writes.
  static let format = 1
  /// The largest size of segments and parts of snapshots; a larger file isn't one of ours.
  ///
  /// It allows for the longest note, with six bytes per character.
  static let largest = 150_000_000
  /// The largest size of all other files that aren't attachments.
  static let largestSmall = 1_000_000

  /// Returns the largest size of a file with a name.
  static func largest(named name: String) -> Int {
    name.hasPrefix("log-") || name.hasPrefix("snapshot-") ? largest : largestSmall
  }

  enum Kind: String { case segment, snapshot, head, keys, welcome, removal }

  enum Trouble: Error, Hashable {
    /// Half-written, truncated, or not a sealed file: it may become complete later.
    case unreadable
    /// A newer program wrote it.
    case newer
    /// It isn't signed by a device that is allowed to sign it.
    case forged
  }

  var kind: Kind
  var device: String
  /// Other members of the head.
  var head: JSON
  var body: [UInt8]

  // MARK: Writing

  func bytes(by identity: DeviceIdentity, to recipients: [AgeRecipient]) throws -> Data {
    var head = head.object ?? JSONObject()
    head["format"] = JSON(Self.format)
    head["kind"] = .string(kind.rawValue)
    head["circle"] = .string(identity.circle)
    head["device"] = .string(device)
    head["length"] = JSON(body.count)
    head["body"] = .string(SHA256.hash(data: body).hexadecimal)
    let line = JSON.object(head).bytes()
    let signature = try identity.signing.signature(of: line).hexadecimal
    var plain = line + [0x0A] + Array(signature.utf8) + [0x0A] + body
    plain += [UInt8](repeating: 0, count: Padding.size(of: plain.count) - plain.count)
    var sealed = Data()
    let encryptor = try AgeEncryptor(to: .recipients(recipients)) { sealed.append($0) }
    try plain.withUnsafeBytes { try encryptor.write($0) }
    try encryptor.finish()
    return sealed
  }

  // MARK: Reading

  /// Decrypts a file and verifies its signature and hash.
  ///
  /// - Parameters:
  ///   - data: the content of the file.
  ///   - circle: the ID of the group to which the file must belong.
  ///   - unlocks: the keys to decrypt it with.
  ///   - signer: returns the public key of a device in the group; nil for any other device.
  /// - Throws: `Trouble` if the file is damaged, forged or encrypted for other keys.
  init(
    _ data: Data, circle: String, unlocks: [AgeIdentity],
    signer: (_ device: String) -> [UInt8]?
  ) throws(Trouble) {
    guard let plain = Self.plain(data, unlocks),
      let lineEnd = plain.firstIndex(of: 0x0A),
      let signatureEnd = plain[(lineEnd + 1)...].firstIndex(of: 0x0A)
    else { throw .unreadable }
    let line = Array(plain[..<lineEnd])
    guard let head = try? JSON(parsing: line), let kind = head["kind"]?.string,
      let device = head["device"]?.string, let length = head["length"]?.int, length >= 0,
      let format = head["format"]?.int
    else { throw .unreadable }
    guard head["circle"]?.string == circle else { throw .forged }
    let text = String(decoding: plain[(lineEnd + 1)..<signatureEnd], as: UTF8.self)
    guard let key = signer(device), let signature = [UInt8](hexadecimal: text),
      Ed25519Key.isSignature(signature, of: line, by: key)
    else { throw .forged }
    guard format <= Self.format, let kind = Kind(rawValue: kind) else { throw .newer }
    let start = signatureEnd + 1
    guard plain.count - start >= length else { throw .unreadable }
    let body = Array(plain[start..<(start + length)])
    guard SHA256.hash(data: body).hexadecimal == head["body"]?.string else { throw .unreadable }
    self.kind = kind
    self.device = device
    self.head = head
    self.body = body
  }

  init(kind: Kind, device: String, head: JSON, body: [UInt8] = []) {
    self.kind = kind
    self.device = device
    self.head = head
    self.body = body
  }

  private static func plain(_ data: Data, _ unlocks: [AgeIdentity]) -> [UInt8]? {
    do {
      let decryptor = try AgeDecryptor(
        ByteInput([UInt8](data)), unlocks: unlocks.map(AgeUnlock.identity))
      var plain: [UInt8] = []
      while let piece = try decryptor.next() { plain += piece }
      return plain
    } catch {
      return nil
    }
  }
}

/// The sizes to which files are padded to reveal little about their content.
enum Padding {
  private static let least = 1_024

  /// Small files are padded to whole kibibytes; larger sizes keep as many leading bits as their
  /// magnitude has binary digits.
  ///
  /// The padding adds at most 12 % (Padmé: Nikitin et al., “Reducing Metadata Leakage from
  /// Encrypted Files”, 2019).
  static func size(of count: Int) -> Int {
    guard count > 8 * least else { return max(1, (count + least - 1) / least) * least }
    let exponent = Int.bitWidth - 1 - count.leadingZeroBitCount
    let digits = Int.bitWidth - exponent.leadingZeroBitCount
    let mask = (1 << (exponent - digits)) - 1
    return (count + mask) & ~mask
  }
}
