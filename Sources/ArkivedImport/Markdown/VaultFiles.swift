import ArkivedCore
import Foundation

/// Finds the files of a vault that its pages display: `![[photo.png]]` and Markdown's own links.
struct VaultFiles {
  private let vault: Vault
  private let media: JrnlMedia
  private let names: [String: [String]]
  /// The folder of the page, with a trailing `/`; empty at the top level.
  private let folder: String

  init(_ vault: Vault, of file: ImportFile, notes: RunNotes) {
    self.vault = vault
    media = JrnlMedia(folder: vault.root, file: file.url)
    let path = vault.path(of: file)
    folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    names = notes.found("vault files \(vault.root.path)") { Self.names(in: vault.root) }
  }

  /// Returns the files that a text displays, each once, and messages about missing ones.
  func files(in text: String) -> (files: [JrnlMedia.File], problems: [String]) {
    var links = text
    var problems: [String] = []
    for target in Self.embeds(in: text) {
      guard let path = path(of: target) else {
        problems.append(
          "the file \(FieldError.shown(target)) isn’t in the folder; its link stays in the text")
        continue
      }
      links += "\n![](<\(vault.root.path)/\(path)>)"
    }
    let (files, missing) = media.files(in: links)
    let pages = [".md", ".markdown", ".canvas", ".base", ".org"]
    return (
      files.filter { file in !pages.contains { file.path.lowercased().hasSuffix($0) } },
      problems + missing.map { $0.replacing("the journal’s folder", with: "the folder") }
    )
  }

  /// Returns the targets that a text embeds in Obsidian's way, without sizes and captions; pages
  /// have no extension and are skipped.
  private static func embeds(in text: String) -> [String] {
    var targets: [String] = []
    var rest = text[...]
    while targets.count < 1_000, let start = rest.range(of: "![[") {
      rest = rest[start.upperBound...]
      guard let end = rest.prefix(1_024).range(of: "]]") else { continue }
      let inside = rest[..<end.lowerBound]
      rest = rest[end.upperBound...]
      let target = inside.prefix { $0 != "|" && $0 != "#" && !$0.isNewline }
        .trimmingCharacters(in: .whitespaces)
      let name = target.split(separator: "/").last ?? ""
      guard let dot = name.lastIndex(of: "."), !name[dot...].dropFirst().isEmpty,
        name[dot...].dropFirst().allSatisfy({ $0.isLetter || $0.isNumber }),
        name[dot...].count <= 6
      else { continue }
      targets.append(target)
    }
    return targets
  }

  /// Returns the path of a target as Obsidian finds it: the path from the top level, or else the
  /// nearest file of that name.
  private func path(of target: String) -> String? {
    let wanted = target.hasPrefix("/") ? String(target.dropFirst()) : target
    guard let name = wanted.split(separator: "/").last,
      let paths = names[NameFolding.key(String(name))]
    else { return nil }
    if let own = paths.first(where: { $0 == wanted || $0 == folder + wanted }) { return own }
    let fitting = paths.filter { $0 == wanted || $0.hasSuffix("/" + wanted) }
    let candidates = fitting.isEmpty && !wanted.contains("/") ? paths : fitting
    return candidates.first { $0.hasPrefix(folder) && !folder.isEmpty } ?? candidates.first
  }

  /// Returns the files below a folder by name, with the shortest path first; hidden files are
  /// skipped.
  private static func names(in root: URL) -> [String: [String]] {
    let paths = (try? FileManager.default.subpathsOfDirectory(atPath: root.path)) ?? []
    var names: [String: [String]] = [:]
    for path in paths where !path.split(separator: "/").contains(where: { $0.hasPrefix(".") }) {
      let lower = path.lowercased()
      guard !lower.hasSuffix(".md"), let name = path.split(separator: "/").last,
        name.contains(".")
      else { continue }
      names[NameFolding.key(String(name)), default: []].append(path)
    }
    return names.mapValues { $0.sorted { ($0.count, $0) < ($1.count, $1) } }
  }
}
