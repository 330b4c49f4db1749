import ArkivedAssistant
import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedSearch
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// The settings page for choosing a language model and a transcriber of recordings, stored in the
/// same files that `arkived assistant` uses.
struct ModelPageController: Sendable {
  let settings: SettingsPages
  let parts: PartDesk

  private static let path = "/settings/assistant"
  /// The time limit, because a server may have to load its model first.
  private static let patience = Duration.seconds(60)

  func addRoutes(to router: Router<WebContext>) {
    router.get("/settings/assistant", use: show)
    router.post("/settings/assistant/model", use: changeModel)
    router.post("/settings/assistant/voice", use: changeVoice)
    router.post("/settings/assistant/download", use: download)
  }

  private var archive: Archive { settings.archive }

  // MARK: Showing

  @Sendable func show(_ request: Request, context: WebContext) async throws -> Response {
    let isSaved = request.fields.text("saved") != nil
    return try await page(
      notices: isSaved ? [Notice(tone: .success, sentence: "Saved.")] : [])
  }

  /// Returns the page.
  ///
  /// - Parameters:
  ///   - typed: the contents of one of the forms, which replace the stored settings.
  ///   - notices: the notices at the top of the page.
  ///   - status: the status of the answer.
  /// - Returns: the page.
  /// - Throws: an error if the settings can't be read.
  private func page(
    typed: (purpose: ModelSettings.Purpose, texts: FormTexts)? = nil, notices: [Notice] = [],
    status: HTTPResponse.Status = .ok
  ) async throws -> Response {
    var notices = notices
    var purposes: [[String: Any]] = []
    for purpose in [ModelSettings.Purpose.chat, .voice] {
      let form = ModelForm(purpose: purpose)
      var kept: ModelSettings?
      do {
        kept = try await self.kept(purpose)
      } catch let error as FieldError {
        notices.append(Notice(tone: .error, sentence: "\(error)."))
      }
      let texts = typed.flatMap { $0.purpose == purpose ? $0.texts : nil } ?? form.texts(kept)
      let hasHelper = purpose == .voice && kept == nil && Self.helper != nil
      purposes.append(form.context(texts, kept: kept, hasHelper: hasHelper))
    }
    return try settings.page(
      "settings-assistant", title: said("Assistant"), tab: .assistant, notices: notices,
      [
        "purposes": purposes, "downloads": OptionalPart.allCases.map(context),
        "isDownloading": parts.isWorking,
      ], status: status)
  }

  /// Returns a part that Arkived works without, with the command that fetches it.
  private func context(_ part: OptionalPart) -> [String: Any] {
    let (name, size, command) =
      switch part {
      case .meaning where Language.current == .english && !Self.hasBilingualModel:
        (said("Search by meaning, in English"), "90 MB", "arkived index --fetch")
      case .meaning:
        (said("Search by meaning, in English and German"), "72 MB", "arkived index --fetch")
      case .transcription:
        (said("Transcription of recordings"), "75 MB", "arkived assistant voice fetch")
      case .places:
        (
          said("Town names, and more detailed coastlines on the map"), "83 MB",
          "arkived import fetch-places"
        )
      }
    let standing = parts.standing(part)
    let problem: String? =
      switch standing {
      case .working, .done, nil: nil
      case .cancelled: said("Download cancelled.")
      case .late: said("The download took over an hour and was stopped.")
      case .failed(let detail):
        said("Download failed. Nothing else was changed.") + (detail.isEmpty ? "" : " \(detail)")
      }
    let isThere = standing != .working && Self.isInstalled(part)
    return [
      "partID": part.rawValue, "partName": name, "partSize": size, "partCommand": command,
      "isThere": isThere, "isComing": standing == .working,
      "hasProblem": problem != nil && !isThere, "partProblem": problem ?? "",
    ]
  }

  private static var models: EmbeddingModelFolder {
    EmbeddingModelFolder(environment: ProcessInfo.processInfo.environment)
  }

  private static var hasBilingualModel: Bool { models.hasModel }

  private static func isInstalled(_ part: OptionalPart) -> Bool {
    switch part {
    // An installed English model doesn't keep the owner from getting one that reads German.
    case .meaning: return hasBilingualModel || Language.current == .english && models.hasOlder
    case .transcription: return helper != nil
    case .places: return PlaceNames.installed() != nil && MapTiles.detail() != nil
    }
  }

