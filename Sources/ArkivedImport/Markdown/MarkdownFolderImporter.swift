import ArkivedCore
import Foundation

/// Imports folders of Markdown pages: Obsidian vaults, Logseq graphs, Arkived's own export, and
/// plain folders with a page per day.
///
/// The page of a day becomes its note.
///
/// Sources of the format: Obsidian's help on daily notes, properties and embeds, with moment.js's
/// table of tokens; Logseq's documentation of journals, properties and tasks, and its default
/// `logseq/config.edn`.
package struct MarkdownFolderImporter: Importer {
  package let format = "markdown"
  /// True if pages that don't belong to a day are imported as notes.
  package let takesPages: Bool
  /// True if lines with a time become activities of their day and are removed from its note.
  package let takesTimedLines: Bool

  package init(takesPages: Bool = false, takesTimedLines: Bool = false) {
    self.takesPages = takesPages
    self.takesTimedLines = takesTimedLines
  }

  // MARK: Recognising

  package func recognises(head: [UInt8], fileName: String) -> Bool { false }

  package func recognises(_ file: ImportFile, head: [UInt8]) throws -> Bool {
    let lower = file.name.lowercased()
    guard lower.hasSuffix(".md") || lower.hasSuffix(".markdown"), !ZipFile.isZip(head) else {
      return false
    }
    let vault = Vault(of: file)
    let path = vault.path(of: file)
    return vault.day(of: path) != nil || (takesPages && vault.isPage(path))
  }

  /// Returns true if a zip archive contains the folder of a note program, possibly among other
  /// files.
  package static func isVault(_ zip: ZipFile) -> Bool {
    zip.entries.contains { entry in
      let parts = entry.name.split(separator: "/")
      return parts.contains(".obsidian") || parts.last == ".arkived-export"
        || parts.suffix(2).elementsEqual(["logseq", "config.edn"])
    }
  }

  /// Returns the prefix shared by the names of all files in a page's vault, or nil if the page
  /// isn't in a program's folder.
  package static func vaultName(of file: ImportFile) -> String? {
    let vault = Vault(of: file)
    guard vault.kind != .plain else { return nil }
    return String(file.name.dropLast(vault.path(of: file).count))
  }

  /// Returns true if a file of a vault is one that its pages display, such as a picture.
  package static func isShown(_ name: String) -> Bool {
    let ending = name.split(separator: ".").last.map { $0.lowercased() } ?? ""
    return [
      "png", "jpg", "jpeg", "gif", "webp", "heic", "avif", "svg", "bmp", "mp3", "m4a", "wav", "ogg",
      "flac", "webm", "mp4", "mov", "pdf",
    ].contains(ending)
  }

  private static let shelves: Set<String> = [
    "assets", "attachments", "attachment", "files", "images", "media", "resources", "_resources",
    "_attachments",
  ]

  /// Returns true if a file is another page next to or above the days' pages, or is in a folder for
  /// attachments.
  package func accompanies(_ name: String, filesIn folders: Set<String>) -> Bool {
    let lower = name.lowercased()
    let parts = lower.split(separator: "/").dropLast()
    let isPage = [".md", ".markdown", ".canvas", ".base", ".edn", ".css"].contains {
      lower.hasSuffix($0)
    }
    guard isPage || parts.contains(where: { Self.shelves.contains(String($0)) }) else {
      return false
    }
    return folders.contains { name.hasPrefix(Self.home(of: $0)) }
  }

  /// Returns the folder above the days' pages, even if these are in folders of years and months.
  private static func home(of folder: String) -> String {
    var parts = folder.split(separator: "/")
    while let last = parts.last, last.first?.isNumber == true { parts.removeLast() }
    return parts.dropLast().map { $0 + "/" }.joined()
  }

  // MARK: Reading

  package func surroundings(of file: ImportFile) -> [String]? { file.isZip ? [] : [""] }

  /// Returns true, because the name contains the day of a page, and a packed vault is named after
  /// its archive.
  package func readsName(of file: ImportFile) -> Bool { true }

  package var settings: String { "\(takesPages) \(takesTimedLines)" }

  package func read(
    _ file: ImportFile, context: ImportContext, into sink: any ImportSink
  ) throws {
    let vault = Vault(of: file)
    let path = vault.path(of: file)
    let (text, isLatin) = try PageText.read(file)
    if isLatin {
      sink.diagnose(
        Diagnostic(
          .note, place: file.name, message: "the text isn’t UTF-8 and was read as Windows-1252"))
    }
    let reader = VaultReader(
      vault: vault, file: file, path: path, context: context, takesTimedLines: takesTimedLines)
    if let day = vault.day(of: path) {
      if !takesPages { tellPages(vault, file, context, sink) }
      try reader.readDay(day, text, into: sink)
    } else {
      try reader.readPage(text, into: sink)
    }
  }

  /// Reports once how many pages aren't imported.
  private func tellPages(
    _ vault: Vault, _ file: ImportFile, _ context: ImportContext, _ sink: any ImportSink
  ) {
    guard file.name.contains("/"), context.notes.isFirst("vault pages \(vault.root.path)") else {
      return
    }
    let paths = (try? FileManager.default.subpathsOfDirectory(atPath: vault.root.path)) ?? []
    let count = paths.count { vault.isPage($0) && vault.day(of: $0) == nil }
    guard count > 0 else { return }
    sink.diagnose(
      Diagnostic(
        .note, place: vault.name,
        message: "\(count) \(count == 1 ? "page" : "pages") without a day "
          + "\(count == 1 ? "wasn’t" : "weren’t") imported. To import such pages as notes, use “arkived import "
          + "--pages”"))
  }
}
