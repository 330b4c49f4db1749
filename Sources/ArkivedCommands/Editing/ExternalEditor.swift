import ArkivedCore
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The editor that the owner configured, run in the same terminal.
struct ExternalEditor {
  /// The way in which an editor ended.
  enum Ending: Equatable {
    case done
    case failed(Int32)
    case killed(Int32)
    case missing
  }

  /// The value of VISUAL or EDITOR, or the editor that was found.
  let name: String
  private let environment: [String: String]

  /// Chooses an editor.
  ///
  /// - Throws: `CommandFailure` (unavailable) if none is configured and none is found.
  init(environment: [String: String] = ProcessInfo.processInfo.environment) throws {
    self.environment = environment
    let named = ["VISUAL", "EDITOR"].compactMap { environment[$0] }
      .first { !$0.trimmingCharacters(in: .whitespaces).isEmpty }
    guard let editor = named ?? ExternalEditor.usual(environment["PATH"] ?? "") else {
      throw CommandFailure(
        .unavailable,
        said("No editor is set. Set one, for example with `export EDITOR=nano`"))
    }
    name = editor
  }

  /// Returns Debian's default editor, otherwise one that is almost always installed.
  private static func usual(_ path: String) -> String? {
    let folders = path.split(separator: ":").map(String.init)
    return ["editor", "nano", "vi"].first { name in
      folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(name)") }
    }
  }

  /// Opens a file and waits until the editor exits.
  func edit(_ file: URL) throws -> Ending {
    // As in git, a shell splits the words of VISUAL, so `code --wait` works. A path that is itself
    // a program may contain spaces.
    let isProgram = name.hasPrefix("/") && FileManager.default.isExecutableFile(atPath: name)
    let status = try run(
      isProgram
        ? [name, file.path] : ["/bin/sh", "-c", "\(name) \"$@\"", "arkived-editor", file.path])
    if status & 0x7F != 0 { return .killed(status & 0x7F) }
    switch (status >> 8) & 0xFF {
    case 0: return .done
    // The exit codes of a shell for a missing program, or one that can't be run.
    case 126, 127: return .missing
    case let code where code > 128 && !isProgram: return .killed(code - 128)
    case let code: return .failed(code)
    }
  }

  /// Runs a program as a shell would: keyboard signals go to it in the meantime.
  private func run(_ arguments: [String]) throws -> Int32 {
    let ignored = [SIGINT, SIGQUIT]
    let before = ignored.map { signal($0, SIG_IGN) }
    defer { for (number, handler) in zip(ignored, before) { signal(number, handler) } }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var defaults = sigset_t()
    sigemptyset(&defaults)
    for number in ignored + [SIGPIPE] { sigaddset(&defaults, number) }
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    var words = arguments.map { strdup($0) } + [nil]
    var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in words + variables { free(text) } }
    var process = pid_t()
    let code = posix_spawn(&process, arguments[0], nil, &attributes, &words, &variables)
    guard code == 0 else {
      throw CommandFailure(
        .unavailable,
        said("The editor “\(name)” couldn’t be started: \(String(cString: strerror(code)))."))
    }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 {
      guard errno == EINTR else {
        throw CommandFailure(.failed, said("The editor exited unexpectedly."))
      }
    }
    return status
  }
}
