import ArkivedCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Returns the operating system's message for an error number.
func systemMessage(_ code: Int32) -> String { String(cString: strerror(code)) }

/// The identity of the file at a path, which changes when the file is replaced.
struct FileIdentity: Hashable, Sendable {
  let device: Int64
  let inode: UInt64
  let size: Int

  fileprivate init(_ status: stat) {
    device = Int64(status.st_dev)
    inode = UInt64(status.st_ino)
    size = Int(status.st_size)
  }

  /// Reads the identity.
  ///
  /// - Returns: nil if the file doesn't exist.
  init?(path: String) throws {
    var status = stat()
    guard stat(path, &status) == 0 else {
      guard errno == ENOENT || errno == ENOTDIR else {
        throw VectorIndexError.system(path: path, code: errno)
      }
      return nil
    }
    self.init(status)
  }

  func isSameFile(as other: FileIdentity) -> Bool {
    device == other.device && inode == other.inode
  }
}

/// A vector index's file mapped into memory, with its length at the time of opening.
///
/// The file only grows or is replaced under its name, and is never truncated, so its pages stay
/// readable for the lifetime of this object.
final class VectorMapping: Sendable {
  let path: String
  let header: VectorHeader
  let layout: VectorLayout
  let identity: FileIdentity
  private let descriptor: Int32
  private let memory: FixedMemory

  var length: Int { identity.size }

  /// Opens a file and reads its header.
  init(path: String) throws {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      guard errno == ENOENT || errno == ENOTDIR else {
        throw VectorIndexError.system(path: path, code: errno)
      }
      throw VectorIndexError.unusable(path: path, reason: .missing)
    }
    do {
      var status = stat()
      guard fstat(descriptor, &status) == 0 else {
        throw VectorIndexError.system(path: path, code: errno)
      }
      let identity = FileIdentity(status)
      guard status.st_mode & S_IFMT == S_IFREG, identity.size >= VectorLayout.headerSize else {
        throw VectorIndexError.unusable(
          path: path, reason: .foreign("It’s too short for a vector index."))
      }
      let header: VectorHeader
      do throws(VectorHeader.HeaderFailure) {
        header = try VectorHeader(
          Self.read(VectorLayout.pageSize, at: 0, of: descriptor) ?? [])
      } catch {
        throw VectorIndexError.unusable(path: path, reason: error.reason)
      }
      guard let layout = VectorLayout(dimensions: header.dimensions) else {
        throw VectorIndexError.unusable(path: path, reason: .damaged("the number of dimensions"))
      }
      guard let memory = FixedMemory(mapping: descriptor, count: identity.size) else {
        throw VectorIndexError.system(path: path, code: errno)
      }
      self.path = path
      self.header = header
      self.layout = layout
      self.identity = identity
      self.descriptor = descriptor
      self.memory = memory
    } catch {
      close(descriptor)
      throw error
    }
  }

  deinit { close(descriptor) }

  /// Returns true if the file is long enough for the contents of a commit.
  func holds(_ commit: VectorCommit) -> Bool {
    layout.fileSize(blocks: commit.blocks(in: layout)) <= length
  }

  /// Returns a pointer into the file, which must be in a block of a commit checked by `holds`.
  func pointer<Value: BitwiseCopyable>(
    to offset: Int, as type: Value.Type = Value.self
  ) -> UnsafePointer<Value> {
    (memory.base + offset).assumingMemoryBound(to: type)
  }

  /// Returns the newest intact commit record.
  func latestCommit() throws -> VectorCommit {
    var latest: VectorCommit?
    for page in 1...2 {
      let bytes = try read(VectorCommit.size, at: page * VectorLayout.pageSize)
      guard let commit = VectorCommit(bytes, layout: layout) else { continue }
      if commit.sequence >= latest?.sequence ?? 0 { latest = commit }
    }
    guard let latest else { throw damaged("the commit records") }
    return latest
  }

  /// Returns the blocks of the tables at a commit.
  func directory(of commit: VectorCommit) throws -> VectorDirectory {
    let bytes = try read(commit.blocks(in: layout), at: VectorLayout.directoryStart)
    guard bytes.withUnsafeBytes({ ArkivedSearch.checksum($0) }) == commit.directorySum,
      let directory = VectorDirectory(bytes),
      VectorTable.allCases.allSatisfy({
        directory[$0].count == layout.blocks(of: $0, for: commit[$0].rows)
      })
    else { throw damaged("the directory") }
    return directory
  }

  /// Returns the checksums of a full block, stored in the record at an offset.
  func seal(of block: Int, at offset: Int, count: Int) throws -> [UInt32] {
    guard let seal = BlockSeal(try read(BlockSeal.size, at: offset), block: block, count: count)
    else { throw damaged("the seal of block \(block)") }
    return seal.sums
  }

  /// Reads bytes without the mapping, because data that is read once should not stay in this
  /// process's memory.
  func read(_ count: Int, at offset: Int) throws -> [UInt8] {
    guard let bytes = Self.read(count, at: offset, of: descriptor) else {
      throw damaged("\(count) bytes at \(offset)")
    }
    return bytes
  }

  /// Reads bytes to fill a buffer.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws {
    guard Self.read(into: buffer, at: offset, of: descriptor) else {
      throw damaged("\(buffer.count) bytes at \(offset)")
    }
  }

  /// Returns the checksum of the first values of a column in a block of the file.
  func checksum(of column: VectorLayout.Column, block: Int, count: Int) throws -> UInt32 {
    var offset = layout.start(of: column, block: block)
    var rest = count * layout.size(of: column)
    var sum: UInt32 = 0
    while rest > 0 {
      let piece = try read(min(rest, 1 << 18), at: offset)
      sum = piece.withUnsafeBytes { ArkivedSearch.checksum($0, after: sum) }
      offset += piece.count
      rest -= piece.count
    }
    return sum
  }

  func damaged(_ place: String) -> VectorIndexError {
    .unusable(path: path, reason: .damaged(place))
  }

  private static func read(_ count: Int, at offset: Int, of descriptor: Int32) -> [UInt8]? {
    var isWhole = false
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, used in
      isWhole = read(into: UnsafeMutableRawBufferPointer(buffer), at: offset, of: descriptor)
      used = isWhole ? count : 0
    }
    return isWhole ? bytes : nil
  }

  /// Reads bytes from a file.
  ///
  /// - Returns: false if the file is too short or cannot be read.
  private static func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int, of descriptor: Int32
  ) -> Bool {
    var done = 0
    while done < buffer.count, let start = buffer.baseAddress {
      let count = pread(descriptor, start + done, buffer.count - done, off_t(offset + done))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      done += count
    }
    return true
  }
}
