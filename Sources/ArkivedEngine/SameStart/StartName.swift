import ArkivedCore

/// The name of an imported entry that consists of little more than its start or its day, and of its
/// number among entries with the same one.
///
/// Many exports contain no better name. Another file may have a different entry with the same start,
/// rows may be added before others, and texts are edited, so such a name identifies an entry only
/// together with its content.
struct StartName: Hashable {
  enum Kind {
    /// A row of a table with a time.
    case row
    /// A row of a table without a time, which is named by its words too.
    case dayRow
    /// A line of a day's page.
    case line
    /// A track, a stay or a mark of a map.
    case place
  }

  let provider: String
  let kind: Kind
  let number: Int
  /// The part of the name that all entries with the same start share at its beginning.
  private let base: String
  /// The hash of the words, with its slash; empty if the name has none.
  private let words: String
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
    let kind: Kind
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
    let moment = provider == "csv" ? Self.day(first) : nil
    self.provider = provider
    self.kind = moment == nil ? kind : .dayRow
    self.number = number
    self.base = String(moment ?? first)
    words = String(first[(moment ?? first).endIndex...])
    self.mark = mark
  }

  /// Returns the part of a name before the hash of a row's words, if it ends in a day.
  private static func day(_ name: Substring) -> Substring? {
    guard let slash = name.lastIndex(of: "/"), name[slash...].utf8.count == 17 else { return nil }
    let moment = name[..<slash]
    guard let start = moment.lastIndex(of: "/"),
      DayKey(String(moment[moment.index(after: start)...])) != nil
    else { return nil }
    return moment
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
  func name(_ number: Int) -> String {
    base + words + (number == 1 ? "" : "/\(number)") + mark
  }

  /// The range that contains all names with the same start, and possibly others.
  var range: (from: String, to: String) { (base, base + (mark.isEmpty ? "0" : "A")) }

  /// The range of all names of the same source.
  var sourceRange: (from: String, to: String) {
    switch kind {
    case .line: ("line/", "line0")
    case .place: ("a", "{")
    case .row, .dayRow:
      if provider == "csv", let slash = base.firstIndex(of: "/") {
        ("\(base[..<slash])/", "\(base[..<slash])0")
      } else {
        ("0", ":")
      }
    }
  }
}
