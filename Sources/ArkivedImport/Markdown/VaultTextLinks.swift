import ArkivedCore
import Foundation

/// The links of a vault's texts, as Arkived reads them.
///
/// `[[2024-03-05]]` and `[[Alex Kim]]` are not changed. Links that only the program understands are
/// rewritten: Logseq's block references, names of days in the owner's own format, and the IDs of
/// Arkived's own export.
///
/// Sources of the forms: Logseq's documentation of block references and embeds, Obsidian's help on
/// links to blocks.
struct VaultTextLinks {
  private let vault: Vault
  private let notes: RunNotes

  init(_ vault: Vault, notes: RunNotes) {
    self.vault = vault
    self.notes = notes
  }

  /// Returns a text with links that Arkived can follow.
  func written(_ text: String) -> String {
    var text = text
    if vault.kind == .logseq, text.contains("((") || text.contains("{{embed") {
      text = withoutBlockReferences(text)
    }
    guard text.contains("[[") else { return text }
    return TextLink.replacing(in: text, with: replaced)
  }

  private func replaced(_ link: TextLink) -> String? {
    if vault.kind == .arkived {
      guard link.fragment != nil, case .entry(let id)? = link.keys.first else { return nil }
      return link.replaced(by: TextLink.entryPrefix + id, showing: link.label)
    }
    // A name that every program reads as a day doesn't need to be rewritten.
    guard LinkedDay.read(link.name) == nil, let day = vault.day(linkedAs: link.name) else {
      return nil
    }
    return link.replaced(by: "\(day)", showing: link.label ?? link.name)
  }

  // MARK: Logseq's blocks

  /// A block that others refer to.
  private struct Block: Sendable {
    /// The name of its page.
    var page: String
    var words: String
  }

  /// Rewrites `((ID))`, `[words](((ID)))`, `{{embed ((ID))}}` and `{{embed [[page]]}}`.
  private func withoutBlockReferences(_ text: String) -> String {
    let blocks = notes.found("vault blocks \(vault.root.path)") { Self.blocks(of: vault) }
    var result = ""
    var rest = text[...]
    while var open = rest.range(of: "((") {
      // The first bracket of “[words](((ID)))” is Markdown’s own.
      while rest[open.upperBound...].first == "(" {
        open = rest.index(after: open.lowerBound)..<rest.index(after: open.upperBound)
      }
      guard let close = rest[open.upperBound...].prefix(60).range(of: "))"),
        let id = UUID(uuidString: String(rest[open.upperBound..<close.lowerBound])),
        let block = blocks[id]
      else {
        result += rest[..<open.upperBound]
        rest = rest[open.upperBound...]
        continue
      }
      var before = String(rest[..<open.lowerBound])
      rest = rest[close.upperBound...]
      var words = block.words
      if before.hasSuffix("]("), rest.hasPrefix(")"), let label = before.lastIndex(of: "["),
        !before[label...].contains(where: \.isNewline)
      {
        words = String(before[before.index(after: label)...].dropLast(2))
        before = String(before[..<label])
        rest = rest.dropFirst()
      } else if before.hasSuffix("{{embed "), rest.hasPrefix("}}") {
        before.removeLast(8)
        rest = rest.dropFirst(2)
      }
      result += before + "[[\(block.page)|\(Self.label(words))]]"
    }
    return (result + rest).replacing("{{embed [[", with: "[[").replacing("]]}}", with: "]]")
  }

  private static func label(_ words: String) -> String {
    let plain = MarkdownText.plain(words).filter { !"[]|".contains($0) && !$0.isNewline }
    let short = plain.count > 80 ? plain.prefix(79) + "…" : Substring(plain)
    return short.isEmpty ? "…" : String(short)
  }

  /// The maximum number of blocks remembered for a vault.
  private static let blockLimit = 200_000

  /// Returns the blocks of a vault that have an ID.
  private static func blocks(of vault: Vault) -> [UUID: Block] {
    let paths = (try? FileManager.default.subpathsOfDirectory(atPath: vault.root.path)) ?? []
    var blocks: [UUID: Block] = [:]
    for path in paths.sorted() where vault.isPage(path) {
      let url = vault.root.appendingPathComponent(path)
      guard let values = try? FileManager.default.attributesOfItem(atPath: url.path),
        values[.type] as? FileAttributeType == .typeRegular,
        let size = values[.size] as? NSNumber, size.intValue <= PageText.sizeLimit,
        let data = try? Data(contentsOf: url), let text = String(validating: data, as: UTF8.self),
        text.contains("id:: ")
      else { continue }
      let page = vault.day(of: path)?.description ?? name(of: path)
      var words: Substring = ""
      for line in text.split(whereSeparator: \.isNewline) {
        let bare = line.drop { $0 == " " || $0 == "\t" }
        if bare.hasPrefix("- ") { words = bare.dropFirst(2) }
        guard let mark = bare.range(of: "id:: "),
          mark.lowerBound == bare.startIndex || bare.hasPrefix("- id:: "),
          let id = UUID(uuidString: bare[mark.upperBound...].trimmingCharacters(in: .whitespaces))
        else { continue }
        guard blocks.count < blockLimit else { return blocks }
        blocks[id] = Block(page: page, words: words.hasPrefix("id:: ") ? "" : String(words))
      }
    }
    return blocks
  }

  private static func name(of path: String) -> String {
    let file = path.split(separator: "/").last ?? ""
    let stem = file[..<(file.lastIndex(of: ".") ?? file.endIndex)]
    let name = String(stem).replacing("___", with: "/")
    return name.removingPercentEncoding ?? name
  }
}
