import Foundation
import Hummingbird

/// The page of a desk that reads another archive or a backup.
protocol ArchiveFileController: Sendable {
  associatedtype Desk: ArchiveFileDesk
  var desk: Desk { get }
  static var address: String { get }
  /// Checks that the client is the owner's browser on this computer.
  static func checkBrowser(_ context: WebContext) throws
}

extension ArchiveFileController {
  @Sendable func cancel(_ request: Request, context: WebContext) async throws -> Response {
    try Self.checkBrowser(context)
    let fields = try await request.form(limit: context.maxUploadSize)
    if let id = Self.job(fields) { desk.cancel(id) }
    return .seeOther(Self.address)
  }

  @Sendable func dismiss(_ request: Request, context: WebContext) async throws -> Response {
    try Self.checkBrowser(context)
    let fields = try await request.form(limit: context.maxUploadSize)
    let desk = desk
    if let id = Self.job(fields) { try await offServer { desk.dismiss(id) } }
    return .seeOther(Self.address)
  }

  /// Returns the ID of the job that a form is about.
  static func job(_ fields: FormFields) -> UUID? {
    fields.text("job").flatMap(UUID.init(uuidString:))
  }
}
