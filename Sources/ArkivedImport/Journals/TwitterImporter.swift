import ArkivedCore
import Foundation

/// Imports a person's own posts from the archive of X (Twitter): `data/tweets.js` and its further
/// parts, with their pictures and films from `tweets_media`.
///
/// A zip archive is read as the folder it unpacks to. Reposts are skipped, because they are other
/// people's words.
///
/// Sources of the format: archives as read by twitter-archive-parser, timeliner, HPI and
/// community-archive. Each file is a script that assigns a list: `window.YTD.tweets.part0 = […]`.
/// Until 2022 it was named `tweet.js`, and until 2019 the posts were the elements themselves instead
/// of members named `tweet`.
package struct TwitterImporter: Importer {
  package let format = "twitter"

  package init() {}

  // MARK: Recognising

  private static let lists = ["tweets", "tweet", "community_tweet"]

  package func recognises(head: [UInt8], fileName: String) -> Bool {
    let text = HeadText.of(Array(head.prefix(256))).drop { $0.isWhitespace || $0 == "\u{FEFF}" }
    return Self.lists.contains { text.hasPrefix("window.YTD.\($0).part") }
  }

  /// The folders of pictures and films, next to the lists.
  static let mediaFolders = ["tweets_media", "tweet_media", "community_tweet_media"]

  package func accompanies(_ name: String, filesIn folders: Set<String>) -> Bool {
    folders.contains { Self.isBeside(name, folder: $0) }
  }

  private static func isBeside(_ name: String, folder: String) -> Bool {
    if name.hasPrefix(folder) {
      let rest = name.dropFirst(folder.count)
      let parts = rest.split(separator: "/")
      if parts.count == 1 ? rest.hasSuffix(".js") : parts.first?.hasSuffix("_media") ?? false {
        return true
      }
    }
    guard folder == "data/" || folder.hasSuffix("/data/") else { return false }
    let home = folder.dropLast("data/".count)
    guard name.hasPrefix(home) else { return false }
    let rest = name.dropFirst(home.count)
    return rest == "Your archive.html" || rest == "README.txt" || rest.hasPrefix("assets/")
  }

  // MARK: Reading

  package func surroundings(of file: ImportFile) -> [String]? { [""] }

  package func read(
    _ file: ImportFile, context: ImportContext, into sink: any ImportSink
  ) throws {
    let folder = file.url.deletingLastPathComponent()
    let notes = context.notes.found("twitter notes \(folder.path)") { TwitterNotes(in: folder) }
    let files = JournalFiles(folder: folder, file: file.url, context)
    var reposts = 0
    var formers = 0
    try JournalJSON.forEach(in: file, isScript: true, into: sink) { json, place in
      let post = TwitterPost(json["tweet"] ?? json)
      if post.isRepost {
        reposts += 1
      } else if post.isFormerVersion {
        formers += 1
      } else {
        try post.take(at: place, notes, files, context, into: sink)
      }
    }
    func tell(_ message: String) {
      sink.diagnose(Diagnostic(.note, place: file.name, message: message))
    }
    if reposts > 0 { tell("skipped reposts: \(reposts)") }
    if formers > 0 { tell("skipped earlier versions of edited posts: \(formers)") }
    if Self.hasMore(in: folder, context), context.notes.isFirst("twitter rest \(folder.path)") {
      tell("only posts are imported; likes, direct messages, ads and settings were skipped")
    }
  }

  /// Returns true if lists of other things are next to the posts.
  private static func hasMore(in folder: URL, _ context: ImportContext) -> Bool {
    let names = JournalFiles.index(of: folder, context) { String($0) }.keys
    return names.contains { name in
      let stem = name.split(separator: ".").first.map(String.init) ?? ""
      return name.hasSuffix(".js") && stem != "manifest"
        && !["tweet", "community-tweet", "note-tweet"].contains { stem.hasPrefix($0) }
    }
  }
}

/// The whole texts of long posts, of which the list of posts has only the beginning.
struct TwitterNotes: Sendable {
  struct Note: Sendable {
    var text: String
    var links: [String: String]
    var createdAt: Instant?
  }

