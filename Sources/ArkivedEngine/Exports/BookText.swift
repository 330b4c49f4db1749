import ArkivedCore
import Foundation

/// The parts of a book's page.
enum BookText {
  // MARK: Front and back matter

  static func head(_ outline: BookOutline, madeOn today: DayKey) -> String {
    let title = escaped(outline.title)
    let rows = outline.months.map { month in
      "<li><a href=\"#\(monthID(month.first))\">\(monthName(month.first))</a> "
        + "<span>\(count(month.days, "day"))"
        + (month.pictures > 0 ? ", \(count(month.pictures, "picture"))" : "") + "</span></li>\n"
    }
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="generator" content="Arkived">
      <meta http-equiv="Content-Security-Policy" content="\(policy)">
      <title>\(title)</title>
      <style>
      \(BookStyle.text)
      </style>
      </head>
      <body>
      <header class="title">
      <h1>\(title)</h1>
      <p>\(count(outline.dayCount, "day")), \(count(outline.entries, "entry", "entries")), \
      \(count(outline.pictureCount, "picture"))</p>
      <p class="quiet">Made on \(today.plainName)</p>
      </header>
      <nav class="contents" aria-label="Contents">
      <h2>Contents</h2>
      <ol>
      \(rows.joined())\(outline.people.isEmpty && outline.tags.isEmpty ? "" : indexRow)</ol>
      </nav>
      <main>

      """
  }

  /// A policy under which nothing runs, nothing is sent, and nothing is framed.
  private static let policy =
    "script-src 'none'; object-src 'none'; frame-src 'none'; connect-src 'none'; "
    + "form-action 'none'; base-uri 'none'"

  private static let indexRow = "<li><a href=\"#index\">People and tags</a></li>\n"

  static func monthBegin(_ month: DayKey) -> String {
    "<section class=\"month\" id=\"\(monthID(month))\">\n<h2>\(monthName(month))</h2>\n"
  }

  static let monthEnd = "</section>\n"

  static func index(_ outline: BookOutline) -> String {
    guard !outline.people.isEmpty || !outline.tags.isEmpty else { return "" }
    var text = "<section class=\"index\" id=\"index\">\n<h2>People and tags</h2>\n"
    for (title, names) in [("People", outline.people), ("Tags", outline.tags)] where !names.isEmpty
    {
      text += "<h3>\(title)</h3>\n<dl>\n"
      let sorted = names.sorted {
        (NameFolding.key($0.key), $0.key) < (NameFolding.key($1.key), $1.key)
      }
      for (name, days) in sorted {
        let links = days.map { "<a href=\"#\(dayID($0))\">\(shortName($0, in: outline))</a>" }
        text += "<dt>\(escaped(name))</dt><dd>\(links.joined(separator: ", "))</dd>\n"
      }
      text += "</dl>\n"
    }
    return text + "</section>\n"
  }

  static let tail = "</main>\n</body>\n</html>\n"

  // MARK: Days

  /// Returns true if a day has anything to read; measurements from devices alone don't make a page.
  static func hasContent(_ day: Day) -> Bool { day.entry != nil || !day.activities.isEmpty }

  /// Returns the HTML of one day.
  ///
  /// - Parameters:
  ///   - day: the day.
  ///   - files: the attachments whose files are next to the page.
  /// - Returns: the HTML.
  static func day(_ day: Day, files: Set<UUID>) -> String {
    var text = "<article class=\"day\" id=\"\(dayID(day.dayKey))\">\n"
    text += "<h3><time datetime=\"\(day.dayKey)\">\(day.dayKey.longName)</time></h3>\n"
    if let entry = day.entry {
      if let title = entry.title, !title.isEmpty {
        text += "<p class=\"day-title\">\(escaped(title))</p>\n"
      }
      let facts = [
        entry.mood.map { "Mood \($0) of 5" }, entry.energy.map { "Energy \($0) of 5" },
        entry.weather?.text,
      ].compactMap { $0 }
      if !facts.isEmpty {
        text += "<p class=\"quiet\">\(escaped(facts.joined(separator: " · ")))</p>\n"
      }
      if !entry.note.isEmpty {
        text += "<div class=\"note\">\n\(BookMarkdown.html(entry.note))</div>\n"
      }
    }
    if !day.activities.isEmpty {
      text += "<ul class=\"timeline\">\n\(day.activities.map(activity).joined())</ul>\n"
    }
    return text + day.allAttachments.map { self.file($0, isThere: files.contains($0.id)) }.joined()
      + "</article>\n"
  }

  private static func activity(_ activity: Activity) -> String {
    var text = "<li>"
    if let time = activity.timeText { text += "<span class=\"time\">\(escaped(time))</span> " }
    text += lines(activity.text)
    var facts = [activity.locationLabel].compactMap { $0 }
    if !activity.measurements.isEmpty { facts.append(MeasureText.write(activity.measurements)) }
    facts += activity.tags.map { "#\($0)" }
    if !facts.isEmpty {
      text += " <span class=\"quiet\">\(escaped(facts.joined(separator: " · ")))</span>"
    }
    for more in [activity.description, activity.notes].compactMap({ $0 }) where !more.isEmpty {
      text += "<p class=\"more\">\(lines(more))</p>"
    }
    return text + "</li>\n"
  }

  // MARK: Files

  private static let pictureTypes: Set<String> = [
    "image/jpeg", "image/png", "image/gif", "image/webp", "image/avif",
  ]

  /// The extensions of files that a browser shows or downloads without running anything in them.
  private static let quietEndings: Set<String> = [
    "jpg", "jpeg", "png", "gif", "webp", "avif", "heic", "pdf", "txt", "md", "csv", "mp3", "m4a",
    "ogg", "oga", "wav", "flac", "mp4", "m4v", "mov", "webm", "gpx", "ics",
  ]

  static func isPicture(_ attachment: Attachment) -> Bool {
    attachment.relativePath != nil && attachment.mediaType.map { pictureTypes.contains($0) } == true
  }

  private static func file(_ attachment: Attachment, isThere: Bool) -> String {
    let name = escaped(
      [attachment.caption, attachment.originalName, attachment.externalURL]
        .compactMap { $0 }.first { !$0.isEmpty } ?? attachment.type.rawValue)
    guard let path = attachment.relativePath else {
      let url = attachment.externalURL ?? ""
      let isWeb = ["http://", "https://"].contains { url.lowercased().hasPrefix($0) }
      return isWeb
        ? "<p class=\"file\"><a href=\"\(escaped(url))\" rel=\"noreferrer\">\(name)</a></p>\n"
        : "<p class=\"file\">\(name)</p>\n"
    }
    let address = "attachments/\(escaped(path))"
    guard isThere else { return "<p class=\"file\">\(name) (its file is missing)</p>\n" }
    if isPicture(attachment) {
      let caption = attachment.caption.flatMap { $0.isEmpty ? nil : escaped($0) }
      return "<figure><img src=\"\(address)\" alt=\"\(name)\">"
        + (caption.map { "<figcaption>\($0)</figcaption>" } ?? "") + "</figure>\n"
    }
    let ending = path.split(separator: ".").last.map { $0.lowercased() } ?? ""
    // A web page or a drawing could run its content, so only its name is shown.
    guard quietEndings.contains(ending) else {
      return "<p class=\"file\">\(name) <span class=\"quiet\">\(address)</span></p>\n"
    }
    return "<p class=\"file\"><a href=\"\(address)\">\(name)</a></p>\n"
  }

  // MARK: Words

  static func escaped(_ text: String) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    for byte in text.utf8 {
      switch byte {
      case 0x3C: bytes += "&lt;".utf8
      case 0x3E: bytes += "&gt;".utf8
      case 0x26: bytes += "&amp;".utf8
      case 0x22: bytes += "&quot;".utf8
      case 0x27: bytes += "&#39;".utf8
      case 0x09, 0x0A, 0x0D: bytes.append(byte)
      case 0..<0x20, 0x7F: break
      default: bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns text with its line breaks kept.
  private static func lines(_ text: String) -> String {
    text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .map { escaped(String($0)) }.joined(separator: "<br>\n")
  }

  private static func count(_ number: Int, _ one: String, _ many: String? = nil) -> String {
    "\(number) \(number == 1 ? one : many ?? one + "s")"
  }

  private static func monthName(_ month: DayKey) -> String {
    "\(MonthName.full[month.month - 1]) \(month.year)"
  }

  private static func monthID(_ month: DayKey) -> String { "m-\(month)" }
  private static func dayID(_ day: DayKey) -> String { "d-\(day)" }

  /// Returns a date such as "14 Mar", with the year if the book covers several.
  private static func shortName(_ day: DayKey, in outline: BookOutline) -> String {
    let isOneYear = outline.months.first?.first.year == outline.months.last?.first.year
    return "\(day.day) \(MonthName.full[day.month - 1].prefix(3))"
      + (isOneYear ? "" : " \(day.year)")
  }
}

/// The style of a book on the screen and on paper.
enum BookStyle {
  static let text = """
    @page { size: A4; margin: 20mm 18mm 22mm; @bottom-center { content: counter(page); } }
    html { font: 17px/1.55 Georgia, "Times New Roman", serif; color: #1c1c1e; background: #fff; }
    body { max-width: 40rem; margin: 0 auto; padding: 0 1rem 4rem; overflow-wrap: anywhere; }
    h1, h2, h3, h4, h5, h6 { line-height: 1.2; break-after: avoid; }
    a { color: #1a4f8b; }
    .title { min-height: 60vh; display: flex; flex-direction: column; justify-content: center; \
    text-align: center; }
    .title h1 { font-size: 4rem; margin: 0; }
    .quiet { color: #5c5c61; font-size: 0.85em; }
    .contents ol { list-style: none; padding: 0; }
    .contents li { display: flex; justify-content: space-between; gap: 1rem; padding: 0.2rem 0; \
    border-bottom: 1px solid #ddd; }
    .month, .index { margin-top: 4rem; }
    .month > h2, .index > h2 { font-size: 2rem; border-bottom: 2px solid #1c1c1e; }
    .day { margin: 2rem 0; }
    .day > .quiet { break-after: avoid; }
    .day-title { font-size: 1.15rem; font-style: italic; margin: 0; break-after: avoid; }
    .timeline { list-style: none; padding: 0; }
    .timeline li { margin: 0.35rem 0; }
    .time { font-variant-numeric: tabular-nums; color: #5c5c61; margin-right: 0.35rem; }
    .more { margin: 0.2rem 0 0.2rem 1.5rem; font-size: 0.92em; }
    figure { margin: 1rem 0; text-align: center; break-inside: avoid; }
    figure img { max-width: 100%; max-height: 80vh; }
    figcaption { color: #5c5c61; font-size: 0.85em; }
    pre { white-space: pre-wrap; }
    .index dt { font-weight: bold; break-after: avoid; }
    .index dd { margin: 0 0 0.5rem 1rem; font-size: 0.9em; }
    @media print {
      html { font-size: 10.5pt; }
      body { max-width: none; padding: 0; }
      .title { min-height: 0; height: 200mm; }
      .contents, .month, .index { break-before: page; margin-top: 0; }
      figure img { max-height: 140mm; }
      p, li { orphans: 3; widows: 3; }
      a { color: inherit; text-decoration: none; }
      .index dl { columns: 2; }
    }
    """
}
