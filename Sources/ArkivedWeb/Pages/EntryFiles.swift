import ArkivedAssistant
import ArkivedCore
import ArkivedEngine
import ArkivedImport
import Foundation

/// The files of an entry or a note as they are seen and heard in their place: pictures small, sound
/// with a player. All others are links.
struct EntryFiles {
  let attachments: [Attachment]
  /// Where recordings are written down; nil where nothing does that.
  var voice: VoiceDesk?
  /// Whether nothing is written beside them.
  var isBare = false

  /// More stand on the entry's own page.
  static let limit = 12

  /// Pictures that are shown as thumbnails; larger files are not read for one.
  static let pictureLimit = 256 << 20
  static let pictureTypes = [
    "image/jpeg", "image/png", "image/gif", "image/webp", "image/avif", "image/heic", "image/tiff",
  ]
  /// Where no thumbnails can be made, larger files take a browser too long beside each other.
  static let wholePictureLimit = 4 << 20

  /// Where the picture of an attachment is.
  static func thumbnail(_ attachment: Attachment, _ size: Thumbnails.Size = .small) -> String {
    "/attachments/\(attachment.id.uuidString)/thumbnail?size=\(size.rawValue)"
  }

  private enum Look {
    case picture, sound, link
  }

  private static func look(_ attachment: Attachment) -> Look {
    guard attachment.relativePath != nil || attachment.original != nil,
      let name = attachment.mediaType
    else { return .link }
    if pictureTypes.contains(name) || WayFile.isWay(attachment) { return .picture }
    guard MediaType(name: name).isSafeInline else { return .link }
    return name.hasPrefix("audio/") ? .sound : .link
  }

  /// Whether an attachment is shown in its place, so that no link to it is needed.
  static func isShown(_ attachment: Attachment) -> Bool { look(attachment) != .link }

  func write(_ html: inout HTMLWriter) {
    let shown = attachments.filter(EntryFiles.isShown).prefix(EntryFiles.limit)
    guard !shown.isEmpty else { return }
    html.raw("<ul class=\"files\" aria-label=\"Pictures and sound\">")
    for attachment in shown {
      let href = "/attachments/\(attachment.id.uuidString)"
      let isPicture = EntryFiles.look(attachment) == .picture
      let label =
        isPicture
        ? EntryFiles.pictureLabel(attachment) : EntryFiles.label(attachment) ?? said("Audio")
      if isPicture {
        // What browsers do not show is looked at as a large thumbnail.
        let isShown = MediaType(name: attachment.mediaType ?? "").isSafeInline
        let target = isShown ? href : EntryFiles.thumbnail(attachment, .large)
        html.raw("<li><a class=\"thumb\" href=\"\(target)\"><img src=\"")
        html.raw("\(EntryFiles.thumbnail(attachment))\" alt=\"")
        html.shown(label)
        html.raw(
          "\" width=\"160\" height=\"120\" loading=\"lazy\" decoding=\"async\"></a></li>")
      } else {
        html.raw("<li class=\"file-sound\"><audio controls preload=\"none\" src=\"\(href)\"")
        html.raw(" aria-label=\"")
        html.shown(label)
        html.raw("\"></audio>")
        writeVoice(attachment, &html)
        html.raw("</li>")
      }
    }
    html.raw("</ul>\n")
  }

  /// A button that has a recording written down, or how far that is.
  private func writeVoice(_ attachment: Attachment, _ html: inout HTMLWriter) {
    guard let voice, VoiceNotes.isRecording(attachment) else { return }
    let (line, canStart) = voiceLine(voice.standing(attachment.id))
    if let line {
      html.raw("<p class=\"hint\" role=\"status\">")
      html.shown(line)
      html.raw("</p>")
    }
    guard canStart else { return }
    let id = attachment.id.uuidString
    html.raw("<form method=\"post\" action=\"/attachments/\(id)/transcribe\">")
    html.raw(
      "<button class=\"button button-small\" type=\"submit\">\(said("Transcribe"))</button></form>"
    )
  }

  /// How far a recording is, for people, and whether it can be given to be written down.
  private func voiceLine(_ standing: VoiceDesk.Standing?) -> (String?, Bool) {
    switch standing {
    case nil: (nil, true)
    case .waiting: (said("Waiting to be transcribed."), false)
    case .working(let share):
      (
        share > 0
          ? said("Transcribing: \(Int(share * 100)) %.") : said("Transcribing."), false
      )
    // Whoever took the text away again may want it anew.
    case .done: isBare ? (nil, true) : (said("Transcribed. The text is in the notes."), false)
    case .silent: (said("No speech found."), false)
    case .failed(let problem): (saidAgain(problem), true)
    }
  }

  /// Whether a recording is being written down.
  private var isVoiceAtWork: Bool {
    guard let voice else { return false }
    return attachments.contains { voice.standing($0.id)?.isAtWork == true }
  }

  /// All of them for a page of their entry: those that are seen in their place, and a list.
  ///
  /// - Parameter back: the page that one which is deleted there leads back to; its owner's own where
  ///   nil.
  func listed(_ entries: EntryContext, back: String? = nil) -> [String: Any] {
    var html = HTMLWriter()
    write(&html)
    return [
      "filesBack": back.map { "?back=\($0)" } ?? "",
      "filesHTML": html.text, "hasFiles": !attachments.isEmpty, "isVoiceAtWork": isVoiceAtWork,
      "files": attachments.prefix(200).map { attachment in
        let shown = entries.attachment(attachment)
        return [
          "fileHref": shown.href, "fileIcon": shown.icon, "fileID": attachment.id.uuidString,
          "fileLabel": ClippedText.of(shown.label, limit: 160),
          "fileCaption": FormValue(attachment.caption ?? ""),
        ]
      },
    ]
  }

  /// Those of a note among others: what is seen in its place, then links to the rest.
  func among(_ entries: EntryContext) -> [String: Any] {
    var html = HTMLWriter()
    write(&html)
    let linked = attachments.filter { !EntryFiles.isShown($0) }.prefix(EntryFiles.limit)
    return [
      "filesHTML": html.text, "hasFiles": !linked.isEmpty,
      "files": linked.map { attachment in
        let shown = entries.attachment(attachment)
        return [
          "fileHref": shown.href, "fileIcon": shown.icon,
          "fileLabel": ClippedText.of(shown.label, limit: 80),
        ]
      },
    ]
  }

  /// A picture's words for those who do not see it.
  static func pictureLabel(_ attachment: Attachment) -> String {
    guard !WayFile.isWay(attachment) else {
      return attachment.caption ?? said("Route from the dot to the ring, with north at the top")
    }
    return label(attachment) ?? said("Picture")
  }

  private static func label(_ attachment: Attachment) -> String? {
    [attachment.caption, attachment.originalName].compactMap { $0 }.first { !$0.isEmpty }
      .map { ClippedText.of($0, limit: 120) }
  }
}
