import ArkivedAssistant
import ArkivedCore
import ArkivedEngine
import ArkivedImport
import Foundation

/// The files of an entry or a note, displayed inline: pictures as thumbnails, sound with a player.
///
/// All others are links.
struct EntryFiles {
  let attachments: [Attachment]
  /// The transcriber of recordings; nil if there is none.
  var voice: VoiceDesk?
  /// True if no text accompanies them.
  var isBare = false

  /// The maximum number displayed inline; the entry's own page shows more.
  static let limit = 12

  /// The size limit in bytes of pictures that get a thumbnail; larger files aren't read for one.
  static let pictureLimit = 256 << 20
  static let pictureTypes = [
    "image/jpeg", "image/png", "image/gif", "image/webp", "image/avif", "image/heic", "image/tiff",
  ]
  /// The size limit in bytes for showing original pictures if no thumbnails can be created, because
  /// several larger ones take a browser too long.
  static let wholePictureLimit = 4 << 20

  /// Returns the address of an attachment's picture.
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

  /// Returns true if an attachment is displayed inline and needs no link.
  static func isShown(_ attachment: Attachment) -> Bool { look(attachment) != .link }

  func write(_ html: inout HTMLWriter) {
    let shown = attachments.filter(EntryFiles.isShown).prefix(EntryFiles.limit)
    guard !shown.isEmpty else { return }
    html.raw(
      "<ul class=\"files\" data-needs=\"photos\" aria-label=\"\(said("Pictures and sound"))\">")
    for attachment in shown {
      let href = "/attachments/\(attachment.id.uuidString)"
      let isPicture = EntryFiles.look(attachment) == .picture
      let label =
        isPicture
        ? EntryFiles.pictureLabel(attachment) : EntryFiles.label(attachment) ?? said("Audio")
      if isPicture {
        // Files that browsers can't display open as a large thumbnail.
        let isShown = MediaType(name: attachment.mediaType ?? "").isSafeInline
        let target = isShown ? href : EntryFiles.thumbnail(attachment, .large)
        let photo = attachment.type == .photo ? "data-photo=\"\(attachment.id.uuidString)\" " : ""
        html.raw("<li><a class=\"thumb\" href=\"\(target)\"><img \(photo)src=\"")
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

  /// Adds a button that transcribes a recording, or the state of its transcription.
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

  /// Returns the state of a recording's transcription for display, and true if it can be queued for
  /// transcription.
  private func voiceLine(_ standing: VoiceDesk.Standing?) -> (String?, Bool) {
    switch standing {
    case nil: (nil, true)
    case .waiting: (said("Waiting to be transcribed."), false)
    case .working(let share):
      (
        share > 0
          ? said("Transcribing: \(Int(share * 100))%.") : said("Transcribing."), false
      )
    // The text may have been deleted and be wanted again.
    case .done: isBare ? (nil, true) : (said("Transcribed. The text is in the notes."), false)
    case .silent: (said("No speech found."), false)
    case .failed(let problem): (saidAgain(problem), true)
    }
  }

  /// True if a recording is being transcribed.
  private var isVoiceAtWork: Bool {
    guard let voice else { return false }
    return attachments.contains { voice.standing($0.id)?.isAtWork == true }
  }

  /// Returns all files for a page of their entry: those displayed inline, and a list.
  ///
  /// - Parameters:
  ///   - entries: the data that all entries of the page share.
  ///   - back: the page to return to after deleting one; nil for the page of its owner.
  /// - Returns: the data for the template.
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

  /// Returns the files of a note in a list of notes: those displayed inline, then links to the
  /// rest.
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

  /// Returns the alternative text of a picture.
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
