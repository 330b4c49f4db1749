import ArkivedCore
import Foundation

/// A vCard's data about a person.
struct VCard {
  /// A line about something for which a person has no field: `Birthday: 14 March`.
  struct Detail: Hashable {
    var label: String
    var value: String
  }

  /// A picture, as bytes.
  typealias Photo = (data: Data, line: Int)

  /// The number of its first line.
  let line: Int
  private(set) var uid: String?
  private(set) var isGroup = false
  private(set) var name: String?
  private(set) var aliases: [String] = []
  private(set) var addresses: [String] = []
  /// Telephone numbers, in the form used for comparison.
  private(set) var phones: [String] = []
  private(set) var organisation: String?
  private(set) var title: String?
  private(set) var details: [Detail] = []
  private(set) var note: String?
  private(set) var categories: [String] = []
  private(set) var photo: Photo?
  /// The names of properties that were not used.
  private(set) var unread: Set<String> = []
  /// Problems that prevented something from being read: the property and the reason.
  private(set) var problems: [(line: Int, field: String, message: String)] = []
  /// True if some bytes weren't valid text in the declared encoding.
  private(set) var isOfOtherEncoding = false

  /// Properties that concern the card itself or programs and say nothing about a person.
  private static let technical: Set<String> = [
    "VERSION", "PRODID", "REV", "PROFILE", "SOURCE", "CLIENTPIDMAP", "MAILER", "CLASS", "XML",
    "SORT-STRING", "X-ABLABEL", "X-ABADR", "X-ABUID", "X-ABSHOWAS", "X-IMAGETYPE", "X-IMAGEHASH",
    "X-PHONETIC-FIRST-NAME", "X-PHONETIC-LAST-NAME", "X-PHONETIC-MIDDLE-NAME", "X-PHONETIC-ORG",
    "X-SHARED-PHOTO-DISPLAY-PREF", "X-ADDRESSBOOKSERVER-PHONEME-DATA", "CALSCALE", "LANGUAGE",
  ]
  private static let messengers: [String: String] = [
    "X-SKYPE": "Skype", "X-SKYPE-USERNAME": "Skype", "X-JABBER": "Jabber", "X-ICQ": "ICQ",
    "X-AIM": "AIM", "X-MSN": "MSN", "X-YAHOO": "Yahoo", "X-GOOGLE-TALK": "Google Talk",
    "X-GTALK": "Google Talk", "X-QQ": "QQ", "X-SIP": "SIP", "X-TWITTER": "Twitter",
    "X-MATRIX": "Matrix", "X-GADUGADU": "Gadu-Gadu", "X-GROUPWISE": "GroupWise",
  ]
  private static let relatives: [String: String] = [
    "X-SPOUSE": "Spouse", "X-EVOLUTION-SPOUSE": "Spouse",
    "X-KADDRESSBOOK-X-SPOUSESNAME": "Spouse", "X-MANAGER": "Manager",
    "X-EVOLUTION-MANAGER": "Manager", "X-KADDRESSBOOK-X-MANAGERSNAME": "Manager",
    "X-ASSISTANT": "Assistant", "X-EVOLUTION-ASSISTANT": "Assistant",
    "X-KADDRESSBOOK-X-ASSISTANTSNAME": "Assistant", "X-CHILDREN": "Children",
  ]
  /// The numbers of Android's relation and event types.
  private static let androidRelations = [
    "Assistant", "Brother", "Child", "Domestic partner", "Father", "Friend", "Manager", "Mother",
    "Parent", "Partner", "Referred by", "Relative", "Sister", "Spouse",
  ]

  private var hasFullName = false

  init(_ properties: [VCardProperty], line: Int) {
    self.line = line
    var labels: [String: String] = [:]
    for property in properties where property.name == "X-ABLABEL" {
      if let group = property.group { labels[group] = Self.label(property.text) }
    }
    for property in properties {
      isOfOtherEncoding = isOfOtherEncoding || property.isOfOtherEncoding
      take(property, label: property.group.flatMap { labels[$0] })
    }
    settleName()
  }

  // MARK: Properties

