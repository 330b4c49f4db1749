import ArkivedCore
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// The common parts of the pages of goals, actions, values, terms and the lifetime.
struct GoalSidePages: Sendable {
  let archive: Archive
  let zone: Zone
  let pages: Pages
  let repeated: RepeatedRequests

  /// A page in the section of goals.
  enum Tab: String, CaseIterable {
    case goals, actions, values, terms, life

    var href: String { "/\(rawValue)" }
    // words: Goals | Actions | Values | Terms | Life
    var label: String { saidWhole(EntryContext.capitalised(rawValue)) }
  }

  var today: DayKey { zone.dayKey(at: archive.clock.now) }
  var entries: EntryContext { EntryContext(homeZone: zone) }
  var defaults: EntryDefaults {
    EntryDefaults(now: archive.clock.now, homeZone: zone, identities: archive.identities)
  }

  /// Returns the entity with an ID.
  ///
  /// - Throws: `ArchiveError.notFound` if the entity doesn't exist.
  func load<Entity: RecordedEntity>(_ type: Entity.Type, _ id: UUID) throws -> Entity {
    guard let entity = try archive.entity(type, id) else {
      throw ArchiveError.notFound(
        "No \(type.typeName) with the ID \(id.uuidString). It may have been deleted.")
    }
    return entity
  }

  /// Renders a page under the tabs of goals.
  ///
  /// - Parameters:
  ///   - template: the name of the template.
  ///   - title: the title.
  ///   - tab: the selected tab.
  ///   - known: the change that the page reflects.
  ///   - notices: the notices at the top of the page.
  ///   - context: the values of the template.
  ///   - status: the status of the answer.
  /// - Returns: the page.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read.
  func page(
    _ template: String, title: String, tab: Tab, known: UUID?? = nil, notices: [Notice] = [],
    _ context: [String: Any], status: HTTPResponse.Status = .ok
  ) throws -> Response {
    var all = context
    all["goalTabs"] = Tab.allCases.map { item in
      ["href": item.href, "label": item.label, "isCurrent": item == tab, "tone": item.rawValue]
        as [String: Any]
    }
    return try pages.page(
      template, title: title, section: .goals, known: known.map { .upTo($0) }, notices: notices,
      all, status: status)
  }

  /// Returns notices about the change named by the address; undoing it returns to `back`.
  func notices(_ fields: FormFields, back: String) throws -> [Notice] {
    guard let id = fields.text("change").flatMap(UUID.init(uuidString:)),
      let change = try archive.change(id)
    else { return [] }
    if change.action == "add", fields.text("added") != nil {
      return try Notice.about(fields, archive: archive, zone: zone, back: back).map { notice in
        var notice = notice
        notice.clearsDraft = "form"
        return notice
      }
    }
    let isUndo = ["undo", "redo"].contains(change.action)
    return [
      Notice(
        tone: isUndo ? .info : .success, sentence: "\(change.summary).",
        undo: change.isUndone && !isUndo ? nil : change, clearsDraft: isUndo ? nil : "form",
        back: back)
    ]
  }

  /// Returns a redirect from a deleted entity's page to the list, which reports the change named by
  /// the address.
  func gone(_ fields: FormFields, to list: String) -> Response? {
    fields.text("change").flatMap(UUID.init(uuidString:)).map {
      .seeOther("\(list)?change=\($0.uuidString)")
    }
  }

  /// Saves the result of a form once; a repeated submission gets the same answer.
  ///
  /// - Parameters:
  ///   - fields: the fields of the form or address.
  ///   - place: the name of the form, which distinguishes its keys from those of others.
  ///   - save: saves the result together with its answer, a redirect, and returns the answer.
  /// - Returns: the redirect.
  /// - Throws: what `save` throws.
  func once(
    _ fields: FormFields, at place: String,
    _ save: @escaping @Sendable (RequestKey?) throws -> KeptAnswer
  ) async throws -> Response {
    let key = Self.key(fields, at: place)
    return Response(try await repeated.answer(key, keeps: true) { try save(key) })
  }

  /// Saves the result of a form once, like `once`, after work that waits for another computer.
  func once(
    _ fields: FormFields, at place: String,
    slowly save: @Sendable () async throws -> String
  ) async throws -> Response {
    let key = Self.key(fields, at: place)
    let archive = archive
    return Response(
      try await repeated.answer(
        key,
        slowly: {
          let answer = KeptAnswer(status: 303, location: try await save())
          if let key { try await offServer { try archive.keep(answer, to: key) } }
          return answer
        }))
  }

