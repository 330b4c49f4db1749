package import CTexts

extension ctx_text {
  /// The bytes, where they stand in the program.
  package var buffer: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: bytes, count: count) }
}

extension String {
  /// A text that is part of the program.
  init(_ text: ctx_text) { self.init(decoding: text.buffer, as: UTF8.self) }
}

/// Texts of higher rooms that are part of the program.
package enum EmbeddedTexts {
  /// `ArkivedAssistant/Resources/questions.txt`: what words do in questions.
  package static var questions: String { String(ctx_questions()) }
}
