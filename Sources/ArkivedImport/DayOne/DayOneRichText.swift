import ArkivedCore
import Foundation

/// Day One's rich text (RichTextJSON, version 1): runs of text with attributes, and objects between
/// them.
///
/// Exports store it as a JSON string whose list is called `contents`; the program itself calls it
/// `nodes`. It is converted to the same Markdown that Day One writes into `text`, so an entry reads
/// the same with either of the two.
struct DayOneRichText {
  private let nodes: [JSON]

  /// Parses a rich text.
  ///
  /// - Parameter json: the value of `richText`: a string of JSON, or the object itself.
  /// - Throws: `JSONSyntaxError` if the string isn't JSON.
  init(_ json: JSON) throws {
    let document = try json.string.map { try JSON(parsing: $0.utf8) } ?? json
    nodes = (document["contents"] ?? document["nodes"])?.array ?? []
  }

  /// The messages of objects that are neither media nor decoration, such as a song or a contact.
  var sayings: [String] {
    nodes.flatMap { $0["embeddedObjects"]?.array ?? [] }.compactMap(DayOneObject.saying)
  }

  /// The text as Markdown, with the writer's own special characters escaped by backslashes.
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
