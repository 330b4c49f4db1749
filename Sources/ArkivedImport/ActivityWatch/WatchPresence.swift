import ArkivedCore

/// The times at which somebody was present at each machine, and the pages open then.
struct WatchPresence {
  /// A span of time, with its site if it belongs to a page.
  struct Span {
    /// Milliseconds since 1970.
    var start: Int64
    var end: Int64
    /// The number of the page's site.
    var site: UInt32 = 0
  }

  /// The maximum number of spans; further ones are dropped.
  private static let limit = 3_000_000

  private var there: [String: [Span]] = [:]
  private var pages: [String: [Span]] = [:]
  private(set) var sites: [String] = []
  private var numbers: [String: UInt32] = [:]
  private var count = 0
  private var windowHosts: Set<String> = []
  private var others: [String] = []

  /// Notes a bucket whose events aren't read in this pass.
  mutating func note(_ bucket: WatchBucket) {
    if bucket.kind == .window {
      windowHosts.insert(bucket.host)
    } else {
      others.append("\(bucket.name) (\(bucket.type))")
    }
  }

  mutating func take(_ event: WatchEvent, of bucket: WatchBucket) {
    if bucket.kind == .presence, there[bucket.host] == nil { there[bucket.host] = [] }
    guard count < Self.limit, event.end > event.start else { return }
    switch bucket.kind {
    case .presence:
      guard event.data["status"]?.string == "not-afk" else { return }
      there[bucket.host, default: []].append(Span(start: event.start, end: event.end))
    case .web:
      guard event.data["incognito"]?.bool != true,
        let site = event.data["url"]?.string.flatMap(Self.site)
      else { return }
      pages[bucket.host, default: []].append(
        Span(start: event.start, end: event.end, site: number(of: site)))
    case .window, .other: return
    }
    count += 1
  }

  private mutating func number(of site: String) -> UInt32 {
    if let number = numbers[site] { return number }
    let number = UInt32(sites.count)
    sites.append(site)
    numbers[site] = number
    return number
  }

  /// Returns the host of a URL without `www.`, or nil if it isn't a web page.
  private static func site(_ url: String) -> String? {
    guard url.hasPrefix("http://") || url.hasPrefix("https://") else { return nil }
    let rest = url.drop { $0 != ":" }.dropFirst(3)
    let host = rest.prefix { !"/?#".contains($0) }.split(separator: "@").last ?? ""
    let name = host.prefix { $0 != ":" }.lowercased()
    guard !name.isEmpty, name.utf8.count <= 253 else { return nil }
    return name.hasPrefix("www.") ? String(name.dropFirst(4)) : name
  }

  /// Sorts all spans and merges adjoining spans of presence.
  mutating func finish() {
    there = there.mapValues { spans in
      var merged: [Span] = []
      for span in spans.sorted(by: { $0.start < $1.start }) {
        if let last = merged.last, span.start <= last.end {
          merged[merged.count - 1].end = max(last.end, span.end)
        } else {
          merged.append(span)
        }
      }
      return merged
    }
    pages = pages.mapValues { $0.sorted { $0.start < $1.start } }
  }

  // MARK: Asking

  /// Returns the parts of a span in which somebody was present, or the whole span if presence
  /// wasn't recorded.
  func active(_ host: String, _ start: Int64, _ end: Int64) -> [Span] {
    guard let spans = there[host] else { return [Span(start: start, end: end)] }
    return Self.overlaps(spans, start, end)
  }

  /// Returns the pages open on a machine during a span.
  ///
  /// Pages from unknown machines are included, because browsers don't always know the machine's
  /// name.
  func pages(_ host: String, _ start: Int64, _ end: Int64) -> [Span] {
    let strangers = pages.keys.filter { $0 != host && !windowHosts.contains($0) }.sorted()
    return ([host] + strangers).flatMap { name in
      pages[name].map { Self.overlaps($0, start, end) } ?? []
    }
  }

  /// Returns the parts of `spans`, which are sorted by start, that are within a time range.
  private static func overlaps(_ spans: [Span], _ start: Int64, _ end: Int64) -> [Span] {
    var low = 0
    var high = spans.count
    while low < high {
      let middle = (low + high) / 2
      if spans[middle].start < start { low = middle + 1 } else { high = middle }
    }
    // The preceding span may reach into the time.
    var result: [Span] = []
    for span in spans[max(0, low - 1)...] {
      guard span.start < end else { break }
      let (first, last) = (max(span.start, start), min(span.end, end))
      if last > first { result.append(Span(start: first, end: last, site: span.site)) }
    }
    return result
  }

  /// Reports the data that is missing or isn't imported.
  func tell(of file: String, into sink: any ImportSink) {
    func note(_ message: String) {
      sink.diagnose(Diagnostic(.note, place: file, message: message))
    }
    let unwatched = windowHosts.filter { there[$0] == nil }.sorted()
    if !unwatched.isEmpty {
      note(
        "no data on when somebody was at \(unwatched.joined(separator: ", ")), so all use is "
          + "counted. An export of the whole server includes this data")
    }
    if windowHosts.isEmpty {
      note("it has no window bucket, so it’s unknown which programs were used")
    }
    if !others.isEmpty {
      note("not imported: \(others.prefix(10).joined(separator: ", "))")
    }
    if count >= Self.limit {
      note("it has more than \(Self.limit) presence periods and page visits; the rest was skipped")
    }
  }
}
