import ArkivedCore
import Foundation

/// The form of the reminders, with the stored choices or with typed values that contain an error.
struct NudgeForm {
  private var chosen: Set<String> = []
  private var texts: [String: String] = [:]
  var error: FieldError?

  /// The fields for a time or a number, by the names of the settings.
  private static let fields = [
    "evening", "meeting", "birthday", "notSeen", "goal", "backup", "onThisDay", "quietFrom",
    "quietTo", "mostADay",
  ]
  private static let checks = ["desktop", "web", "today", "showsText"]

  init(_ settings: NudgeSettings) {
    for kind in NudgeKind.allCases {
      let time = settings.time(of: kind) ?? NudgeSettings.usual(kind)
      texts[kind.rawValue] =
        kind == .meeting
        ? "\(settings.meeting ?? NudgeSettings.usualMinutes)" : time.description
      if settings.isOn(kind) { chosen.insert(Self.check(kind)) }
    }
    for channel in settings.channels { chosen.insert(channel.rawValue) }
    if settings.showsText { chosen.insert("showsText") }
    texts["quietFrom"] = settings.quiet?.from.description ?? ""
    texts["quietTo"] = settings.quiet?.to.description ?? ""
    texts["mostADay"] = "\(settings.mostADay)"
  }

  /// Reads the submitted values.
  init(_ fields: FormFields) {
    for name in Self.fields {
      texts[name] = (fields[name] ?? "").trimmingCharacters(in: .whitespaces)
    }
    chosen = Set(
      (Self.checks + NudgeKind.allCases.map(Self.check)).filter { fields.text($0) != nil })
  }

  private static func check(_ kind: NudgeKind) -> String { "\(kind.rawValue)-on" }

  private func text(_ name: String) -> String { texts[name] ?? "" }

  /// Returns the object that `NudgeSettings.take` reads.
  ///
  /// - Throws: `FieldError` for an invalid number.
  func object() throws(FieldError) -> JSONObject {
    var object = JSONObject()
    for kind in NudgeKind.allCases {
      let name = kind.rawValue
      if !chosen.contains(Self.check(kind)) {
        object[name] = JSON.null
      } else {
        object[name] = try value(of: kind)
      }
    }
    object["channels"] = JSON(
      NudgeChannel.allCases.map(\.rawValue).filter { chosen.contains($0) })
    let (from, to) = (text("quietFrom"), text("quietTo"))
    object["quiet"] = from.isEmpty && to.isEmpty ? JSON.null : JSON.string("\(from)-\(to)")
    object["mostADay"] = try number("mostADay")
    object["showsText"] = .bool(chosen.contains("showsText"))
    return object
  }

  private func value(of kind: NudgeKind) throws(FieldError) -> JSON {
    guard kind == .meeting else { return .string(text(kind.rawValue)) }
    return try number(kind.rawValue)
  }

  private func number(_ name: String) throws(FieldError) -> JSON {
    guard let number = Int(text(name)) else {
      throw FieldError(name, "is \(FieldError.shown(text(name))). Enter a number")
    }
    return JSON(number)
  }

  // MARK: The page

  var context: [String: Any] {
    var context: [String: Any] = [
      "kinds": [
        NudgeKind.evening, .meeting, .birthday, .notSeen, .goal, .backup, .onThisDay,
      ].map(row),
      "channels": NudgeChannel.allCases.map { channel in
        [
          "channel": channel.rawValue, "isChosen": chosen.contains(channel.rawValue),
          "label": Self.label(channel),
        ] as [String: Any]
      },
      "showsText": chosen.contains("showsText"), "quietFrom": FormValue(text("quietFrom")),
      "quietTo": FormValue(text("quietTo")), "mostADay": FormValue(text("mostADay")),
      "hasQuietError": error?.field == "quiet", "hasCountError": error?.field == "mostADay",
      "hasErrors": error != nil,
    ]
    if let error {
      let field = error.field == "quiet" ? "quietFrom" : error.field
      context["errors"] = [
        [
          "field": "nudge-\(field)",
          "message": "\(Self.noun(error.field)) \(saidAgain(error.problem)).",
        ]
      ]
    }
    return context
  }

  private func row(_ kind: NudgeKind) -> [String: Any] {
    [
      "kind": kind.rawValue, "isOn": chosen.contains(Self.check(kind)), "label": Self.label(kind),
      "isTime": kind != .meeting, "isMinutes": kind == .meeting,
      "value": FormValue(text(kind.rawValue)), "isWrong": error?.field == kind.rawValue,
    ]
  }

  private static func label(_ kind: NudgeKind) -> String {
    switch kind {
    case .evening: said("The day has no note yet")
    case .meeting: said("A meeting with others starts soon, and its brief is ready")
    case .goal: said("A goal is behind pace (at most once a week)")
    case .backup: said("A backup is overdue, at most once a week")
    case .onThisDay: said("What happened on this day in past years")
    case .birthday: said("Somebody has a birthday, according to your notes and contacts")
    case .notSeen:
      said(
        "Someone hasn’t appeared in your entries for an unusually long time (at most once a week)"
      )
    }
  }

  private static func label(_ channel: NudgeChannel) -> String {
    switch channel {
    case .desktop: said("Desktop notification")
    case .web: said("Notification in the browser, while Arkived is open there")
    case .today: said("A line on Today, here and in the terminal")
    }
  }

  private static func noun(_ field: String) -> String {
    switch field {
    case "evening": said("The time of the evening reminder")
    case "meeting": said("The number of minutes before a meeting")
    case "goal": said("The time of goal reminders")
    case "backup": said("The time of backup reminders")
    case "onThisDay": said("The time of reminders about past years")
    case "birthday": said("The time of birthday reminders")
    case "notSeen": said("The time of reminders about people you haven’t seen for a long time")
    case "quiet": said("The time range for quiet hours")
    case "mostADay": said("The number of reminders per day")
    default: field
    }
  }
}
