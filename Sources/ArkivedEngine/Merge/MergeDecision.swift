package import ArkivedCore
import ArkivedImport
package import Foundation

/// Two versions of one entry, neither of which was made from the other.
package struct MergeConflict: Hashable, Sendable {
  /// The resolution of a conflict.
  package enum Outcome: String, Sendable {
    /// The version here is equally new or newer, and is kept.
    case here
    /// The other version is newer and is imported.
    case there
    /// Both versions have content that is kept.
    case joined
  }

  /// The type's name, as in the lines of an export.
  package var type: String
  package var id: UUID
  package var title: String
  package var dayKey: String?
  package var outcome: Outcome
  package var updatedHere: Instant?
  package var updatedThere: Instant?

  package var json: JSON {
    [
      "type": .string(type), "id": .string(id.uuidString), "title": .string(title),
      "dayKey": JSON(dayKey), "outcome": .string(outcome.rawValue),
      "updatedHere": JSON(updatedHere), "updatedThere": JSON(updatedThere),
    ]
  }
}

/// The decision about which version of an entry is kept; the other becomes an old version.
///
/// A version that the other archive has as an old one is simply older. Of two diverging versions,
/// the one that was changed later is kept as a whole; the versions of a day or a person are merged.
struct MergeDecision {
  /// The lines to write in place of the other archive's line.
  struct Result {
    /// The line; nil if the entry here stays unchanged.
    var line: JSON?
    /// The version that is replaced, as an old version.
    var old: JSON?
    var conflict: MergeConflict?
    /// True if the files of both are needed.
    var isJoined = false
  }

  let type: String
  let id: UUID
  let here: JSON
  let there: JSON
  /// Fingerprints of the old versions that each archive has of the entry.
  let oldHere: Set<MergePrint>
  let oldThere: Set<MergePrint>
  let now: Instant
  /// The single values in old versions of a day or a person, in each archive.
  var saidHere: Set<String> = []
  var saidThere: Set<String> = []
  /// True if the person there is separate in that archive, and part of the person here.
  var isPart = false

  func result() -> Result {
    if oldHere.contains(MergeContent.print(there)) { return Result() }
    if !isPart, oldThere.contains(MergeContent.print(here)) {
      return Result(line: following(there))
    }
    switch type {
    case "day": return joined(joinedDay)
    case "person": return joined(joinedPerson)
    default: return later()
    }
  }

  /// The result for the version there if another entry there has replaced the one here: it is kept
  /// as an old version.
  var givingWay: Result {
    guard !oldHere.contains(MergeContent.print(there)) else { return Result() }
    return Result(line: Optional<JSON>.none, old: oldVersion, conflict: conflict(.here))
  }

  // MARK: The later version

  private var times: (here: Instant, there: Instant) {
    (
      MergeContent.updatedAt(here) ?? .earliest, MergeContent.updatedAt(there) ?? .earliest
    )
  }

  private func later() -> Result {
    let isThere = times.there > times.here
    return Result(
      line: isThere ? following(there) : Optional<JSON>.none,
      old: isThere ? Optional<JSON>.none : oldVersion, conflict: conflict(isThere ? .there : .here))
  }

  /// Returns a version that follows the one here, with the references of both.
  private func following(_ version: JSON) -> JSON {
    guard var object = version.object else { return version }
    let last = max(times.there, Instant(milliseconds: times.here.milliseconds + 1))
    object["updatedAt"] = JSON(last)
    // The calendar that a meeting follows is specific to this computer.
    for key in ["linkId", "resource"] where here[key] != nil { object[key] = here[key] }
    if here["externalRefs"] != nil || there["externalRefs"] != nil {
      object["externalRefs"] = .array(
        union(version["externalRefs"], here["externalRefs"]) { ref in
          "\(ref["provider"]?.string ?? "")\u{0}\(ref["externalId"]?.string ?? "")"
        })
    }
    return .object(object)
  }

  /// The other archive's version as an old version, with the same identity at every merge.
  private var oldVersion: JSON? {
    guard let table = MergeContent.table(of: type) else { return nil }
    let key = DerivedIdentity.of("merge", id.uuidString, there.text())
    return HistoryRecord(
      id: key, sourceTable: table, sourceID: id, record: there, reason: .import, archivedAt: now,
      archivedBy: .importer
    ).json
  }

  private func conflict(_ outcome: MergeConflict.Outcome) -> MergeConflict {
    MergeConflict(
      type: type, id: id, title: MergeContent.title(outcome == .there ? there : here),
      dayKey: here["dayKey"]?.string, outcome: outcome, updatedHere: MergeContent.updatedAt(here),
      updatedThere: MergeContent.updatedAt(there))
  }

  // MARK: Joining both versions

  private func joined(_ both: JSON) -> Result {
    guard MergeContent.print(both) == MergeContent.print(here) else {
      return Result(
        line: following(both), old: oldVersion, conflict: conflict(.joined), isJoined: true)
    }
    // Nothing changes here, but values there that were superseded by later ones are still kept.
    let gaveWay = ["title", "mood", "energy", "weather", "relationshipSummary"].contains {
      Self.told(there[$0]) != nil && there[$0] != both[$0]
    }
    func lines(_ version: JSON) -> Set<Substring> {
      Set((version["note"]?.string ?? "").split(whereSeparator: \.isNewline))
    }
    // A substring match in the note here is not always the same text as in the other note.
    guard gaveWay || !lines(there).isSubset(of: lines(both)) else { return Result() }
    return Result(
      line: Optional<JSON>.none, old: oldVersion, conflict: gaveWay ? conflict(.here) : nil)
  }

