import ArkivedImport

/// The rows of a run that are identified by little more than their start, and the entries that they
/// were found to be.
///
/// A row that isn't known as it is waits until all files were read, because the entry with its name
/// may be another row's.
final class StartRows {
  /// A row that waits.
  struct Held {
    let record: ImportedRecord
    let name: StartName
    let file: Int
  }

  /// An entry that a file of this run brought.
  struct Made {
    let name: String
    let number: Int
    let content: String
    let look: RowTraits.Look
    let file: Int
    /// The entry for later runs of the same forecast.
    let foreseen: Foreseen?
  }

  /// An entry as an earlier run of the same forecast would leave it.
  struct Foreseen {
    let name: String
    let number: Int
    let content: String
    let versions: [RowTraits]
  }

  /// The relation of an entry to the files of this run.
  enum Claim { case none, otherFile, thisFile }

  /// Receives each waiting row with its decision, to measure the effect.
  typealias Measure = (ImportedRecord, () throws -> Void) throws -> Void

  /// The files with a row of an entry; most have only one.
  private struct Claims {
    var first: Int
    var more: [Int] = []

    func contains(_ file: Int) -> Bool { first == file || more.contains(file) }

    func without(_ file: Int) -> Claims? {
      let rest = ([first] + more).filter { $0 != file }
      return rest.first.map { Claims(first: $0, more: Array(rest.dropFirst())) }
    }
  }

  /// The number of waiting rows at which the older half is decided.
  private static let heldLimit = 4_096
  /// The number of names whose groups stay in memory.
  private static let groupLimit = 20_000

  /// False if the run has one file, whose rows needn't be compared with those of others.
  var tracksMade = true
  /// True if later runs of the same forecast compare their rows with this run's.
  var keepsTraits = false
  /// The entries that earlier runs of the same forecast would leave, by the key of their names.
  var foreseen: [String: [Foreseen]] = [:]

  /// The number of the file that is being read.
  private(set) var file = 0
  /// The file of the row that is being decided; nil if it is the one that is being read.
  var decidedFile: Int?
  private var claims: [String: Claims] = [:]
  private var made: [String: [Made]] = [:]
  private var held: [String: [Held]] = [:]
  private var heldKeys: [String] = []
  private var heldCount = 0
  /// The number of rows that have waited so far.
  private(set) var totalHeld = 0
  private var exactCounts: [Int: Int] = [:]
  private var openCounts: [Int: Int] = [:]
  private var groups: [String: StartGroup] = [:]
  private var groupSize = 0
  /// For each source, true if the archive has any of its names.
  var sources: [String: Bool] = [:]

  // MARK: Files

  func beginFile() { file += 1 }

  /// Forgets everything about a file that was refused.
  func dropFile() {
    for key in heldKeys {
      let rest = held[key]?.filter { $0.file != file } ?? []
      heldCount -= (held[key]?.count ?? 0) - rest.count
      held[key] = rest.isEmpty ? nil : rest
    }
    heldKeys.removeAll { held[$0] == nil }
    claims = claims.compactMapValues { $0.without(file) }
    made = made.mapValues { $0.filter { $0.file != file } }.filter { !$0.value.isEmpty }
    (exactCounts[file], openCounts[file]) = (nil, nil)
    forgetGroups()
  }

  /// Returns true if most rows of a file that meet a known entry are known as they are, so the file
  /// is a newer export of a known source.
  func isNewerExport(_ file: Int) -> Bool {
    let exact = exactCounts[file] ?? 0
    return exact > 0 && exact >= openCounts[file] ?? 0
  }

  // MARK: Entries that rows have taken

  /// Returns the relation of an entry to a file.
  func claim(on name: String, of provider: String, by file: Int) -> Claim {
    guard let claim = claims["\(provider)\u{0}\(name)"] else { return .none }
    return claim.contains(file) ? .thisFile : .otherFile
  }

  /// Gives an entry to a row of a file.
  ///
  /// - Parameters:
  ///   - name: the entry's name.
  ///   - provider: the provider.
  ///   - file: the file.
  ///   - isExact: true if the row is known as it is.
  /// - Returns: the relation before.
  @discardableResult
  func take(_ name: String, of provider: String, by file: Int, isExact: Bool) -> Claim {
    let before = claim(on: name, of: provider, by: file)
    let key = "\(provider)\u{0}\(name)"
    switch before {
    case .none: claims[key] = Claims(first: file)
    case .otherFile: claims[key]?.more.append(file)
    case .thisFile: return before
    }
    if isExact { exactCounts[file, default: 0] += 1 }
    return before
  }

  // MARK: Entries of this run

  /// Remembers an entry that a row of this run becomes.
  func note(_ start: StartName, _ content: String, _ traits: @autoclosure () -> RowTraits) {
    groups[start.key]?.use(start)
    guard tracksMade else { return }
    let traits = traits()
    let entry = Foreseen(
      name: start.name(start.number), number: start.number, content: content, versions: [traits])
    made[start.key, default: []].append(
      Made(
        name: entry.name, number: entry.number, content: content, look: traits.look,
        file: decidedFile ?? file, foreseen: keepsTraits ? entry : nil))
  }

  /// Returns the entries with a start that files of this run brought.
  func made(_ key: String) -> [Made] { made[key] ?? [] }

  /// Returns true if another file of this run brought an entry with a start.
  func hasOthers(_ key: String, than file: Int) -> Bool {
    made[key]?.contains { $0.file != file } ?? false
  }

  /// Remembers what an entry becomes, for later runs of the same forecast.
  func noteEdit(_ key: String, _ entry: Foreseen) {
    guard keepsTraits else { return }
    foreseenEdits.append((key, entry))
  }

  private var foreseenEdits: [(key: String, entry: Foreseen)] = []

  /// Returns the entries that this run and those before it would leave.
  func left() -> [String: [Foreseen]] {
    var left = foreseen
    for (key, list) in made { left[key, default: []] += list.compactMap(\.foreseen) }
    for (key, entry) in foreseenEdits {
      left[key, default: []].removeAll { $0.name == entry.name }
      left[key, default: []].append(entry)
    }
    return left
  }

  // MARK: Known entries

  /// Returns the known entries with a start, and finds them if they aren't in memory.
  func group(_ key: String, _ find: () throws -> StartGroup) rethrows -> StartGroup {
    if let group = groups[key] { return group }
    let group = try find()
    if groupSize > Self.groupLimit { forgetGroups() }
    groups[key] = group
    groupSize += group.size
    return group
  }

  private func forgetGroups() {
    groups.removeAll()
    groupSize = 0
  }

  // MARK: Rows that wait

  var isEmpty: Bool { heldKeys.isEmpty }

  /// True if some rows must be decided before more can wait.
  var isFull: Bool { heldCount >= Self.heldLimit }
  var isHalfFull: Bool { heldCount > Self.heldLimit / 2 }

  func hold(_ record: ImportedRecord, _ name: StartName) {
    if held[name.key] == nil { heldKeys.append(name.key) }
    held[name.key, default: []].append(Held(record: record, name: name, file: file))
    heldCount += 1
    totalHeld += 1
    openCounts[file, default: 0] += 1
  }

  /// Removes and returns the rows with the start that has waited longest, in order.
  func nextGroup() -> [Held]? {
    guard let key = heldKeys.first else { return nil }
    heldKeys.removeFirst()
    let rows = held.removeValue(forKey: key) ?? []
    heldCount -= rows.count
    return rows
  }
}
