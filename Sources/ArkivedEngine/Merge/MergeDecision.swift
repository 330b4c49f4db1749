package import ArkivedCore
import ArkivedImport
package import Foundation

/// Two versions of one entry, of which neither came from the other.
package struct MergeConflict: Hashable, Sendable {
  /// What becomes of it.
  package enum Outcome: String, Sendable {
    /// The version here is as new or newer and stays.
    case here
    /// The other one is newer and comes in.
    case there
    /// Both say something that is kept.
    case joined
  }

  /// As in the lines of an export.
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

/// Decides which version of an entry stays, and keeps the other as an old version.
///
/// A version that the other archive knows as an old one is simply older. Of two that went apart the
/// one that was changed later stays as a whole; of a day and of a person both are joined.
struct MergeDecision {
  /// What is written in the place of the other archive's line.
  struct Result {
    /// nil where the entry here stays as it is.
    var line: JSON?
    /// A version that does not stay, as an old one.
    var old: JSON?
    var conflict: MergeConflict?
    /// Whether files of both are needed.
    var isJoined = false
  }

  let type: String
  let id: UUID
  let here: JSON
  let there: JSON
  /// Prints of the old versions that each archive has of the entry.
  let oldHere: Set<MergePrint>
  let oldThere: Set<MergePrint>
  let now: Instant
  /// What old versions of a day or a person said once, in each archive.
  var saidHere: Set<String> = []
  var saidThere: Set<String> = []
  /// Whether the one there is somebody of their own there, and part of the one here.
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

  /// What there is done where another entry there has taken the place of the one here: it is kept as
  /// an old version.
  var givingWay: Result {
    guard !oldHere.contains(MergeContent.print(there)) else { return Result() }
    return Result(line: Optional<JSON>.none, old: oldVersion, conflict: conflict(.here))
  }

  // MARK: The later one

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

  /// A version that comes after the one here, with the references of both.
  private func following(_ version: JSON) -> JSON {
    guard var object = version.object else { return version }
    let last = max(times.there, Instant(milliseconds: times.here.milliseconds + 1))
    object["updatedAt"] = JSON(last)
    // Which linked calendar a meeting follows is this computer's own.
    for key in ["linkId", "resource"] where here[key] != nil { object[key] = here[key] }
    if here["externalRefs"] != nil || there["externalRefs"] != nil {
      object["externalRefs"] = .array(
        union(version["externalRefs"], here["externalRefs"]) { ref in
          "\(ref["provider"]?.string ?? "")\u{0}\(ref["externalId"]?.string ?? "")"
        })
    }
    return .object(object)
  }

  /// The other archive's version as an old one; its identity is the same at every merge.
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

  // MARK: Both

  private func joined(_ both: JSON) -> Result {
    guard MergeContent.print(both) == MergeContent.print(here) else {
      return Result(
        line: following(both), old: oldVersion, conflict: conflict(.joined), isJoined: true)
    }
    // Nothing changes here. What there gave way to what was said later is kept all the same.
    let gaveWay = ["title", "mood", "energy", "weather", "relationshipSummary"].contains {
      Self.told(there[$0]) != nil && there[$0] != both[$0]
    }
    func lines(_ version: JSON) -> Set<Substring> {
      Set((version["note"]?.string ?? "").split(whereSeparator: \.isNewline))
    }
    // Letters that stand in the note here are not always the words that stood in the other.
    guard gaveWay || !lines(there).isSubset(of: lines(both)) else { return Result() }
    return Result(
      line: Optional<JSON>.none, old: oldVersion, conflict: gaveWay ? conflict(.here) : nil)
  }

  /// What stands between two notes of one day: a thematic break of Markdown.
  static let divider = "\n\n* * *\n\n"

  /// The note here, a divider, the note there, unless one holds the other; of the rest what was
  /// said later, or at all.
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

  /// All names and addresses of both; what is one alone is what was said later.
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

  /// What is one alone. Where one archive says what the other said before, that one was changed since,
  /// whenever all else was; else it is what was said later.
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

  /// A value that says something.
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
  /// A person's line where both archives know an address as that of different people: it stays with
  /// whom it has here, since nobody can share one, and all else comes in.
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
    // What took the place of one that cannot come in leaves nobody without any.
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
