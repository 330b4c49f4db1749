import ArkivedCommands
import Foundation

@main
struct Arkived {
  static func main() async {
    exit(await ArkivedCommand.runProgram())
  }
}
