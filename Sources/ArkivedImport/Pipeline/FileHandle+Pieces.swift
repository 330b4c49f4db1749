package import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension FileHandle {
  /// Returns the next bytes of a file, fewer than requested only at its end, and none beyond it.
  ///
  /// It requests all pieces from the system at once, whereas `read(upToCount:)` requests one file
  /// system block at a time, a quarter of a million times for a gigabyte.
  ///
  /// - Throws: `CocoaError` if the file can't be read.
  package func readPiece(upTo count: Int) throws -> [UInt8] {
    let descriptor = fileDescriptor
    return try [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        let rest = UnsafeMutableRawBufferPointer(
          rebasing: UnsafeMutableRawBufferPointer(buffer)[filled...])
        let got = FileHandle.readSome(descriptor, rest)
        if got == 0 { return }
        if got > 0 {
          filled += got
        } else if errno != EINTR {
          throw CocoaError(.fileReadUnknown, userInfo: [:])
        }
      }
    }
  }

  private static func readSome(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int
  {
    #if canImport(Glibc)
      Glibc.read(descriptor, buffer.baseAddress, buffer.count)
    #else
      Darwin.read(descriptor, buffer.baseAddress, buffer.count)
    #endif
  }
}
