import ArkivedCore
package import Foundation

/// The location of this program and its resources.
package enum OwnProgram {
  /// The program's own file, with all links resolved.
  package static var file: URL? {
    #if os(Linux)
      guard
        let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
      else { return nil }
      return URL(fileURLWithPath: current(path))
    #else
      return Bundle.main.executablePath.map { URL(fileURLWithPath: $0).resolvingSymlinksInPath() }
    #endif
  }

  /// Returns the path of a program without the mark that Linux adds if the file was replaced since
  /// the program was started, as by an update (proc_pid_exe(5)).
  static func current(_ path: String) -> String {
    let mark = " (deleted)"
    guard path.hasSuffix(mark), !FileManager.default.fileExists(atPath: path) else { return path }
    return String(path.dropLast(mark.count))
  }

  /// Returns a script of the program: in `share/arkived` next to an installed program, or in the
  /// source from which it was built.
  package static func script(_ name: String, of program: URL? = OwnProgram.file) -> URL? {
    guard let program else { return nil }
    let folder = program.deletingLastPathComponent()
    var places = [folder.deletingLastPathComponent().appendingPathComponent("share/arkived")]
    let parts = program.pathComponents
    if let build = parts.firstIndex(of: ".build") {
      let source = parts[..<build].joined(separator: "/").dropFirst()
      places.append(URL(fileURLWithPath: String(source)).appendingPathComponent("Scripts"))
    }
    return places.map { $0.appendingPathComponent(name) }
      .first { FileManager.default.fileExists(atPath: $0.path) }
  }

  /// Returns the path of a program with this name, found as by a shell.
  package static func path(of name: String, _ environment: [String: String]) -> String? {
    (environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":").map { "\($0)/\(name)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// Returns the owner's home folder.
  package static func home(_ environment: [String: String]) -> URL {
    guard let home = environment["HOME"], home.hasPrefix("/") else {
      return HomeFolder.url()
    }
    return URL(fileURLWithPath: home, isDirectory: true)
  }

  /// Runs a program to completion without input.
  ///
  /// - Returns: its exit code and its output, which is expected to be short; nil if the program
  ///   doesn't exist.
  package static func run(
    _ name: String, _ arguments: [String], _ environment: [String: String]
  ) throws -> (status: Int32, said: String)? {
    guard let path = path(of: name, environment) else { return nil }
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    process.environment = environment
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let said = try pipe.fileHandleForReading.readToEnd() ?? Data()
    return (
      ending(of: process),
      String(decoding: said, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    )
  }

  /// Waits for the exit code of a process; -1 if a signal terminated it.
  ///
  /// It asks the system directly, because Foundation detects the end through a socket that
  /// background children of the program inherit and keep open.
  private static func ending(of process: Process) -> Int32 {
    while true {
      var info = siginfo_t()
      if waitid(P_PID, id_t(process.processIdentifier), &info, WEXITED | WNOWAIT) == 0 {
        #if canImport(Glibc)
          let status = info._sifields._sigchld.si_status
        #else
          let status = info.si_status
        #endif
        return info.si_code == Int32(CLD_EXITED) ? status : -1
      }
      guard errno != EINTR else { continue }
      // Foundation has already detected the end.
      process.waitUntilExit()
      return process.terminationStatus
    }
  }
}