  private mutating func take(_ property: VCardProperty, label: String?) {
    let text = property.text
    switch property.name {
    case "FN":
      guard !text.isEmpty else { return }
      if hasFullName { alias(text) } else { (name, hasFullName) = (Self.line(text), true) }
    case "N": takeName(property.components)
    case "NICKNAME": property.items.forEach { alias($0) }
    case "X-MAIDENNAME", "X-KADDRESSBOOK-X-MAIDENNAME": alias(text)
    case "UID": uid = Self.identity(text)
    case "EMAIL": takeAddress(property, label)
    case "TEL": takePhone(property, label)
    case "ORG":
      let parts = property.components.filter { !$0.isEmpty }
      guard !parts.isEmpty else { return }
      if organisation == nil { organisation = Self.line(parts.joined(separator: ", ")) }
      add("Organization", parts.joined(separator: ", "))
    case "TITLE", "ROLE":
      if title == nil, !text.isEmpty { title = Self.line(text) }
      add(property.name == "TITLE" ? "Job title" : "Role", text)
    case "BDAY": takeDate("Birthday", property)
    case "ANNIVERSARY", "X-ANNIVERSARY", "X-EVOLUTION-ANNIVERSARY", "X-KADDRESSBOOK-X-ANNIVERSARY":
      takeDate("Anniversary", property)
    case "DEATHDATE", "X-DEATHDATE": takeDate("Died", property)
    case "X-ABDATE": takeDate(label ?? "Date", property)
    case "ADR": takePostalAddress(property, label)
    case "LABEL": add(Self.labelled("Address label", property.types, label), text)
    case "URL": add(label ?? Self.labelled("Website", property.types, nil), text)
    case "IMPP": takeMessenger(property, label)
    case "X-SOCIALPROFILE", "SOCIALPROFILE":
      add(
        (property.parameters["SERVICE-TYPE"] ?? property.types).first?.capitalized ?? "Profile",
        text)
    case "NOTE":
      if !text.isEmpty { note = note.map { "\($0)\n\n\(text)" } ?? text }
    case "CATEGORIES":
      categories += property.items.filter {
        !["mycontacts", "starred"].contains($0.lowercased().filter(\.isLetter))
      }
    case "RELATED", "X-ABRELATEDNAMES":
      let kind = label ?? property.types.first { $0 != "pref" }?.capitalized ?? "Related"
      add(kind, Self.withoutScheme(text))
    case "GENDER": add("Gender", property.components.filter { !$0.isEmpty }.joined(separator: ", "))
    case "LANG": add("Language", text)
    case "TZ": add("Time zone", text)
    case "BIRTHPLACE": add("Born in", text)
    case "DEATHPLACE": add("Died in", text)
    case "HOBBY", "INTEREST": add(property.name.capitalized, text)
    case "EXPERTISE": add("Expertise", text)
    case "X-GENDER": add("Gender", text)
    case "PHOTO": takePhoto(property)
    case "KIND", "X-ADDRESSBOOKSERVER-KIND": isGroup = text.lowercased() == "group"
    case "X-ANDROID-CUSTOM": takeAndroid(property.components)
    case let name where Self.messengers[name] != nil: add(Self.messengers[name] ?? name, text)
    case let name where Self.relatives[name] != nil: add(Self.relatives[name] ?? name, text)
    case let name where Self.technical.contains(name): break
    default: if !text.isEmpty || property.data != nil { unread.insert(property.name) }
    }
  }

  /// Takes the parts of a name: family, given, additional, prefixes, suffixes.
  private mutating func takeName(_ parts: [String]) {
    func part(_ index: Int) -> String {
      index < parts.count ? parts[index].replacing(",", with: " ") : ""
    }
    let short = [part(1), part(0)].filter { !$0.isEmpty }.joined(separator: " ")
    let whole = [3, 1, 2, 0, 4].map(part).filter { !$0.isEmpty }.joined(separator: " ")
    guard !whole.isEmpty else { return }
    if name == nil { name = Self.line(whole) }
    // The name used at work and in chats, without titles and middle names.
    if !part(1).isEmpty, !part(0).isEmpty { alias(short) }
  }

  private mutating func takeAddress(_ property: VCardProperty, _ label: String?) {
    var text = Self.withoutScheme(property.text)
    if let open = text.lastIndex(of: "<"), let close = text.lastIndex(of: ">"), open < close {
      text = String(text[text.index(after: open)..<close])
    }
    guard !text.isEmpty else { return }
    guard Person.isAddress(text) else {
      add("Email", text)
      problems.append(
        (
          property.line, "EMAIL",
          "\(FieldError.shown(text)) isn’t a valid address; "
            + "kept in the note"
        ))
      return
    }
    guard !addresses.contains(where: { NameFolding.key($0) == NameFolding.key(text) }) else {
      return
    }
    let isPreferred = property.types.contains("pref") || property.parameters["PREF"]?.first == "1"
    addresses.insert(text, at: isPreferred ? 0 : addresses.count)
    if let kind = Self.kind(property.types, label) { add("Email (\(kind))", text) }
  }

