import ArkivedCore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("The phone at the command line")
struct PhoneCommandTests {
  @Test func theDoorIsShutUntilItIsOpenedAndShutAgainByItsOwner() throws {
    let arkived = try Program()
    let status = try arkived("phone", "--json")
    #expect(status.json["isOpen"] == false && status.json["devices"] == 0)
    let port = "\(try PlainConnection.freePort())"
    let opened = try arkived("phone", "open", "--address", "127.0.0.1", "--port", port, "--json")
    #expect(opened.status == 0 && opened.json["door"]?["address"] == "127.0.0.1")
    let standing = try arkived("phone", "status")
    #expect(standing.output.contains("No server is answering there"))
    let file = arkived.folder.url.appendingPathComponent("home.crt").path
    let written = try arkived("phone", "certificate", "-o", file, "--json")
    #expect(written.json["fingerprint"]?.string?.split(separator: ":").count == 32)
    #expect(try arkived("phone", "certificate", "-o", file).status == 73)
    #expect(try arkived("phone", "off").status == 0)
    #expect(try arkived("phone", "status").output.contains("Phone access is off"))
  }

  @Test func aServerThatRunsFollowsItsOwnersWord() throws {
    let arkived = try Program()
    let server = try RunningServer(arkived)
    let port = "\(try PlainConnection.freePort())"
    let paired = try arkived(
      "phone", "pair", "--address", "127.0.0.1", "--port", port, "--json")
    #expect(paired.status == 0, "\(paired.talk)")
    let code = try #require(paired.json["code"]?.string)
    #expect(paired.json["url"]?.string == "https://127.0.0.1:\(port)/pair/\(code)")
    #expect(try server.ask("GET", "/api/v1/devices").status == 200)
    // At a pipe the drawing is plain, and the address stands beside it.
    let drawn = try arkived("phone", "pair")
    #expect(drawn.output.contains("█▀") && !drawn.output.contains("\u{1B}"))
    #expect(drawn.talk.contains("/pair/") && !drawn.talk.contains(code))
    let end = try #require(try server.stop(within: 60))
    #expect(end.status == 0 && !end.talk.contains(code))
  }

  @Test func whatIsNoAddressOfAHomeIsRefusedAndNoDeviceIsMadeUp() throws {
    let arkived = try Program()
    for address in ["0.0.0.0", "8.8.8.8", "study", "10.255.255.254"] {
      let refused = try arkived("phone", "pair", "--address", address)
      #expect(refused.status == 65 && refused.talk.contains("address is"), "\(refused.talk)")
    }
    #expect(try arkived("phone", "revoke", "nobody").status == 66)
    #expect(try arkived("phone", "list").output == "No devices paired.\n")
    #expect(try arkived("phone", "mum").status == 64)
  }
}
