import ArkivedCore
import ArkivedStore
import Foundation

/// A text on its way into the archive: it is a draft until it is saved, so it survives a busy
/// archive, Ctrl-C, and a power failure.
struct KeptText {
  private struct Place {
    let folder: DraftFolder
    let open: OpenDraft
    /// True if `arkived drafts` searches that folder.
    let isFound: Bool
  }

  private let text: String
  private let place: Place?

  init(_ text: String, _ context: Context) {
    self.text = text
    place = Self.keep(text, context)
  }

  /// Stores a text as a draft; if the archive's own folder isn't writable, in the session's folder.
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

  /// Removes the draft after the text was saved or retyped.
  func finish() {
    if let place { place.folder.finish(place.open) }
  }

  /// Releases the draft, which is kept.
  ///
  /// - Returns: a failure with the problem, and the location of the text.
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