  /// The characters of a text that a long post and its note share at least.
  private static let keyLength = 100
  /// The maximum size of all texts together, in bytes.
  private static let sizeLimit = 64 << 20

  private var notes: [String: [Note]] = [:]

  /// Reads the notes in a folder; damaged files are read as far as possible, because the beginnings
  /// of their texts are in the posts.
  init(in folder: URL) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    var room = Self.sizeLimit
    for name in names.sorted() where name.hasPrefix("note-tweet") && name.hasSuffix(".js") {
      let url = folder.appendingPathComponent(name)
      // A link could point outside the folder.
      let type =
        (try? FileManager.default.attributesOfItem(atPath: url.path))?[.type] as? FileAttributeType
      guard type == .typeRegular, var stream = try? JSONStream(url) else { continue }
      defer { stream.close() }
      try? read(&stream, &room)
    }
  }

  private mutating func read(_ stream: inout JSONStream, _ room: inout Int) throws {
    try stream.skipAssignment()
    var found: [Note] = []
    defer { for note in found { notes[Self.key(note.text), default: []].append(note) } }
    try stream.elements { stream in
      guard let bytes = try stream.bytes(), let json = try? JSON(parsing: bytes),
        let note = Self.note(json["noteTweet"] ?? json), note.text.utf8.count <= room
      else { return }
      room -= note.text.utf8.count
      found.append(note)
    }
  }

  private static func note(_ json: JSON) -> Note? {
    let core = json["core"] ?? json["noteTweetResults"]
    guard let text = core?["text"]?.string else { return nil }
    let urls = core?["urls"]?.array ?? core?["entitySet"]?["urls"]?.array ?? []
    let links = urls.compactMap { url -> (String, String)? in
      guard let short = (url["shortUrl"] ?? url["url"])?.string.flatMap(TwitterText.code),
        let long = TwitterText.address(url["expandedUrl"] ?? url["expanded_url"])
      else { return nil }
      return (short, long)
    }
    return Note(
      text: TwitterText.unescaped(text), links: Dictionary(links) { first, _ in first },
      createdAt: json["createdAt"]?.string.flatMap { Instant($0) })
  }

  /// Returns the note that a post's text begins; nil if the post isn't long.
  func note(for text: String, at start: Instant) -> Note? {
    let stem = Self.stem(text)
    guard stem.count >= Self.keyLength else { return nil }
    return notes[Self.key(stem)]?.first { note in
      // A post can be edited for an hour.
      let isNear =
        note.createdAt.map { abs($0.milliseconds - start.milliseconds) <= 3_600_000 } ?? true
      let whole = TwitterText.withoutMentions(note.text)
      return isNear && whole.count > stem.count && whole.hasPrefix(stem)
    }
  }

  /// Returns the beginning of a text that was cut: without mentions before it, and without the
  /// ellipsis and address after it.
  private static func stem(_ text: String) -> String {
    var text = TwitterText.withoutMentions(text)
    while let space = text.lastIndex(where: \.isWhitespace),
      TwitterText.code(String(text[text.index(after: space)...])) != nil
    {
      text = String(text[..<space])
    }
    if let address = text.range(of: "https://t.co/", options: .backwards),
      text[..<address.lowerBound].hasSuffix("…")
    {
      text = String(text[..<address.lowerBound])
    }
    if text.hasSuffix("…") { text.removeLast() }
    return text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private static func key(_ text: String) -> String {
    String(TwitterText.withoutMentions(text).prefix(keyLength))
  }
}

/// The texts of posts.
enum TwitterText {
  /// Returns a text with the three characters that the archive escapes.
  static func unescaped(_ text: String) -> String {
    guard text.contains("&") else { return text }
    return text.replacing("&lt;", with: "<").replacing("&gt;", with: ">")
      .replacing("&amp;", with: "&")
  }

  /// Returns the part of a short address that identifies it: `https://t.co/a1B2c3D4e5`.
  static func code(_ address: String) -> String? {
    for start in ["https://t.co/", "http://t.co/"] where address.hasPrefix(start) {
      let code = address.dropFirst(start.count)
      return !code.isEmpty && code.allSatisfy(isOfCode) ? String(code) : nil
    }
    return nil
  }

