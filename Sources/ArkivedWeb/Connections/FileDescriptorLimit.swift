import ArkivedStore
import Foundation
import NIOCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The number of files and connections that may be open at once.
enum FileDescriptorLimit {
  /// The errors returned if no more files can be opened, by this process or by all processes.
  static let codes: Set<Int32> = [EMFILE, ENFILE]
  /// The largest useful limit for a server.
  static let wanted: rlim_t = 8_192
  /// The number of files needed for a single operation; a database is opened with its log.
  static let reserve = 8

  /// Raises the limit of this process as far as the system permits, up to `wanted`.
  ///
  /// - Returns: The resulting limit; nil if the system doesn't report it.
  @discardableResult static func raise() -> rlim_t? {
    #if canImport(Glibc)
      let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
      let files = RLIMIT_NOFILE
    #endif
    var limit = rlimit()
    guard getrlimit(files, &limit) == 0 else { return nil }
    let before = limit.rlim_cur
    limit.rlim_cur = max(before, min(limit.rlim_max, wanted))
    return setrlimit(files, &limit) == 0 ? limit.rlim_cur : before
  }

  /// Returns true if an operation failed because too many files are open.
  ///
  /// SQLite and Foundation don't always say so; in that case the result depends on whether files
  /// can be opened now.
  static func explains(_ error: any Error) -> Bool {
    switch error {
    case let failure as POSIXFailure where codes.contains(failure.code): true
    case let failure as IOError where codes.contains(failure.errnoCode): true
    default: isReached
    }
  }

  /// True if fewer files can be opened now than a single operation needs.
  static var isReached: Bool {
    var opened: [Int32] = []
    defer { for descriptor in opened { close(descriptor) } }
    for _ in 0..<reserve {
      let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return codes.contains(errno) }
      opened.append(descriptor)
    }
    return false
  }
}
