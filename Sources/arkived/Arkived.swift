import ArkivedCommands
import Foundation

@main
struct Arkived {
  static func main() {
    // Whatever is written, nobody else on this computer is to read it.
    umask(0o077)
    exit(ArkivedCommand.runProgram())
  }
}
