import CFuzzer
import Foundation

// Feeds one parser, named by ARKIVED_FUZZ, with what libFuzzer invents; Tests/Fuzz/run builds and
// starts it for each.
guard FuzzTarget.chosen != nil else {
  let names = FuzzTarget.all.map(\.name).joined(separator: "\n")
  print(names)
  exit(ProcessInfo.processInfo.environment["ARKIVED_FUZZ"] == nil ? 0 : 64)
}
var count = CommandLine.argc
var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
exit(
  LLVMFuzzerRunDriver(&count, &arguments) { bytes, count in
    FuzzTarget.chosen?.run([UInt8](UnsafeBufferPointer(start: bytes, count: count)))
    return 0
  })
