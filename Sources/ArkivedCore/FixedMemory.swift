#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Read-only memory: a file mapped for reading, a copy, or constants of the program.
///
/// Unchecked because the compiler can't see that a pointer is safe to read from any thread: `base`
/// and `count` never change, no code writes to the bytes, and `deinit` releases them only after the
/// last reader has released this object.
package final class FixedMemory: @unchecked Sendable {
  private enum Owner { case copy, mapping, program }

  /// The first byte.
  package let base: UnsafeRawPointer
  /// The number of bytes.
  package let count: Int
  private let owner: Owner

  /// Copies bytes, to an address that is a multiple of 64.
  package init(copying bytes: [UInt8]) {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: max(bytes.count, 1), alignment: 64)
    bytes.withUnsafeBytes { source in
      if let start = source.baseAddress, !source.isEmpty {
        memory.copyMemory(from: start, byteCount: source.count)
      }
    }
    (base, count, owner) = (UnsafeRawPointer(memory), bytes.count, .copy)
  }

  /// Maps the beginning of an open file, which must never be truncated, only replaced by another
  /// one.
  ///
  /// - Returns: nil if the system refuses, with its reason in `errno`.
  package init?(mapping descriptor: Int32, count: Int) {
    guard let memory = mmap(nil, count, PROT_READ, MAP_SHARED, descriptor, 0),
      memory != MAP_FAILED
    else { return nil }
    (base, self.count, owner) = (UnsafeRawPointer(memory), count, .mapping)
  }

  /// Refers to constants that are part of the program.
  ///
  /// - Returns: nil if there are none.
  package init?(ofProgram bytes: UnsafeBufferPointer<UInt8>) {
    guard let start = bytes.baseAddress else { return nil }
    (base, count, owner) = (UnsafeRawPointer(start), bytes.count, .program)
  }

  deinit {
    switch owner {
    case .copy: base.deallocate()
    case .mapping: munmap(UnsafeMutableRawPointer(mutating: base), count)
    case .program: break
    }
  }

  /// All bytes, valid as long as this object is.
  package var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: count) }

  /// Releases the memory used by reading a mapped file; pages are loaded again when needed.
  package func letGo() {
    guard owner == .mapping else { return }
    madvise(UnsafeMutableRawPointer(mutating: base), count, MADV_DONTNEED)
  }
}
