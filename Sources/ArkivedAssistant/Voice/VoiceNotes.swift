package import ArkivedCore
package import ArkivedStore
import Dispatch
package import Foundation

/// Recordings with their accompanying text: the notes of their entry, the note of their day, or the
/// note they are attached to.
///
/// That text is edited and searched like any other.
package struct VoiceNotes: Sendable {
  private let archive: Archive

  package init(archive: Archive) { self.archive = archive }

  /// A recording with its owner.
  package struct Recording: Sendable {
    package var owner: Archive.AttachmentOwner
    package var attachment: Attachment
    /// The accompanying text.
    package var beside: String
  }

  /// The result of transcribing a recording.
  package struct Written: Hashable, Sendable {
    /// The transcript; empty if nothing is said.
    package var text: String
    /// The change to the text; nil if none was necessary.
    package var change: Change?
  }

  package static func isRecording(_ attachment: Attachment) -> Bool {
    attachment.relativePath != nil
      && (attachment.type == .audioNote || attachment.mediaType?.hasPrefix("audio/") == true)
  }

  /// Returns the recordings without accompanying text, in the order they were attached.
  package func waiting() throws -> [Recording] {
    try archive.attachments().filter(Self.isRecording).compactMap { attachment in
      let found = try recording(attachment)
      return found?.beside.isEmpty == true ? found : nil
    }
  }

  /// Returns the recordings of an entry.
  package func recordings(of entry: UUID) throws -> [Recording] {
    try (archive.activity(entry)?.attachments ?? []).filter(Self.isRecording)
      .compactMap { try recording($0) }
  }

  /// Returns a recording.
  ///
  /// - Throws: `ArchiveError.notFound` if the attachment doesn't exist, or isn't a recording.
  package func recording(_ id: UUID) throws -> Recording {
    guard let attachment = try archive.attachment(id), Self.isRecording(attachment),
      let found = try recording(attachment)
    else { throw ArchiveError.notFound("No recording with the ID \(id.uuidString).") }
    return found
  }

  private func recording(_ attachment: Attachment) throws -> Recording? {
    guard let owner = try archive.owner(ofAttachment: attachment.id) else { return nil }
    let beside: String
    switch owner {
    case .activity(let id): beside = try archive.activity(id)?.notes ?? ""
    case .day(let day): beside = try archive.dayEntry(day)?.note ?? ""
    case .note(let id): beside = try archive.note(id)?.text ?? ""
    }
    return Recording(owner: owner, attachment: attachment, beside: beside)
  }

  /// Transcribes a recording.
  ///
  /// The transcript is appended to the accompanying text, which is otherwise unchanged; if the text
  /// already contains it as lines of its own, nothing is added.
  ///
  /// - Throws: `ModelError` if the server fails, `TranscriptionFailure` if the helper on this computer
  ///   does, `ArchiveError` if the text can't be saved, `CancellationError` if the task is cancelled.
  package func write(
    down recording: Recording, by transcriber: any Transcriber,
    progress: @escaping @Sendable (Double) -> Void = { _ in }
  ) async throws -> Written {
    // It may not have arrived from another device yet.
    guard let file = archive.file(of: recording.attachment),
      FileManager.default.fileExists(atPath: file.path)
    else {
      throw ArchiveError.notFound(
        "No file found for the recording \(recording.attachment.id.uuidString).")
    }
    let name = recording.attachment.originalName ?? file.lastPathComponent
    let text = try await transcriber.text(of: file, name: name, progress: progress)
      // SQLite's text functions treat a NUL as the end.
      .replacingOccurrences(of: "\0", with: "")
    guard !text.isEmpty else { return Written(text: text) }
    return try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(
          with: Result { Written(text: text, change: try keep(text, of: recording.owner)) })
      }
    }
  }

  private func keep(_ text: String, of owner: Archive.AttachmentOwner) throws -> Change? {
    let summary = "Transcribed a recording"
    func added(to old: String) -> String {
      if Self.has(text, in: old) { return old }
      return old.isEmpty ? text : "\(old)\n\n\(text)"
    }
    switch owner {
    case .activity(let id):
      return try archive.updateActivity(id, by: .assistant, summary: summary) {
        $0.notes = added(to: $0.notes ?? "")
      }.change
    case .day(let day):
      return try archive.updateDay(day, by: .assistant, summary: summary) {
        $0.note = added(to: $0.note)
      }.change
    case .note(let id):
      return try archive.updateNote(id, by: .assistant, summary: summary) {
        $0.text = added(to: $0.text)
      }.change
    }
  }

  /// Returns true if a text contains a transcript as lines of its own; a short one, such as “yes”,
  /// is part of many sentences.
  private static func has(_ transcript: String, in text: String) -> Bool {
    text.ranges(of: transcript).contains { range in
      (range.lowerBound == text.startIndex || text[..<range.lowerBound].last?.isNewline == true)
        && (range.upperBound == text.endIndex || text[range.upperBound].isNewline)
    }
  }
}
