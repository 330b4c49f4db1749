/// The keys at the beginning of a JSON document: those of its object, or of the first object in its
/// list.
struct JSONHead {
  private(set) var keys: Set<String> = []
  /// True if the document is a list of objects.
  private(set) var isList = false
  /// True if the object doesn't end within these bytes, and may have more keys.
  private(set) var isCut = false

  /// - Parameter head: the document, or as much of its beginning as is available.
  init(_ head: [UInt8]) {
    let plain = HeadText.plain(head)
    var start = Self.skipSpace(plain, from: 0)
    if start < plain.count, plain[start] == UInt8(ascii: "[") {
      isList = true
      start = Self.skipSpace(plain, from: start + 1)
    }
    guard start < plain.count, plain[start] == UInt8(ascii: "{") else { return }
    var found: Set<String> = []
    let isWhole = plain[start...].withUnsafeBufferPointer { bytes in
      var members = JSONMembers(bytes)
      while found.count < 1_000, let member = members.next() {
        found.insert(bytes.text(at: member.key))
      }
      return members.isSound
    }
    keys = found
    isCut = !isWhole
  }

  /// Returns true if the document has all of the keys.
  func has(_ wanted: Set<String>) -> Bool { wanted.isSubset(of: keys) }

  private static func skipSpace(_ bytes: [UInt8], from start: Int) -> Int {
    bytes[start...].firstIndex { $0 != 0x20 && !(0x09...0x0D).contains($0) } ?? bytes.count
  }
}
