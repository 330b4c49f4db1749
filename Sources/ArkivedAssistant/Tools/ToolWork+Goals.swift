import ArkivedCore
import ArkivedStore
import Foundation

extension ToolWork {
  func goals() throws -> JSON {
    var fields = FieldReader(arguments.object)
    let filter = try GoalFilter(&fields, homeZone: zone)
    let listed = filter.select(try archive.goals())
    let progress = try archive.progress(of: listed.items, today: today)
    return [
      "goals": .array(
        listed.items.map { goal in
          goal.json.adding(["progress": progress[goal.id]?.shortJSON ?? .null])
        }), "total": JSON(listed.total),
    ]
  }

  func actions() throws -> JSON {
    var fields = FieldReader(arguments.object)
    let filter = try ActionFilter(&fields, homeZone: zone)
    return [
      "actions": .array(
        try archive.actions(filter).map { action in
          action.toolSummary.adding([
            "measurements": action.json["measurements"] ?? .null,
            "durationMinutes": JSON(action.duration),
          ])
        }), "total": JSON(try archive.countActions(filter)),
    ]
  }

  func terms() throws -> JSON {
    var fields = FieldReader(arguments.object)
    let filter = try TermFilter(&fields, homeZone: zone)
    let today = self.today
    let listed = filter.select(try archive.terms(), today: today)
    return [
      "terms": .array(listed.items.map { $0.json(on: today) }), "total": JSON(listed.total),
    ]
  }

  func values() throws -> JSON {
    var fields = FieldReader(arguments.object)
    let listed = try ValueFilter(&fields).select(try archive.values())
    return ["values": .array(listed.items.map(\.json)), "total": JSON(listed.total)]
  }

  /// Returns the progress of a goal or a term, by ID, title or number.
  func standing() throws -> JSON {
    switch (arguments.text("goal"), arguments.text("term")) {
    case (let name?, nil):
      let goal = try archive.goal(named: name)
      let progress = try archive.progress(of: [goal], today: today)[goal.id]
      return ["goal": goal.json, "progress": progress?.json ?? .null]
    case (nil, let name?):
      let term = try archive.term(named: name, today: today)
      return [
        "term": term.json(on: today),
        "progress": try archive.review(of: term, today: today).json,
      ]
    case (nil, nil): throw FieldError("goal", "is missing. Give a goal or a term")
    case (_?, _?): throw FieldError("term", "can’t be combined with goal. Give only one of them")
    }
  }
}
