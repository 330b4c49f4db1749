import ArkivedCore
import ArkivedCrypto
import ArkivedStore

extension ReplicaSegment {
  static func seen(_ json: JSON?) -> [String: Int] {
    Dictionary(
      (json?.object?.members ?? []).compactMap { one in one.value.int.map { (one.key, $0) } }
    ) { $1 }
  }

  /// Fails if its parts don't match.
  init?(_ file: SealedFile) {
    guard let sequence = file.head["sequence"]?.int, let previous = file.head["previous"]?.string,
      let hashes = file.head["hashes"]?.array?.compactMap(\.string)
    else { return nil }
    let lines = file.body.split(separator: 0x0A, omittingEmptySubsequences: false)
    guard lines.count == hashes.count else { return nil }
    var changes: [ReplicaChange] = []
    for (line, hash) in zip(lines, hashes) where Array(line) != [0x2D] {
      guard SHA256.hash(data: line).hexadecimal == hash,
        let change = try? ReplicaChange(line: line)
      else { return nil }
      changes.append(change)
    }
    self.init(
      device: file.device, sequence: sequence,
      link: Archive.link(after: previous, sequence, hashes),
      seen: Self.seen(file.head["seen"]), changes: changes, size: file.body.count)
  }
}
