package import ArkivedCore
package import ArkivedStore
package import Foundation

/// Recordings of entries, and the text that stands beside them: the entry's notes, which are edited
/// and searched like any.
package struct VoiceNotes: Sendable {
  private let archive: Archive

  package init(archive: Archive) { self.archive = archive }

  /// A recording that nobody wrote down.
  package struct Recording: Sendable {
    package var entry: UUID
    package var attachment: Attachment
  }

  /// Recordings of entries that have no notes, in the order in which they were attached.
  package func waiting() throws -> [Recording] {
    try archive.attachments().compactMap { attachment in
      guard attachment.type == .audioNote,
        case .activity(let id)? = try archive.owner(ofAttachment: attachment.id),
        let entry = try archive.activity(id), entry.notes?.isEmpty ?? true
      else { return nil }
      return Recording(entry: id, attachment: attachment)
    }
  }

  /// Recordings of one entry.
  package func recordings(of entry: UUID) throws -> [Recording] {
    try archive.activity(entry)?.attachments.filter { $0.type == .audioNote }
      .map { Recording(entry: entry, attachment: $0) } ?? []
  }

  /// Has a recording written down beside what its entry says.
  ///
  /// - Returns: the text.
  /// - Throws: `ModelError`, `ArchiveError`.
  package func write(down recording: Recording, by client: TranscriptionClient) async throws
    -> String
  {
    guard let file = archive.file(of: recording.attachment) else {
      throw ArchiveError.notFound("file of the recording \(recording.attachment.id.uuidString)")
    }
    let name = recording.attachment.originalName ?? file.lastPathComponent
    let text = try await client.text(of: try Data(contentsOf: file), name: name)
    guard !text.isEmpty else { return text }
    _ = try archive.updateActivity(
      recording.entry, by: .assistant, summary: "Wrote down a recording"
    ) { entry in
      // What stands there stays.
      entry.notes = [entry.notes ?? "", text].filter { !$0.isEmpty }.joined(separator: "\n\n")
    }
    return text
  }
}
