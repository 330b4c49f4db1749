import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A helper program that reports in lines on its standard output.
///
/// It receives no input, and its time is limited.
package struct BoundedProcess {
  package enum Ending: Hashable, Sendable {
    case exited(Int32)
    case killed(Int32)
    /// The process was terminated: timed out, cancelled, or too much output.
    case late, cancelled, talkative
  }

  /// The reason why a program couldn't be started, as the system words it.
  package struct NotStarted: Error, CustomStringConvertible {
    package let description: String
  }

  /// The program with its arguments, which no shell interprets.
  var arguments: [String]
  /// The complete environment of the process.
  var environment: [String: String]
  var limit: Duration
  /// The maximum number of bytes of output.
  var outputLimit: Int
  /// True if lines on its standard error are reported as well.
  var hearsErrors: Bool

  package init(
    arguments: [String], environment: [String: String], limit: Duration,
    outputLimit: Int = 8 << 20, hearsErrors: Bool = false
  ) {
    self.arguments = arguments
    self.environment = environment
    self.limit = limit
    self.outputLimit = outputLimit
    self.hearsErrors = hearsErrors
  }

  /// Runs the process to completion on the calling thread.
  ///
  /// - Parameters:
  ///   - isCancelled: called ten times a second.
  ///   - heard: receives each line.
  /// - Returns: how it ended.
  /// - Throws: `NotStarted` if it can't be started.
  package func run(isCancelled: () -> Bool, heard: (String) -> Void) throws -> Ending {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw Self.failure(errno) }
    defer { close(ends[0]) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let process: pid_t
    do {
      defer { close(ends[1]) }
      process = try start(writingTo: ends[1])
    }
    let early = listen(ends[0], isCancelled: isCancelled, heard: heard)
    let status = Self.wait(for: process, isOver: early == nil)
    if let early { return early }
    return status & 0x7F == 0 ? .exited((status >> 8) & 0xFF) : .killed(status & 0x7F)
  }

  private func start(writingTo output: Int32) throws -> pid_t {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var defaults = sigset_t()
    sigemptyset(&defaults)
    for number in [SIGINT, SIGTERM, SIGPIPE] { sigaddset(&defaults, number) }
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    // Threads of Dispatch block most signals, which the program would inherit.
    var blocked = sigset_t()
    sigemptyset(&blocked)
    posix_spawnattr_setsigmask(&attributes, &blocked)
    // A separate process group, so its children are terminated as well.
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes,
      Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))
    var files = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&files)
    defer { posix_spawn_file_actions_destroy(&files) }
    posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&files, output, 1)
    if hearsErrors {
      posix_spawn_file_actions_adddup2(&files, output, 2)
    } else {
      posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0)
    }
    var words = arguments.map { strdup($0) } + [nil]
    var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in words + variables { free(text) } }
    var process = pid_t()
    let code = posix_spawn(
      &process, arguments[0], &files, &attributes, &words, &variables)
    guard code == 0 else { throw Self.failure(code) }
    return process
  }

  /// Reads the output.
  ///
  /// - Returns: the reason to terminate the process; nil if its output has ended.
  private func listen(
    _ descriptor: Int32, isCancelled: () -> Bool, heard: (String) -> Void
  ) -> Ending? {
    let deadline = ContinuousClock.now + limit
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    var line: [UInt8] = []
    var size = 0
    while true {
      guard !isCancelled() else { return .cancelled }
      guard ContinuousClock.now < deadline else { return .late }
      var slot = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&slot, 1, 100) > 0 else { continue }
      let count = read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return nil }
      size += count
      guard size <= outputLimit else { return .talkative }
      for byte in chunk[..<count] {
        if byte == 0x0A {
          heard(String(decoding: line, as: UTF8.self))
          line.removeAll(keepingCapacity: true)
        } else {
          line.append(byte)
        }
      }
    }
  }

  /// Waits for the process to exit.
  ///
  /// - Parameters:
  ///   - process: its ID.
  ///   - isOver: true if it is exiting on its own, for which it has five seconds.
  /// - Returns: its exit status as the system reports it.
  private static func wait(for process: pid_t, isOver: Bool) -> Int32 {
    var status: Int32 = 0
    if isOver {
      let deadline = ContinuousClock.now + .seconds(5)
      while ContinuousClock.now < deadline {
        if waitpid(process, &status, WNOHANG) == process { return status }
        usleep(10_000)
      }
    }
    kill(-process, SIGKILL)
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return status
  }

  private static func failure(_ code: Int32) -> NotStarted {
    NotStarted(description: String(cString: strerror(code)))
  }
}
