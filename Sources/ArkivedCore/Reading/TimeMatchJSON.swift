import Foundation

extension TimeMatch {
  /// The contract's form: local date-times without offset, the end excluded, null where open.
  package var json: JSON {
    [
      "text": .string(text), "start": JSON(start?.description), "end": JSON(end?.description),
    ]
  }
}
