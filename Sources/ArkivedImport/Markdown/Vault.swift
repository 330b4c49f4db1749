import ArkivedCore
import Foundation

/// A folder of Markdown pages: its program, and the names of its days' pages.
///
/// Only files inside the selected folder are examined, and links aren't followed.
struct Vault: Sendable {
  enum Kind: String, Sendable {
    case obsidian, logseq
    /// The output of Arkived's own export.
    case arkived
    case plain
  }

  let kind: Kind
  let root: URL
  /// The time zone of times in Arkived's own export that don't name one; nil in exports of earlier
  /// versions.
  let zone: Zone?
  /// The folders and patterns of days' pages; a page is below the folder, if one is given, and its
  /// name matches the pattern.
  private let days: [(folder: String?, pattern: DatePattern)]
  /// The format of days in links, if the owner set one.
  private let linkedDays: DatePattern?
  /// The folder of templates, which aren't pages of days.
  private let templates: String?

  /// Finds the vault that contains a file: the nearest folder with a program's settings, or else
  /// the whole selected folder.
  init(of file: ImportFile) {
    let names = file.name.split(separator: "/")
    var folder = file.url.deletingLastPathComponent()
    for level in 0..<max(names.count, 1) {
      if level > 0 { folder.deleteLastPathComponent() }
      if let kind = Self.kind(of: folder) {
        self.init(kind, at: folder)
        return
      }
    }
    // Unpacked files are in a folder with a generated name.
    if names.count > 1, let first = names.first, first.lowercased().hasSuffix(".zip") {
      folder.appendPathComponent(String(first))
    }
    self.init(.plain, at: folder)
  }

  private init(_ kind: Kind, at root: URL) {
    self.kind = kind
    self.root = root
    zone = kind == .arkived ? Self.zone(ofExport: root) : nil
    var days: [(folder: String?, pattern: DatePattern)] = [(nil, .usual)]
    var templates: String?
    var linkedDays: DatePattern?
    switch kind {
    case .obsidian:
      days += Self.obsidianDays(in: root)
      templates = Self.json(".obsidian/templates.json", in: root)?["folder"]?.string
    case .logseq:
      let settings = Self.text("logseq/config.edn", in: root) ?? ""
      let folder = Self.setting("journals-directory", in: settings) ?? "journals"
      days = [(folder, .logseq), (folder, .usual)]
      if let format = Self.setting("journal/file-name-format", in: settings) {
        days.append((folder, DatePattern(java: format)))
      }
      linkedDays = Self.setting("journal/page-title-format", in: settings)
        .map(DatePattern.init(java:))
    case .arkived: break
    case .plain: days.append(("journals", .logseq))
    }
    self.days = days
    self.linkedDays = linkedDays
    self.templates = templates.map(Self.folderPath)
  }

  /// The provider of references to its contents.
  var provider: String { kind == .obsidian || kind == .logseq ? kind.rawValue : "markdown" }

  /// The vault's name, packed or not, which distinguishes the pages of two vaults.
  var name: String {
    let name = root.lastPathComponent
    return name.lowercased().hasSuffix(".zip") ? String(name.dropLast(4)) : name
  }

  /// Returns the marker that distinguishes the notes of its days from those of another vault.
  ///
  /// It is nil if nothing distinguishes them, such as for a page that was imported alone or from a
  /// folder with a generated name.
  ///
  /// - Parameter isAlone: true if a single page is imported.
  /// - Returns: the marker.
  func mark(isAlone: Bool) -> String? {
    switch kind {
    case .arkived: "arkived"
    case .obsidian, .logseq: named
    case .plain: isAlone ? nil : named
    }
  }

  private var named: String? {
    ScratchFolders.isOne(root) ? nil : String(TableIdentity.hash(NameFolding.key(name)).prefix(12))
  }

  /// Returns a file's path below the vault.
  func path(of file: ImportFile) -> String {
    let own = file.url.pathComponents
    return own.dropFirst(root.pathComponents.count).joined(separator: "/")
  }

  /// Returns the day whose page has a path below the vault, or nil for other pages.
  func day(of path: String) -> DayKey? {
    // A note in Arkived's own export may be named like a day.
    guard isPage(path), kind != .arkived || !path.hasPrefix("notes/") else { return nil }
    let name = String(path[..<(path.lastIndex(of: ".") ?? path.endIndex)])
    let parts = name.split(separator: "/")
    for (folder, pattern) in days {
      let isInside = folder.map { $0.isEmpty || name.hasPrefix($0 + "/") } ?? true
      guard isInside, parts.count > pattern.folderCount else { continue }
      let tail = parts.suffix(pattern.folderCount + 1).joined(separator: "/")
      if let day = pattern.day(in: tail) { return day }
    }
    return nil
  }

