import ArkivedCore
import Foundation

/// The text files used by the pages, in the language of the reader.
enum SpokenAssets {
  /// The manifest of the installed app.
  static let manifest = "manifest.webmanifest"
  /// The page shown instead of one that was not cached while the server is unreachable.
  static let offline = "offline.html"
  /// The files that depend on the reader's language; all others are the same for everyone.
  static let names: Set<String> = [manifest, offline]

  /// The texts of the manifest, as they stand in its file.
  static let manifestTexts = [
    Phrase("Your days, goals and meetings, kept on your own computer."), Phrase("Add to today"),
    Phrase("Search"), Phrase("Ask"),
  ]

  /// The texts of the service worker, as they stand in its file.
  static let workerTexts = [
    Phrase("Arkived couldn’t read this line."), Phrase("Not saved"),
    Phrase(
      """
      Arkived isn’t running, and this browser has no space left to store your line. Go back: it’s \
      still in the field.
      """),
  ]

  /// Returns the service worker, which caches pages and contains a few texts itself.
  static func worker(in language: Language) -> [UInt8] {
    let worker = putting(workerTexts, of: WebFiles.content("service-worker.js"), into: language)
    guard language != .english else { return worker }
    let source = String(decoding: worker, as: UTF8.self)
    return Array(source.replacing("lang=\\\"en\\\"", with: "lang=\\\"\(language.code)\\\"").utf8)
  }

  /// Returns the page with the texts that its scripts use.
  fileprivate static func offlinePage(_ content: [UInt8], in language: Language) -> [UInt8] {
    guard let catalogue = Catalogue.of(language) else { return content }
    let source = String(decoding: content, as: UTF8.self)
    let words = SpokenPages.scriptWords(catalogue)
    let page = TemplateWords { catalogue.pattern($0, count: nil) }.translated(source)
      .replacing("<html lang=\"en\"", with: "<html lang=\"\(language.code)\"")
      .replacing(
        "</head>",
        with: "<script type=\"application/json\" id=\"page-words\">\(words)</script>\n</head>")
    return Array(page.utf8)
  }

  fileprivate static func putting(
    _ texts: [Phrase], of content: [UInt8], into language: Language
  ) -> [UInt8] {
    guard language != .english else { return content }
    var source = String(decoding: content, as: UTF8.self)
    for text in texts {
      let said = text.text(in: language)
      // The texts are in quotes, some of them within markup.
      guard !said.contains(where: { "\"\\<&".contains($0) }) else { continue }
      source = source.replacing(text.key, with: said)
    }
    return Array(source.utf8)
  }
}

extension Asset {
  /// Returns the file with its texts in a language.
  func spoken(in language: Language) -> Asset {
    switch name {
    case SpokenAssets.manifest:
      let content = SpokenAssets.putting(
        SpokenAssets.manifestTexts, of: content, into: language)
      return Asset(name: name, type: type, content: content)
    case SpokenAssets.offline:
      let content = SpokenAssets.offlinePage(content, in: language)
      return Asset(name: name, type: type, content: content)
    default: return self
    }
  }
}
