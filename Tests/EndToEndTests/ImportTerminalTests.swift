import ArkivedCore
import ArkivedTestSupport
import Foundation
import Testing

/// An import at a terminal, at which somebody answers.
@Suite("Importing a table at a terminal")
struct ImportTerminalTests {
  private let arkived: Program

  init() throws { arkived = try Program() }

  private func table() throws -> String {
    try arkived.folder.file(
      "runs.csv",
      "Date,Title,Distance (km)\n2026-03-10,Run,5.2\n2026-03-11,Walk,3\n2026-03-12,Ride,20\n"
        + "2026-03-13,Swim,1\n"
    ).path
  }

  private func entries() throws -> Int {
    try arkived("import", "list", "--json").json["runs"]?.array?.count ?? 0
  }

  @Test func showsWhatWasGuessedWithThreeRowsAndAsks() throws {
    let path = try table()
    let no = try arkived.atTerminal(["import", path], typing: "n\n")
    #expect(no.status != 0 && no.screen.contains("Import the rows as shown? [y/N]"))
    #expect(no.screen.contains("Columns (guessed)") && no.screen.contains("measure in km"))
    #expect(["Run", "Walk", "Ride"].allSatisfy { no.screen.contains($0) })
    #expect(!no.screen.contains("Swim") && no.screen.contains("Nothing was imported."))
    #expect(try entries() == 0)
    let yes = try arkived.atTerminal(["import", path], typing: "y\n")
    #expect(yes.status == 0, "\(yes.screen)")
    #expect(try entries() == 1)
    // What changes nothing needs no answer.
    let again = try arkived.atTerminal(["import", path])
    #expect(again.status == 0 && !again.screen.contains("Import the rows as shown?"))
  }

  @Test func controlCAtTheQuestionEndsTheProgramAndImportsNothing() throws {
    let path = try table()
    let (status, screen) = try arkived.atTerminal(
      ["import", path], interruptingAt: "as shown? [y/N]")
    #expect(status == 130, "\(screen)")
    #expect(screen.contains("Cancelled."))
    #expect(try entries() == 0)
  }

  @Test func asksNobodyWhoSaidYesOrNamedTheColumnsOrIsAScript() throws {
    let path = try table()
    let said = try arkived.atTerminal(["import", path, "--yes"])
    #expect(said.status == 0 && !said.screen.contains("as shown?"))
    #expect(said.screen.contains("the columns were guessed"))
    let other = try arkived.folder.file("b.csv", "Day,What\n2026-03-10,Tea\n").path
    let told = try arkived.atTerminal(["import", other, "--map", "date=Day,text=What"])
    #expect(told.status == 0 && !told.screen.contains("as shown?"))
    let third = try arkived.folder.file("c.csv", "Date,Note\n2026-03-11,Tea\n").path
    #expect(try arkived("import", third).status == 0)
    #expect(try entries() == 3)
  }
}
