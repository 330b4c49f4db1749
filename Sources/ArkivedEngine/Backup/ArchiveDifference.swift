package import ArkivedCore
import ArkivedStore
import ArkivedCrypto

/// The differences between two archives in entries of one type.
package struct ArchiveDifference: Hashable, Sendable {
  /// The type's name, as in the lines of an export.
  package var type: String
  package var here = 0
  package var there = 0
  package var onlyHere = 0
  package var onlyThere = 0
  /// The number of entries that are in both with different content.
  package var differing = 0

  package var json: JSON {
    [
      "type": .string(type), "here": JSON(here), "there": JSON(there), "onlyHere": JSON(onlyHere),
      "onlyThere": JSON(onlyThere), "differing": JSON(differing),
    ]
  }

  /// Compares by ID and content, using 24 bytes per entry.
  static func between(_ here: Archive, _ there: Archive) throws -> [ArchiveDifference] {
    let (left, right) = (try prints(of: here), try prints(of: there))
    let types = left.order + right.order.filter { left.prints[$0] == nil }
    return types.map { type in
      compare(type, left.prints[type] ?? [], right.prints[type] ?? [])
    }
  }

  /// A fingerprint that identifies an entry and its content.
  private struct Print: Comparable {
    var high: UInt64
    var low: UInt64
    var content: UInt64

    init(identity: String, line: String) {
      (high, low) = Self.numbers(identity)
      content = Self.numbers(line).0
    }

    private static func numbers(_ text: String) -> (UInt64, UInt64) {
      var hash = SHA256()
      var text = text
      text.withUTF8 { hash.update(bufferPointer: UnsafeRawBufferPointer($0)) }
      return hash.finalize().withUnsafeBytes {
        ($0.loadUnaligned(as: UInt64.self), $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
      }
    }

    func isSame(_ other: Print) -> Bool { (high, low) == (other.high, other.low) }

    static func < (left: Print, right: Print) -> Bool {
      (left.high, left.low, left.content) < (right.high, right.low, right.content)
    }
  }

  private static func prints(
    of archive: Archive
  ) throws -> (order: [String], prints: [String: [Print]]) {
    var order: [String] = []
    var prints: [String: [Print]] = [:]
    try archive.forEachEntity { type, json in
      if prints[type] == nil { order.append(type) }
      let line = said(json).text()
      let key = json["sourceKey"]?.string.map { (json["sourceTable"]?.string ?? "") + " " + $0 }
      prints[type, default: []].append(
        Print(identity: json["id"]?.string ?? key ?? line, line: line))
    }
    return (order, prints.mapValues { $0.sorted() })
  }

  /// Returns an entity without the fields that older backups lack.
  private static func said(_ json: JSON) -> JSON {
    guard var object = json.object, object["editedHere"] != nil else { return json }
    object["editedHere"] = nil
    return .object(object)
  }

  private static func compare(
    _ type: String, _ here: [Print], _ there: [Print]
  ) -> ArchiveDifference {
    var result = ArchiveDifference(type: type, here: here.count, there: there.count)
    var (left, right) = (0, 0)
    while left < here.count, right < there.count {
      if here[left].isSame(there[right]) {
        if here[left].content != there[right].content { result.differing += 1 }
        left += 1
        right += 1
      } else if here[left] < there[right] {
        result.onlyHere += 1
        left += 1
      } else {
        result.onlyThere += 1
        right += 1
      }
    }
    result.onlyHere += here.count - left
    result.onlyThere += there.count - right
    return result
  }
}
