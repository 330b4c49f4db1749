import ArkivedBackup
import Foundation
import Testing

@Suite("Files in the age format")
struct AgeTests {
  private func sealed(_ content: [UInt8], _ target: AgeTarget) throws -> [UInt8] {
    var file: [UInt8] = []
    let encryptor = try AgeEncryptor(to: target) { file += $0 }
    // In pieces of odd sizes.
    var start = 0
    while start < content.count {
      let end = min(content.count, start + 7_777)
      try content[start..<end].withUnsafeBytes { try encryptor.write($0) }
      start = end
    }
    try encryptor.finish()
    return file
  }

  private func opened(_ file: [UInt8], _ unlocks: [AgeUnlock]) throws -> [UInt8] {
    let decryptor = try AgeDecryptor(ByteInput(file), unlocks: unlocks)
    var content: [UInt8] = []
    while let piece = try decryptor.next() { content += piece }
    return content
  }

  @Test(arguments: [0, 1, 65_535, 65_536, 65_537, 131_072, 200_000])
  func whatWasWrittenIsRead(count: Int) throws {
    let content = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let (first, second) = (AgeIdentity(), AgeIdentity())
    let file = try sealed(content, .recipients([first.recipient, second.recipient]))
    for identity in [first, second] {
      #expect(try opened(file, [.identity(identity)]) == content)
    }
    #expect(throws: AgeFailure.noMatch) { try opened(file, [.identity(AgeIdentity())]) }
    #expect(throws: AgeFailure.self) { try opened(Array(file.dropLast()), [.identity(first)]) }
  }

  @Test func aPassphraseOpensWhatItClosed() throws {
    let file = try sealed([1, 2, 3], .passphrase("zwölf Worte", workFactor: 10))
    #expect(try opened(file, [.passphrase("zwölf Worte")]) == [1, 2, 3])
    #expect(throws: AgeFailure.noMatch) { try opened(file, [.passphrase("zwolf Worte")]) }
    #expect(throws: AgeFailure.self) {
      try opened(file, [.passphrase("zwölf Worte", workLimit: 9)])
    }
    #expect(try AgeFile.wantsPassphrase(ByteInput(file)))
  }

  @Test func everyFlippedByteIsNoticed() throws {
    let identity = AgeIdentity()
    let file = try sealed(Array(repeating: 7, count: 70_000), .recipients([identity.recipient]))
    for place in stride(from: 0, to: file.count, by: 1_009) {
      var altered = file
      altered[place] ^= 0x10
      #expect(throws: AgeFailure.self, "\(place)") { try opened(altered, [.identity(identity)]) }
    }
  }

  @Test func keysAreReadAndWrittenAsTextAndMistakesAreTold() throws {
    let identity = AgeIdentity()
    let again = try AgeIdentity(identity.secretText)
    #expect(again.recipient == identity.recipient)
    #expect(try AgeRecipient(identity.recipient.description) == identity.recipient)
    #expect(identity.recipient.description.hasPrefix("age1"))
    #expect(identity.recipient.description.count == 62)
    #expect(try AgeIdentity.list("# made today\n\n\(identity.secretText)\n").count == 1)
    for wrong in [
      "", "age1", "age1qqqq", identity.recipient.description + "q", identity.secretText,
      String(identity.recipient.description.dropLast()) + "b",
    ] {
      #expect(throws: AgeFailure.self, "\(wrong)") { try AgeRecipient(wrong) }
    }
    #expect(throws: AgeFailure.self) { try AgeIdentity.list("# none\n") }
    #expect("\(AgeFailure.key("x"))" == "x")
  }

  @Test func strengthTellsWeakFromStrong() {
    let weak = ["", "aaaaaaaaaaaaaaaaaaaa", "password", "12345678901234567890", "summer2024"]
    for passphrase in weak {
      #expect(PassphraseStrength(passphrase).level == .weak, "\(passphrase)")
    }
    #expect(PassphraseStrength("correct horse battery staple").level == .fair)
    #expect(PassphraseStrength("lantern oboe gravel tundra wick sandal").level == .strong)
    #expect(PassphraseStrength("kV9#mQ2$xL7!pW4z").level == .strong)
  }
}
