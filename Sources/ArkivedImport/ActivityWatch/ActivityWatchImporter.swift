import ArkivedCore
import Foundation

/// Imports ActivityWatch's JSON export of the whole server or of one bucket.
///
/// The import yields the sessions in which programs were used and each day's screen time.
///
/// Source of the format: the server's own export (`/api/0/export`, and "Export bucket as JSON"),
/// whose `buckets` are an object keyed by name, or a list in older versions. Events run from the
/// newest to the oldest.
package struct ActivityWatchImporter: Importer {
  package let format = "activitywatch"
  package let keepsZones = true
  static let provider = "activitywatch"

  package init() {}

  package func recognises(head: [UInt8], fileName: String) -> Bool {
    let text = HeadText.of(head)
    guard text.first(where: { !$0.isWhitespace }) == "{", text.contains("\"buckets\"") else {
      return false
    }
    return ["\"hostname\"", "\"aw-watcher-", "\"afkstatus\"", "\"currentwindow\"", "\"client\""]
      .contains { text.contains($0) }
  }

  package func surroundings(of file: ImportFile) -> [String]? { [] }

  package func read(
    _ file: ImportFile, context: ImportContext, into sink: any ImportSink
  ) throws {
    let buckets = WatchBuckets(file: file, sink: sink)
    var presence = WatchPresence()
    try buckets.forEach(isTold: false) { bucket, stream in
      switch bucket.kind {
      case .presence, .web:
        try buckets.events(&stream) { presence.take($0, of: bucket) }
      case .window, .other:
        presence.note(bucket)
        try stream.skip()
      }
    }
    presence.finish()
    var count = 0
    var hosts: Set<String> = []
    try buckets.forEach(isTold: true) { bucket, stream in
      guard bucket.kind == .window else { return try stream.skip() }
      let isFirst = hosts.insert(bucket.host).inserted
      var days = WatchDays(
        source: isFirst ? bucket.host : bucket.name, host: bucket.host, presence: presence,
        context: context, sink: sink)
      try buckets.events(&stream) { try days.take($0) }
      try days.finish(file.name)
      count += days.count
    }
    presence.tell(of: file.name, into: sink)
    if count == 0 {
      sink.diagnose(
        Diagnostic(
          .note, place: file.name,
          message: "nothing to import: no program was used for five minutes or more"))
    }
  }
}
