import ArkivedCore
import ArkivedStore
import Foundation

/// A day's page for its template.
struct DayContext {
  let part: DayPart
  let today: DayKey
  let zone: Zone
  /// The meetings that entries of the day represent, keyed by entry.
  var meetings: [UUID: UUID] = [:]
  /// The colours of tags that have one, by their case-folded names.
  var tagColours: [String: TagColour] = [:]
  /// The transcriber of recordings; nil if there is none.
  var voice: VoiceDesk?

  /// The maximum number of entries shown at once.
  static let pageSize = 200

  var context: [String: Any] {
    let key = part.dayKey
    let previous = key.advanced(by: -1)
    let next = key.advanced(by: 1)
    var context: [String: Any] = [
      "dayKey": key.description, "dayName": EntryContext.dayName(key), "year": "\(key.year)",
      "isToday": key == today, "today": today.description, "refreshHref": "/day/\(key)",
      "previousHref": "/day/\(previous)",
      "previousKey": "\(previous)", "nextKey": "\(next)",
      "previousLabel": EntryContext.dayName(previous), "nextHref": "/day/\(next)",
      "nextLabel": EntryContext.dayName(next), "linePlaceholder": words.prompt,
      "emptyTitle": words.title, "emptyHint": words.hint, "hasActivities": part.total > 0,
      "markdownHref": MarkdownController.href(key...key),
      "hasMetrics": !part.metrics.isEmpty, "hasExamples": part.total == 0,
      "examples": [
        said("lunch with Sam at Joe’s 12:30–13:15 #food"), said("7am: ran 5 km"),
        said("read for 30 minutes #book"),
      ].map { ["exampleLine": $0] },
    ]
    addMetrics(to: &context)
    addTimeline(to: &context)
    context["hasContinuing"] = !part.continuing.isEmpty
    context["continuing"] = part.continuing.map(continuing)
    addNote(to: &context)
    let attachments = part.entry?.attachments ?? []
    let linked = attachments.filter { !EntryFiles.isShown($0) }
    var links = linked.map { attachment -> [String: String] in
      let shown = EntryContext(homeZone: zone).attachment(attachment)
      return [
        "label": ClippedText.of(shown.label, limit: 80), "href": shown.href, "icon": shown.icon,
      ]
    }
    // The editor lists those that don't fit here.
    if attachments.count - linked.count > EntryFiles.limit {
      links.append([
        "label": said("Show all"), "href": "/day/\(key)/note/edit#files", "icon": "photo",
      ])
    }
    context["hasNoteLinks"] = !links.isEmpty
    context["noteLinks"] = links
    var files = HTMLWriter()
    EntryFiles(
      attachments: attachments, voice: voice, isBare: part.entry?.note.isEmpty ?? true
    ).write(&files)
    context["noteFilesHTML"] = files.text
    context["attachAction"] = "/day/\(key)/attachments"
    if let weather = part.entry?.weather, let text = weather.shownText {
      context["weatherText"] = ClippedText.of(text, limit: 120)
    }
    return context
  }

  /// Returns an entry of an earlier day that continues into this one.
  private func continuing(_ activity: Activity) -> [String: Any] {
    let id = activity.id.uuidString
    return [
      "text": ClippedText.of(activity.text, limit: 300),
      "href": "/day/\(activity.dayKey)?at=\(id)#activity-\(id)",
      "place": activity.shownPlaceText(on: part.dayKey),
    ]
  }

  private func addTimeline(to context: inout [String: Any]) {
    let groups = TimelineHTML(
      part, today: today, homeZone: zone, meetings: meetings, colours: tagColours, voice: voice
    ).groups
    context["timelineHTML"] = groups.html
    let end = part.offset + groups.count
    let isPart = part.offset > 0 || end < part.total
    context["isPart"] = isPart
    guard isPart else { return }
    let day = "/day/\(part.dayKey)"
    func number(_ count: Int) -> String { DayContext.grouped(Double(count)) }
    context["partLine"] =
      said("Entries \(number(part.offset + 1))–\(number(end)) of \(number(part.total))")
    if part.offset > 0 {
      let count = min(part.offset, DayContext.pageSize)
      context["earlierLabel"] = said("Show previous \(number(count))")
      let isFirst = part.offset <= DayContext.pageSize
      context["earlierHref"] =
        isFirst ? "\(day)?from=start#later" : part.previous.map { "\(day)?from=\($0)#later" }
    }
    if end < part.total, groups.count < part.places.count {
      let count = min(part.total - end, DayContext.pageSize)
      context["laterLabel"] = said("Show next \(number(count))")
      context["laterHref"] = "\(day)?from=\(part.places[groups.count])#timeline"
    }
    // This is the same part again, even if the page's own address would begin elsewhere by then.
    context["refreshHref"] =
      "\(day)?from=" + (part.offset == 0 ? "start" : part.places.first?.description ?? "start")
  }

