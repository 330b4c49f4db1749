import ArkivedCore
import Foundation

/// The form of a person.
struct PersonForm: Sendable {
  var texts: FormTexts

  init() { texts = FormTexts() }

  init(_ fields: FormFields) {
    texts = FormTexts(
      fields, lines: ["name", "email"],
      paragraphs: ["addresses", "aliases", "relationshipSummary"])
  }

  init(_ person: Person) {
    texts = FormTexts(
      [
        "name": person.name ?? "", "email": person.email ?? "",
        "addresses": person.furtherAddresses.joined(separator: "\n"),
        "aliases": person.aliases.joined(separator: "\n"),
        "relationshipSummary": person.relationshipSummary ?? "",
      ], version: EntityTag.text(person.updatedAt))
  }

  func apply(to person: inout Person) throws(FieldError) {
    let shown = PersonForm(person).texts
    if !texts.isUntouched("name", shown) { person.name = texts.optional("name") }
    if !texts.isUntouched("email", shown) { person.email = texts.optional("email") }
    if texts["addresses"] != shown["addresses"] {
      person.furtherAddresses = texts.list("addresses", known: person.furtherAddresses)
    }
    if texts["aliases"] != shown["aliases"] {
      person.aliases = texts.list("aliases", known: person.aliases)
    }
    person.relationshipSummary = texts.text(
      "relationshipSummary", unless: shown, person.relationshipSummary)
    guard person.name != nil || person.email != nil || !person.aliases.isEmpty else {
      throw FieldError("name", "is missing. Enter a name or an address")
    }
    try person.validate()
  }

  /// Returns an error with the input of a person's field.
  static func named(_ error: FieldError) -> FieldError {
    let field = error.field.prefix { $0 != "[" }
    return FieldError(field == "furtherAddresses" ? "addresses" : String(field), error.problem)
  }

  static let rows: [[FormField]] = [
    [
      FormField("name", "Name", isOptional: true),
      FormField("email", "Address", hint: "For example, priya@example.org", isOptional: true),
    ],
    [
      FormField(
        "relationshipSummary", "Who is this person to you?", .paragraphs,
        noun: "Your relationship", isOptional: true)
    ],
    [
      FormField(
        "aliases", "Other names", .paragraphs, hint: "One per line", isOptional: true),
      FormField(
        "addresses", "Other addresses", .paragraphs, hint: "One per line", isOptional: true),
    ],
  ]

  func context() -> [String: Any] { texts.context(Self.rows) }
}
