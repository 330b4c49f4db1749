#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The file that a name refers to at a moment.
struct FileIdentity: Equatable, Sendable {
  let device: UInt64
  /// The inode, which a copy of the file does not share.
  let number: UInt64
  /// The size in bytes; not part of the identity.
  let size: Int64
  let mode: UInt32
  let owner: UInt32

  /// Reads the identity; nil if the file doesn't exist.
  init?(of path: String) {
    var about = stat()
    guard stat(path, &about) == 0 else { return nil }
    device = UInt64(truncatingIfNeeded: about.st_dev)
    number = UInt64(truncatingIfNeeded: about.st_ino)
    size = Int64(about.st_size)
    mode = UInt32(truncatingIfNeeded: about.st_mode)
    owner = UInt32(truncatingIfNeeded: about.st_uid)
  }

  var isRegular: Bool { mode & 0o170000 == 0o100000 }
  var isFolder: Bool { mode & 0o170000 == 0o040000 }
  /// The permission bits.
  var permissions: UInt32 { mode & 0o777 }

  /// Returns true if this account may read a file or folder and, if requested, write or enter it.
  static func mayUse(_ path: String, writing: Bool, entering: Bool = false) -> Bool {
    access(path, R_OK | (writing ? W_OK : 0) | (entering ? X_OK : 0)) == 0
  }

  static func == (left: FileIdentity, right: FileIdentity) -> Bool {
    (left.device, left.number) == (right.device, right.number)
  }
}
