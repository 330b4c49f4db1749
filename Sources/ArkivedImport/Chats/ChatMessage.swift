import ArkivedCore
import Foundation

/// A conversation with one person or in a group.
struct Chat: Hashable {
  /// The relation of the people in a chat to the archive's owner.
  enum Company: Hashable {
    /// Two people; the name is the other person's.
    case pair
    /// The owner knows everybody who writes.
    case group
    /// Strangers, programs, or only the owner: no person is created.
    case strangers
  }

  /// The key that distinguishes it from other conversations on its service.
  var key: String
  /// The name of the chat.
  var name: String
  var company = Company.group
}

/// A message of a conversation.
struct ChatMessage {
  enum Sender: Hashable {
    case owner
    case other(String)
    /// Somebody whose account no longer exists; no person is created.
    case deleted(String)
    /// The service itself: somebody joined, a call was missed.
    case service
  }

  var time: Instant
  /// The wall-clock time, if the source gives that instead of the exact instant.
  var wall: WallTime?
  var sender: Sender
  /// The text as written.
  var text: String
  var files: [ChatFile] = []
  /// Its position in its source, such as `chat.txt:12`.
  var place: String
}

/// A file sent with a message.
struct ChatFile {
  /// Its name for display.
  var name: String
  /// Its path below the folder of the chat's files; nil if it is missing.
  var path: String?
  /// The text shown if the file is missing.
  var replacement: String?
}

/// The names of senders, in the form used for comparison and display.
enum ChatName {
  /// Returns a name without direction marks and without the tilde that precedes names chosen by
  /// their owners; a number is returned in the form used for comparison.
  static func settled(_ name: some StringProtocol) -> String {
    var text = ChatText.plain(name)
    text = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    while text.hasPrefix("~") {
      text = String(text.dropFirst().drop { $0.isWhitespace })
    }
    return PhoneNumber.canonical(text) ?? text
  }
}
