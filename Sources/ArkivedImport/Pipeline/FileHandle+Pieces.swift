package import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension FileHandle {
  /// The next bytes of a file, fewer than asked for only at its end; none behind it.
  ///
  /// It asks the system once for all of them. `read(upToCount:)` asks for a block of the file system at a
  /// time, for a gigabyte a quarter of a million times.
  /// - Throws: `CocoaError` when it cannot be read.
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
