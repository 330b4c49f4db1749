import ArkivedCore
import ArkivedStore
import Foundation

/// Days and entries as resources.
extension MCPSession {
  private static let dayPrefix = "arkived://day/"
  private static let entryPrefix = "arkived://entry/"
  private static let pageSize = 50

  /// Returns the days with entries, latest first, in pages.
  func resources(_ parameters: JSONObject) throws -> JSON {
    let cursor = parameters["cursor"] ?? .null
    var offset = 0
    if cursor != .null {
      guard let text = cursor.string, let number = Int(text), number >= 0 else {
        throw RPCError.invalidParameters("Unknown cursor.")
      }
      offset = number
    }
    // One more than a page tells if there are more.
    let days = try tools.archive.latestDays(limit: Self.pageSize + 1, offset: offset)
    let part = days.prefix(Self.pageSize)
    var page: JSONObject = [
      "resources": .array(
        part.map { day in
          [
            "uri": .string("\(Self.dayPrefix)\(day)"), "name": .string("\(day)"),
            "title": .string(day.longName), "mimeType": "application/json",
          ]
        })
    ]
    if days.count > part.count {
      page["nextCursor"] = .string("\(offset + part.count)")
    }
    return .object(page)
  }

  var resourceTemplates: JSON {
    [
      "resourceTemplates": [
        [
          "uriTemplate": .string("\(Self.dayPrefix){dayKey}"), "name": "day",
          "title": "A day", "mimeType": "application/json",
          "description": "Everything about a day, such as arkived://day/2026-03-14.",
        ],
        [
          "uriTemplate": .string("\(Self.entryPrefix){id}"), "name": "entry",
          "title": "An entry", "mimeType": "application/json",
          "description": "An entry, a note or a meeting by its ID.",
        ],
      ]
    ]
  }

  func readResource(_ parameters: JSONObject) throws -> JSON {
    guard let uri = parameters["uri"]?.string else {
      throw RPCError.invalidParameters("uri is missing and must be a string.")
    }
    guard let content = try content(of: uri) else { throw RPCError.noResource(uri) }
    return [
      "contents": [
        ["uri": .string(uri), "mimeType": "application/json", "text": .string(content.text())]
      ]
    ]
  }

  private func content(of uri: String) throws -> JSON? {
    let archive = tools.archive
    if uri.hasPrefix(Self.dayPrefix) {
      guard let day = DayKey(String(uri.dropFirst(Self.dayPrefix.count))) else { return nil }
      return try archive.day(day).json
    }
    guard uri.hasPrefix(Self.entryPrefix),
      let id = UUID(identity: String(uri.dropFirst(Self.entryPrefix.count)))
    else { return nil }
    if let activity = try archive.activity(id) { return activity.json }
    if let note = try archive.note(id) { return note.json }
    return try archive.meeting(id)?.json
  }
}

/// A prompt that a client may offer its user.
struct MCPPrompt: Sendable {
  var name: String
  var title: String
  var summary: String
  var argument: (name: String, summary: String)
  /// The prompt's text for the argument, which is nil if none was given.
  var text: @Sendable (String?) -> String

  var json: JSON {
    [
      "name": .string(name), "title": .string(title), "description": .string(summary),
      "arguments": [
        [
          "name": .string(argument.name), "description": .string(argument.summary),
          "required": false,
        ]
      ],
    ]
  }

  static let all = [
    MCPPrompt(
      name: "daily_review", title: "Daily review",
      summary: "Look back on a day and what it meant.",
      argument: ("day", "A day such as 2026-03-14. Default: today."),
      text: { day in
        "Look back with me on \(day.map { "the day \($0)" } ?? "today"). Read it with getDay and "
          + "summarizeDay, name what stood out with the entries that show it, then ask me one "
          + "question that is worth a note. Add nothing unless I say so."
      }),
    MCPPrompt(
      name: "weekly_recap", title: "Weekly recap",
      summary: "Compare a week with usual weeks, and check the goals.",
      argument: ("weekOf", "A day in the week. Default: this week."),
      text: { day in
        "Write a short recap of \(day.map { "the week of \($0)" } ?? "this week"). Use "
          + "weeklyRecap and getGoals, take figures only from them, cite the entries, and end with "
          + "the one goal that most needs attention."
      }),
    MCPPrompt(
      name: "meeting_brief", title: "Meeting brief",
      summary: "What to know before a meeting.",
      argument: ("meeting", "next, a title or an ID. Default: next."),
      text: { meeting in
        "Prepare me for \(meeting.map { "the meeting \($0)" } ?? "my next meeting") with "
          + "prepareBrief: who is coming, what was decided and promised before, and what is open. "
          + "Say where each line comes from."
      }),
  ]
}

extension MCPSession {
  func prompt(_ parameters: JSONObject) throws -> JSON {
    let name = parameters["name"]?.string ?? ""
    guard let prompt = MCPPrompt.all.first(where: { $0.name == name }) else {
      throw RPCError.invalidParameters("No prompt named \(FieldError.shown(name)).")
    }
    let given = parameters["arguments"] ?? .null
    guard given == .null || given.object != nil else {
      throw RPCError.invalidParameters("arguments must be an object, not \(given.typeName).")
    }
    for (key, value) in given.object?.members ?? [] {
      guard key == prompt.argument.name, value.string != nil else {
        throw RPCError.invalidParameters(
          "Invalid argument \(FieldError.shown(key)): \(name) takes the string \(prompt.argument.name)."
        )
      }
    }
    let text = prompt.text(given[prompt.argument.name]?.string.map { String($0.prefix(200)) })
    return [
      "description": .string(prompt.summary),
      "messages": [["role": "user", "content": ["type": "text", "text": .string(text)]]],
    ]
  }
}