  private mutating func takePhone(_ property: VCardProperty, _ label: String?) {
    let text = Self.withoutScheme(property.text)
    guard !text.isEmpty else { return }
    // `tel:+1-555-0100;ext=5102`; the extension isn't part of the number.
    let number = text.prefix { $0 != ";" && $0 != "x" && $0 != "," }
    guard let phone = PhoneNumber.canonical(number) else { return add("Phone", text) }
    if !phones.contains(phone) { phones.append(phone) }
    if number.count < text.count {
      add("Phone", text)
    } else if let kind = Self.kind(property.types, label) {
      add("Phone (\(kind))", text)
    }
  }

  private mutating func takeDate(_ label: String, _ property: VCardProperty) {
    let omitted = property.parameters["X-APPLE-OMIT-YEAR"]?.first.flatMap { Int($0) }
    takeDate(label, property.text, omitted, property)
  }

  private mutating func takeDate(
    _ label: String, _ text: String, _ omitted: Int?, _ property: VCardProperty?
  ) {
    guard !text.isEmpty else { return }
    if let date = VCardDate(text, omittedYear: omitted) { return add(label, date.text) }
    add(label, text)
    guard let property, property.parameters["VALUE"]?.first?.lowercased() != "text" else { return }
    problems.append(
      (
        property.line, property.name,
        "\(FieldError.shown(text)) isn’t a valid date and was kept as text"
      ))
  }

  private mutating func takePostalAddress(_ property: VCardProperty, _ label: String?) {
    let parts = property.components
    func part(_ index: Int) -> String {
      index < parts.count
        ? parts[index].split(whereSeparator: \.isNewline).joined(separator: ", ")
        : ""
    }
    // Box, extended address, street, town, region, code, country.
    let town = [part(5), part(3)].filter { !$0.isEmpty }.joined(separator: " ")
    let lines = [part(0), part(2), part(1), town, part(4), part(6)].filter { !$0.isEmpty }
    add(Self.labelled("Address", property.types, label), lines.joined(separator: ", "))
  }

  private mutating func takeMessenger(_ property: VCardProperty, _ label: String?) {
    let text = property.text
    let scheme = text.prefix { $0 != ":" }
    let service =
      property.parameters["X-SERVICE-TYPE"]?.first ?? label ?? String(scheme).capitalized
    let name = scheme.count < text.count ? String(text[scheme.endIndex...].dropFirst()) : text
    add(service.isEmpty ? "Messenger" : service, name.removingPercentEncoding ?? name)
  }

  private mutating func takePhoto(_ property: VCardProperty) {
    guard photo == nil else { return }
    if let data = property.data {
      if !data.isEmpty { photo = (data, property.line) }
    } else if property.value.hasPrefix("data:") {
      guard let comma = property.value.firstIndex(of: ","),
        property.value[..<comma].lowercased().contains("base64"),
        let data = Data(
          base64Encoded: String(property.value[property.value.index(after: comma)...]),
          options: .ignoreUnknownCharacters), !data.isEmpty
      else {
        problems.append((property.line, "PHOTO", "photo not imported: it can’t be decoded"))
        return
      }
      photo = (data, property.line)
    } else if property.parameters["ENCODING"] == nil, property.text.contains("://") {
      add("Photo", property.text)
    } else if !property.text.isEmpty {
      problems.append((property.line, "PHOTO", "photo not imported: it can’t be decoded"))
    }
  }

  /// Takes Android's own fields: `vnd.android.cursor.item/nickname;Bob;1;;;…`.
  private mutating func takeAndroid(_ parts: [String]) {
    guard parts.count > 1, !parts[1].isEmpty else { return }
    let kind = parts.count > 2 ? Int(parts[2]) : nil
    let own = parts.count > 3 && !parts[3].isEmpty ? parts[3] : nil
    switch parts[0].split(separator: "/").last {
    case "nickname": alias(parts[1])
    case "contact_event":
      let label = kind == 3 ? "Birthday" : kind == 1 ? "Anniversary" : own ?? "Date"
      takeDate(label, parts[1], nil, nil)
    case "relation":
      let known = kind.flatMap {
        (1...Self.androidRelations.count).contains($0)
          ? Self.androidRelations[$0 - 1] : nil
      }
      add(known ?? own ?? "Related", parts[1])
    case "im": add(own ?? "Messenger", parts[1])
    case "website": add("Website", parts[1])
    default: unread.insert("X-ANDROID-CUSTOM")
    }
  }

