import ArkivedCore
import ArkivedEngine
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// The page for permanently forgetting things, and for setting how long the history keeps replaced
/// and deleted versions.
///
/// It is reserved for the owner; no program's token has access.
struct ForgetPageController: Sendable {
  let settings: SettingsPages

  private static let path = "/settings/forget"
  /// The word that has to be typed.
  private static var word: String { said("delete") }

  func addRoutes(to router: Router<WebContext>) {
    router.get("/settings/forget", use: show)
    router.post("/settings/forget", use: forget)
    router.post("/settings/forget/kept", use: keep)
  }

  private var archive: Archive { settings.archive }

  /// The selection in the form or the address.
  private struct Wish: Sendable {
    var id: String
    var tag: String
    var from: String
    var to: String

    init(_ fields: FormFields) {
      func text(_ name: String) -> String { String((fields.text(name) ?? "").prefix(200)) }
      id = text("id")
      tag = text("tag")
      from = text("from")
      to = text("to")
    }

    var isEmpty: Bool { id.isEmpty && tag.isEmpty && from.isEmpty && to.isEmpty }

    func selection() throws -> PurgeSelection {
      let ways = [!id.isEmpty, !tag.isEmpty, !from.isEmpty || !to.isEmpty].filter { $0 }.count
      guard ways == 1 else {
        throw ArchiveError.refused("Choose a tag or days, not both.")
      }
      if !id.isEmpty {
        guard let identity = UUID(uuidString: id) else {
          throw ArchiveError.notFound("No such item.")
        }
        return .entities([identity])
      }
      if !tag.isEmpty {
        let bare = tag.trimmingCharacters(in: .whitespaces)
        return .tag(bare.hasPrefix("#") ? String(bare.dropFirst()) : bare)
      }
      guard let first = DayKey(from), let last = DayKey(to) else {
        throw ArchiveError.refused("Give both the first and the last day.")
      }
      guard first <= last else { throw ArchiveError.refused("The first day is after the last.") }
      return .days(DayFilter(from: first, to: last))
    }
  }

  @Sendable func show(_ request: Request, context: WebContext) async throws -> Response {
    try await page(Wish(request.fields))
  }

  private func page(
    _ wish: Wish, notices: [Notice] = [], status: HTTPResponse.Status = .ok
  ) async throws -> Response {
    let archive = archive
    let (newest, retention, found) = try await offServer {
      let found: Result<Told, any Error>? =
        wish.isEmpty ? nil : Result { try Self.told(wish, archive) }
      return (try archive.newestChange(), try archive.retention(), found)
    }
    var all = notices
    var told: Told?
    var shown = status
    switch found {
    case .success(let lines)?: told = lines
    case .failure(let error as ArchiveError)?:
      if notices.isEmpty { all.append(Notice(tone: .error, sentence: error.description)) }
      if status == .ok { shown = WebFailure(error).status }
    case .failure(let error)?: throw error
    case nil: break
    }
    return try settings.page(
      "settings-forget", title: said("Delete permanently"), tab: .history, known: .some(newest),
      notices: all,
      [
        "hasPlan": told != nil, "planSentence": saidAgain(told?.sentence ?? ""),
        "planLines": (told?.lines ?? []).map {
          ["line": ClippedText.of(saidAgain($0), limit: 300)]
        },
        "forgetWord": Self.word, "planMark": told?.mark ?? "",
        "wishId": FormValue(wish.id), "wishTag": FormValue(wish.tag),
        "wishFrom": FormValue(wish.from), "wishTo": FormValue(wish.to),
        "keptVersions": FormValue(retention.versionDays.map(String.init) ?? ""),
        "keptDeleted": FormValue(retention.deletedDays.map(String.init) ?? ""),
      ], status: shown)
  }

  /// A preview of the data to be removed.
  private struct Told: Sendable {
    var sentence: String
    var lines: [String]
    var mark: String
  }

  private static func told(_ wish: Wish, _ archive: Archive) throws -> Told {
    let plan = try archive.purgePlan(try wish.selection())
    guard !plan.isEmpty else { throw ArchiveError.notFound("Nothing found to delete permanently.") }
    let backups = BackupBook(of: archive).entries(since: plan.firstMade).map(\.path)
    return Told(
      sentence: "\(Archive.words(plan)) would be permanently deleted.",
      lines: plan.lines(backups: backups), mark: plan.mark)
  }

  @Sendable func forget(_ request: Request, context: WebContext) async throws -> Response {
    let form = try await request.form(limit: 1 << 16)
    let wish = Wish(form)
    let typed = (form["word"] ?? "").trimmingCharacters(in: .whitespaces).lowercased()
    guard [Self.word, "delete"].contains(typed) else {
      return try await page(
        wish,
        notices: [
          Notice(
            tone: .error, sentence: said("Nothing was deleted. Type \(Self.word) to confirm."))
        ], status: .unprocessableContent)
    }
    let archive = archive
    // Programs may have tagged more since the page was shown.
    let mark = form.text("plan")
    do {
      let (purged, areVectorsGone, backups) = try await offServer {
        let (purged, areGone) = try PurgeJob(archive: archive)
          .run(try wish.selection(), asShown: mark)
        let backups = BackupBook(of: archive).entries(since: purged.plan.firstMade).map(\.path)
        return (purged, areGone, backups)
      }
      var sentence = saidAgain("\(purged.change.summary).")
      if !backups.isEmpty { sentence += said(" Backups on your list may still contain it.") }
      if !purged.isLogEmpty {
        sentence += said(
          " The database file couldn’t be rewritten yet. Arkived will try again within an hour.")
      }
      for name in purged.plan.openDrafts {
        sentence += said(" The draft \(name) is open in an editor and was kept.")
      }
      if !areVectorsGone { sentence += " \(saidAgain(PurgeJob.vectorsRemain))" }
      return try await page(
        Wish(FormFields([UInt8]())), notices: [Notice(tone: .success, sentence: sentence)])
    } catch let error as ArchiveError {
      return try await page(
        wish, notices: [Notice(tone: .error, sentence: error.description)],
        status: WebFailure(error).status)
    }
  }

  @Sendable func keep(_ request: Request, context: WebContext) async throws -> Response {
    let form = try await request.form(limit: 1 << 16)
    let archive = archive
    do {
      let retention = try Self.retention(form)
      try await offServer { try archive.setRetention(retention) }
      return try await page(
        Wish(FormFields([UInt8]())),
        notices: [
          Notice(tone: .success, sentence: "Saved. Anything older is deleted within an hour.")
        ])
    } catch let error as FieldError {
      return try await page(
        Wish(FormFields([UInt8]())),
        notices: [
          Notice(
            tone: .error,
            sentence: "\(Self.label(of: error.field)) \(saidAgain(error.problem)).")
        ], status: .unprocessableContent)
    }
  }

  /// The name of a field, as the start of a sentence about it.
  private static func label(of field: String) -> String {
    field == "deleted" || field == "deletedDays"
      ? said("The number of days for deleted items")
      : said("The number of days for earlier versions")
  }

  private static func retention(_ form: FormFields) throws(FieldError) -> Retention {
    func days(_ name: String) throws(FieldError) -> Int? {
      let text = (form[name] ?? "").trimmingCharacters(in: .whitespaces)
      guard !text.isEmpty else { return nil }
      guard let days = Int(text) else {
        throw FieldError(
          name,
          "is \(FieldError.shown(text)). Enter a number of days, or leave it empty for no limit")
      }
      return days
    }
    return Retention(versionDays: try days("versions"), deletedDays: try days("deleted"))
  }
}