  private static func isOfCode(_ character: Character) -> Bool {
    character.isASCII && (character.isLetter || character.isNumber)
  }

  /// Returns an address on the web.
  static func address(_ json: JSON?) -> String? {
    guard let address = JournalEntry.words(json),
      address.hasPrefix("https://") || address.hasPrefix("http://"),
      !address.contains(where: \.isWhitespace)
    else { return nil }
    return address
  }

  /// Returns a text without the names of those it replies to, which are before it.
  static func withoutMentions(_ text: String) -> String {
    var rest = text.drop { $0.isWhitespace }
    while rest.hasPrefix("@"), let space = rest.firstIndex(where: \.isWhitespace) {
      rest = rest[space...].drop { $0.isWhitespace }
    }
    return String(rest)
  }

  /// Returns a text with whole addresses instead of short ones.
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - links: the addresses, keyed by code; an empty one is removed.
  /// - Returns: the text.
  static func expanded(_ text: String, _ links: [String: String]) -> String {
    guard !links.isEmpty else { return text }
    var result = ""
    var rest = text[...]
    while let mark = rest.range(of: "://t.co/") {
      let code = rest[mark.upperBound...].prefix(while: isOfCode)
      result += rest[..<mark.lowerBound]
      let scheme = ["https", "http"].first { result.hasSuffix($0) }
      if let scheme, let address = links[String(code)] {
        result.removeLast(scheme.count)
        if address.isEmpty, result.last == " " { result.removeLast() }
        result += address
      } else {
        result += rest[mark.lowerBound..<code.endIndex]
      }
      rest = rest[code.endIndex...]
    }
    return result + rest
  }
}

/// A post in the archive.
private struct TwitterPost {
  private let json: JSON

  init(_ json: JSON) { self.json = json }

  private var written: String { json["full_text"]?.string ?? json["text"]?.string ?? "" }

  /// The post's number.
  private var id: String? { Self.number(json["id_str"]) ?? Self.number(json["id"]) }

  private static func number(_ json: JSON?) -> String? {
    guard let text = json?.string ?? json?.int.map({ String($0) }),
      (1...20).contains(text.utf8.count),
      text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    return text
  }

  var isRepost: Bool { written.hasPrefix("RT @") || json["retweeted_status"]?.object != nil }

  /// The numbers of all versions of a post that was edited, the first first.
  private var versions: [String] {
    let info = json["edit_info"]
    let control = info?["edit"]?["editControlInitial"] ?? info?["initial"]
    return (control?["editTweetIds"]?.array ?? []).compactMap { Self.number($0) }
  }

  var isFormerVersion: Bool {
    guard let id, let last = versions.last else { return false }
    return last != id && versions.contains(id)
  }

  /// Returns an instant written as "Sat Feb 18 12:33:11 +0000 2023", or in ISO 8601.
  private static func instant(_ text: String) -> Instant? {
    if let instant = Instant(text) { return instant }
    let parts = text.split(separator: " ")
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    guard parts.count == 6, let month = months.firstIndex(of: String(parts[1])),
      (1...2).contains(parts[2].utf8.count)
    else { return nil }
    let number = month + 1
    let written =
      "\(parts[5])-\(number < 10 ? "0" : "")\(number)-\(parts[2].utf8.count < 2 ? "0" : "")"
      + "\(parts[2])T\(parts[3])\(parts[4])"
    return Instant(written)
  }

  func take(
    at place: String, _ notes: TwitterNotes, _ files: JournalFiles, _ context: ImportContext,
    into sink: any ImportSink
  ) throws {
    func skip(_ field: String, _ message: String) {
      sink.diagnose(
        Diagnostic(.skipped, place: "\(place) field “\(field)”", message: "skipped: \(message)"))
    }
    guard let id else { return skip("id_str", "the post has no ID") }
    let created = JournalEntry.words(json["created_at"])
    guard let start = created.flatMap(Self.instant) else {
      return skip("created_at", "\(FieldError.shown(created ?? "nothing")) isn’t a time")
    }
    var entry = JournalEntry(
      provider: "twitter", id: versions.first ?? id, source: .twitterImport, start: start,
      zone: context.homeZone)
    let media =
      json["extended_entities"]?["media"]?.array ?? json["entities"]?["media"]?.array ?? []
    entry.text = .plain(text(media, notes, start))
    entry.tags = (json["entities"]?["hashtags"]?.array ?? []).compactMap { $0["text"]?.string }
    if let name = JournalEntry.words(json["in_reply_to_screen_name"]) {
      entry.details.append("Reply to @\(name)")
    }
    entry.details.append("https://x.com/i/status/\(id)")
    readPlace(into: &entry, at: place, sink)
    entry.createdAt = start
    readFiles(media, of: id, into: &entry, files, context, at: place, sink)
    try entry.take(at: place, folder: files.folder, context, into: sink)
  }

