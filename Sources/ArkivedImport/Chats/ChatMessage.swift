import ArkivedCore
import Foundation

/// A conversation with somebody or in a group.
struct Chat: Hashable {
  /// What the people in it are to the archive.
  enum Company: Hashable {
    /// Two people talk; the name is the other's.
    case pair
    /// Everybody who writes is somebody the owner knows.
    case group
    /// Strangers, programs, or nobody but the owner: nobody becomes a person.
    case strangers
  }

  /// What tells it from other conversations of its service.
  var key: String
  /// What it is called.
  var name: String
  var company = Company.group
}

/// A message of a conversation.
struct ChatMessage {
  enum Sender: Hashable {
    case owner
    case other(String)
    /// The service itself: somebody joined, a call was missed.
    case service
  }

  var time: Instant
  /// What clocks showed, where the source tells that and not the moment.
  var wall: WallTime?
  var sender: Sender
  /// As it was written.
  var text: String
  var files: [ChatFile] = []
  /// Where it stands in its source: `chat.txt:12`.
  var place: String
}

/// A file that came with a message.
struct ChatFile {
  /// What it is called for its reader.
  var name: String
  /// Its path below the folder of the chat's files; nil where it isn't there.
  var path: String?
  /// What stands in the text where the file isn't there.
  var replacement: String?
}

/// Names of those who write, as they are compared and shown.
enum ChatName {
  /// A name without marks of direction and the tilde of names that only their owners gave; a number
  /// in the form in which numbers are compared.
  static func settled(_ name: some StringProtocol) -> String {
    var text = ChatText.plain(name)
    text = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    while text.hasPrefix("~") {
      text = String(text.dropFirst().drop { $0.isWhitespace })
    }
    return PhoneNumber.canonical(text) ?? text
  }
}
