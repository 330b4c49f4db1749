import ArkivedCore

/// The name of an imported entry that consists of little more than its start, and of its number
/// among entries with the same one.
///
/// Many exports contain no better name. Another file may have a different entry with the same start,
/// and rows may be added before others, so such a name identifies an entry only together with its
/// content.
struct StartName: Hashable {
  enum Kind {
    /// A row of a table.
    case row
    /// A line of a day's page.
    case line
    /// A track, a stay or a mark of a map.
    case place
  }

  let provider: String
  let kind: Kind
  let number: Int
  /// The name of the first entry with the start, without the marker of its vault.
  private let base: String
  /// The marker of the vault, with its sign; empty if there is none.
  private let mark: String

  /// Parses the only reference of an entry; returns nil if it is another kind of name.
  init?(_ activity: Activity) {
    guard activity.externalRefs.count == 1, let ref = activity.externalRefs.first,
      ref.contentHash != nil
    else { return nil }
    self.init(ref.externalID, of: ref.provider)
  }

  init?(_ name: String, of provider: String) {
    var base = name[...]
    var mark = ""
    switch provider {
    case "csv":
      // What stands behind the table's own identifier.
      guard let slash = name.firstIndex(of: "/"), !name[slash...].hasPrefix("/id/") else {
        return nil
      }
      kind = .row
    case "toggl", "daylio": kind = .row
    case "markdown", "obsidian", "logseq":
      guard name.hasPrefix("line/") else { return nil }
      if let sign = name.lastIndex(of: "@") {
        base = name[..<sign]
        mark = String(name[sign...])
      }
      kind = .line
    case "gpx", "tcx", "fit", "kml", "geojson": kind = .place
    default: return nil
    }
    let (first, number) = Self.parts(base)
    self.provider = provider
    self.number = number
    self.base = String(first)
    self.mark = mark
  }

  /// Splits a name into that of the first entry with its start, and its number.
  private static func parts(_ name: Substring) -> (first: Substring, number: Int) {
    guard let slash = name.lastIndex(of: "/") else { return (name, 1) }
    let digits = name[name.index(after: slash)...]
    guard (1...9).contains(digits.utf8.count),
      digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(digits), number > 1
    else { return (name, 1) }
    return (name[..<slash], number)
  }

  /// The key that names with the same start share.
  var key: String { "\(provider)\u{0}\(base)\(mark)" }

  /// Returns the name with another number.
  func name(_ number: Int) -> String { (number == 1 ? base : "\(base)/\(number)") + mark }

  /// The range that contains all names with the same start, and possibly others.
  var range: (from: String, to: String) { (base, base + (mark.isEmpty ? "0" : "A")) }

  /// The range of all names of the same source.
  var sourceRange: (from: String, to: String) {
    switch kind {
    case .line: ("line/", "line0")
    case .place: ("a", "{")
    case .row:
      if provider == "csv", let slash = base.firstIndex(of: "/") {
        ("\(base[..<slash])/", "\(base[..<slash])0")
      } else {
        ("0", ":")
      }
    }
  }
}
