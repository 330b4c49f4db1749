import ArkivedCore
import ArkivedStore
import Foundation

/// A text on its way into the archive: a draft until it has arrived, so that it outlives an archive
/// that keeps everybody waiting, a press of Ctrl-C, and a power failure.
struct KeptText {
  private struct Place {
    let folder: DraftFolder
    let open: OpenDraft
    /// Whether `arkived drafts` looks there.
    let isFound: Bool
  }

  private let text: String
  private let place: Place?

  init(_ text: String, _ context: Context) {
    self.text = text
    place = Self.keep(text, context)
  }

  /// Where the archive's own folder cannot be written, that of the session may.
  private static func keep(_ text: String, _ context: Context) -> Place? {
    var draft = Draft(
      name: Draft.newName(context), purpose: .add, startedAt: context.clock.now, original: "")
    for location in [context.location, .memory] {
      if location != context.location, case .folder(let home) = context.location {
        draft.archive = home.path
      }
      let folder = DraftFolder(location)
      guard let open = try? folder.keep(text, as: draft) else { continue }
      return Place(folder: folder, open: open, isFound: location == context.location)
    }
    return nil
  }

  /// It has arrived, or is typed anew.
  func finish() {
    if let place { place.folder.finish(place.open) }
  }

  /// Lets go of the draft, which stays.
  ///
  /// - Returns: what was in the way, and where the text is.
  func failure(_ message: String, _ status: ExitStatus) -> CommandFailure {
    guard let place else {
      return CommandFailure(
        status,
        "\(saidAgain(message)) "
          + said("The text couldn’t be kept as a draft either. Here it is: \(text)"))
    }
    place.folder.release(place.open)
    let sentence =
      place.isFound
      ? place.open.keptSentence : said("The text is kept in \(place.open.file.path).")
    return CommandFailure(status, "\(saidAgain(message)) \(sentence)")
  }

  func failure(_ error: any Error) -> CommandFailure {
    let failure = CommandFailure(error)
    return self.failure(failure.message, failure.status)
  }
}
