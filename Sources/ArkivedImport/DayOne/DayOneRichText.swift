import ArkivedCore
import Foundation

/// Day One's rich text (RichTextJSON, version 1): runs of text with attributes, and objects between
/// them. Exports hold it as a string of JSON whose list is called `contents`, in the program itself
/// it is `nodes`.
///
/// It is written out as the Markdown that Day One itself writes beside it into `text`, so that an
/// entry reads the same whichever of the two it has.
struct DayOneRichText {
  private let nodes: [JSON]

  /// - Parameter json: the value of `richText`: a string of JSON, or the object itself.
  /// - Throws: `JSONSyntaxError` when the string is not JSON.
  init(_ json: JSON) throws {
    let document = try json.string.map { try JSON(parsing: $0.utf8) } ?? json
    nodes = (document["contents"] ?? document["nodes"])?.array ?? []
  }

  /// What the objects say that are no media and no decoration, such as a song or a contact.
  var sayings: [String] {
    nodes.flatMap { $0["embeddedObjects"]?.array ?? [] }.compactMap(DayOneObject.saying)
  }

  /// The text as Markdown in which every mark of the writer has a backslash before it.
  var markdown: String {
    var writer = RichTextWriter()
    for node in nodes {
      if let text = node["text"]?.string, !text.isEmpty {
        writer.write(text, RunAttributes(node["attributes"]))
      }
      for object in node["embeddedObjects"]?.array ?? [] {
        if let block = DayOneObject.markdown(object) { writer.write(block: block) }
      }
    }
    return writer.finish()
  }
}
