import ArkivedCore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Moving and merging at the command line")
struct MoveCommandTests {
  private func path(_ program: Program, _ name: String) -> String {
    program.folder.url.appendingPathComponent(name).path
  }

  private func lines(_ program: Program) throws -> [Substring] {
    Array(try program("export").output.split(separator: "\n").dropFirst())
  }

  @Test("An archive is packed, unpacked, compared, and the old one takes no change")
  func move() throws {
    let old = try Program()
    let letter = try old.folder.file("letter.txt", "Dear Jana,\n")
    #expect(try old("add", "a letter #post", "--attach", letter.path).status == 0)
    #expect(try old("note", "A quiet day.", "--mood", "4").status == 0)
    let secret = try old.folder.file("secret", "correct horse battery\n")
    let file = path(old, "life.move")
    let packed = try old(
      "move", "pack", file, "--passphrase-file", secret.path, "--json")
    #expect(packed.status == 0, "\(packed.talk)")
    let new = try Program()
    let unpacked = try new(
      "move", "unpack", file, "--passphrase-file", secret.path, "--json")
    #expect(unpacked.status == 0, "\(unpacked.talk)")
    #expect(unpacked.json["move"]?["isComplete"] == true)
    #expect(
      unpacked.json["move"]?["fingerprint"] == packed.json["move"]?["fingerprint"])
    #expect(try lines(new) == lines(old))
    let again = try new("move", "unpack", file, "--passphrase-file", secret.path)
    #expect(again.status == 77 && again.talk.contains("arkived merge"), "\(again.talk)")

    #expect(try old("move", "leave", "new", "laptop").status == 0)
    let late = try old("add", "too late")
    #expect(late.status == 77 && late.talk.contains("“new laptop”"), "\(late.talk)")
    #expect(try old("today").status == 0)
    #expect(try old("move", "stay").status == 0)
    #expect(try old("add", "in time").status == 0)
  }

  @Test("Another archive is merged, told before, and taken back")
  func merge() throws {
    let here = try Program()
    #expect(try here("add", "a walk").status == 0)
    let there = try Program()
    #expect(try there("add", "a swim #sea").status == 0)
    #expect(try there("note", "Warm.").status == 0)
    let backup = path(there, "there.zip")
    #expect(try there("backup", backup, "--unencrypted").status == 0)
    let before = try lines(here)
    let told = try here("merge", "--dry-run", backup, "--json")
    #expect(told.status == 0, "\(told.talk)")
    #expect(told.json["runs"]?.array?.first?["created"]?["activity"] == 1)
    #expect(try lines(here) == before)
    let merged = try here("merge", backup, "--json")
    #expect(merged.status == 0, "\(merged.talk)")
    let id = try #require(merged.json["runs"]?.array?.first?["id"]?.string)
    #expect(try here("search", "swim").output.contains("a swim"))
    let twice = try here("merge", backup, "--json")
    #expect(twice.json["runs"]?.array?.first?["updated"] == 0, "\(twice.talk)")
    #expect(try here("import", "undo", id).status == 0)
    #expect(try lines(here) == before)
    for (arguments, status) in [
      (["merge", path(here, "none")], Int32(66)), (["merge"], 64),
      (["move", "boxes", "to", "the", "attic"], 64),
      (["move", "unpack", path(here, "none")], 66),
    ] {
      #expect(try here.run(arguments).status == status, "\(arguments)")
    }
  }
}