  private static func key(_ fields: FormFields, at place: String) -> RequestKey? {
    let body = fields.all.map { "\($0.name)=\($0.value)" }.joined(separator: "\n")
    return fields.text("idempotencyKey").flatMap { text -> RequestKey? in
      guard text.utf8.count <= 100 else { return nil }
      // A form that was submitted and then edited is a different request.
      let hash = RepeatedRequests.hash(Data(body.utf8))
      return RepeatedRequests.key("\(text) \(hash)", place, body.utf8)
    }
  }

  /// Returns a redirect to a page that reports a change.
  static func redirect(_ path: String, _ change: Change?) -> KeptAnswer {
    KeptAnswer(status: 303, location: location(path, change))
  }

  static func location(_ path: String, _ change: Change?) -> String {
    change.map { "\(path)\(path.contains("?") ? "&" : "?")change=\($0.id.uuidString)" } ?? path
  }

  /// Returns old versions for the `history` template; restoring one returns to `back`.
  func history(_ versions: [OldVersion], back: String) -> [[String: Any]] {
    entries.history(versions).map { $0.merging(["restoreBack": back]) { $1 } }
  }

  static func version(_ fields: FormFields) -> Instant? {
    Int64((fields["version"] ?? "").filter { $0 != "\"" }).map(Instant.init(milliseconds:))
  }

  /// Returns a second ID from the address.
  static func id(_ context: WebContext, _ name: String) throws -> UUID {
    let text = context.parameters.get(name) ?? ""
    guard let id = UUID(uuidString: text) else {
      throw WebFailure(
        .badRequest, "Invalid ID", "\(FieldError.shown(text)) isn’t a valid UUID.", field: name)
    }
    return id
  }

  /// The error for a choice that was deleted after the form was opened.
  static let goneGoal = FieldError("goal", "no longer exists. Choose another")

  /// Returns the notice above a form whose entity was changed elsewhere.
  ///
  /// - Parameter otherVersion: what differs in the saved version.
  /// - Returns: the notice.
  static func late(_ otherVersion: String?) -> Notice {
    Notice(
      tone: .warning,
      sentence: "This was changed elsewhere after you opened it. Your text is below. Saving again "
        + "replaces the other version, which stays in the history.", otherVersion: otherVersion)
  }
}

/// A form for one kind of entity in the section of goals.
protocol EntityForm: Sendable {
  associatedtype Entity: RecordedEntity

  var texts: FormTexts { get set }
  static var rows: [[FormField]] { get }

  init(_ entity: Entity)

  /// Applies the typed values to an entity.
  func apply(to entity: inout Entity) throws(FieldError)
}

/// Saves and deletes entities with forms.
extension GoalSidePages {
  /// Saves a form over the existing entity; if that fails, shows the form again with the typed
  /// values.
  ///
  /// - Parameters:
  ///   - form: the form.
  ///   - id: its ID.
  ///   - list: the address of the list of this kind.
  ///   - formPage: renders the form again.
  /// - Returns: the redirect, or the form again.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be written.
  func save<Form: EntityForm>(
    _ form: Form, over id: UUID, in list: String,
    formPage: (Form, Form.Entity, HTTPResponse.Status, [Notice]) throws -> Response
  ) async throws -> Response {
    let version = Int64(form.texts.version.filter { $0 != "\"" }).map(Instant.init(milliseconds:))
    var again = form
    do {
      let saved = try await offServer {
        try archive.update(Form.Entity.self, id, version: version) { try form.apply(to: &$0) }
      }
      return .seeOther(Self.location("\(list)/\(id.uuidString)", saved.change))
    } catch let error as FieldError {
      again.texts.error = error
      let entity = try await offServer { try load(Form.Entity.self, id) }
      return try formPage(again, entity, .unprocessableContent, [])
    } catch ArchiveError.conflict {
      let entity = try await offServer { try load(Form.Entity.self, id) }
      let other = form.texts.otherVersion(Form(entity).texts, in: Form.rows)
      again.texts.version = EntityTag.text(entity.updatedAt)
      return try formPage(again, entity, .preconditionFailed, [Self.late(other)])
    }
  }

  func delete<Entity: RecordedEntity>(
    _ type: Entity.Type, from list: String, _ request: Request, _ context: WebContext
  ) async throws -> Response {
    let id = try ActivityController.id(context)
    let fields = try await request.form(limit: context.maxUploadSize)
    let saved = try await offServer {
      try archive.delete(type, id, version: Self.version(fields))
    }
    return .seeOther(Self.location(list, saved.change))
  }
}

/// A path of this app to which a form asks to return.
enum LocalPath {
  /// Returns the path if it belongs to this app, and nil for an address elsewhere.
  static func read(_ text: String?) -> String? {
    guard let text, text.utf8.count <= 300, text.hasPrefix("/"), !text.hasPrefix("//"),
      text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != 0x5C })
    else { return nil }
    return text
  }
}
