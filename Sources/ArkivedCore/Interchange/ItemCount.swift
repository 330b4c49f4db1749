/// Counts of items by type, for people: “12 entries”, “3 goals”.
package enum ItemCount {
  /// Returns how many items there are of each type, sorted by type: “12 entries, 3 goals”;
  /// “nothing” if there are none.
  package static func text(_ counts: [String: Int]) -> String {
    guard !counts.isEmpty else { return said("nothing") }
    return counts.sorted { $0.key < $1.key }.map { text($0.value, of: $0.key) }
      .joined(separator: ", ")
  }

  /// Returns a number of items with the name of their type; a type that no version of Arkived
  /// writes keeps its own name.
  ///
  /// - Parameters:
  ///   - count: the number.
  ///   - type: the name of the type in data, or of a list in a goal pack.
  /// - Returns: the number with the name.
  package static func text(_ count: Int, of type: String) -> String {
    let number = AmountText.grouped(count)
    return switch type {
    case "activity", "entry": said(count, one: "\(number) entry", other: "\(number) entries")
    case "day note": said(count, one: "\(number) day note", other: "\(number) day notes")
    case "day": said(count, one: "\(number) day", other: "\(number) days")
    case "person": said(count, one: "\(number) person", other: "\(number) people")
    case "tag": said(count, one: "\(number) tag", other: "\(number) tags")
    case "attachment": said(count, one: "\(number) attachment", other: "\(number) attachments")
    case "metric": said(count, one: "\(number) metric", other: "\(number) metrics")
    case "goal", "goals": said(count, one: "\(number) goal", other: "\(number) goals")
    case "value", "values", "personalValue":
      said(count, one: "\(number) value", other: "\(number) values")
    case "term", "terms": said(count, one: "\(number) term", other: "\(number) terms")
    case "lifetime": said(count, one: "\(number) lifetime", other: "\(number) lifetimes")
    case "actions": said(count, one: "\(number) action", other: "\(number) actions")
    case "contribution", "contributions", "goal link":
      said(count, one: "\(number) goal link", other: "\(number) goal links")
    case "alignment", "alignments", "value link":
      said(count, one: "\(number) value link", other: "\(number) value links")
    case "assignment", "assignments", "commitment":
      said(count, one: "\(number) commitment", other: "\(number) commitments")
    case "meeting": said(count, one: "\(number) meeting", other: "\(number) meetings")
    case "note": said(count, one: "\(number) note", other: "\(number) notes")
    case "thread", "conversation":
      said(count, one: "\(number) conversation", other: "\(number) conversations")
    case "template": said(count, one: "\(number) template", other: "\(number) templates")
    case "prompt list": said(count, one: "\(number) prompt list", other: "\(number) prompt lists")
    case "message": said(count, one: "\(number) message", other: "\(number) messages")
    case "history":
      said(count, one: "\(number) earlier version", other: "\(number) earlier versions")
    case "tombstone": said(count, one: "\(number) deletion", other: "\(number) deletions")
    case "row": said(count, one: "\(number) row", other: "\(number) rows")
    case "new": said("\(number) new")
    case "changed": said("\(number) changed")
    case "deleted": said("\(number) deleted")
    default: "\(number) \(type.prefix(40))"
    }
  }
}
