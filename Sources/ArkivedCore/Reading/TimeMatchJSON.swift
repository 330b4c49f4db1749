import Foundation

extension TimeMatch {
  /// The form of the contract: local date-times without offset, the end excluded, null if open.
  package var json: JSON {
    [
      "text": .string(text), "start": JSON(start?.description), "end": JSON(end?.description),
    ]
  }
}
