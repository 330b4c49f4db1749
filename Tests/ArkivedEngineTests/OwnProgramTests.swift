import ArkivedTestSupport
import Foundation
import Testing

@testable import ArkivedEngine

@Suite("The program's own file")
struct OwnProgramTests {
  /// The service would be installed with a path that doesn't exist.
  @Test func aProgramReplacedByAnUpdateIsFoundAgain() throws {
    let folder = try TemporaryFolder()
    let program = try folder.file("arkived", "new").path
    #expect(OwnProgram.current(program) == program)
    #expect(OwnProgram.current("\(program) (deleted)") == program)
  }

  @Test func aProgramWhoseNameHasTheMarkKeepsIt() throws {
    let folder = try TemporaryFolder()
    let program = try folder.file("arkived (deleted)", "own").path
    #expect(OwnProgram.current(program) == program)
  }
}
