import ArkivedCore

/// The people who write in Signal, and their chats.
struct SignalPeople {
  /// A person as described by signal-cli.
  struct Address {
    var id: String
    var number: String?
    var name: String?

    /// Reads the members of a message that begin with a prefix such as `source` or `destination`.
    init(_ json: JSON, _ prefix: String) {
      func member(_ ending: String) -> String? {
        json[prefix + ending]?.string.flatMap { $0.isEmpty ? nil : $0 }
      }
      let plain = member("")
      number = member("Number") ?? plain.flatMap { $0.hasPrefix("+") ? $0 : nil }
      name = member("Name").map { ChatName.settled($0) }
      id = member("Uuid") ?? member("ServiceId") ?? number ?? plain ?? ""
    }
  }

  /// The chat of a file that contains only one.
  var chat = Chat(key: "", name: "")
  /// The owner, identified by a recipient number.
  private(set) var own = ""
  private var names: [String: String] = [:]
  private var groups: [String: String] = [:]
  private var recipients: [String: Recipient] = [:]
  /// The recipient of each chat.
  private var chats: [String: String] = [:]

  private struct Recipient {
    /// The key that distinguishes it from other recipients in any backup.
    var key: String
    var name: String
    var company: Chat.Company
  }

  // MARK: Envelopes

  mutating func name(of address: Address) -> String {
    if let name = address.name, !name.isEmpty {
      names[address.id] = name
      if let number = address.number { names[number] = name }
    }
    return names[address.id] ?? address.number.flatMap { names[$0] ?? ChatName.settled($0) }
      ?? "somebody"
  }

  mutating func pair(_ other: Address, own: Address?) -> Chat {
    if let own, own.id == other.id || own.number != nil && own.number == other.number {
      return Chat(key: "self", name: "Note to Self", company: .strangers)
    }
    let name = name(of: other)
    return Chat(
      key: other.number ?? other.id, name: name, company: name == "somebody" ? .strangers : .pair)
  }

  mutating func group(_ id: String, named name: String?) -> Chat {
    if let name, !name.isEmpty { groups[id] = ChatName.settled(name) }
    return Chat(key: "group/\(id)", name: groups[id] ?? "a group")
  }

  // MARK: Frames

  /// An ID, which may be a number or a string in JSON.
  static func id(_ json: JSON) -> String { json.string ?? json.int.map(String.init) ?? "" }

  mutating func take(recipient json: JSON) {
    let id = json["id"].map(Self.id) ?? ""
    if json["self"] != nil { own = id }
    if let contact = json["contact"] {
      func joined(_ first: String, _ last: String, in json: JSON?) -> String? {
        let parts = [json?[first]?.string, json?[last]?.string].compactMap(\.self)
          .filter { !$0.isEmpty }
        return parts.isEmpty ? nil : parts.joined(separator: " ")
      }
      let digits = contact["e164"].map(Self.id)?.drop { $0 == "+" } ?? ""
      let number = digits.isEmpty || digits == "0" ? nil : "+\(digits)"
      let name =
        joined("given", "family", in: contact["nickname"])
        ?? joined("systemGivenName", "systemFamilyName", in: contact)
        ?? joined("profileGivenName", "profileFamilyName", in: contact) ?? number
      recipients[id] = Recipient(
        key: contact["aci"]?.string ?? number ?? name ?? id,
        name: ChatName.settled(name ?? "somebody"), company: name == nil ? .strangers : .pair)
    } else if let group = json["group"] {
      let title = group["snapshot"]?["title"]?["title"]?.string ?? group["name"]?.string
      recipients[id] = Recipient(
        key: "group/\(group["masterKey"]?.string ?? title ?? id)",
        name: ChatName.settled(title ?? "a group"), company: .group)
    } else if json["self"] != nil {
      recipients[id] = Recipient(key: "self", name: "Note to Self", company: .strangers)
    } else {
      recipients[id] = Recipient(key: "signal", name: "Signal", company: .strangers)
    }
  }

  mutating func take(chat json: JSON) {
    chats[json["id"].map(Self.id) ?? ""] = json["recipientId"].map(Self.id) ?? ""
  }

  func name(ofRecipient id: String) -> String { recipients[id]?.name ?? "somebody" }

  func chat(_ id: String) -> Chat {
    guard let recipient = chats[id].flatMap({ recipients[$0] }) else {
      return Chat(key: "chat/\(id)", name: "a chat", company: .strangers)
    }
    return Chat(key: recipient.key, name: recipient.name, company: recipient.company)
  }
}

/// The content of a chat item in the frames of a backup.
struct SignalFrame {
  private(set) var text = ""
  private(set) var files: [ChatFile] = []
  /// True for an item without an author: somebody joined, a call was missed.
  private(set) var isNotice = false

  init(_ item: JSON) {
    if let message = item["standardMessage"] ?? item["directStoryReplyMessage"] {
      var parts: [String] = []
      if let quote = message["quote"]?["text"]?["body"]?.string { parts.append("> \(quote)") }
      parts.append(
        message["text"]?["body"]?.string ?? message["textReply"]?["text"]?["body"]?.string ?? "")
      parts.append(Self.reactions(message))
      text = parts.filter { !$0.isEmpty }.joined(separator: "\n")
      files = (message["attachments"]?.array ?? []).map { attachment in
        let pointer = attachment["pointer"]
        let kind = pointer?["contentType"]?.string?.split(separator: "/").first.map(String.init)
        return ChatFile(
          name: pointer?["fileName"]?.string ?? kind ?? "attachment", path: nil, replacement: nil)
      }
    } else if let sticker = item["stickerMessage"] {
      text =
        "(sticker\(sticker["sticker"]?["emoji"]?.string.map { " \($0)" } ?? ""))"
        + Self.reactions(sticker)
    } else if let contact = item["contactMessage"]?["contact"] {
      let name = contact["name"]
      let parts = [name?["givenName"]?.string, name?["familyName"]?.string].compactMap(\.self)
      text = "Contact: \(parts.joined(separator: " "))"
    } else if item["remoteDeletedMessage"] != nil {
      text = "(This message was deleted)"
    } else if item["viewOnceMessage"] != nil {
      text = "(media to view once)"
    } else if let poll = item["poll"] {
      text = "Poll: \(poll["question"]?.string ?? "")"
    } else if let update = item["updateMessage"] {
      isNotice = true
      text =
        update["individualCall"] != nil ? "Call" : update["groupCall"] != nil ? "Group call" : ""
    }
  }

  private static func reactions(_ message: JSON) -> String {
    let emoji = (message["reactions"]?.array ?? []).compactMap { $0["emoji"]?.string }
    return emoji.isEmpty ? "" : "(\(emoji.joined(separator: ", ")))"
  }
}