  private var words: (prompt: String, title: String, hint: String) {
    if part.dayKey == today {
      return (
        said("What did you do?"), said("Nothing written yet"),
        said("One line is enough: what did you just do?")
      )
    }
    return part.dayKey < today
      ? (
        said("What did you do that day?"), said("No entries for this day"),
        said("Add what you remember.")
      )
      : (said("What is planned?"), said("Nothing planned"), said("Add what you already know."))
  }

  private func addNote(to context: inout [String: Any]) {
    let note = part.entry?.note ?? ""
    let title = part.entry?.title ?? ""
    let preview = note.isEmpty ? nil : NotePreview(note, goesOn: part.isNoteCut)
    context["hasNote"] = !note.isEmpty || !title.isEmpty
    context["isWritten"] = part.entry != nil || part.total > 0 || !part.metrics.isEmpty
    if !title.isEmpty { context["noteTitle"] = ClippedText.of(title, limit: 200) }
    context["scales"] = [
      scale("mood", said("Mood"), part.entry?.mood),
      scale("energy", said("Energy"), part.entry?.energy),
    ]
    context["hasNoteText"] = preview != nil
    context["isNoteFolded"] = preview?.rest == .folded
    context["isNoteCut"] = preview?.rest == .elsewhere
    context["noteHTML"] = preview?.html ?? ""
  }

  /// Returns five buttons, of which the selected one clears the choice.
  private func scale(_ name: String, _ label: String, _ chosen: Int?) -> [String: Any] {
    let words = NoteForm.levelWords
    return [
      "scale": name, "scaleLabel": label, "chosen": chosen.map { words[$0] } ?? "",
      "steps": (1...5).map { number in
        [
          "scale": name, "number": "\(number)", "words": words[number],
          "value": number == chosen ? "" : "\(number)",
          "pressed": number == chosen ? "true" : "false",
        ]
      },
    ]
  }

  /// Returns mood and energy if they are set.
  static func levels(_ entry: DayEntry?) -> [[String: String]] {
    [(said("Mood"), entry?.mood), (said("Energy"), entry?.energy)].compactMap { name, value in
      value.map { ["levelName": name, "levelValue": "\($0)"] }
    }
  }

  /// Adds a day's numbers: the most important ones, with the rest collapsed.
  private func addMetrics(to context: inout [String: Any]) {
    let shown = MetricText.ordered(part.metrics).map(Self.metric)
    let rest = shown.dropFirst(Self.metricCount)
    context["metrics"] = Array(shown.prefix(Self.metricCount))
    context["hasMoreMetrics"] = !rest.isEmpty
    context["moreMetrics"] = Array(rest)
    context["moreMetricsLabel"] = said("\(rest.count) more from your devices")
  }

  private static let metricCount = 8

  private static func metric(_ metric: DayMetric) -> [String: Any] {
    let name = MetricText.shownName(metric.metric)
    let label = name.prefix(1).uppercased() + name.dropFirst()
    var context: [String: Any] = [
      "icon": "measure", "label": ClippedText.of(label, limit: 60),
      "value": AmountText.shown(metric.value),
    ]
    switch metric.metric {
    case "steps":
      context["icon"] = "steps"
      context["label"] = said("Steps")
      context["value"] = MetricText.amount(metric)
    case "sleepMinutes":
      context["icon"] = "sleep"
      context["label"] = said("Sleep")
      context["value"] = MetricText.amount(metric)
    case "restingHeartRate":
      context["icon"] = "heart"
      context["label"] = said("Resting heart rate")
      context["unit"] = metric.unit
    default:
      if !["", "count"].contains(metric.unit) {
        context["unit"] = ClippedText.of(metric.unit, limit: 30)
      }
    }
    return context
  }

  /// Returns a grouped number such as "8,412".
  static func grouped(_ amount: Double) -> String {
    guard let number = Int(exactly: amount.rounded()) else { return AmountText.shown(amount) }
    return AmountText.grouped(number)
  }
}
