import ArkivedCore
import ArkivedCrypto
import Foundation

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
