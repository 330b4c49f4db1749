import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedSearch
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// The page of the archive's storage and health.
struct StoragePageController: Sendable {
  let settings: SettingsPages
  let desk: CheckDesk

  func addRoutes(to router: Router<WebContext>) {
    router.get("/settings/storage", use: show)
    router.post("/settings/storage/check", use: check)
    router.post("/settings/storage/repair", use: repair)
    router.get("/settings/storage/export.jsonl", use: export)
  }

  private var archive: Archive { settings.archive }

  @Sendable func show(_ request: Request, context: WebContext) async throws -> Response {
    let (newest, report, kept) = try await offServer {
      (try archive.newestChange(), try archive.storageReport(), archive.lastCheck())
    }
    let check = kept ?? desk.last
    var notices: [Notice] = []
    if let free = report.freeBytes, free < StorageReport.lowBytes {
      notices.append(
        Notice(
          tone: .warning,
          sentence: said(
            "Only \(Self.size(free)) left on the archive’s disk. Free up some space soon.")))
    }
    if let problem = desk.problem {
      notices.append(
        Notice(tone: .error, sentence: said("The check failed. \(saidAgain(problem))")))
    }
    if let mended = desk.mended, !desk.isRunning {
      notices.append(Notice(tone: .success, sentence: Self.sentence(mended)))
    }
    let repairs = DoctorJob.repairs(for: check?.findings ?? [])
    let needsCopy = (check?.findings ?? []).contains { finding in
      finding.verdict == .problem && DoctorJob.repair(for: finding) == nil
    }
    let snapshots = archive.home?.appendingPathComponent("snapshots", isDirectory: true)
    let page: [String: Any] = [
      "figures": figures(report),
      "isMending": desk.isMending, "hasRepairs": !repairs.isEmpty, "needsCopy": needsCopy,
      "repairs": repairs.map {
        ["repair": $0.rawValue, "repairName": $0.name, "repairEffect": $0.effect]
      },
      "counts": report.counts.map {
        // words: Entries | Days with a note | Meetings | Notes | People | Tags | Goals | Values
        // words: Terms | Metrics | Attachments | Imports | Changes | Earlier versions
        ["name": saidWhole($0.kind), "value": SettingsPages.number($0.count)]
      },
      "snapshots": report.snapshots.prefix(100).map { snapshot -> [String: Any] in
        [
          "name": ClippedText.of(snapshot.name, limit: 120), "size": Self.size(snapshot.bytes),
          "whenISO": snapshot.madeAt.description,
          "when": settings.entries.moment(snapshot.madeAt),
          "snapshotPath": FormValue(
            snapshots?.appendingPathComponent(snapshot.name).path ?? ""),
        ]
      },
      "hasSnapshots": !report.snapshots.isEmpty, "isChecking": desk.isRunning,
      "hasCheck": check != nil, "isWell": check?.isWell == true,
      "checkedISO": check?.at.description ?? "",
      "checked": check.map { settings.entries.moment($0.at) } ?? "",
      "findings": (check?.findings ?? []).map(Self.finding),
      "exportFormats": ExportController.Format.allCases.map {
        ["value": $0.rawValue, "label": $0.label]
      },
      "exportFrom": settings.today.startOfYear.description,
      "exportTo": settings.today.description,
      "facts": [
        (said("Folder"), report.folder ?? said("in memory, lost when Arkived quits")),
        (said("Schema"), report.schema),
        (said("Version"), said("Arkived \(ArkivedVersion.current)")),
      ].map { ["factName": $0.0, "factText": ClippedText.of($0.1, limit: 1_000)] },
    ]
    return try settings.page(
      "settings-storage", title: said("Storage"), tab: .storage, known: .some(newest),
      notices: notices,
      page)
  }

  private func figures(_ report: StorageReport) -> [[String: String]] {
    var figures = [
      (said("Archive"), Self.size(report.archiveBytes)),
      (
        said("Attachments"),
        "\(Self.size(report.attachmentBytes)) in "
          + GoalWords.count(report.attachmentCount, "file")
      ),
      (said("Search indexes"), Self.size(report.indexBytes)),
      (said("Thumbnails"), Self.size(report.thumbnailBytes)),
      (
        said("Snapshots"),
        "\(Self.size(report.snapshots.reduce(0) { $0 + $1.bytes })) in "
          + GoalWords.count(report.snapshots.count, "file")
      ),
    ]
    if let free = report.freeBytes { figures.append((said("Free disk space"), Self.size(free))) }
    return figures.map { ["name": $0.0, "value": $0.1] }
  }

  /// Returns a size such as "1.2 GB", "10 MB" or "240 kB".
  private static func size(_ bytes: Int) -> String {
    if bytes == 0 { return "0 kB" }
    guard bytes >= 1_000_000_000 else { return EntryContext.size(bytes) }
    return "\(AmountText.shown((Double(bytes) / 1e8).rounded() / 10)) GB"
  }

  private static func finding(_ finding: Archive.Finding) -> [String: Any] {
    let mark: (icon: String, word: String) =
      switch finding.verdict {
      case .good: ("success", said("Good"))
      case .advice: ("warning", said("Advice"))
      case .problem: ("error", said("Problem"))
      }
    let repair = DoctorJob.repair(for: finding)
    let remedy = repair.map { "\($0.name): \($0.effect)" } ?? saidAgain(finding.remedy)
    return [
      "icon": mark.icon, "word": mark.word,
      "check": EntryContext.capitalised(saidAgain(finding.check)),
      "detail": ClippedText.of(saidAgain(finding.detail), limit: 500),
      "hasRemedy": !remedy.isEmpty, "remedy": ClippedText.of(remedy, limit: 500),
    ]
  }

  private static func sentence(_ outcome: DoctorJob.Outcome) -> String {
    let names = outcome.repaired.map(\.name).joined(separator: ", ")
    guard let copy = outcome.safetyCopy else { return said("Repaired: \(names).") }
    let name = copy.lastPathComponent
    return said(
      "Repaired: \(names). The previous database is in snapshots/\(name).")
  }

  /// Starts the chosen repairs.
  @Sendable func repair(_ request: Request, context: WebContext) async throws -> Response {
    let fields = try await request.form(limit: 65_536)
    try desk.mend(fields.all("repair").compactMap(DoctorJob.Repair.init))
    return .seeOther("/settings/storage#health")
  }

  @Sendable func check(_ request: Request, context: WebContext) async throws -> Response {
    desk.start()
    return .seeOther("/settings/storage")
  }

  /// Returns the whole archive as JSON Lines, without the attachments' files.
  @Sendable func export(_ request: Request, context: WebContext) async throws -> Response {
    let headers: HTTPFields = [
      .contentType: "application/jsonl; charset=utf-8",
      .contentDisposition: "attachment; filename=\"arkived-\(settings.today).jsonl\"",
    ]
    guard request.method != .head else { return Response(status: .ok, headers: headers) }
    let archive = archive
    let content = try await offServer {
      let folder = try ScratchFolders.make()
      // A mapped file stays readable until it is released.
      defer { ScratchFolders.remove(folder) }
      let file = folder.appendingPathComponent("life.jsonl")
      try DurableFile.write(to: file) { append in
        var buffer = Data()
        _ = try ExportJob(archive: archive).writeJSONLines { line in
          buffer.append(contentsOf: line.utf8)
          buffer.append(0x0A)
          guard buffer.count > 1 << 20 else { return }
          try append(buffer)
          buffer.removeAll(keepingCapacity: true)
        }
        try append(buffer)
      }
      return try Data(contentsOf: file, options: .alwaysMapped)
    }
    return Response(download: content, headers)
  }
}
