#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Flushes an open file, or a folder's names, to the disk itself.
///
/// On Darwin, `fsync` passes the content to the drive, which may keep it in its own cache; only
/// `F_FULLFSYNC` (fcntl(2)) makes the drive write it. File systems without that call fall back to
/// `fsync`.
///
/// - Returns: 0, or -1 with the reason in `errno`, as `fsync` does.
package func flushToDisk(_ descriptor: Int32) -> Int32 {
  #if canImport(Darwin)
    if fcntl(descriptor, F_FULLFSYNC) == 0 { return 0 }
    if errno == EINTR { return -1 }
  #endif
  return fsync(descriptor)
}
