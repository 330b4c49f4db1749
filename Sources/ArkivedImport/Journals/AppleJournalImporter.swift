import ArkivedCore
import Foundation

/// Imports Apple Journal's export: the zip archive `AppleJournalEntries.zip` or the folder it
/// unpacks to, with an HTML page for each entry in `Entries/`, and its files in `Resources/`.
///
/// Source of the format: exports from iOS 18 and 26, as read by applejournal-to-md,
/// AppleJournal2Diarium, journal converters for Day One and others. A page has `div.pageHeader`
/// (the day in the language of the phone), `div.assetGrid` with a `div.gridItem` for each photo,
/// place, workout and the like, `div.title` and `div.bodyText`. Cocoa's writer closes these in
/// unpredictable positions: in some versions, the title and text come after their elements rather
/// than inside them. The file name begins with the day. For a file in `Resources/`, there is JSON
/// with `date` (seconds since 2001) and places.
package struct AppleJournalImporter: Importer {
  package let format = "applejournal"
  private static let resources = "Resources"
  private static let sizeLimit = 1 << 20

  package init() {}

  // MARK: Recognising

  package func recognises(head: [UInt8], fileName: String) -> Bool {
    let lower = fileName.lowercased()
    guard lower.hasSuffix(".html") || lower.hasSuffix(".htm") else { return false }
    let text = HeadText.of(head)
    return Self.isEntry(text)
      || (text.contains("Cocoa HTML Writer") && text.contains("pageHeader"))
  }

  package func recognises(_ file: ImportFile, head: [UInt8]) throws -> Bool {
    if recognises(head: head, fileName: file.name) { return true }
    let lower = file.name.lowercased()
    guard lower.hasSuffix(".html"), HeadText.of(head).lowercased().contains("<html") else {
      return false
    }
    // The styles at the top may be longer than the examined beginning.
    return Self.isEntry(HeadText.of(try ZipMembers.head(of: file, count: Self.sizeLimit)))
  }

  private static func isEntry(_ text: String) -> Bool {
    (text.contains("class=\"pageHeader\"") || text.contains("class='pageHeader'"))
      && ["bodyText", "assetGrid", "gridItem", "reflectionPrompt"].contains { text.contains($0) }
  }

  package func accompanies(_ name: String, filesIn folders: Set<String>) -> Bool {
    let parts = name.split(separator: "/")
    guard let last = parts.last else { return false }
    if last == "index.html" {
      let home = parts.dropLast().map { $0 + "/" }.joined()
      return folders.contains(home) || folders.contains(home + "Entries/")
    }
    guard parts.count >= 2, parts[parts.count - 2] == Substring(Self.resources) else {
      return false
    }
    let home = parts.dropLast(2).map { $0 + "/" }.joined()
    return folders.contains(home + "Entries/") || folders.contains(home)
  }

  // MARK: Reading

  package func surroundings(of file: ImportFile) -> [String]? {
    let isBeside = Self.home(of: file) == file.url.deletingLastPathComponent()
    return [isBeside ? Self.resources : "../\(Self.resources)"]
  }

  /// The day is in the name.
  package func readsName(of file: ImportFile) -> Bool { true }

  /// Returns the folder of the export, which is the parent of `Entries`.
  static func home(of file: ImportFile) -> URL {
    let folder = file.url.deletingLastPathComponent()
    return folder.lastPathComponent == "Entries" ? folder.deletingLastPathComponent() : folder
  }

  package func read(
    _ file: ImportFile, context: ImportContext, into sink: any ImportSink
  ) throws {
    let (html, isLatin) = try PageText.read(file)
    if isLatin {
      sink.diagnose(
        Diagnostic(
          .note, place: file.name, message: "the text is not UTF-8; it was read as Windows-1252"))
    }
    let page = AppleJournalPage(html)
    guard page.isEntry else {
      throw ImportRefusal(
        place: file.name, message: "this isn’t an Apple Journal entry, or it’s cut off")
    }
    try AppleJournalEntry(page, file, context).take(into: sink)
  }
}

/// The parts of an entry's page.
private struct AppleJournalPage {
  private(set) var header: [HTMLTokens.Token] = []
  private(set) var prompt: [HTMLTokens.Token] = []
  private(set) var title: [HTMLTokens.Token] = []
  private(set) var body: [HTMLTokens.Token] = []
  /// The items, each including the token that begins it.
  private(set) var items: [[HTMLTokens.Token]] = []
  let styles: HTMLMarkdown.Styles
  private(set) var isEntry = false

