import ArkivedCore
import ArkivedCrypto
import ArkivedStore
import ArkivedTestSupport
import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOSSL
import Testing

@testable import ArkivedWeb

@Suite("Certificates, addresses and rude visitors of the door to the home network")
struct PhoneHardshipTests {
  private let start = Date(timeIntervalSince1970: 1_790_000_000)

  /// As the first version wrote it.
  private static let earlierAuthority = """
    -----BEGIN CERTIFICATE-----
    MIIB3TCCAYOgAwIBAgIVAPumubhcnwWj6aFWCZWLB1VCCIPOMAoGCCqGSM49BAMC
    MD4xEDAOBgNVBAoMB0Fya2l2ZWQxKjAoBgNVBAMMIUFya2l2ZWQgYXQgaG9tZSwg
    c2luY2UgMjAyNi0xMS0yNzAeFw0yNjExMjYyMzQ5MDVaFw0zNjExMjQwMDQ5MDVa
    MD4xEDAOBgNVBAoMB0Fya2l2ZWQxKjAoBgNVBAMMIUFya2l2ZWQgYXQgaG9tZSwg
    c2luY2UgMjAyNi0xMS0yNzBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABOBWAuaN
    3RkCwi5yjtHOQ+B7OawNO7bmh68szbabU4NGcbOJetivQRHoE+wN1XhEvgFawi3s
    e9iHYq3MeL1GJ1ijXjBcMBIGA1UdEwEB/wQIMAYBAf8CAQAwDgYDVR0PAQH/BAQD
    AgIEMBcGA1UdHgEB/wQNMAugCTAHggVsb2NhbDAdBgNVHQ4EFgQUZXWQms14VC6C
    rEFDXQnXu3N+AqQwCgYIKoZIzj0EAwIDSAAwRQIgeAu40bBj52qOPUO6YIENrKCh
    JMZcXPzV3iSGub/kMwACIQCM06e6yRuXRViNn1pLuIKqpUa3QXYeyiUewCYeCtsD
    qQ==
    -----END CERTIFICATE-----
    -----BEGIN PRIVATE KEY-----
    MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgf1D4JDIXKzKXEOMu
    xHFFXw1X6qeXwrsHp6BUcloFqUyhRANCAATgVgLmjd0ZAsIuco7RzkPgezmsDTu2
    5oevLM22m1ODRnGziXrYr0ER6BPsDdV4RL4BWsIt7HvYh2KtzHi9RidY
    -----END PRIVATE KEY-----

    """

  private func days(_ count: Int) -> Date { start.addingTimeInterval(Double(count) * 86_400) }

  private func address(_ text: String) throws -> HomeAddress { try #require(HomeAddress(text)) }

  // MARK: Certificates

  @Test func theServersCertificateIsForItsAddressAloneAndLastsAYear() throws {
    let test = try TestArchive()
    let certificates = try PhoneCertificates(archive: test.archive)
    let authority = try certificates.authority(now: start)
    let home = try address("192.168.1.20")
    let server = try certificates.server(for: home, name: "study.local", now: start)
    let says = try server.summary()
    #expect(says.contains("IP Address:192.168.1.20, DNS:study.local\n"))
    #expect(says.contains("CA:FALSE"))
    #expect(says.contains("TLS Web Server Authentication\n"))
    #expect(says.contains("Digital Signature\n"))
    let seconds = server.notValidAfter.timeIntervalSince(server.notValidBefore)
    #expect(seconds <= 397 * 86_400 && seconds > 300 * 86_400)
    #expect(server.isSigned(by: authority))
    let other = try address("192.168.1.21").bytes
    #expect(server.isFor(address: Array(home.bytes), host: "study.local"))
    #expect(!server.isFor(address: Array(home.bytes), host: nil))
    #expect(!server.isFor(address: Array(home.bytes), host: "attic.local"))
    #expect(!server.isFor(address: Array(other), host: "study.local"))
    let stranger = try PhoneCertificates(archive: try TestArchive().archive).authority(now: start)
    #expect(!server.isSigned(by: stranger))
  }

  @Test func theAuthorityCanVouchForNoNameOutsideOfAHome() throws {
    let test = try TestArchive()
    let says = try PhoneCertificates(archive: test.archive).authority(now: start).summary()
    #expect(
      says.contains("X509v3 Basic Constraints: critical\n                CA:TRUE, pathlen:0\n"))
    #expect(says.contains("X509v3 Key Usage: critical\n                Certificate Sign\n"))
    let constraints = try #require(says.firstRange(of: "X509v3 Name Constraints: critical"))
    let permitted = says[constraints.upperBound...].prefix(80)
      .split(whereSeparator: \.isWhitespace)
    #expect(permitted.prefix(2) == ["Permitted:", "DNS:local"])
  }

