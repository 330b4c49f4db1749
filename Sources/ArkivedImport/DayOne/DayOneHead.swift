/// The beginning of a JSON file, checked for the form of a Day One journal.
///
/// A journal is an object whose first members are `metadata` with a version and `entries`, with
/// entries that have Day One's fields.
struct DayOneHead {
  let isJournal: Bool

  init(_ head: [UInt8]) {
    let content = head.starts(with: [0xEF, 0xBB, 0xBF]) ? head.dropFirst(3) : head[...]
    var scanner = KeyScanner(bytes: Array(content))
    let keys = scanner.keys()
    guard keys.outer.first == "metadata" || keys.outer.first == "entries" else {
      isJournal = false
      return
    }
    let hasMetadata = keys.outer.contains("metadata") && keys.metadata.contains("version")
    let hasEntries = keys.outer.contains("entries")
    let known: Set<String> = [
      "creationDate", "modifiedDate", "creationDevice", "creationDeviceType", "creationOSName",
      "creationOSVersion", "creationDeviceModel", "richText", "starred", "isPinned", "isAllDay",
      "timeZone", "editingTime", "uuid", "photos", "audios", "videos", "pdfAttachments",
      "userActivity", "sourceString",
    ]
    let hasFields = keys.entry.contains { known.contains($0) }
    // The first entry may begin with a text longer than the head.
    isJournal = hasEntries && (hasFields || (hasMetadata && !keys.hasStrangeEntry))
  }
}

/// Finds the keys of a JSON document by depth, as far as its beginning extends.
private struct KeyScanner {
  struct Keys {
    /// The keys of the document.
    var outer: [String] = []
    var metadata: Set<String> = []
    /// The keys of the first entry.
    var entry: Set<String> = []
    /// True if the first entry ended without any expected key or isn't an object.
    var hasStrangeEntry = false
  }

  let bytes: [UInt8]

  mutating func keys() -> Keys {
    var keys = Keys()
    var depth = 0
    var position = 0
    var isFirst = true
    while position < bytes.count {
      let byte = bytes[position]
      if isFirst, byte != UInt8(ascii: "{"), !Self.isSpace(byte) { return Keys() }
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        isFirst = false
        depth += 1
        if depth == 3, keys.outer.last == "entries", byte == UInt8(ascii: "[") {
          keys.hasStrangeEntry = true
        }
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        if depth == 2, keys.outer.last == "entries" {
          keys.hasStrangeEntry = true
          return keys
        }
        if depth <= 0 { return keys }
      case UInt8(ascii: "\""):
        guard let end = stringEnd(position) else { return keys }
        var next = end
        while next < bytes.count, Self.isSpace(bytes[next]) { next += 1 }
        if next < bytes.count, bytes[next] == UInt8(ascii: ":") {
          let key = String(decoding: bytes[(position + 1)..<(end - 1)], as: UTF8.self)
          switch (depth, keys.outer.last) {
          case (1, _): keys.outer.append(key)
          case (2, "metadata"): keys.metadata.insert(key)
          case (3, "entries"): keys.entry.insert(key)
          default: break
          }
        }
        position = end
        continue
      default: break
      }
      position += 1
    }
    return keys
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
  }

  /// Returns the position after a string's closing quote.
  private func stringEnd(_ start: Int) -> Int? {
    var position = start + 1
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\\"): position += 2
      case UInt8(ascii: "\""): return position + 1
      default: position += 1
      }
    }
    return nil
  }
}
