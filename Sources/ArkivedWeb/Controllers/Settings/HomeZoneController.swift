import ArkivedCore
import ArkivedEngine
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// The home time zone: its part of the settings, and the restart that applies a new one.
struct HomeZoneController: Sendable {
  let archive: Archive
  let pages: Pages
  let zone: Zone
  let source: HomeZone.Source
  let restart: Restart
  /// Returns true while work is in progress that a restart would stop.
  let isBusy: @Sendable () -> Bool

  func addRoutes(to router: Router<WebContext>) {
    router.post("/settings/time-zone", use: save)
  }

  /// Adds the route of `/api/v1/time-zone`.
  func addRoutes(to group: RouterGroup<WebContext>) {
    group.get("/time-zone", use: show)
    group.put("/time-zone", use: change)
  }

  // MARK: The API

  @Sendable func show(_ request: Request, context: WebContext) async throws -> Response {
    try request.refuseArguments()
    return answer(zone.identifier, source)
  }

  private func answer(
    _ name: String, _ source: HomeZone.Source, restarts: Bool = false
  ) -> Response {
    let word =
      switch source {
      case .environment: "environment"
      case .choice: "choice"
      case .computer: "computer"
      }
    return Response(
      json: ["zone": .string(name), "source": .string(word), "restarts": .bool(restarts)],
      status: restarts ? .accepted : .ok)
  }

  /// Stores the choice, null to follow the computer, and starts the server again if it can.
  @Sendable func change(_ request: Request, context: WebContext) async throws -> Response {
    let object = try await request.jsonObject(limit: 1 << 16)
    var fields = FieldReader(object)
    guard fields.has("zone") else {
      throw FieldError("zone", "is missing. Give a name such as Europe/Rome, or null")
    }
    let name = try fields.string("zone")
    try fields.refuseUnknown()
    let chosen = try await choose(name)
    if restart.isOffered { restart.request() }
    return answer(
      chosen ?? zone.identifier, chosen == nil ? .computer : .choice, restarts: restart.isOffered)
  }

  // MARK: The page

  /// The zone and the form for choosing another, for the settings page.
  ///
  /// - Parameter refused: input that couldn't be used.
  /// - Returns: the values of the template.
  func context(refused: String? = nil) -> [String: Any] {
    let now = archive.clock.now
    return [
      "homeZone": EntryContext.city(zone.identifier), "homeZoneName": zone.identifier,
      "zoneNow": zone.wallTime(at: now).shownClock,
      "zoneOffset": Self.offset(zone.offset(at: now)),
      "followsSystem": source == .computer, "isChosen": source == .choice,
      "mayChooseZone": source != .environment && archive.databaseFile != nil && !Visitor.isDevice,
      "zoneValue": FormValue(refused ?? (source == .choice ? zone.identifier : "")),
      "hasZoneError": refused != nil,
      "zoneError": refused.map(Self.sentence) ?? "",
      "zones": TimeZone.knownTimeZoneIdentifiers.filter { $0.contains("/") }.map { ["name": $0] },
    ]
  }

  private static func sentence(_ refused: String) -> String {
    said(
      """
      “\(ClippedText.of(refused, limit: 60))” isn’t a known time zone. Enter a city such as Rome, or \
      a name such as Europe/Rome.
      """)
  }

  private static func offset(_ seconds: Int) -> String {
    let minutes = abs(seconds) / 60
    let text = minutes % 60 == 0 ? "" : ":\(minutes % 60 < 10 ? "0" : "")\(minutes % 60)"
    return "UTC\(seconds < 0 ? "−" : "+")\(minutes / 60)\(text)"
  }

  /// Stores the choice and starts the server again, which takes well under a second.
  @Sendable func save(_ request: Request, context: WebContext) async throws -> Response {
    let name = try await request.form(limit: 65_536).text("zone") ?? ""
    do {
      _ = try await choose(name.isEmpty ? nil : name)
    } catch is FieldError {
      return try AppearanceController.page(
        archive, pages, self.context(refused: name), status: .unprocessableContent)
    }
    guard restart.isOffered else { return .seeOther("/settings?saved=zone#zone") }
    restart.request()
    var response = try pages.page(
      "settings-restart", title: said("Restarting"), section: .settings,
      ["nextHref": "/settings?saved=zone#zone"])
    response.headers[.name("Refresh")] = "2; url=/settings?saved=zone#zone"
    return response
  }

  /// Stores the choice, which applies from the next start.
  ///
  /// - Returns: the name of the zone; nil if the archive follows the computer.
  /// - Throws: `FieldError` for an unknown zone, `ArchiveError` if none can be chosen now.
  private func choose(_ name: String?) async throws -> String? {
    guard source != .environment else {
      throw ArchiveError.refused(
        "Arkived was started with ARKIVED_TIME_ZONE. To choose a zone here, start it without "
          + "this variable.")
    }
    guard !isBusy() else {
      throw ArchiveError.busy(
        "An import, a backup, a check, a transcription or a download is running. Change the time "
          + "zone when it’s done.")
    }
    let archive = archive
    return try await offServer {
      try HomeZone.choose(name, of: archive)
      let folder = archive.databaseFile?.deletingLastPathComponent()
      return try folder.flatMap { try HomeZone.chosen(in: $0) }?.identifier
    }
  }
}
