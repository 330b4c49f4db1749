import ArkivedCore

/// The content of a Telegram message, in words.
struct TelegramText {
  private let json: JSON

  init(_ json: JSON) { self.json = json }

  // MARK: Messages

  var words: String {
    var parts: [String] = []
    if let from = json["forwarded_from"]?.string { parts.append("Forwarded from \(from):") }
    if json["media_type"]?.string == "sticker" {
      parts.append("(sticker\(json["sticker_emoji"]?.string.map { " \($0)" } ?? ""))")
    }
    parts.append(Self.text(json["text"]))
    parts += [location, contact, poll, invoice, game].compactMap(\.self)
    if let reactions { parts.append(reactions) }
    return parts.filter { !$0.isEmpty }.joined(separator: "\n")
  }

  /// Returns a text that is stored either as a whole or in parts, some of which are links.
  private static func text(_ json: JSON?) -> String {
    if let text = json?.string { return text }
    return (json?.array ?? []).map { part in
      let text = part.string ?? part["text"]?.string ?? ""
      guard let address = part["href"]?.string, address != text, !address.isEmpty else {
        return text
      }
      return text.isEmpty ? address : "\(text) (\(address))"
    }.joined()
  }

  private var location: String? {
    let place = [json["place_name"]?.string, json["address"]?.string].compactMap(\.self)
    guard let lat = json["location_information"]?["latitude"]?.double,
      let lon = json["location_information"]?["longitude"]?.double,
      (-90...90).contains(lat), (-180...180).contains(lon)
    else { return place.isEmpty ? nil : "Place: \(place.joined(separator: ", "))" }
    return "Place: \((place + ["\(lat), \(lon)"]).joined(separator: ", "))"
  }

  private var contact: String? {
    guard let contact = json["contact_information"] else { return nil }
    let parts = ["first_name", "last_name", "phone_number"].compactMap { contact[$0]?.string }
    return "Contact: \(parts.filter { !$0.isEmpty }.joined(separator: " "))"
  }

  private var poll: String? {
    guard let poll = json["poll"], poll.object != nil else { return nil }
    let question = poll["question"]?.string ?? ""
    let answers = (poll["answers"]?.array ?? []).map { answer in
      "– \(answer["text"]?.string ?? ""): \(answer["voters"]?.int ?? 0)"
        + (answer["chosen"]?.bool == true ? " (chosen)" : "")
    }
    return (["Poll: \(question)"] + answers).joined(separator: "\n")
  }

  private var invoice: String? {
    guard let invoice = json["invoice_information"] else { return nil }
    return "Invoice: \(invoice["title"]?.string ?? "") \(invoice["description"]?.string ?? "")"
  }

  private var game: String? { json["game_title"]?.string.map { "Game: \($0)" } }

  private var reactions: String? {
    let parts = (json["reactions"]?.array ?? []).compactMap { reaction -> String? in
      guard let emoji = reaction["emoji"]?.string else { return nil }
      let count = reaction["count"]?.int ?? 1
      return count > 1 ? "\(emoji) \(count)" : emoji
    }
    return parts.isEmpty ? nil : "(\(parts.joined(separator: ", ")))"
  }

  // MARK: Files

  /// Returns the files of a message, whose paths are looked up with `path`.
  func files(_ path: (String) -> String?) -> [ChatFile] {
    // Stickers are the service's own pictures, and are represented in the text.
    guard json["media_type"]?.string != "sticker" else { return [] }
    return ["photo", "file"].compactMap { key in
      guard let told = json[key]?.string, !told.isEmpty else { return nil }
      let kind = json["media_type"]?.string?.replacing("_", with: " ") ?? key
      let last = told.split(separator: "/").last.map(String.init)
      // “(File not included. Change data exporting settings to download.)”
      guard !told.contains("(File "), let settled = ChatPath.settled(told) else {
        let name = json["file_name"]?.string ?? kind
        return ChatFile(name: name, path: nil, replacement: "(\(name) not exported)")
      }
      return ChatFile(
        name: json["file_name"]?.string ?? last ?? kind, path: path(settled),
        replacement: "(\(json["file_name"]?.string ?? last ?? kind) not exported)")
    }
  }

  // MARK: Notices

  /// A notice of the service, such as that somebody joined.
  var notice: String {
    let actor = json["actor"]?.string
    switch json["action"]?.string {
    case "phone_call":
      if let seconds = json["duration_seconds"]?.int, seconds > 0 {
        return "Call, \(seconds / 60) min \(seconds % 60) s"
      }
      return json["discard_reason"]?.string == "missed" ? "Missed call" : "Call without an answer"
    case let action?:
      let members = (json["members"]?.array ?? []).compactMap(\.string)
      let parts: [String?] = [
        actor, action.replacing("_", with: " "), json["title"]?.string.map { "“\($0)”" },
        members.isEmpty ? nil : members.prefix(10).joined(separator: ", "),
      ]
      return parts.compactMap(\.self).joined(separator: " ")
    case nil: return json["information_text"]?.string ?? ""
    }
  }
}
