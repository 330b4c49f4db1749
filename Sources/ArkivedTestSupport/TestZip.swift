import CLibraries
package import Foundation

/// A writer of zip archives as exporters create them, and as no exporter should.
package struct TestZip {
  package struct Failure: Error {}

  private enum Member {
    case file(name: [UInt8], content: Data)
    case link(name: String, target: String)
  }

  private var members: [Member] = []
  /// The password that encrypts files.
  package var password: String?
  /// True to write the 64-bit fields of large archives.
  package var isZip64 = false
  /// True to mark names outside ASCII as UTF-8.
  package var marksUnicode = true

  package init() {}

  package init(_ files: [(name: String, content: Data)]) {
    for file in files { add(file.name, file.content) }
  }

  /// Adds a file with a verbatim name, which may be absolute, lead upward or be a duplicate.
  package mutating func add(_ name: String, _ content: Data) {
    members.append(.file(name: Array(name.utf8), content: content))
  }

  package mutating func add(rawName: [UInt8], _ content: Data) {
    members.append(.file(name: rawName, content: content))
  }

  package mutating func addLink(_ name: String, to target: String) {
    members.append(.link(name: name, target: target))
  }

  package func data() throws -> Data {
    guard let archive = archive_write_new(), let entry = archive_entry_new() else {
      throw Failure()
    }
    defer {
      archive_entry_free(entry)
      archive_write_free(archive)
    }
    archive_write_set_format_zip(archive)
    archive_write_set_bytes_in_last_block(archive, 1)
    if isZip64 { try check(archive_write_set_options(archive, "zip:zip64")) }
    if let password {
      try check(archive_write_set_options(archive, "zip:encryption=traditional"))
      try check(archive_write_set_passphrase(archive, password))
    }
    var size = 4096
    for case .file(let name, let content) in members { size += content.count + name.count + 4096 }
    var buffer = [UInt8](repeating: 0, count: size)
    var used = 0
    try buffer.withUnsafeMutableBytes { bytes in
      try check(archive_write_open_memory(archive, bytes.baseAddress, bytes.count, &used))
      for (number, member) in members.enumerated() { try write(member, number, archive, entry) }
      try check(archive_write_close(archive))
    }
    return renamed(Data(buffer.prefix(used)))
  }

  private func write(
    _ member: Member, _ number: Int, _ archive: OpaquePointer, _ entry: OpaquePointer
  ) throws {
    archive_entry_clear(entry)
    switch member {
    case .file(let name, let content):
      // libarchive would convert the name, so it is inserted afterwards over one with the same
      // length.
      archive_entry_set_pathname(entry, provisionalName(number, count: name.count))
      archive_entry_set_filetype(entry, 0o100000)
      archive_entry_set_perm(entry, 0o644)
      archive_entry_set_size(entry, Int64(content.count))
      try check(archive_write_header(archive, entry))
      let written = content.withUnsafeBytes {
        archive_write_data(archive, $0.baseAddress, $0.count)
      }
      guard written == content.count else { throw Failure() }
    case .link(let name, let target):
      archive_entry_set_pathname(entry, name)
      archive_entry_set_filetype(entry, 0o120000)
      archive_entry_set_symlink(entry, target)
      try check(archive_write_header(archive, entry))
    }
  }

  private func check(_ status: Int32) throws {
    guard status == ARCHIVE_OK || status == ARCHIVE_WARN else { throw Failure() }
  }

  private func provisionalName(_ number: Int, count: Int) -> String {
    let digits = String(number)
    let stem = digits + String(repeating: "~", count: max(0, count - digits.count))
    return String(stem.prefix(count))
  }

  /// Returns the archive with its members' real names.
  private func renamed(_ data: Data) -> Data {
    var bytes = [UInt8](data)
    for (number, member) in members.enumerated() {
      guard case .file(let name, _) = member else { continue }
      let old = Array(provisionalName(number, count: name.count).utf8)
      for (signature, flags, field) in [([0x50, 0x4B, 3, 4], 6, 30), ([0x50, 0x4B, 1, 2], 8, 46)]
        as [([UInt8], Int, Int)]
      {
        var start = 0
        while start + field + old.count <= bytes.count {
          guard bytes[start] == 0x50, bytes[start...].starts(with: signature),
            bytes[(start + field)...].starts(with: old)
          else {
            start += 1
            continue
          }
          bytes.replaceSubrange((start + field)..<(start + field + old.count), with: name)
          // Bit 11 marks the name as UTF-8.
          if marksUnicode, name.contains(where: { $0 > 0x7F }) { bytes[start + flags + 1] |= 0x08 }
          break
        }
      }
    }
    return Data(bytes)
  }
}
