import ArkivedCore
import Foundation

/// The text of something that was changed elsewhere while its form was open.
enum OtherVersion {
  typealias Field = (label: String, typed: String, saved: String)

  /// The largest number of characters shown.
  static let limit = 20_000

  /// Returns the saved values that differ from the typed ones, each under its label.
  ///
  /// - Parameter fields: the fields of the form, with labels in the reader's language.
  /// - Returns: the text, or nil if all values are the same.
  static func text(_ fields: [Field]) -> String? {
    let parts = fields.compactMap { field -> String? in
      let saved = plain(field.saved)
      guard saved != plain(field.typed) else { return nil }
      let value = saved.isEmpty ? said("(empty)") : saved
      return "\(field.label):\(value.contains(where: \.isNewline) ? "\n" : " ")\(value)"
    }
    guard !parts.isEmpty else { return nil }
    return ClippedText.of(parts.joined(separator: "\n\n"), limit: limit)
  }

  /// Browsers submit other line endings than the archive may have.
  private static func plain(_ text: String) -> String {
    text.replacingOccurrences(of: "\r\n", with: "\n").trimmingCharacters(
      in: .whitespacesAndNewlines)
  }
}

extension FormTexts {
  /// Returns the fields of the saved version that differ from the typed ones, as text.
  func otherVersion(_ saved: FormTexts, in rows: [[FormField]]) -> String? {
    OtherVersion.text(
      rows.joined().map { field in
        (saidWhole(field.noun), field.shown(self), field.shown(saved))
      })
  }
}

extension FormField {
  /// Returns the value as the form shows it.
  fileprivate func shown(_ form: FormTexts) -> String {
    guard case .choice(let choices) = kind,
      let choice = choices.first(where: { $0.value == form[name] })
    else { return form[name] }
    return saidWhole(choice.label)
  }
}

extension ActivityForm {
  /// Returns the fields of the saved entry that differ from the typed ones, as text.
  func otherVersion(_ saved: ActivityForm) -> String? {
    func kindLabel(_ form: ActivityForm) -> String {
      saidWhole(EntryContext.capitalised(form.kind))
    }
    func pinned(_ form: ActivityForm) -> String { form.isPinned ? said("yes") : said("no") }
    let savedWeather = saved.weather ?? ""
    return OtherVersion.text([
      (said("What"), text, saved.text), (said("Day"), day, saved.day),
      (said("From"), start, saved.start), (said("To"), end, saved.end),
      (said("Kind"), kindLabel(self), kindLabel(saved)),
      (said("Measurements"), measurements, saved.measurements),
      (said("Place"), place, saved.place),
      (said("Weather"), weather ?? savedWeather, savedWeather),
      (said("People"), people, saved.people), (said("Tags"), tags, saved.tags),
      (said("Notes"), notes, saved.notes), (said("Pinned"), pinned(self), pinned(saved)),
    ])
  }
}
