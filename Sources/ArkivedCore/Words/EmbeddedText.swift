package import CTexts

extension ctx_text {
  /// The bytes, read directly from the program without a copy.
  package var buffer: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: bytes, count: count) }
}

extension String {
  /// Creates a string from a text embedded in the program.
  init(_ text: ctx_text) { self.init(decoding: text.buffer, as: UTF8.self) }
}

/// Embedded texts of higher-level modules.
package enum EmbeddedTexts {
  /// The words used in questions, from `ArkivedAssistant/Resources/questions.txt`.
  package static var questions: String { String(ctx_questions()) }
}
