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
  /// What the system answers when no more can be opened, by this process or by all of them.
  static let codes: Set<Int32> = [EMFILE, ENFILE]
  /// As many as a server has use for.
  static let wanted: rlim_t = 8_192
  /// Opening one thing may take several: a database is opened with its log.
  static let reserve = 8

  /// Raises the limit of this process as far as the system lets it, up to `wanted`.
  ///
  /// - Returns: the limit afterwards; nil if the system doesn't say.
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

  /// Whether something failed because too many files are open.
  ///
  /// SQLite and Foundation don't always tell; then it counts whether any can be opened now.
  static func explains(_ error: any Error) -> Bool {
    switch error {
    case let failure as POSIXFailure where codes.contains(failure.code): true
    case let failure as IOError where codes.contains(failure.errnoCode): true
    default: isReached
    }
  }

  /// Whether fewer files can be opened now than it takes to open one thing.
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
