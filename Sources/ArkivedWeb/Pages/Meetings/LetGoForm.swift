import ArkivedCore
import ArkivedStore
import Foundation

/// The form that lets go of many promises that have been overdue for a long time.
struct LetGoForm {
  let promises: [StoredPromise]
  let today: DayKey

  /// The maximum number of promises in the form; the next ones are shown once these are gone.
  private static let limit = 200

  init(_ promises: [StoredPromise], today: DayKey) {
    self.promises = promises
    self.today = today
  }

  func add(to context: inout [String: Any]) {
    let count = promises.count
    context["hasAged"] = count > 0
    context["agedLine"] = said(
      count, one: "1 promise has been overdue for more than two months",
      other: "\(AmountText.grouped(count)) promises have been overdue for more than two months")
    context["aged"] = promises.prefix(Self.limit).map { stored -> [String: Any] in
      let promise = stored.promise
      let text = stored.owner.map { "\($0): \(promise.text)" } ?? promise.text
      return [
        "agedValue": "\(stored.noteID.uuidString)/\(PromiseToken(promise, isDone: false).text)",
        "agedText": ClippedText.of(text, limit: 200),
        "agedDue": promise.due.map { GoalWords.due($0, isLate: true, today: today) } ?? "",
      ]
    }
  }

  /// Returns the promises chosen in a form, by their notes.
  static func chosen(_ fields: FormFields) -> [UUID: [PromiseToken]] {
    var chosen: [UUID: [PromiseToken]] = [:]
    for value in fields.all("promise").prefix(limit) {
      let parts = value.split(separator: "/", maxSplits: 1).map(String.init)
      guard parts.count == 2, let id = UUID(uuidString: parts[0]),
        let token = PromiseToken(parts[1])
      else { continue }
      chosen[id, default: []].append(token)
    }
    return chosen
  }
}