  /// Phones trust the authority that they installed, whichever library once made it.
  @Test func anAuthorityOfEarlierVersionsStaysInForce() throws {
    let test = try TestArchive()
    let certificates = try PhoneCertificates(archive: test.archive)
    try DurableFile.makeFolder(certificates.folder)
    let file = certificates.folder.appendingPathComponent("authority.pem")
    try Data(Self.earlierAuthority.utf8).write(to: file)
    let authority = try certificates.authority(now: days(100))
    #expect(try Data(contentsOf: file) == Data(Self.earlierAuthority.utf8))
    let server = try certificates.server(
      for: try address("10.0.0.7"), name: "study.local", now: days(100))
    #expect(server.isSigned(by: authority))
    let read = try Certificate(pem: Self.earlierAuthority)
    #expect(try read.fingerprint() == authority.fingerprint())
  }

  @Test func aServersCertificateIsKeptRenewedInTimeAndMadeAnewForAnotherAddress() throws {
    let test = try TestArchive()
    let certificates = try PhoneCertificates(archive: test.archive)
    let home = try address("10.0.0.7")
    func serial(_ place: HomeAddress, _ day: Int, _ name: String? = nil) throws -> String {
      let server = try certificates.server(for: place, name: name, now: days(day))
      #expect(server.notValidAfter > days(day))
      return try server.fingerprint()
    }
    let first = try serial(home, 0)
    #expect(try serial(home, 300) == first)
    let renewed = try serial(home, 340)
    #expect(renewed != first)
    // After a long time without any server, it has ended; that is mended by itself.
    let late = try serial(home, 2_000)
    #expect(late != renewed)
    #expect(try serial(try address("10.0.0.8"), 2_000) != late)
    #expect(try serial(home, 2_000, "study.local") != late)
    // A clock that was set back makes one that is good by that clock.
    let early = try certificates.server(for: home, name: nil, now: days(-900))
    #expect(early.notValidBefore < days(-900))
  }