  // MARK: Parts

  private mutating func alias(_ text: String) {
    let text = Self.line(text)
    guard !text.isEmpty, !aliases.contains(where: { NameFolding.key($0) == NameFolding.key(text) })
    else { return }
    aliases.append(text)
  }

  private mutating func add(_ label: String, _ value: String) {
    let value = value.trimmingCharacters(in: .whitespacesAndNewlines)
    let detail = Detail(label: label, value: value)
    if !value.isEmpty, !details.contains(detail) { details.append(detail) }
  }

  /// Determines the person's name if no property gives it.
  private mutating func settleName() {
    if let full = name, Person.isAddress(full) { name = nil }
    if name == nil { name = aliases.first ?? organisation }
    if let full = name, let phone = PhoneNumber.canonical(full) {
      if !phones.contains(phone) { phones.append(phone) }
      name = organisation
    }
    guard let name else { return }
    aliases.removeAll { NameFolding.key($0) == NameFolding.key(name) }
  }

  private static func line(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  private static func identity(_ text: String) -> String? {
    let plain = text.lowercased().hasPrefix("urn:uuid:") ? String(text.dropFirst(9)) : text
    return plain.isEmpty ? nil : plain
  }

  private static func withoutScheme(_ text: String) -> String {
    for scheme in ["mailto:", "tel:", "urn:uuid:"] where text.lowercased().hasPrefix(scheme) {
      let rest = String(text.dropFirst(scheme.count))
      return rest.removingPercentEncoding ?? rest
    }
    return text
  }

  /// Apple's `_$!<HomePage>!$_` is "Home page".
  private static func label(_ text: String) -> String {
    guard text.hasPrefix("_$!<"), text.hasSuffix(">!$_") else { return text }
    var words = ""
    for character in text.dropFirst(4).dropLast(4) {
      if character.isUppercase, !words.isEmpty {
        words += " \(character.lowercased())"
      } else {
        words.append(character)
      }
    }
    return words
  }

  /// Returns the kind, such as "work" or "mobile"; nil if the types don't specify one.
  private static func kind(_ types: [String], _ label: String?) -> String? {
    if let label { return label.lowercased() }
    let known = types.compactMap { type in
      switch type {
      case "home", "work", "fax", "pager", "car", "main", "other", "school": type
      case "cell", "mobile", "iphone": "mobile"
      case let type where type.hasPrefix("x-") && type.count > 2: String(type.dropFirst(2))
      default: nil
      }
    }
    return known.isEmpty ? nil : known.joined(separator: ", ")
  }

  private static func labelled(_ name: String, _ types: [String], _ label: String?) -> String {
    kind(types, label).map { "\(name) (\($0))" } ?? name
  }
}

extension VCard {
  /// True if the details only describe addresses and numbers that the person has anyway.
  private var isPlain: Bool {
    photo == nil && note == nil
      && details.allSatisfy { $0.label.hasPrefix("Email (") || $0.label.hasPrefix("Phone (") }
  }

  /// The person's reference: the card's own, or else the name with the first address or number.
  var reference: String {
    if let uid { return uid }
    let key = NameFolding.key(name ?? "")
    let contact = addresses.first ?? phones.first ?? ""
    return VCardImporter.derivedReference + TableIdentity.hash("\(key)\u{1F}\(contact)")
  }

  /// The text of the note about the person; nil if it would be empty.
  var noteText: String? {
    guard !isPlain else { return nil }
    let lines = details.map { detail in
      let value = detail.value.split(whereSeparator: \.isNewline).joined(separator: ", ")
      return "- \(ChatText.markdown(detail.label)): \(ChatText.markdown(value))"
    }
    let parts = [lines.joined(separator: "\n"), note.map(ChatText.markdown) ?? ""]
    return parts.filter { !$0.isEmpty }.joined(separator: "\n\n")
  }

  /// The occupation, such as "Designer, Acme"; nil if neither part is given.
  var occupation: String? {
    let parts = [title, organisation == name ? nil : organisation].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }
}
