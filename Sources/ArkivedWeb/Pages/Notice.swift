import ArkivedCore
import ArkivedStore
import Foundation

/// A notice at the top of a page about the last change, with a way to undo it.
struct Notice: Sendable {
  enum Tone: String, Sendable {
    case success, info, warning, error
  }

  var tone: Tone
  var sentence: String
  var parts: [QuickAddReading.Part] = []
  /// The names in the line that no known person has.
  var suggestedPeople: [String] = []
  var undo: Change?
  /// The kind of draft the browser may discard: "line", "note" or "freenote", or "form" for the one
  /// that it submitted last.
  var clearsDraft: String?
  /// The page after undoing, or nil for the day that was changed.
  var back: String?
  /// A page with more about it.
  var link: (href: String, label: String)?
  /// The path of a form that dismisses it.
  var dismissal: String?
  /// The goals that the added entry counts toward.
  var counts: [GoalCredit] = []
  /// The differing fields of the version that another tab or device saved in the meantime.
  var otherVersion: String?

  var context: [String: Any] {
    var context: [String: Any] = [
      "tone": tone.rawValue, "sentence": saidAgain(sentence),
      "role": tone == .success || tone == .info ? "status" : "alert",
      "hasParts": !parts.isEmpty,
      "parts": parts.prefix(20).map {
        ["role": $0.role.rawValue, "label": ClippedText.of($0.label, limit: 60)]
      },
      "newPeople": suggestedPeople.prefix(5).map { name in
        let encoded = name.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        return [
          "newHref": "/people/new?name=\(encoded)", "newLabel": said("Add \(name) to your people"),
        ]
      },
      "hasLink": link != nil, "linkHref": link?.href ?? "", "linkLabel": link?.label ?? "",
      "hasDismissal": dismissal != nil, "dismissal": dismissal ?? "",
      "hasUndo": undo != nil, "hasBack": back != nil, "back": back ?? "",
      "hasOtherVersion": otherVersion != nil, "otherVersion": otherVersion ?? "",
      "hasCounts": !counts.isEmpty, "counts": CountsToward.contexts(counts),
    ]
    if let undo { context["undoAction"] = "/changes/\(undo.id.uuidString)/undo" }
    if let clearsDraft { context["clearsDraft"] = clearsDraft }
    return context
  }

  /// Returns the names in a line that still match no person in the archive.
  private static func suggestions(_ reading: QuickAddReading?, _ archive: Archive) throws
    -> [String]
  {
    let names = reading?.suggestedPeople ?? []
    guard !names.isEmpty else { return [] }
    let known = PersonReader(people: try archive.people(mentionedIn: names.joined(separator: ", ")))
    return names.filter { known.candidates(named: $0).isEmpty }
  }

  /// Returns the notice about the change named by the page's address (`?change=ID`), made by a form
  /// just before.
  static func about(
    _ fields: FormFields, archive: Archive, zone: Zone, back: String? = nil
  ) throws -> [Notice] {
    guard let id = fields.text("change").flatMap(UUID.init(uuidString:)),
      let change = try archive.change(id)
    else { return [] }
    switch change.action {
    case "add":
      guard let added = fields.text("added").flatMap(UUID.init(uuidString:)),
        let activity = try archive.activity(added)
      else { return [] }
      // The people recognised in the line are on the entry, so no one else needs to be looked up.
      let people = try archive.people(activity.people.compactMap(\.personID)).map {
        KnownPerson(id: $0.id, name: $0.displayName, aliases: $0.aliases)
      }
      let reader = QuickAddReader(
        now: archive.clock.now, zone: zone, knownPeople: people,
        units: try archive.units(in: .current), language: .current)
      let reading = activity.typedText.flatMap { line in
        line.utf8.count > 2_000 ? nil : try? reader.read(line)
      }
      return [
        Notice(
          tone: .success, sentence: said("Saved: \(ClippedText.of(activity.text, limit: 160))"),
          parts: reading?.understood ?? [],
          suggestedPeople: try suggestions(reading, archive), undo: change.isUndone ? nil : change,
          clearsDraft: "line", back: back,
          counts: try CountsToward.of(
            added, archive: archive, today: zone.dayKey(at: archive.clock.now)))
      ]
    case "note":
      return [
        Notice(
          tone: .success, sentence: said("Note saved."), undo: change.isUndone ? nil : change,
          // A note begun with a template is still being written.
          clearsDraft: fields.text("begun") != nil
            ? nil : fields.text("draft") == "line" ? "line" : "note")
      ]
    case "undo", "redo":
      return [Notice(tone: .info, sentence: "\(change.summary).", undo: change)]
    default:
      return [
        Notice(
          tone: .success, sentence: "\(change.summary).", undo: change.isUndone ? nil : change,
          clearsDraft: "form")
      ]
    }
  }
}