  init(_ html: String) {
    let page = HTMLTokens(html)
    styles = Self.styles(in: page.styles)
    let tokens = page.tokens
    let parts = HTMLParts(tokens)
    // Everything after `title` is the title up to `bodyText`, and everything after that is the
    // text, even if it is outside these elements.
    var part: WritableKeyPath<AppleJournalPage, [HTMLTokens.Token]>?
    var index = 0
    while index < tokens.count {
      let token = tokens[index]
      if token.begins("div", ofClass: "gridItem") {
        let content = parts.content(at: index)
        items.append([token] + content)
        index += content.count + 1
        continue
      }
      if token.begins("div", ofClass: "pageHeader") {
        header = parts.content(at: index)
        index += header.count + 1
        isEntry = true
        continue
      }
      if token.begins("div", ofClass: "reflectionPrompt") {
        prompt = parts.content(at: index)
        index += prompt.count + 1
        continue
      }
      if token.begins("div", ofClass: "title") {
        part = \.title
      } else if token.begins("div", ofClass: "bodyText") {
        part = \.body
      } else if let part {
        self[keyPath: part].append(token)
      }
      index += 1
    }
  }

  /// The emphasis of the classes that Cocoa's writer generates for each page: `span.s3
  /// {font-weight: bold}`.
  private static func styles(in css: String) -> HTMLMarkdown.Styles {
    var styles: HTMLMarkdown.Styles = [:]
    for rule in css.split(separator: "}").prefix(500) {
      let parts = rule.split(separator: "{", maxSplits: 1)
      guard parts.count == 2 else { continue }
      let selector = parts[0].trimmingCharacters(in: .whitespacesAndNewlines)
      guard selector.hasPrefix("span.s") else { continue }
      let attributes = RunAttributes(css: String(parts[1]))
      if attributes != RunAttributes() { styles[Substring(selector.dropFirst(5))] = attributes }
    }
    return styles
  }
}

private struct AppleJournalEntry {
  private let page: AppleJournalPage
  private let file: ImportFile
  private let context: ImportContext
  private let home: URL
  private let files: JournalFiles

  init(_ page: AppleJournalPage, _ file: ImportFile, _ context: ImportContext) {
    (self.page, self.file, self.context) = (page, file, context)
    home = AppleJournalImporter.home(of: file)
    files = JournalFiles(folder: home, file: file.url, context)
  }

  func take(into sink: any ImportSink) throws {
    let stem = file.url.deletingPathExtension().lastPathComponent
    let header = HTMLMarkdown.plain(page.header)
    // The day in the name is the same in every language.
    let named = Self.day(inName: stem)
    guard let day = named ?? JournalDate(header)?.day else {
      throw ImportRefusal(
        place: file.name,
        message: "the day of the entry is unknown: \(FieldError.shown(header)) isn’t a date "
          + "Arkived can read, and the file name contains none")
    }
    var entry = JournalEntry(
      provider: "applejournal", id: stem, source: .appleJournalImport, day: day, start: nil,
      zone: context.homeZone)
    entry.title = JournalEntry.words(HTMLMarkdown.plain(page.title))
    let prompt = HTMLMarkdown.plain(page.prompt)
    let body = HTMLMarkdown.text(page.body, styles: page.styles)
    entry.text = .markdown(
      [prompt.isEmpty ? "" : "> " + MarkdownEscapes.escaped(prompt), body].filter { !$0.isEmpty }
        .joined(separator: "\n\n"))
    if entry.title == nil, body.isEmpty { entry.title = prompt.isEmpty ? nil : prompt }
    var paths: [String] = []
    var firstPlace: AppleJournalPlace?
    for item in page.items {
      let asset = AppleJournalAsset(item)
      if let path = asset.path { paths.append(path) }
      if let line = asset.details { entry.details.append(line) }
      guard let place = sideCar(of: asset, day: day) else { continue }
      firstPlace = firstPlace ?? place
      if asset.isMap, let name = place.names { entry.details.append("Place: \(name)") }
    }
    if let place = firstPlace {
      entry.place = place.name
      _ = entry.setPlace(lat: place.lat, lon: place.lon)
    }
    let noon = context.homeZone.instant(of: WallTime(day: day, hour: 12))
    entry.createdAt = noon
    entry.attachments = files.attachments(paths, createdAt: noon, at: file.name, into: sink)
    try entry.take(at: file.name, folder: home, context, into: sink)
  }

  /// `2026-03-10_Evening_on_the_lake`, `Entry-2024-04-01`.
  private static func day(inName name: String) -> DayKey? {
    let bytes = Array(name.utf8)
    for start in bytes.indices.dropLast(9).prefix(40) {
      let isAlone = start == 0 || !(0x30...0x39).contains(bytes[start - 1])
      guard isAlone, (0x30...0x39).contains(bytes[start]) else { continue }
      let text = String(decoding: bytes[start..<(start + 10)], as: UTF8.self)
      if let day = DayKey(text) { return day }
    }
    return nil
  }

