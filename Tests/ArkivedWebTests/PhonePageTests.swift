import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import HTTPTypes
import Testing

@testable import ArkivedWeb

@Suite("The page of the phone")
struct PhonePageTests {
  @Test func theDoorIsOpenedAPhonePairedAndRevokedOnThePage() async throws {
    let web = try WebTest()
    try await web.run { client in
      let cookie = try await client.signIn()
      let shut = try await client.get("/settings/phone", cookie: cookie)
      #expect(shut.status == 200 && shut.text.contains("Phone access is off"))
      let code = try await client.post("/settings/phone/code", [:], cookie: cookie)
      #expect(code.status == 303)
      let opened = try await client.post(
        "/settings/phone", ["address": "127.0.0.1", "port": "8443", "name": ""], cookie: cookie)
      #expect(opened.status == 303, "\(opened.text)")
      let pairing = try await client.post("/settings/phone/code", [:], cookie: cookie)
      #expect(pairing.status == 200 && pairing.text.contains("https://127.0.0.1:8443/pair/"))
      let fingerprint = try PhoneSetup(archive: web.test.archive).authority().fingerprint
      #expect(pairing.text.contains(fingerprint) && pairing.text.contains("<svg class=\"qr-code\""))
      let again = try await client.get("/settings/phone", cookie: cookie)
      #expect(!again.text.contains("/pair/") && again.text.contains("None yet."))
      let shown = try #require(pairing.text.firstMatch(of: #/id="pair-shown">([^<]+)</#)?.1)
      let paired = try web.app.phone.pair(
        code: String(shown), name: "A <b>phone", isSame: false, from: nil
      ).get()
      let device = paired.device
      let list = try await client.get("/settings/phone", cookie: cookie)
      #expect(list.text.contains("A &lt;b&gt;phone") && !list.text.contains(paired.token))
      let path = "/settings/phone/\(device.id.uuidString)/revoke"
      #expect(try await client.post(path, [:], cookie: cookie).status == 303)
      #expect(try web.test.archive.devices().isEmpty)
      #expect(try await client.post(path, [:], cookie: cookie).status == 404)
      let close = try await client.post("/settings/phone/close", [:], cookie: cookie)
      #expect(close.status == 303)
      #expect(try web.test.archive.phoneDoor()?.isOpen == false)
    }
  }

  @Test func aWrongAddressPortOrNameIsToldAndOpensNothing() async throws {
    let web = try WebTest()
    try await web.run { client in
      let cookie = try await client.signIn()
      for (address, port, name, words) in [
        ("0.0.0.0", "8443", "", "home network"), ("8.8.8.8", "8443", "", "home network"),
        ("", "8443", "", "is missing. Choose an address"), ("127.0.0.1", "x", "", "isn’t a number"),
        ("127.0.0.1", "22", "", "must be 1024 to 65535"),
        ("127.0.0.1", "8443", "evil.example", "study.local"),
      ] {
        let answer = try await client.post(
          "/settings/phone", ["address": address, "port": port, "name": name], cookie: cookie)
        #expect(answer.status == 422 && answer.text.contains(words), "\(address) \(port) \(name)")
      }
    }
    #expect(try web.test.archive.phoneDoor() == nil)
  }

  @Test func devicesAreListedAndRevokedOverTheAPIByTheOwnerAlone() async throws {
    let web = try WebTest()
    let archive = web.test.archive
    try archive.setPairingCode(PairingCode.hash("c"), until: .latest)
    let paired = try archive.pairDevice(
      named: "Tablet", isSame: false, code: PairingCode.hash("c"), token: "h")
    let device = try #require(paired)
    let agent = try archive.addAgent(named: "a script").token
    try await web.run { client in
      let listed = try await client.ask(.get, "/api/v1/devices")
      #expect(listed.json["devices"]?.array?.first?["name"] == "Tablet")
      let refused = try await client.send(
        .get, "/api/v1/devices", ["Authorization": "Bearer \(agent)"])
      #expect(refused.status == 403)
      let path = "/api/v1/devices/\(device.id.uuidString)"
      #expect(try await client.ask(.delete, path).status == 200)
      #expect(try await client.ask(.delete, path).status == 404)
    }
  }

  @Test func restoringABackupLeavesTheDoorAndItsDevicesAlone() throws {
    let test = try TestArchive()
    try test.archive.setPhoneDoor(PhoneTest.settings)
    try test.archive.setPairingCode(PairingCode.hash("c"), until: .latest)
    _ = try test.archive.pairDevice(
      named: "Phone", isSame: false, code: PairingCode.hash("c"), token: "h")
    let other = try TestArchive()
    try other.add("from a backup")
    try other.archive.setPhoneDoor(
      PhoneDoorSettings(isOpen: true, address: "10.0.0.7", port: 8_443))
    try test.archive.replaceContent(with: other.archive)
    #expect(try test.archive.counts().activities == 1)
    #expect(try test.archive.phoneDoor() == PhoneTest.settings)
    #expect(try test.archive.devices().map(\.name) == ["Phone"])
  }

  @Test func aLineThatWasSavedBeforeARestoreIsSavedNoSecondTime() throws {
    let (test, backup) = (try TestArchive(), try TestArchive())
    func add(_ activity: Activity, _ key: String) throws {
      _ = try test.archive.add(activity, once: RequestKey(key: key, requestHash: key)) { saved in
        let (day, id) = (saved.value.dayKey, saved.value.id.uuidString)
        return KeptAnswer(status: 303, location: "/day/\(day)?added=\(id)#activity-\(id)")
      }
    }
    let tea = try test.activity("tea")
    try add(tea, "in the backup")
    _ = try backup.archive.add(tea)
    try add(try test.activity("soup"), "after the backup")
    try test.archive.replaceContent(with: backup.archive)
    #expect(try test.day("2026-03-14").activities.map(\.text) == ["tea"])
    try add(try test.activity("tea"), "in the backup")
    try add(try test.activity("soup"), "after the backup")
    #expect(Set(try test.day("2026-03-14").activities.map(\.text)) == ["soup", "tea"])
    #expect(try test.archive.counts().activities == 2)
  }
}
