import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// The route of `/settings/storage/export` with `format`, `from` and `to`: everything, or some
/// days, as one file.
struct ExportController: Sendable {
  let settings: SettingsPages

  func addRoutes(to router: Router<WebContext>) {
    router.get("/settings/storage/export", use: save)
  }

  /// The formats available to a browser.
  enum Format: String, CaseIterable, Sendable {
    case book, markdown, csv, ics, gpx, jsonl
    case jsonlFiles = "jsonl-files"

    var label: String {
      switch self {
      case .book: said("Book to read and print (zip)")
      case .markdown: said("Markdown pages for Obsidian (zip)")
      case .csv: said("Tables for spreadsheets (zip)")
      case .ics: said("Calendar (ics)")
      case .gpx: said("Places for maps (gpx)")
      case .jsonl: "JSON Lines"
      case .jsonlFiles: said("JSON Lines with attached files (zip)")
      }
    }

    var ending: String {
      switch self {
      case .book, .markdown, .csv, .jsonlFiles: "zip"
      case .ics, .gpx, .jsonl: rawValue
      }
    }

    var mediaType: String {
      switch self {
      case .book, .markdown, .csv, .jsonlFiles: "application/zip"
      case .ics: "text/calendar; charset=utf-8"
      case .gpx: "application/gpx+xml"
      case .jsonl: "application/jsonl; charset=utf-8"
      }
    }
  }

  private static let pieceSize = 1 << 20

  @Sendable func save(_ request: Request, context: WebContext) async throws -> Response {
    let (format, span) = try request.arguments { fields throws(FieldError) in
      let format = try Self.format(&fields)
      let span = try DayFilter(&fields, from: "from", to: "to", homeZone: settings.zone)
      return (format, span)
    }
    let days = [span.from, span.to].compactMap { $0?.description }.joined(separator: "-to-")
    let name = "arkived-\(format.rawValue)-\(days.isEmpty ? "\(settings.today)" : days)"
    let headers: HTTPFields = [
      .contentType: format.mediaType,
      .contentDisposition: "attachment; filename=\"\(name).\(format.ending)\"",
    ]
    guard request.method != .head else { return Response(status: .ok, headers: headers) }
    let (archive, today) = (settings.archive, settings.today)
    let content = try await offServer {
      let folder = try ScratchFolders.make()
      // A mapped file stays readable until it is released.
      defer { ScratchFolders.remove(folder) }
      let file = folder.appendingPathComponent("export.\(format.ending)")
      try Self.write(format, span, to: file, of: archive, today: today)
      return try Data(contentsOf: file, options: .alwaysMapped)
    }
    return Response(download: content, headers)
  }

  private static func format(_ fields: inout FieldReader) throws(FieldError) -> Format {
    let text = try fields.required("format")
    guard let format = Format(rawValue: text) else {
      let known = Format.allCases.map(\.rawValue).joined(separator: ", ")
      throw FieldError("format", "is \(FieldError.shown(text)), but must be one of \(known)")
    }
    return format
  }

  private static func write(
    _ format: Format, _ span: DayFilter, to file: URL, of archive: Archive, today: DayKey
  ) throws {
    let job = ExportJob(archive: archive)
    switch format {
    case .book: _ = try job.writeZip(.book, of: span, to: file, today: today)
    case .markdown: _ = try job.writeZip(.markdown, of: span, to: file, today: today)
    case .csv: _ = try job.writeZip(.csv, of: span, to: file, today: today)
    case .jsonlFiles: _ = try job.writeZip(.jsonl, of: span, to: file, today: today)
    case .ics: _ = try job.writeCalendar(of: span, to: file)
    case .gpx: _ = try job.writeGPX(of: span, to: file)
    case .jsonl:
      try DurableFile.write(to: file) { append in
        var buffer = Data()
        _ = try job.writeJSONLines(of: span) { line in
          buffer.append(contentsOf: line.utf8)
          buffer.append(0x0A)
          guard buffer.count > pieceSize else { return }
          try append(buffer)
          buffer.removeAll(keepingCapacity: true)
        }
        try append(buffer)
      }
    }
  }
}
