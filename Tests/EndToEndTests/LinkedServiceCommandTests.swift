import ArkivedCore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Linked services in the terminal")
struct LinkedServiceCommandTests {
  private let arkived: Program

  init() throws { arkived = try Program() }

  private func key(_ text: String) throws -> String {
    try arkived.folder.file("key-\(text)", text + "\n").path
  }

  private func pull(_ arguments: String...) throws -> JSON? {
    let synced = try arkived.run(["sync", "--json"] + arguments)
    #expect(synced.status == 0, "\(synced.talk)")
    return synced.json["syncs"]?.array?.first?["pulled"]
  }

  private func texts() throws -> [String] {
    try arkived("sql", "SELECT text FROM activities", "--json")
      .json["rows"]?.array?.compactMap { $0.array?.first?.string } ?? []
  }

  @Test func photosComeFromImmich() throws {
    let immich = try ImmichScript([
      .init(1, "2026-03-10T14:05:00Z"), .init(2, "2026-03-10T14:20:00Z"),
    ])
    let refused = try arkived(
      "sync", "link", immich.address, "--immich", "--token-file", try key("wrong"))
    #expect(refused.status == 77 && refused.talk.contains("(401)"), "\(refused.talk)")
    #expect(!refused.talk.contains("wrong"))
    let linked = try arkived(
      "sync", "link", immich.address, "--immich", "--name", "Photos", "--token-file",
      try key(ImmichScript.key), "--json")
    #expect(linked.status == 0 && linked.json["linked"]?["kind"] == "immich", "\(linked.talk)")
    #expect(!linked.output.contains(ImmichScript.key))
    #expect(try pull() == ["new": 1])
    #expect(try texts() == ["2 photos"])
    #expect(try pull() == [:])
    #expect(try pull("--all") == [:])
    let status = try arkived("sync", "status").output
    #expect(status.contains("Photos (Immich)"), "\(status)")

    immich.server.reply { _ in .answer(200, "<html>") }
    let away = try arkived("sync")
    #expect(
      away.status == 65 && away.talk.contains("\(immich.address)/: not Immich, but a web page"),
      "\(away.status) \(away.talk)")
    #expect(try texts() == ["2 photos"])
    #expect(try arkived("doctor").status == 0)
    #expect(try arkived("sync", "unlink", "Photos").status == 0)
    #expect(try texts() == ["2 photos"])
  }

  @Test func locationsComeFromDawarich() throws {
    let dawarich = try DawarichScript(
      DawarichScript.stay("2026-03-10T18:00:00Z", minutes: 30, lat: 52.5, lon: 13.4))
    let linked = try arkived(
      "sync", "link", dawarich.address + "/api/v1", "--dawarich", "--token-file",
      try key(DawarichScript.key))
    #expect(linked.status == 0, "\(linked.talk)")
    #expect(try pull() == ["new": 1])
    #expect(try pull() == [:])
    dawarich.change {
      $0 += DawarichScript.stay("2026-03-11T18:00:00Z", minutes: 30, lat: 52.6, lon: 13.4)
    }
    #expect(try pull() == ["new": 1])
    #expect(try texts().count == 2)
  }

  @Test func choicesThatDoNotFitAreRefused() throws {
    let file = try key("a")
    let wrong: [[String]] = [
      ["https://a.example", "--immich", "--dawarich"], ["https://a.example", "--originals"],
      ["https://a.example", "--dawarich", "--places", "keep"],
      ["https://a.example", "--plain-http"],
      ["https://a.example", "--immich", "--back", "3"],
      ["https://a.example", "--immich", "--user", "me"],
    ]
    for arguments in wrong {
      let answer = try arkived.run(
        ["sync", "link"] + arguments + ["--token-file", file])
      #expect(answer.status == 64, "\(arguments): \(answer.status) \(answer.talk)")
    }
    let address = try arkived("sync", "link", "photos.example", "--immich", "--token-file", file)
    #expect(address.status == 65 && address.talk.contains("must start with https://"))
  }
}
