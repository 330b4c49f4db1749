import ArkivedCore
import Foundation

/// The files beside the pages that say something, in the language of whoever asks.
enum SpokenAssets {
  private static let offlinePage = "offline.html"
  private static let manifest = "manifest.webmanifest"

  /// Whether what lies at a path says something.
  static func holds(_ path: String) -> Bool {
    [offlinePage, manifest].contains { path == "/assets/\($0)" }
  }

  static func content(of asset: Asset, in language: Language) -> [UInt8] {
    switch asset.name {
    case offlinePage: page(asset.content, language)
    case manifest: said(manifestTexts, in: asset.content, language)
    default: asset.content
    }
  }

  /// The page that is shown while the server is away, with the words of its scripts.
  private static func page(_ content: [UInt8], _ language: Language) -> [UInt8] {
    guard let catalogue = Catalogue.of(language) else { return content }
    let words = SpokenPages.scriptWords(catalogue)
    let html = TemplateWords { catalogue.pattern($0, count: nil) }
      .translated(String(decoding: content, as: UTF8.self))
      .replacing("<html lang=\"en\"", with: "<html lang=\"\(language.code)\"")
      .replacing(
        "</head>",
        with: "<script type=\"application/json\" id=\"page-words\">\(words)</script>\n</head>")
    return Array(html.utf8)
  }

  /// The service worker, which keeps pages and says a few texts itself.
  static func worker(in language: Language) -> [UInt8] {
    let worker = said(workerTexts, in: PackageResources.service_worker_js, language)
    guard language != .english else { return worker }
    let source = String(decoding: worker, as: UTF8.self)
    return Array(source.replacing("lang=\\\"en\\\"", with: "lang=\\\"\(language.code)\\\"").utf8)
  }

  /// Puts texts that stand in a file into a language.
  private static func said(
    _ texts: [Phrase], in content: [UInt8], _ language: Language
  ) -> [UInt8] {
    guard language != .english else { return content }
    var source = String(decoding: content, as: UTF8.self)
    for text in texts {
      let said = text.text(in: language)
      // They stand in quotes, some of them among markup.
      guard !said.contains(where: { "\"\\<&".contains($0) }) else { continue }
      source = source.replacing(text.key, with: said)
    }
    return Array(source.utf8)
  }

  private static let manifestTexts = [
    Phrase("Your days, goals and meetings, kept on your own computer."), Phrase("Add to today"),
    Phrase("Search"), Phrase("Ask"),
  ]

  private static let workerTexts = [
    Phrase("Arkived could not read this line."), Phrase("Not kept"),
    Phrase(
      """
      Arkived is not running, and this browser has no room to keep your line. Go back: it still \
      stands in its field.
      """),
  ]
}
