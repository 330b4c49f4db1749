import ArkivedCore
import Foundation

/// Selection of meetings, notes, promises and other records.
extension QuerySelector {
  func records(of kind: Query.ItemKind) throws -> [QueryRecord] {
    if let known = loaded[kind] { return known }
    let all = try records.records(kind).sorted(by: QueryRecord.precedes)
    loaded[kind] = all
    return all
  }

  func condition(
    _ condition: Query.Predicate, among all: [QueryRecord]
  ) throws -> (QueryRecord) -> Bool {
    if case .days(let days) = condition {
      return { $0.days.map(days.overlaps) ?? false }
    }
    if let holds = holdsOnDay(condition) {
      return { $0.days.map { holds($0.lowerBound.daysSinceEpoch) } ?? false }
    }
    switch condition {
    case .hours(let from, let to):
      return { Self.isBetween($0.startMinute ?? -1, from, to) }
    case .person(let name, let role):
      let key = NameFolding.key(name)
      // Someone may be named in records alone, such as the owner of a promise.
      let isKnown = all.contains { $0.people.contains { NameFolding.key($0.name) == key } }
      let keys = Set(people(called: name, isKnown: isKnown).map(NameFolding.key) + [key])
      return { record in
        record.people.contains {
          keys.contains(NameFolding.key($0.name)) && (role == .any || $0.role == role)
        }
      }
    case .alone: return { $0.people.isEmpty }
    case .place(let name):
      return { $0.place.map { Self.says($0, name) } ?? false }
    case .tag(let name):
      let key = NameFolding.key(name)
      return { $0.tags.contains { NameFolding.key($0) == key } }
    case .kind(let name):
      return { $0.activityKind?.lowercased() == name.lowercased() }
    case .amount(let unit, let amounts):
      return { $0.amount(in: unit).map(amounts.contains) ?? false }
    case .concept(let concept):
      let keys = WordGrounder.keys(of: concept.phrase)
      func says(_ record: QueryRecord) -> Bool {
        !keys.isEmpty && keys.isSubset(of: WordCutter.words(of: record.text).map(\.key))
      }
      let saying = all.filter(says)
      guard saying.isEmpty else {
        let labels = saying.prefix(5).map { String($0.title.prefix(120)) }
        groundings.append(
          ConceptGrounding(phrase: concept.phrase, manner: .words, labels: labels))
        return says
      }
      let grounding = try ground(concept)
      return { grounding.ids.contains($0.id) }
    case .text(let text): return { Self.says($0.text, text) }
    case .done(let isDone): return { $0.isDone == isDone }
    default: return { _ in false }
    }
  }
}
