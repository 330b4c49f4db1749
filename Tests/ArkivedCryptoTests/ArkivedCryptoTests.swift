import ArkivedCrypto
import Testing

/// The figures are those of the standards that are named; age's own test vectors are in the tests of backups.
@Suite("Sums, keys and ciphers")
struct ArkivedCryptoTests {
  private func bytes(_ digits: String) -> [UInt8] {
    var rest = digits[...]
    var bytes: [UInt8] = []
    while let byte = UInt8(rest.prefix(2), radix: 16) {
      bytes.append(byte)
      rest = rest.dropFirst(2)
    }
    return bytes
  }

  // FIPS 180-4.
  @Test(
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    ])
  func sumsAreThoseOfTheStandard(text: String, sum: String) {
    #expect(SHA256.hash(data: Array(text.utf8)).hexadecimal == sum)
  }

  @Test func aSumOfPiecesIsThatOfTheWhole() {
    var hash = SHA256()
    for _ in 0..<1_000 { hash.update(data: [UInt8](repeating: UInt8(ascii: "a"), count: 1_000)) }
    #expect(
      hash.finalize().hexadecimal
        == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
  }

  @Test func aCopyGoesOnByItself() {
    var first = SHA256()
    first.update(data: Array("ab".utf8))
    var second = first
    second.update(data: Array("x".utf8))
    first.update(data: Array("c".utf8))
    #expect(first.finalize() == SHA256.hash(data: Array("abc".utf8)))
    // What came since it was read counts too.
    #expect(second.finalize() == SHA256.hash(data: Array("abx".utf8)))
    first.update(data: Array("d".utf8))
    #expect(first.finalize() == SHA256.hash(data: Array("abcd".utf8)))
  }

  // RFC 4231, 4.3.
  @Test func anAuthenticationCodeIsThatOfTheStandard() throws {
    let code = try Secrets.authenticationCode(
      for: Array("what do ya want for nothing?".utf8), key: Array("Jefe".utf8))
    #expect(
      code.hexadecimal == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
  }

  // RFC 5869, A.1 and A.3, the first 32 bytes; the former with a label in letters.
  @Test func derivedKeysAreThoseOfTheStandard() throws {
    let key = [UInt8](repeating: 0x0B, count: 22)
    #expect(
      try Secrets.derivedKey(from: key, salt: [], info: "").hexadecimal
        == "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d")
    #expect(
      try Secrets.derivedKey(from: key, salt: Array(0..<13), info: "payload").hexadecimal
        == "ab06eaff28963bf3dc225220ba106273bfb3f3bc0a6096851b6734eed62431a3")
  }

  // RFC 7914, 12.
  @Test func aPassphraseIsStretchedAsTheStandardSays() throws {
    let key = try Secrets.stretchedKey(
      from: "pleaseletmein", salt: Array("SodiumChloride".utf8), workFactor: 14)
    #expect(
      key.hexadecimal == "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2")
    for factor in [-1, 0, 48, 64] {
      #expect(throws: CryptoFailure.self) {
        try Secrets.stretchedKey(from: "x", salt: [1], workFactor: factor)
      }
    }
  }

  // RFC 7748, 6.1.
  @Test func twoAgreeOnASecret() throws {
    let alice = try X25519Key(
      secret: bytes("77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a"))
    let bob = try X25519Key(
      secret: bytes("5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb"))
    #expect(
      alice.publicKey.hexadecimal
        == "8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a")
    let shared = "4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742"
    #expect(try alice.shared(with: bob.publicKey).hexadecimal == shared)
    #expect(try bob.shared(with: alice.publicKey).hexadecimal == shared)
    #expect(X25519Key().secret != X25519Key().secret)
  }

  @Test func aPointOfLowOrderIsRefused() throws {
    let key = X25519Key()
    for first: UInt8 in [0, 1] {
      let point = [first] + [UInt8](repeating: 0, count: 31)
      #expect(throws: CryptoFailure.self) { try key.shared(with: point) }
    }
    #expect(throws: CryptoFailure.self) { try key.shared(with: [1, 2, 3]) }
    #expect(throws: CryptoFailure.self) { try X25519Key(secret: [1, 2, 3]) }
  }

  /// RFC 8032, section 7.1, test 2.
  @Test func signaturesAreThoseOfTheStandard() throws {
    let key = try Ed25519Key(
      secret: bytes("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb"))
    #expect(
      key.publicKey.hexadecimal
        == "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c")
    let signature = try key.signature(of: [0x72])
    #expect(
      signature.hexadecimal
        == "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
        + "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00")
    #expect(Ed25519Key.isSignature(signature, of: [0x72], by: key.publicKey))
    #expect(!Ed25519Key.isSignature(signature, of: [0x73], by: key.publicKey))
    #expect(!Ed25519Key.isSignature(signature, of: [0x72], by: Ed25519Key().publicKey))
    #expect(!Ed25519Key.isSignature([1, 2], of: [0x72], by: key.publicKey))
    #expect(throws: CryptoFailure.self) { try Ed25519Key(secret: [1, 2, 3]) }
  }

  @Test func whatIsSealedOpensOnlyAsItWas() throws {
    let key = Secrets.random(32)
    let nonce = Secrets.random(12)
    for count in [0, 1, 63, 64, 65_536] {
      let plain = Secrets.random(count)
      let sealed = try ChaChaPoly.seal(plain, key: key, nonce: nonce)
      #expect(sealed.count == count + ChaChaPoly.tagCount)
      #expect(try ChaChaPoly.open(sealed, key: key, nonce: nonce) == plain)
      for place in [0, sealed.count / 2, sealed.count - 1] {
        var altered = sealed
        altered[place] ^= 1
        #expect(throws: CryptoFailure.self) {
          try ChaChaPoly.open(altered, key: key, nonce: nonce)
        }
      }
      #expect(throws: CryptoFailure.self) {
        try ChaChaPoly.open(sealed, key: Secrets.random(32), nonce: nonce)
      }
      #expect(throws: CryptoFailure.self) {
        try ChaChaPoly.open(sealed.dropLast(), key: key, nonce: nonce)
      }
    }
    #expect(throws: CryptoFailure.self) { try ChaChaPoly.open([1, 2], key: key, nonce: nonce) }
    #expect(throws: CryptoFailure.self) { try ChaChaPoly.seal([1], key: [1], nonce: nonce) }
  }

  @Test func randomBytesDiffer() {
    #expect(Secrets.random(32) != Secrets.random(32))
    #expect(Secrets.random(0).isEmpty)
    #expect(Secrets.isEqual([1, 2], [1, 2]) && !Secrets.isEqual([1, 2], [1, 3]))
    #expect(!Secrets.isEqual([1, 2], [1, 2, 3]))
  }
}