  /// Returns the place given in the JSON next to a file.
  private func sideCar(of asset: AppleJournalAsset, day: DayKey) -> AppleJournalPlace? {
    guard let id = asset.id, !id.isEmpty, id.allSatisfy({ $0.isHexDigit || $0 == "-" }) else {
      return nil
    }
    let url = home.appendingPathComponent("Resources").appendingPathComponent("\(id).json")
    let attributes = try? FileManager.default.attributesOfItem(atPath: url.path)
    guard attributes?[.type] as? FileAttributeType == .typeRegular,
      let size = attributes?[.size] as? NSNumber, size.intValue < 1 << 20,
      let data = try? Data(contentsOf: url), let json = try? JSON(parsing: [UInt8](data))
    else { return nil }
    return AppleJournalPlace(json)
  }
}

/// The place where a photo was taken, or the places on a map.
private struct AppleJournalPlace {
  var name: String?
  /// Of all places of a map.
  var names: String?
  var lat: Double?
  var lon: Double?

  init?(_ json: JSON) {
    let visits = json["visits"]?.array ?? [json]
    let places = visits.compactMap { visit -> String? in
      let parts = [visit["placeName"], visit["city"]].compactMap { JournalEntry.words($0) }
      var seen: Set<String> = []
      let distinct = parts.filter { seen.insert($0).inserted }
      return distinct.isEmpty ? nil : distinct.joined(separator: ", ")
    }
    name = places.first
    names = places.isEmpty ? nil : places.joined(separator: "; ")
    let located = visits.first { $0["latitude"]?.double != nil }
    lat = located?["latitude"]?.double
    lon = located?["longitude"]?.double
    if name == nil, lat == nil { return nil }
  }
}

/// A photo, a place, a workout or another item in an entry's grid.
private struct AppleJournalAsset {
  let id: String?
  let kind: String
  /// The file that shows it, if it is more than a picture of the item.
  let path: String?
  /// Its content in words.
  let details: String?
  var isMap: Bool { kind == "multiPinMap" || kind == "genericMap" || kind == "map" }

  /// - Parameter tokens: the tokens, beginning with the one that opens the item.
  init(_ tokens: [HTMLTokens.Token]) {
    if case .open(_, let attributes)? = tokens.first {
      id = attributes["id"]
    } else {
      id = nil
    }
    kind =
      tokens.first?.classes.first { $0.hasPrefix("assetType_") }
      .map { String($0.dropFirst("assetType_".count)) } ?? ""
    var sources: [String] = []
    var link: String?
    for token in tokens {
      guard case .open(let name, let attributes) = token else { continue }
      if name == "a" { link = attributes["href"].flatMap(HTMLMarkdown.address) }
      guard ["img", "source", "audio", "video"].contains(name), let source = attributes["src"],
        !source.isEmpty, !token.classes.contains("mediaPlayIcon")
      else { continue }
      sources.append(source)
    }
    switch kind {
    case "photo", "livePhoto": path = sources.first
    case "video", "audio": path = sources.last { !Self.isPicture($0) } ?? sources.last
    // Covers, symbols and maps are drawn by Apple's program, not attached.
    default: path = kind.isEmpty || kind == "drawing" ? sources.first : nil
    }
    let words = HTMLMarkdown.plain(tokens.dropFirst())
    let label = Self.labels[kind] ?? (kind.isEmpty ? nil : kind)
    if let label, !["photo", "livePhoto", "video"].contains(kind) {
      let text = [words.isEmpty ? nil : words, link].compactMap { $0 }.joined(separator: ", ")
      details = text.isEmpty ? nil : "\(label): \(text)"
    } else {
      details = words.isEmpty ? nil : words
    }
  }

  private static func isPicture(_ path: String) -> Bool {
    ["heic", "jpg", "jpeg", "png"].contains(path.split(separator: ".").last?.lowercased() ?? "")
  }

  private static let labels = [
    "audio": "Recording", "multiPinMap": "Map", "genericMap": "Map", "map": "Map",
    "stateOfMind": "State of mind", "motionActivity": "Activity", "workoutIcon": "Workout",
    "workoutRoute": "Workout", "contact": "Contact", "music": "Music", "podcast": "Podcast",
    "book": "Book", "link": "Link", "reflection": "Reflection", "thirdPartyMedia": "Media",
  ]
}