  /// Returns the day whose page a link refers to in the vault's own format.
  func day(linkedAs name: String) -> DayKey? {
    // A link may name the page with or without its folders.
    let names = [name, name.split(separator: "/").last.map(String.init)].compactMap(\.self)
    let patterns = [linkedDays].compactMap(\.self) + days.map(\.pattern)
    return patterns.lazy.compactMap { pattern in
      names.lazy.compactMap { pattern.day(in: $0) }.first
    }.first
  }

  /// Returns true if a path below the vault is that of a page written by the owner, not a template
  /// or an internal file of the program.
  func isPage(_ path: String) -> Bool {
    let lower = path.lowercased()
    guard lower.hasSuffix(".md") || lower.hasSuffix(".markdown"),
      !path.split(separator: "/").contains(where: { $0.hasPrefix(".") })
    else { return false }
    if let templates, !templates.isEmpty, path.hasPrefix(templates + "/") { return false }
    // The people in Arkived's own export aren't notes.
    if kind == .arkived { return !path.hasPrefix("people/") }
    return kind != .logseq || !path.hasPrefix("logseq/")
  }

  // MARK: Settings

  private static func kind(of folder: URL) -> Kind? {
    func has(_ name: String) -> Bool {
      let path = folder.appendingPathComponent(name).path
      let type = try? FileManager.default.attributesOfItem(atPath: path)[.type]
      return (type as? FileAttributeType).map { $0 != .typeSymbolicLink } ?? false
    }
    // Arkived's own export is an Obsidian vault as well.
    if has(".arkived-export") { return .arkived }
    if has(".obsidian") { return .obsidian }
    return has("logseq/config.edn") ? .logseq : nil
  }

  /// Reads the settings of the core plugin and the community's “Periodic Notes”.
  private static func obsidianDays(in root: URL) -> [(folder: String?, pattern: DatePattern)] {
    let settings = [
      json(".obsidian/daily-notes.json", in: root),
      json(".obsidian/plugins/periodic-notes/data.json", in: root)?["daily"],
    ]
    return settings.compactMap { settings in
      guard let settings, let format = settings["format"]?.string, !format.isEmpty else {
        return nil
      }
      return (
        settings["folder"]?.string.map(folderPath), DatePattern(moment: format)
      )
    }
  }

  private static func folderPath(_ text: String) -> String {
    text.split(separator: "/").joined(separator: "/")
  }

  /// Returns the text of a settings file, unless it is too large to be one.
  private static func text(_ path: String, in root: URL) -> String? {
    let url = root.appendingPathComponent(path)
    guard let values = try? FileManager.default.attributesOfItem(atPath: url.path),
      values[.type] as? FileAttributeType == .typeRegular,
      let size = values[.size] as? NSNumber, size.intValue < 1 << 20,
      let data = try? Data(contentsOf: url)
    else { return nil }
    return String(validating: data, as: UTF8.self)
  }

  /// Reads the time zone from the mark of an export, whose list of pages may be long.
  private static func zone(ofExport root: URL) -> Zone? {
    let mark = root.appendingPathComponent(".arkived-export")
    let type = try? FileManager.default.attributesOfItem(atPath: mark.path)[.type]
    guard type as? FileAttributeType == .typeRegular,
      let handle = try? FileHandle(forReadingFrom: mark)
    else { return nil }
    defer { try? handle.close() }
    guard let head = try? handle.read(upToCount: 512) else { return nil }
    return String(decoding: head, as: UTF8.self).split(separator: "\n")
      .first { $0.hasPrefix(ExportedLine.zoneName) }
      .flatMap { Zone(String($0.dropFirst(ExportedLine.zoneName.count))) }
  }

  private static func json(_ path: String, in root: URL) -> JSON? {
    text(path, in: root).flatMap { try? JSON(parsing: $0) }
  }

  /// Returns the text that follows a keyword in Logseq's settings: `:journals-directory
  /// "journals"`.
  private static func setting(_ key: String, in settings: String) -> String? {
    for line in settings.split(whereSeparator: \.isNewline) {
      let words = line.drop(while: { $0 == " " || $0 == "{" || $0 == "\t" })
      guard words.hasPrefix(":\(key)") else { continue }
      let parts = words.dropFirst(key.count + 1).split(
        separator: "\"", maxSplits: 2, omittingEmptySubsequences: false)
      if parts.count == 3, parts[0].allSatisfy(\.isWhitespace), !parts[1].isEmpty {
        return String(parts[1])
      }
    }
    return nil
  }
}
