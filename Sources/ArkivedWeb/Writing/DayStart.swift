import ArkivedCore
import ArkivedStore
import Foundation

/// The ways to begin a day without a note: its templates and a prompt.
struct DayStart: Sendable {
  private let templates: [WritingTemplate]
  private let prompt: String?
  private let day: DayKey

  /// The number of templates offered on the page.
  private static let limit = 4

  init(_ archive: Archive, of day: DayKey, today: DayKey) throws {
    self.day = day
    templates = Array(try archive.writingSettings().templates(of: day).prefix(Self.limit))
    prompt = day == today ? try archive.prompt(of: day) : nil
  }

  func add(to context: inout [String: Any]) {
    context["hasDayTemplates"] = !templates.isEmpty
    context["dayTemplates"] = templates.map { template in
      [
        "dayTemplateID": template.id.uuidString,
        "dayTemplateName": ClippedText.of(template.name, limit: 40),
      ]
    }
    context["hasPrompt"] = prompt != nil
    context["prompt"] = prompt ?? ""
  }
}