  private func text(_ media: [JSON], _ notes: TwitterNotes, _ start: Instant) -> String {
    let urls = json["entities"]?["urls"]?.array ?? []
    var links: [String: String] = [:]
    for url in urls {
      guard let code = url["url"]?.string.flatMap(TwitterText.code),
        let address = TwitterText.address(url["expanded_url"])
      else { continue }
      links[code] = address
    }
    for medium in media {
      if let code = medium["url"]?.string.flatMap(TwitterText.code) { links[code] = "" }
    }
    let whole = TwitterText.unescaped(written)
    guard let note = notes.note(for: whole, at: start) else {
      return TwitterText.expanded(whole, links)
    }
    return TwitterText.expanded(note.text, links.merging(note.links) { _, second in second })
  }

  private func readPlace(
    into entry: inout JournalEntry, at place: String, _ sink: any ImportSink
  ) {
    entry.place = JournalEntry.words(json["place"]?["full_name"])
    func pair(_ key: String) -> [Double]? {
      let written = json[key]?["coordinates"]?.array ?? []
      let numbers = written.compactMap { value in
        value.double ?? value.string.flatMap { Double($0) }
      }
      return numbers.count == 2 ? numbers : nil
    }
    // GeoJSON gives the longitude first, the older field the latitude.
    let position = pair("coordinates").map { [$0[1], $0[0]] } ?? pair("geo")
    guard let position, let message = entry.setPlace(lat: position[0], lon: position[1]) else {
      return
    }
    sink.diagnose(Diagnostic(.note, place: "\(place) field “coordinates”", message: message))
  }

  private func readFiles(
    _ media: [JSON], of id: String, into entry: inout JournalEntry, _ files: JournalFiles,
    _ context: ImportContext, at place: String, _ sink: any ImportSink
  ) {
    guard !media.isEmpty else { return }
    var paths: [String] = []
    for name in TwitterImporter.mediaFolders {
      let index = JournalFiles.index(of: files.folder.appendingPathComponent(name), context) {
        String($0.prefix { $0 != "-" })
      }
      paths += (index[id] ?? []).map { "\(name)/\($0)" }
    }
    var missing: [String] = []
    for medium in media {
      let stems = Self.names(of: medium)
      let path = paths.first { path in stems.contains { path.hasSuffix("-\($0)") } }
      guard let path else {
        missing.append(stems.first ?? id)
        continue
      }
      paths.removeAll { $0 == path }
      let caption = medium["ext_alt_text"]?.string
      let attachment = files.attachment(
        path, caption: caption, createdAt: entry.createdAt ?? context.now)
      if let attachment { entry.attachments.append(attachment) } else { missing.append(path) }
    }
    // Films may be named after a variant that the post doesn't list.
    let rest = paths.compactMap {
      files.attachment($0, createdAt: entry.createdAt ?? context.now)
    }
    entry.attachments += rest
    JournalFiles.tellMissing(
      Array(missing.dropFirst(min(rest.count, missing.count))), at: place, into: sink)
  }

  /// Returns the names that the archive may have given to a medium's file, after the post's number.
  private static func names(of medium: JSON) -> [String] {
    let films = (medium["video_info"]?["variants"]?.array ?? []).compactMap { $0["url"]?.string }
    let picture = (medium["media_url_https"] ?? medium["media_url"])?.string
    return (films + [picture].compactMap { $0 }).compactMap { address in
      address.prefix { $0 != "?" }.split(separator: "/").last.map(String.init)
    }
  }
}
