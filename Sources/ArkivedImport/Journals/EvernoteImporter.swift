import ArkivedCore
import Foundation

/// Imports Evernote's exports (`.enex`), which other programs write as well: an XML document with
/// the notes of a notebook and their files.
///
/// Source of the format: Evernote's DTD `evernote-export4.dtd` and the files of Evernote 5 to 10
/// and other exporters, as read by Joplin, yarle, pandoc and others. A note has no identifier. Its
/// text is ENML, a kind of XHTML, inside a CDATA section; files are Base64, and the text refers to
/// them by their MD5. Times are in UTC: `20240229T081500Z`.
package struct EvernoteImporter: Importer {
  package let format = "evernote"

  package init() {}

  package func recognises(head: [UInt8], fileName: String) -> Bool {
    let text = HeadText.of(head)
    return text.first { !$0.isWhitespace } == "<"
      && (text.contains("<en-export") || text.contains("<!DOCTYPE en-export"))
  }

  package func surroundings(of file: ImportFile) -> [String]? { [] }

  /// The name is that of the notebook.
  package func readsName(of file: ImportFile) -> Bool { true }

  package func read(
    _ file: ImportFile, context: ImportContext, into sink: any ImportSink
  ) throws {
    try EvernoteReader(file, context: context, sink: sink).read()
  }
}
