package import Foundation

extension EntityType {
  package static let template: EntityType = "templates"
  /// The list of prompts, with the settings that say where they are shown.
  package static let prompts: EntityType = "prompts"

  /// True for the parts of `WritingSettings`, which have no rows of their own.
  package var isWriting: Bool { self == .template || self == .prompts }
}

/// Templates and prompts in the form of the history.
extension WritingSettings {
  /// The ID of the prompts in the history; an archive has one list.
  package static let promptsID = UUID(
    uuid: (0xA4, 0x1D, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, 2))

  package func template(_ id: UUID) -> WritingTemplate? { templates.first { $0.id == id } }

  /// Returns the current version of a template or the prompts; nil if it doesn't exist.
  package func record(of type: EntityType, _ id: UUID) -> JSON? {
    switch type {
    case .template: template(id)?.json
    case .prompts where id == Self.promptsID: promptRecord
    default: nil
    }
  }

  package var promptRecord: JSON {
    [
      "showsPrompts": .bool(showsPrompts), "usesPast": .bool(usesPast),
      "prompts": prompts.map { JSON($0) } ?? .null,
    ]
  }

  /// Replaces the prompts with an old version of them, in the form of `promptRecord`.
  package mutating func setPrompts(_ record: inout FieldReader) throws(FieldError) {
    let shows = try record.bool("showsPrompts") ?? false
    let past = try record.bool("usesPast") ?? false
    try setPrompts(try record.strings("prompts") ?? [])
    (showsPrompts, usesPast) = (shows, past)
  }

  /// Adds a template, or replaces the one with the same ID.
  ///
  /// - Parameters:
  ///   - template: the template.
  ///   - position: its position in the list if it is added; nil for the end.
  /// - Throws: `FieldError` if another one has its name, or there are too many.
  package mutating func keep(
    _ template: WritingTemplate, at position: Int?
  ) throws(FieldError) {
    let isNew = self.template(template.id) == nil
    try keep(template)
    guard isNew, let position, templates.indices.contains(position) else { return }
    templates.insert(templates.removeLast(), at: position)
  }

  /// Returns the kind and the summary of a change for the list of changes.
  package static func change(
    from old: WritingSettings, to new: WritingSettings
  ) -> (action: String, summary: String) {
    func name(_ template: WritingTemplate) -> String { "“\(template.name.prefix(120))”" }
    if let added = new.templates.first(where: { old.template($0.id) == nil }) {
      return ("add", "Added the template \(name(added))")
    }
    if let removed = old.templates.first(where: { new.template($0.id) == nil }) {
      return ("delete", "Deleted the template \(name(removed))")
    }
    let changed = old.templates.filter { new.template($0.id) != $0 }
    // Another template may only have lost the weekdays or the kind of the one that was edited.
    let edited = changed.first { template in
      guard let after = new.template(template.id) else { return false }
      return after.name != template.name || after.text != template.text
        || after.use != template.use || !after.weekdays.isSubset(of: template.weekdays)
        || after.kind != template.kind && after.kind != nil
    }
    guard let edited = edited ?? changed.first else { return ("edit", "Changed the prompts") }
    return ("edit", "Changed the template \(name(edited))")
  }
}
