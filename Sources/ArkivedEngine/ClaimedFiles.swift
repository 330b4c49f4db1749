import ArkivedCore
import ArkivedImport
import Foundation

/// The files that entries of an import have as attachments, so photos among them don't become
/// entries of their own as well.
final class ClaimedFiles {
  private var paths: Set<String> = []

  func add(_ paths: [String]) { self.paths.formUnion(paths) }

  /// Returns the files of a format that belong to no entry of the others; photos come last, when
  /// these are known.
  func rest(of files: [ImportFile], for importer: any Importer) -> [ImportFile] {
    guard importer is PhotosImporter, !paths.isEmpty else { return files }
    return files.filter { !paths.contains($0.url.standardizedFileURL.path) }
  }

  /// Returns groups of files in an order in which photos come after everything they may belong to.
  static func ordered(_ groups: [ImportFinder.Group]) -> [ImportFinder.Group] {
    groups.filter { !($0.importer is PhotosImporter) }
      + groups.filter { $0.importer is PhotosImporter }
  }
}

extension ImportedRecord {
  /// The paths of the files that it brings.
  var attachedPaths: [String] {
    switch value {
    case .activity(let activity): activity.attachments.compactMap { path(of: $0.relativePath) }
    case .event(let entry): entry.activity.attachments.compactMap { path(of: $0.relativePath) }
    case .day(let entry): entry.attachments.compactMap { path(of: $0.relativePath) }
    case .attachment(_, _, let file): [file?.standardizedFileURL.path].compactMap { $0 }
    case .person, .tag, .metric, .history, .tombstone, .goalSide, .interchange: []
    }
  }

  private func path(of relative: String?) -> String? {
    guard let relative, let attachmentsFolder else { return nil }
    return attachmentsFolder.appendingPathComponent(relative).standardizedFileURL.path
  }
}
