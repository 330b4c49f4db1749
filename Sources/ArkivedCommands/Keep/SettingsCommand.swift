import ArgumentParser
import ArkivedCore
import ArkivedStore
import Foundation

/// The `settings` command: display settings, and whether coordinates may be recorded.
struct SettingsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "settings",
    abstract: "Show the settings, or change one.",
    discussion: """
      arkived settings                    all settings
      arkived settings recordsPlace on    new entries may include your location; off by default
      arkived settings theme dark         auto, light or dark
      """)

  @Argument(help: "The setting, as listed.") var name: String?

  @Argument(help: "The new value: on or off for a switch.") var value: String?

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    let preferences = try archive.preferences()
    guard let name else { return report(preferences.json, context) }
    guard let old = preferences.json[name] else {
      let known = (preferences.json.object?.members ?? []).map(\.key).joined(separator: ", ")
      throw CommandFailure(
        .badInput, said("Unknown setting “\(name.prefix(60))”. Available settings: \(known)."))
    }
    guard let value else {
      return report(.object([name: old]), context)
    }
    let json: JSON
    switch old {
    case .bool:
      guard ["on", "off", "true", "false"].contains(value.lowercased()) else {
        throw CommandFailure(
          .badInput, said("\(name) is “\(value.prefix(60))”, but must be on or off."))
      }
      json = .bool(["on", "true"].contains(value.lowercased()))
    case .string: json = .string(value)
    default: json = Int(value).map { JSON($0) } ?? .string(value)
    }
    let saved = try archive.updatePreferences { preferences in
      var fields = FieldReader([name: json])
      try preferences.take(&fields)
    }
    report(.object([name: saved.json[name] ?? .null]), context)
    context.output.say(said("Saved."))
  }

  private func report(_ json: JSON, _ context: Context) {
    context.output.result(
      ["settings": json],
      lines: (json.object?.members ?? []).map { key, value in
        let text = value.bool.map { $0 ? "on" : "off" } ?? value.string ?? value.text()
        return "\(key)  \(text)"
      })
  }
}
