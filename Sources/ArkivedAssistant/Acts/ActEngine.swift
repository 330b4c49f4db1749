package import ArkivedCore
package import ArkivedStore
package import Foundation

/// An engine that carries out instructions given in plain sentences, without a language model.
///
/// Additions are carried out at once and can be undone; changes and deletions wait for the owner's
/// confirmation.
package struct ActEngine: Sendable {
  let archive: Archive
  let zone: Zone
  private let tools: ToolBox
  private let request: RequestKey?

  /// Creates an engine.
  ///
  /// - Parameters:
  ///   - archive: the archive.
  ///   - zone: the time zone.
  ///   - tools: the tools.
  ///   - request: the key of the request that contains the instruction; nil if it may not be
  ///     repeated.
  package init(archive: Archive, zone: Zone, tools: ToolBox, once request: RequestKey? = nil) {
    self.archive = archive
    self.zone = zone
    self.tools = tools
    self.request = request
  }

  /// Returns true if a sentence is an instruction.
  package func isAct(_ sentence: String) -> Bool { order(in: sentence) != nil }

  private func order(in sentence: String) -> Imperative? {
    ImperativeReader(now: archive.clock.now, zone: zone).read(sentence)
  }

  /// Carries out the instruction in a sentence.
  ///
  /// - Parameters:
  ///   - sentence: the sentence.
  ///   - spoken: the entries mentioned last, to which “that” and “it” refer.
  ///   - lastChange: the last change made, which “undo that” reverts.
  ///   - caller: the ID under which the tools are called.
  /// - Returns: nil if the sentence is a question, or isn't understood as an instruction.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read or changed.
  package func act(
    _ sentence: String, spokenOf spoken: [UUID], lastChange: UUID? = nil, by caller: ToolCaller
  ) throws -> ActOutcome? {
    guard let imperative = order(in: sentence) else { return nil }
    switch imperative {
    case .add(let line): return try add(line, caller)
    case .note(let text, let day):
      return onDay(["appendNote": .string(text)], day, caller) {
        said("Added to the day note for \(day.toldLongName).")
      }
    case .mood(let value, let day):
      return onDay(["mood": JSON(value)], day, caller) {
        said("Set the mood for \(day.toldLongName) to \(value).")
      }
    case .energy(let value, let day):
      return onDay(["energy": JSON(value)], day, caller) {
        said("Set the energy for \(day.toldLongName) to \(value).")
      }
    case .feelings(let mood, let energy, let day):
      return onDay(["mood": JSON(mood), "energy": JSON(energy)], day, caller) {
        said("Set the mood for \(day.toldLongName) to \(mood) and the energy to \(energy).")
      }
    case .title(let text, let day):
      return onDay(["title": .string(text)], day, caller) {
        said("\(day.toldLongName) is now called “\(text)”.")
      }
    case .many(let verb, let words): return many(verb, words)
    case .undo: return try takeBack(lastChange)
    case .tag(let target, let add, let remove):
      return try onEntry(target, spoken, caller) { activity in
        var arguments: JSONObject = ["id": .string(activity.id.uuidString)]
        if !add.isEmpty { arguments["add"] = JSON(add) }
        if !remove.isEmpty { arguments["remove"] = JSON(remove) }
        let names = (add.isEmpty ? remove : add).map { "#\($0)" }.joined(separator: ", ")
        let entry = told(activity)
        return (
          "tagActivity", arguments,
          add.isEmpty
            ? said("Removed \(names) from \(entry).") : said("Added \(names) to \(entry).")
        )
      }
    case .delete(let target):
      return try onEntry(target, spoken, caller) { activity in
        (
          "deleteActivity", ["id": .string(activity.id.uuidString)],
          said("Deleted \(told(activity)).")
        )
      }
    case .pin(let target, let isPinned):
      return try onEntry(target, spoken, caller) { activity in
        (
          "updateActivity",
          ["id": .string(activity.id.uuidString), "isPinned": .bool(isPinned)],
          isPinned ? said("Pinned \(told(activity)).") : said("Unpinned \(told(activity)).")
        )
      }
    case .rename(let target, let text):
      return try onEntry(target, spoken, caller) { activity in
        (
          "updateActivity", ["id": .string(activity.id.uuidString), "text": .string(text)],
          said("\(told(activity)) is now “\(text)”.")
        )
      }
    case .move(let target, let words):
      return try onEntry(target, spoken, caller) { activity in
        let arguments = try MoveTime(now: archive.clock.now, zone: zone).arguments(words, activity)
        return ("updateActivity", arguments, said("Moved \(told(activity))."))
      }
    }
  }

  // MARK: Writing

  private func add(_ line: String, _ caller: ToolCaller) throws -> ActOutcome {
    let reader = QuickAddReader(
      now: archive.clock.now, zone: zone, knownPeople: try archive.people(mentionedIn: line),
      units: try archive.units())
    let reading: QuickAddReading
    do {
      reading = try reader.read(line)
    } catch {
      return ActOutcome(state: .failed, sentence: error.description)
    }
    let day = reading.start?.day ?? reading.dayKey
    var arguments: JSONObject = ["text": .string(reading.text), "dayDate": JSON(day)]
    let times = reading.instants(in: zone)
    if let start = times.start { arguments["startAt"] = JSON(start) }
    if let period = reading.period { arguments["dayPeriod"] = .string(period.rawValue) }
    if let end = times.end { arguments["endAt"] = JSON(end) }
    if let kind = reading.kind { arguments["kind"] = .string(kind.rawValue) }
    if !reading.tags.isEmpty { arguments["tags"] = JSON(reading.tags) }
    if !reading.people.isEmpty { arguments["people"] = JSON(reading.people) }
    if let place = reading.place { arguments["locationLabel"] = .string(place) }
    if let minutes = reading.durationMinutes { arguments["durationMinutes"] = JSON(minutes) }
    if !reading.measurements.isEmpty {
      var amounts = JSONObject()
      for (unit, amount) in reading.measurements.sorted(by: { $0.key < $1.key }) {
        amounts[unit] = JSON(amount)
      }
      arguments["measurements"] = .object(amounts)
    }
    var outcome = call("createActivity", arguments, caller) { answer in
      // “An hour ago” of a repetition is the hour before the first request.
      let created = answer.result?["created"]
      let saved = created?["startAt"]?.string.flatMap { Instant($0) }
      let start = reading.start.map { saved.map(zone.wallTime(at:)) ?? $0 }
      let savedDay = created?["dayKey"]?.string.flatMap { DayKey($0) }
      let when = (start?.day ?? savedDay ?? day).toldLongName
      return (reading.period == nil ? start : nil).map {
        said("Added “\(reading.text)” on \(when) at \($0.shownClock).")
      }
        ?? said("Added “\(reading.text)” on \(when).")
    }
    outcome.spokenOf = outcome.steps.compactMap {
      $0.answer.result?["created"]?["id"]?.string.flatMap { UUID(identity: $0) }
    }
    return outcome
  }

  private func onDay(
    _ fields: JSONObject, _ day: DayKey, _ caller: ToolCaller, _ told: () -> String
  ) -> ActOutcome {
    var arguments: JSONObject = ["dayDate": JSON(day)]
    for (key, value) in fields.members { arguments[key] = value }
    return call("upsertDayEntry", arguments, caller) { _ in told() }
  }

  private func call(
    _ name: String, _ arguments: JSONObject, _ caller: ToolCaller,
    _ told: (ToolAnswer) -> String
  ) -> ActOutcome {
    let call = ToolCall(id: "act", name: name, arguments: arguments)
    let answer = tools.call(
      call, by: caller, once: request.map { ToolRequest(onlyPartOf: $0) })
    let steps = [ToolStep(call, answer)]
    if let error = answer.error {
      return ActOutcome(state: .failed, sentence: saidAgain(error.message), steps: steps)
    }
    guard let pending = answer.pending else {
      let isDone = answer.result?["changeId"]?.string != nil
      return ActOutcome(
        state: .done,
        sentence: isDone ? told(answer) : said("That’s already the case. Nothing was changed."),
        steps: steps)
    }
    let summary = pending["summary"]?.string.map(saidAgain) ?? said("This change")
    return ActOutcome(
      state: .pending, sentence: said("\(summary): waiting for your approval."), steps: steps)
  }

  // MARK: Existing entries

  private func onEntry(
    _ target: ImperativeTarget, _ spoken: [UUID], _ caller: ToolCaller,
    _ wish: (Activity) throws -> (tool: String, arguments: JSONObject, told: String)
  ) throws -> ActOutcome {
    let found: EntryNaming.Found
    let words: String
    switch target {
    case .spokenOf:
      found = EntryNaming.Found(activities: try archive.activities(spoken), hasMore: false)
      words = "that"
      guard !found.activities.isEmpty else {
        return ActOutcome(
          state: .unclear,
          sentence: said(
            "No entry has been mentioned yet. Say which one you mean, such as “the dentist entry”.")
        )
      }
    case .described(let description):
      found = try EntryNaming(archive: archive, zone: zone).find(description)
      words = description
    }
    guard let activity = found.activities.first else {
      return ActOutcome(
        state: .unclear, sentence: said("No entry matches “\(words.prefix(120))”."))
    }
    guard found.activities.count == 1, !found.hasMore else {
      let number = found.activities.count
      let count = found.hasMore ? said("More than \(number)") : "\(number)"
      let sentence =
        number == 1
        ? said(
          """
          More than one entry matches “\(words.prefix(120))”. Say which day you mean, or use more \
          words from the entry. Nothing was changed.
          """)
        : said(
          """
          \(count) entries match “\(words.prefix(120))”. Say which day you mean, or use more words \
          from the entry. Nothing was changed.
          """)
      return ActOutcome(
        state: .unclear, sentence: sentence,
        candidates: Array(found.activities.prefix(10)),
        spokenOf: found.activities.prefix(10).map(\.id))
    }
    do {
      let wanted = try wish(activity)
      var outcome = call(wanted.tool, wanted.arguments, caller) { _ in wanted.told }
      outcome.spokenOf = [activity.id]
      return outcome
    } catch let error as FieldError {
      return ActOutcome(
        state: .failed, sentence: said("The \(error.field) \(saidAgain(error.problem))."),
        spokenOf: [activity.id])
    }
  }

  /// Reverts a change that the owner made; this can be undone as well.
  private func takeBack(_ change: UUID?) throws -> ActOutcome {
    guard let change else {
      return ActOutcome(
        state: .unclear, sentence: said("There’s nothing to undo here."))
    }
    guard try archive.change(change)?.author != .importer else {
      return ActOutcome(
        state: .unclear,
        sentence: said(
          "The last change was an import. Undo it in the list of imports."))
    }
    do {
      let key = request.map {
        RequestKey(
          key: "\($0.part) undo \(change.uuidString)", requestHash: $0.requestHash)
      }
      let undone = try archive.undo(change, once: key) {
        KeptAnswer(status: 200, body: Data($0.undid.summary.utf8))
      }
      let summary = String(decoding: undone.body, as: UTF8.self)
      return ActOutcome(state: .done, sentence: said("Undone: \(saidAgain(summary))."))
    } catch let error as ArchiveError {
      return ActOutcome(state: .failed, sentence: error.description)
    }
  }

  private func many(_ verb: String, _ words: String) -> ActOutcome {
    let refusal = said(
      "I can only change one entry at a time. I left “\(words.prefix(80))” unchanged.")
    let way =
      switch verb {
      case "tag":
        said(
          "To tag several entries, search for them and change all results at once.")
      case "move":
        said(
          "To move several entries, search for them and change all results at once.")
      default:
        said(
          "To delete several entries, search for them and change all results at once."
        )
      }
    return ActOutcome(state: .unclear, sentence: "\(refusal) \(way)")
  }

  private func told(_ activity: Activity) -> String {
    said("“\(activity.text.prefix(120))” (\(activity.dayKey.toldLongName))")
  }
}