  /// The divider between two notes of one day: a thematic break in Markdown.
  static let divider = "\n\n* * *\n\n"

  /// The note here, a divider, and the note there, unless one contains the other; for the rest, the
  /// later value or the only one.
  private var joinedDay: JSON {
    guard var object = here.object else { return there }
    let (own, other) = (here["note"]?.string ?? "", there["note"]?.string ?? "")
    let trimmed = other.trimmingCharacters(in: .whitespacesAndNewlines)
    let rest = own.trimmingCharacters(in: .whitespacesAndNewlines)
    let note: String =
      if trimmed.isEmpty || own.contains(trimmed) {
        own
      } else if rest.isEmpty || other.contains(rest) {
        other
      } else {
        own + Self.divider + other
      }
    object["note"] = .string(note)
    for key in ["title", "mood", "energy", "weather"] {
      object[key] = saidLast(key) ?? JSON.null
    }
    object["mentions"] = .array(
      union(here["mentions"], there["mentions"]) { mention in
        mention["personId"]?.string ?? NameFolding.key(mention["name"]?.string ?? "")
      })
    object["people"] = .array((object["mentions"]?.array ?? []).map { $0["name"] ?? .null })
    object["attachments"] = .array(
      union(here["attachments"], there["attachments"]) { file in
        file["contentHash"]?.string ?? file["externalURL"]?.string ?? file["id"]?.string ?? ""
      })
    return .object(object)
  }

  /// All names and addresses of both; for single values, the later one.
  private var joinedPerson: JSON {
    guard var object = here.object else { return there }
    for key in ["name", "email", "relationshipSummary"] {
      object[key] = saidLast(key) ?? JSON.null
    }
    var taken: Set<String> = [NameFolding.key(object["email"]?.string ?? "")]
    func others(_ own: [String?], _ lists: [JSON?]) -> JSON {
      let all = lists.flatMap { ($0?.array ?? []).map(\.string) } + own
      return JSON(all.compactMap { $0 }.filter { taken.insert(NameFolding.key($0)).inserted })
    }
    object["addresses"] = others(
      [here["email"]?.string, there["email"]?.string], [here["addresses"], there["addresses"]])
    taken = ["", NameFolding.key(object["name"]?.string ?? "")]
    object["aliases"] = others(
      [here["name"]?.string, there["name"]?.string], [here["aliases"], there["aliases"]])
    return .object(object)
  }

  /// Returns a single value.
  ///
  /// If one archive has the value that the other had before, the other's value is the later one,
  /// regardless of other changes; otherwise the value of the later version is used.
  private func saidLast(_ key: String) -> JSON? {
    guard let own = Self.told(here[key]), let other = Self.told(there[key]) else {
      return Self.told(here[key]) ?? Self.told(there[key])
    }
    if isPart { return own }
    let isOldOther = saidHere.contains(MergeContent.saying(key, other))
    let isOldOwn = saidThere.contains(MergeContent.saying(key, own))
    if isOldOther != isOldOwn { return isOldOther ? own : other }
    return times.there > times.here ? other : own
  }

  /// Returns a value that is not empty.
  private static func told(_ value: JSON?) -> JSON? {
    guard let value, value != .null, value != .string("") else { return nil }
    return value
  }

  private func union(
    _ first: JSON?, _ second: JSON?, by key: (JSON) -> String
  ) -> [JSON] {
    var seen: Set<String> = []
    return ((first?.array ?? []) + (second?.array ?? [])).filter { seen.insert(key($0)).inserted }
  }
}

extension MergeDecision {
  /// Returns a person's line for the case that the archives assign an address to different people.
  ///
  /// The address stays with the person who has it here because it cannot be shared; everything else
  /// is imported.
  func withAddressesOfHere(_ result: Result, _ index: MergeIndex, _ map: MergeMap) -> Result {
    guard type == "person", let line = result.line, var object = line.object else { return result }
    func isOthersHere(_ address: String) -> Bool {
      index.holder(ofAddress: NameFolding.key(address)).map { $0 != id } ?? false
    }
    func isOthersThere(_ address: String) -> Bool {
      map.claimant(ofAddress: NameFolding.key(address)).map { $0 != id } ?? false
    }
    let coming = MergeContent.writtenAddresses(line)
    let (own, known) = (MergeContent.writtenAddresses(here), Set(coming.map(NameFolding.key)))
    let left = coming.filter { !isOthersHere($0) }
    let isLess = left.count < coming.count
    // The replacement of one that cannot be imported must not leave anybody without a main address.
    let kept = own.filter {
      !known.contains(NameFolding.key($0)) && (isLess || isOthersThere($0))
    }
    guard isLess || !kept.isEmpty else { return result }
    let all = left + kept
    let first = line["email"]?.string ?? ""
    let email: String? = left.contains(first) ? first : own.first { all.contains($0) } ?? all.first
    object["email"] = JSON(email)
    object["addresses"] = JSON(all.filter { $0 != email })
    let person = JSON.object(object)
    let isAsHere = MergeContent.print(person) == MergeContent.print(here)
    return Result(
      line: isAsHere ? Optional<JSON>.none : person, old: result.old ?? oldVersion,
      conflict: conflict(isAsHere ? .here : .joined))
  }
}