  private static var helper: WhisperTranscriber? {
    WhisperTranscriber(environment: ProcessInfo.processInfo.environment)
  }

  /// Returns the stored settings without secrets from the environment.
  private func kept(_ purpose: ModelSettings.Purpose) async throws -> ModelSettings? {
    let home = archive.home
    return try await offServer {
      try home.flatMap { try ModelSettings.read(in: $0, for: purpose, environment: [:]) }
    }
  }

  // MARK: Changing

  @Sendable func download(_ request: Request, context: WebContext) async throws -> Response {
    let fields = try await request.form(limit: 1 << 10)
    guard let part = fields["part"].flatMap(OptionalPart.init(rawValue:)) else {
      throw FieldError(
        "part",
        "is \(FieldError.shown(fields["part"] ?? "")), but must be "
          + OptionalPart.allCases.map(\.rawValue).joined(separator: ", "))
    }
    if fields["do"] == "cancel" {
      parts.cancel(part)
    } else {
      do {
        try parts.start(part, language: Language.current)
      } catch let error as OptionalPart.Unavailable {
        return try await page(
          notices: [Notice(tone: .error, sentence: error.reason)], status: .serviceUnavailable)
      }
    }
    return .seeOther("\(Self.path)#downloads")
  }

  @Sendable func changeModel(_ request: Request, context: WebContext) async throws -> Response {
    try await change(.chat, request)
  }

  @Sendable func changeVoice(_ request: Request, context: WebContext) async throws -> Response {
    try await change(.voice, request)
  }

  private func change(
    _ purpose: ModelSettings.Purpose, _ request: Request
  ) async throws -> Response {
    guard let home = archive.home else {
      throw ArchiveError.refused("A model can only be set up for an archive in a folder.")
    }
    let fields = try await request.form(limit: 1 << 16)
    let form = ModelForm(purpose: purpose)
    if fields["do"] == "none" {
      try await offServer { try ModelSettings.remove(in: home, for: purpose) }
      return .seeOther("\(Self.path)?saved=none")
    }
    var texts = form.texts(fields)
    do {
      let choice = try form.choice(texts)
      // If the file is broken, the typed settings replace it.
      let kept = try? await self.kept(purpose)
      let chosen = try await offServer { try choice.settings(for: purpose, keeping: kept) }
      if fields["do"] == "test" {
        return try await page(typed: (purpose, texts), notices: [await trial(chosen, purpose)])
      }
      try await offServer { try chosen.save(in: home, for: purpose) }
      return .seeOther("\(Self.path)?saved=\(form.id)")
    } catch let error as FieldError {
      texts.error = FieldError(form.name(error.field), error.problem)
      return try await page(typed: (purpose, texts), status: .unprocessableContent)
    }
  }

  /// Sends one test request and reports the response; nothing is stored.
  private func trial(
    _ chosen: ModelSettings, _ purpose: ModelSettings.Purpose
  ) async -> Notice {
    let start = ContinuousClock.now
    do {
      let answer =
        try await purpose == .chat
        ? ModelTrial.chat(chosen, patience: Self.patience)
        : ModelTrial.voice(chosen, patience: Self.patience)
      let seconds = start.duration(to: .now) / .seconds(1)
      let time = said("after \(AmountText.shown((seconds * 10).rounded() / 10)) s")
      let shown = ClippedText.of(answer, limit: 200)
      let sentence =
        switch (purpose, answer.isEmpty) {
        case (.chat, false):
          said("It works: the model answered “\(shown)” \(time). Nothing is saved yet.")
        case (.chat, true):
          said("The model answered \(time), but its answer was empty. Nothing is saved yet.")
        case (.voice, false):
          said("The server answered \(time), but heard “\(shown)” in a second of silence.")
        case (.voice, true): said("It works: the server answered \(time). Nothing is saved yet.")
        }
      return Notice(
        tone: answer.isEmpty == (purpose == .voice) ? .success : .warning, sentence: sentence)
    } catch let error as ModelError {
      return Notice(tone: .error, sentence: error.description)
    } catch {
      return Notice(
        tone: .error, sentence: "The language model wasn’t asked: \(WebFailure(error).detail)")
    }
  }
}
