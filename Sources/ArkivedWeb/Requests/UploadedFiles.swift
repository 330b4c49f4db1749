import ArkivedCore
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// The validated files of a form, to be attached.
struct UploadedFiles: Sendable {
  struct File: Sendable {
    var name: String
    var content: Data
  }

  let files: [File]
  /// The address of a link to attach, as typed.
  let link: String?
  /// The caption for all files.
  let caption: String?

  /// The largest number of files in one upload.
  static let countLimit = 100
  /// The length of the longest name that file systems support.
  static let nameLimit = 255

  /// Reads a multipart form with files, a link (`url`) or both, and a `caption`; or JSON with `url`
  /// and `caption`.
  ///
  /// - Throws: `WebFailure` with the name of the file that cannot be attached and the reason; then
  ///   none is attached; `FieldError` for an invalid link or caption.
  init(_ request: Request) async throws {
    if request.headers[.contentType]?.lowercased().hasPrefix("application/json") == true {
      var fields = FieldReader(try await request.jsonObject(limit: 65_536))
      files = []
      link = try Attachment.webAddress(try fields.required("url"))
      caption = try Attachment.caption(try fields.string("caption"))
      try fields.refuseUnknown()
      return
    }
    guard let boundary = MultipartForm.boundary(request.headers[.contentType]) else {
      throw WebFailure(.unsupportedMediaType, "No files", "Send files as multipart/form-data.")
    }
    if let length = request.headers[.contentLength].flatMap({ Int($0) }),
      length > ImportController.uploadLimit
    {
      throw UploadedFiles.tooLarge
    }
    let body: ByteBuffer
    do {
      body = try await request.body.collect(upTo: ImportController.uploadLimit)
    } catch is NIOTooManyBytesError {
      throw UploadedFiles.tooLarge
    }
    let form = try MultipartForm(Data(body.readableBytesView), boundary: boundary)
    let parts = form.files
    caption = try Attachment.caption(form.fields["caption"])
    let typed = (form.fields["url"] ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
    link = typed.isEmpty ? nil : try Attachment.webAddress(typed)
    // A form submitted without a chosen file contains one file without a name.
    let chosen = parts.filter { !$0.name.isEmpty || !$0.content.isEmpty }
    guard !chosen.isEmpty || link != nil else {
      throw WebFailure(.badRequest, "No files", "No file was sent. Choose a file and try again.")
    }
    guard chosen.count <= UploadedFiles.countLimit else {
      throw WebFailure(
        .contentTooLarge, "Too many files",
        "You can attach at most \(UploadedFiles.countLimit) files at once. Nothing was attached.")
    }
    files = try chosen.map { part in
      File(name: try UploadedFiles.name(part.name), content: part.content)
    }
  }

  private static var tooLarge: WebFailure {
    WebFailure(
      .contentTooLarge, "Too large",
      "To attach files of more than \(EntryContext.size(ImportController.uploadLimit)) in total, "
        + "use arkived add --attach. Nothing was attached.")
  }

  /// Returns the name without the folders that some browsers and programs put before it.
  static func name(_ sent: String) throws -> String {
    let name = sent.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last.map(String.init) ?? ""
    guard name.utf8.count <= nameLimit else {
      throw unusable(name, "is longer than \(nameLimit) bytes")
    }
    guard
      !name.unicodeScalars.contains(where: {
        $0.value < 0x20 || (0x7F...0x9F).contains($0.value) || $0.value == 0xFFFD
      })
    else { throw unusable(name, "contains characters that can’t be displayed") }
    return ["", ".", ".."].contains(name) ? "file" : name
  }

  private static func unusable(_ name: String, _ reason: String) -> WebFailure {
    WebFailure(
      .unprocessableContent, "File name can’t be used",
      "The name \(FieldError.shown(name)) \(reason). Rename the file. Nothing was attached.",
      field: "files")
  }

  /// Stores the files durably.
  ///
  /// - Parameters:
  ///   - archive: the archive.
  ///   - type: the type of the files, or nil to detect it from their content.
  /// - Returns: the attachments.
  /// - Throws: an error if a file can't be stored.
  func store(in archive: Archive, as type: AttachmentType? = nil) throws -> [Attachment] {
    let now = archive.clock.now
    let links = try link.map {
      [try Attachment(id: archive.identities.next(), link: $0, caption: caption, at: now)]
    }
    let stored = try files.map { file in
      var media = MediaType(sniffing: file.content, fileName: file.name)
      // Some browsers record sound into a file that looks like a video.
      if type == .audioNote, media.name.hasPrefix("video/") {
        media = MediaType(name: "audio/" + media.name.dropFirst(6))
      }
      return try archive.store(
        file.content,
        as: Attachment(
          id: archive.identities.next(), type: type ?? media.attachmentType, caption: caption,
          mediaType: media.name, originalName: file.name, createdAt: now, updatedAt: now))
    }
    return stored + (links ?? [])
  }
}
