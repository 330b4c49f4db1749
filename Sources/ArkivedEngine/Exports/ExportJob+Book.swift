package import ArkivedCore
import ArkivedStore
package import Foundation

/// Export of a year, or of any span, as an HTML book.
extension ExportJob {
  /// Writes `index.html`, a page that opens in any browser without Arkived, a network or scripts,
  /// and prints as a book.
  ///
  /// Pictures and other files are in `attachments/`. Those that only the last book in the folder
  /// had are removed if they are unchanged.
  ///
  /// - Parameters:
  ///   - span: the days.
  ///   - folder: the folder.
  ///   - today: the creation date shown in the book.
  /// - Returns: a summary of the export.
  /// - Throws: an error if it can't be written.
  package func writeBook(of span: DayFilter, to folder: URL, today: DayKey) throws -> Summary {
    try claim(folder)
    var outline = BookOutline()
    try forEachDay(of: span) { outline.add($0) }
    var summary = Summary()
    let attachments = folder.appendingPathComponent("attachments")
    let before = VaultPages(listedIn: mark(of: folder))
    var files = VaultPages(zone: before.zone)
    try Self.writeText(to: folder.appendingPathComponent("index.html")) { put in
      try put(BookText.head(outline, madeOn: today))
      var month: DayKey?
      try forEachDay(of: span) { day in
        guard BookText.hasContent(day) else { return }
        if day.dayKey.startOfMonth != month {
          if month != nil { try put(BookText.monthEnd) }
          try put(BookText.monthBegin(day.dayKey.startOfMonth))
          month = day.dayKey.startOfMonth
        }
        var there: Set<UUID> = []
        for attachment in day.allAttachments where attachment.relativePath != nil {
          let missing = summary.missingFiles.count
          try copyFile(of: attachment, into: attachments, &summary)
          files.add(attachment)
          if summary.missingFiles.count == missing { there.insert(attachment.id) }
        }
        try put(BookText.day(day, files: there))
        summary.entries += 1
      }
      if month != nil { try put(BookText.monthEnd) }
      try put(BookText.index(outline))
      try put(BookText.tail)
    }
    summary.files += 1
    if before.hasPages {
      // Pages in the folder show the files, too.
      files.keep(before)
    } else {
      try files.replace(before, in: folder, of: DayFilter())
    }
    try stamp(folder, listing: files)
    return summary
  }
}

/// The contents of a book's front and back matter: its months, and the days on which people and
/// tags appear.
struct BookOutline {
  struct Month {
    var first: DayKey
    var days = 0
    var pictures = 0
  }

  private(set) var months: [Month] = []
  private(set) var people: [String: [DayKey]] = [:]
  private(set) var tags: [String: [DayKey]] = [:]
  private(set) var entries = 0

  var dayCount: Int { months.reduce(0) { $0 + $1.days } }
  var pictureCount: Int { months.reduce(0) { $0 + $1.pictures } }

  /// The title: "2026", or "2024–2026".
  var title: String {
    guard let first = months.first?.first.year, let last = months.last?.first.year else {
      return "An empty book"
    }
    return first == last ? "\(first)" : "\(first)–\(last)"
  }

  mutating func add(_ day: Day) {
    guard BookText.hasContent(day) else { return }
    let first = day.dayKey.startOfMonth
    if months.last?.first != first { months.append(Month(first: first)) }
    months[months.count - 1].days += 1
    months[months.count - 1].pictures += day.allAttachments.filter(BookText.isPicture).count
    entries += day.activities.count
    for mention in (day.entry?.people ?? []) + day.activities.flatMap(\.people) {
      Self.note(day.dayKey, &people[mention.name, default: []])
    }
    for tag in day.activities.flatMap(\.tags) {
      Self.note(day.dayKey, &tags[tag, default: []])
    }
  }

  private static func note(_ day: DayKey, _ days: inout [DayKey]) {
    if days.last != day { days.append(day) }
  }
}