  @Test func anAuthorityThatEndedIsMadeAnewAndABrokenOneIsNotReplacedSilently() throws {
    let test = try TestArchive()
    let certificates = try PhoneCertificates(archive: test.archive)
    let first = try certificates.authority(now: start).fingerprint()
    #expect(try certificates.authority(now: days(3_000)).fingerprint() == first)
    #expect(try certificates.authority(now: days(3_700)).fingerprint() != first)
    let file = certificates.folder.appendingPathComponent("authority.pem")
    try Data("no certificate".utf8).write(to: file)
    let failure = #expect(throws: PhoneDoorFailure.self) {
      try certificates.authority(now: start)
    }
    #expect(failure?.description.contains("authority.pem") == true)
    #expect(try Data(contentsOf: file) == Data("no certificate".utf8))
  }

  @Test func anAuthorityThatAWrongClockEndedIsInForceAgainWhenTheClockIsRight() throws {
    let test = try TestArchive()
    let certificates = try PhoneCertificates(archive: test.archive)
    let first = try certificates.authority(now: start).fingerprint()
    let home = try address("10.0.0.7")
    let wrong = try certificates.authority(now: days(20_000)).fingerprint()
    #expect(wrong != first)
    _ = try certificates.server(for: home, name: nil, now: days(20_000))
    #expect(try certificates.authority(now: days(1)).fingerprint() == first)
    let server = try certificates.server(for: home, name: nil, now: days(1))
    let authority = try certificates.authority(now: days(1))
    #expect(server.isSigned(by: authority))
    // One that was set back keeps it in any case.
    #expect(try certificates.authority(now: days(-900)).fingerprint() == first)
  }

  @Test func whoAsksForTheCertificateWaitsForNobody() throws {
    let test = try TestArchive()
    let certificates = try PhoneCertificates(archive: test.archive)
    let first = try certificates.authority(now: start).fingerprint()
    let lock = try FileLock(at: certificates.folder.appendingPathComponent("lock"), waits: 0)
    let second = try withExtendedLifetime(lock) {
      try certificates.authority(now: start).fingerprint()
    }
    #expect(second == first)
  }

  @Test func theKeysAreTheOwnersAlone() throws {
    let test = try TestArchive()
    let certificates = try PhoneCertificates(archive: test.archive)
    _ = try certificates.server(for: try address("10.0.0.7"), name: nil, now: start)
    let files = FileManager.default
    for (name, mode) in [(".", 0o700), ("authority.pem", 0o600), ("server.pem", 0o600)] {
      let path = certificates.folder.appendingPathComponent(name).path
      let attributes = try files.attributesOfItem(atPath: path)
      #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == mode, "\(name)")
    }
  }

  // MARK: Addresses

  @Test(
    arguments: [
      ("10.0.0.7", "10.0.0.7"), ("172.16.0.1", "172.16.0.1"), ("172.31.255.254", "172.31.255.254"),
      ("192.168.1.20", "192.168.1.20"), ("169.254.3.4", "169.254.3.4"), ("127.0.0.1", "127.0.0.1"),
      ("fd00:0:0::1", "fd00::1"), ("::1", "::1"), ("0.0.0.0", nil), ("::", nil), ("8.8.8.8", nil),
      ("172.32.0.1", nil), ("192.169.0.1", nil), ("100.64.0.1", nil), ("2001:db8::1", nil),
      ("fe80::1", nil), ("::ffff:10.0.0.7", nil), ("10.0.0", nil), ("10.0.0.7/8", nil),
      ("localhost", nil), ("", nil), ("010.0.0.7", nil),
    ] as [(String, String?)])
  func onlyAddressesOfAHomeAreTaken(text: String, read: String?) {
    #expect(HomeAddress(text)?.text == read)
  }

  @Test func onlyAnAddressOfThisComputerIsOpened() throws {
    let test = try TestArchive()
    let setup = PhoneSetup(archive: test.archive)
    for (address, port, name) in [
      ("0.0.0.0", 8_443, nil), ("8.8.8.8", 8_443, nil), ("10.255.255.254", 8_443, nil),
      ("127.0.0.1", 80, nil), ("127.0.0.1", 70_000, nil), ("127.0.0.1", 8_443, "example.com"),
      ("127.0.0.1", 8_443, "-.local"),
    ] as [(String, Int, String?)] {
      #expect(throws: FieldError.self, "\(address) \(port) \(name ?? "")") {
        try setup.open(address: address, port: port, name: name)
      }
    }
    #expect(try test.archive.phoneDoor() == nil)
    let settings = try setup.open(address: " 127.0.0.1 ", port: 8_443, name: "Study.local")
    #expect(settings.name == "study.local" && settings.isOpen)
    #expect(PhoneSetup.url(of: settings) == "https://study.local:8443/")
    let inMemory = PhoneSetup(archive: try Archive(at: .memory))
    #expect(throws: PhoneDoorFailure.self) {
      try inMemory.open(address: "127.0.0.1", port: 8_443, name: nil)
    }
  }

  @Test func aNameIsTakenForThisComputersOnlyWhereItLeadsThere() throws {
    let loopback = try #require(HomeAddress("127.0.0.1"))
    let other = try #require(HomeAddress("192.168.255.254"))
    #expect(HomeName.leads("localhost", to: loopback))
    #expect(!HomeName.leads("localhost", to: other))
    #expect(HomeName.known(for: other) == nil)
  }

  @Test func whereThereIsANameTheCodeIsGivenByTheAddressToo() throws {
    let phone = try PhoneTest()
    var settings = PhoneTest.settings
    settings.port = 8_443
    #expect(try phone.setup.makeCode(for: settings).addressURL == nil)
    settings.name = "study.local"
    let pairing = try phone.setup.makeCode(for: settings)
    #expect(pairing.url == "https://study.local:8443/pair/\(pairing.code)")
    #expect(pairing.addressURL == "https://127.0.0.1:8443/pair/\(pairing.code)")
  }

  @Test func anAddressThatIsGoneShutsTheDoorAndNoOtherTakesItsPlace() async throws {
    let phone = try PhoneTest()
    try await phone.run { client in
      let cookie = try await client.pair()
      let port = client.port
      var moved = PhoneTest.settings
      // As if the router had given this computer another one.
      moved.address = "10.255.255.254"
      try phone.archive.setPhoneDoor(moved)
      try await phone.stands(.addressGone)
      #expect(phone.door.place == nil)
      // Another program may have taken the port since; its certificate isn't this archive's.
      let late = try PhoneClient(phone, patience: .seconds(2))
      let place = "https://127.0.0.1:\(port)/pair"
      await #expect(throws: (any Error).self) {
        try await late.http.execute(HTTPClientRequest(url: place), timeout: .seconds(10))
      }
      try await late.http.shutdown()
      // The owner's word opens it again, for the same devices.
      try phone.archive.setPhoneDoor(PhoneTest.settings)
      try await phone.stands(.open)
      let held = cookie.replacing("-\(port)=", with: "-\(client.port)=")
      #expect(try await client.send(.GET, "/", ["Cookie": held]).status == 200)
    }
  }

  // MARK: Rude visitors

  @Test func whoSpeaksPlainHTTPOrNonsenseIsHungUpOn() async throws {
    let phone = try PhoneTest()
    try await phone.run { client in
      let port = client.port
      for words in [
        "GET /pair HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n", "\u{16}\u{3}\u{1}nonsense",
        String(repeating: "x", count: 100_000),
      ] {
        let answer = try await ArkivedTestSupport.onThread {
          let connection = try PlainConnection(port: port)
          try? connection.send(words)
          return String(decoding: connection.receive(), as: UTF8.self)
        }
        #expect(!answer.contains("HTTP/1.1 200") && !answer.contains("Pair"))
      }
      #expect(try await client.send(.GET, "/pair").status == 200)
    }
  }

  @Test func whoDribblesAHandshakeIsHungUpOnWhileOthersAreAnswered() async throws {
    let limits = ServerLimits(unauthenticatedPatience: .seconds(8), patience: .seconds(8))
    let phone = try PhoneTest(limits: limits)
    try await phone.run { client in
      let port = client.port
      let slow = try await ArkivedTestSupport.onThread {
        try (0..<30).map { _ in
          let connection = try PlainConnection(port: port)
          // The beginning of a ClientHello that never ends.
          try connection.send("\u{16}\u{3}\u{1}\u{1}")
          return connection
        }
      }
      let once = ["Connection": "close"]
      #expect(try await client.send(.GET, "/pair", once).status == 200)
      let ends = try await ArkivedTestSupport.onThread {
        slow.map { String(decoding: $0.receive(), as: UTF8.self) }
      }
      #expect(ends.allSatisfy { !$0.contains("HTTP/") })
      #expect(try await client.send(.GET, "/pair", once).status == 200)
    }
  }

  /// Strangers in the same network may hold as many connections to the phone's server as they like.
  @Test func aPairedPhoneIsAnsweredBesideAThousandSilentConnections() async throws {
    FileDescriptorLimit.raise()
    let hour = TimeAmount.hours(1)
    let phone = try PhoneTest(limits: ServerLimits(unauthenticatedPatience: hour, patience: hour))
    try await phone.run { client in
      let cookie = try await client.pair()
      let port = client.port
      let crowd = try await ArkivedTestSupport.onThread {
        try (0..<1_000).map { number in
          let connection = try PlainConnection(port: port)
          // Every second one begins a handshake.
          if number.isMultiple(of: 2) { try connection.send("\u{16}\u{3}\u{1}\u{1}") }
          return connection
        }
      }
      // Would they keep the phone waiting, that would be for an hour.
      let headers = ["Cookie": cookie, "Connection": "close"]
      for _ in 0..<5 {
        let answer: PhoneClient.Answer
        do {
          answer = try await client.send(.GET, "/", headers)
        } catch is NIOCore.IOError {
          // As a browser does if its connection was reset before there was an answer.
          answer = try await client.send(.GET, "/", headers)
        }
        #expect(answer.status == 200)
      }
      for connection in crowd { connection.hangUp() }
    }
  }
}
