/// A kind of collection on a WebDAV server, with its names in the protocol and in sentences.
enum DAVKind: Sendable {
  /// RFC 4791.
  case calendar
  /// RFC 6352.
  case addressBook

  // MARK: Names in the protocol

  private var space: String {
    switch self {
    case .calendar: DAVElement.calDAV
    case .addressBook: DAVElement.cardDAV
    }
  }

  /// The prefix of the kind's namespace in requests, as declared by `DAVClient.spaces`.
  private var prefix: String {
    switch self {
    case .calendar: "C"
    case .addressBook: "K"
    }
  }

  /// Returns the name of one of the kind's elements as it is read.
  private func read(_ calendar: String, _ addressBook: String) -> String {
    space + ":" + (self == .calendar ? calendar : addressBook)
  }

  /// Returns the name of one of the kind's elements as it is written in requests.
  private func written(_ calendar: String, _ addressBook: String) -> String {
    prefix + ":" + (self == .calendar ? calendar : addressBook)
  }

  /// The type of a collection of this kind.
  var type: String { read("calendar", "addressbook") }
  var homeSet: String { read("calendar-home-set", "addressbook-home-set") }
  var homeSetRequest: String { written("calendar-home-set", "addressbook-home-set") }
  var descriptionProperty: String { read("calendar-description", "addressbook-description") }
  var descriptionRequest: String { written("calendar-description", "addressbook-description") }
  var data: String { read("calendar-data", "address-data") }
  var dataRequest: String { written("calendar-data", "address-data") }
  var multigetRequest: String { written("calendar-multiget", "addressbook-multiget") }

  /// The path at which a server redirects to its collections (RFC 6764).
  var wellKnown: String {
    switch self {
    case .calendar: "/.well-known/caldav"
    case .addressBook: "/.well-known/carddav"
    }
  }

  var mediaType: String {
    switch self {
    case .calendar: "text/calendar"
    case .addressBook: "text/vcard"
    }
  }

  /// The component that an item consists of.
  var component: String {
    switch self {
    case .calendar: "VCALENDAR"
    case .addressBook: "VCARD"
    }
  }

  // MARK: Sentences

  /// The rest of “it is …” for a server without collections of this kind.
  var emptyServer: String {
    switch self {
    case .calendar: "a server that lists no calendars. Look up the CalDAV address in its settings"
    case .addressBook:
      "a server that lists no address books. Look up the CardDAV address in its settings"
    }
  }

  /// The rest of “it is …” for a folder of another kind.
  var otherFolder: String {
    switch self {
    case .calendar: "a folder on the server. Choose a calendar in it"
    case .addressBook: "a folder on the server. Choose an address book in it"
    }
  }

  var truncatedListing: String {
    switch self {
    case .calendar: "the calendar is too large, so part of it is missing"
    case .addressBook: "the address book is too large, so part of it is missing"
    }
  }

  var missingSelf: String {
    switch self {
    case .calendar: "it contains no details of the calendar itself"
    case .addressBook: "it contains no details of the address book itself"
    }
  }

  /// The problem of an item that is larger than a number of megabytes.
  func tooLarge(_ megabytes: Int) -> String {
    switch self {
    case .calendar: "is larger than \(megabytes) MB, the limit for one event."
    case .addressBook: "is larger than \(megabytes) MB, the limit for one contact."
    }
  }

  /// The problem of an item that is something else.
  func incomplete(_ came: String) -> String {
    switch self {
    case .calendar: "isn’t a complete event, but \(came). It was left unchanged."
    case .addressBook: "isn’t a complete contact, but \(came). It was left unchanged."
    }
  }

  /// The rest of “it is a login page” with the probable cause.
  var loginHint: String {
    switch self {
    case .calendar:
      ". The calendar’s private address, or a name and password, may be missing"
    case .addressBook: ". The address may be wrong, or a name and password may be missing"
    }
  }

  var needsCredentials: String {
    switch self {
    case .calendar: "this calendar needs a name and password, or a token (401). Enter them."
    case .addressBook:
      "this address book needs a name and password, or a token (401). Enter them."
    }
  }

  var refusesPlainHTTP: String {
    switch self {
    case .calendar:
      "over http://, anyone along the way can read the password. Use https://, or allow "
        + "plain http for this calendar."
    case .addressBook: "over http://, anyone along the way can read the password. Use https://."
    }
  }
}
