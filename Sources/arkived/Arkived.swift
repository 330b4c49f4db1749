import ArkivedCommands
import Foundation

@main
struct Arkived {
  static func main() {
    // Files must not be readable by other users of this computer.
    umask(0o077)
    exit(ArkivedCommand.runProgram())
  }
}
