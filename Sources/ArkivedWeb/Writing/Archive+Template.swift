import ArkivedCore
import ArkivedStore
import Foundation

extension Archive {
  /// Returns the template whose ID is in a request’s path.
  func template(_ context: WebContext) async throws -> WritingTemplate {
    let id = try ActivityController.id(context)
    guard let found = try await storedTemplate(id) else {
      throw ArchiveError.notFound(
        "No template with the ID \(id.uuidString). It may have been deleted.")
    }
    return found
  }

  /// Returns a template; nil if there is none with the ID.
  func storedTemplate(_ id: UUID?) async throws -> WritingTemplate? {
    guard let id else { return nil }
    return try await offServer {
      try writingSettings().templates.first { $0.id == id }
    }
  }
}
