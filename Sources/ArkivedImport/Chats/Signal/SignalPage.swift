import ArkivedCore
import Foundation

/// The lines of signal-export’s pages: `[2026-03-14 09:15:32] Ann: Hello`, before 2023 without
/// seconds and with a comma after the day.
enum SignalPage {
  struct Header {
    var wall: WallTime
    var sender: String
    /// The text after the sender.
    var text: Substring
  }

  static func header(_ line: Substring) -> Header? {
    guard line.first == "[", let close = line.prefix(24).firstIndex(of: "]") else { return nil }
    let stamp = line[line.index(after: line.startIndex)..<close]
    let clock = stamp.dropFirst(10).drop { $0 == "," || $0 == " " }
    guard let day = DayKey(String(stamp.prefix(10))), clock.count >= 5,
      let second = TableTimes.secondOfDay(String(clock))
    else { return nil }
    let rest = line[line.index(after: close)...].drop { $0 == " " }
    guard let colon = rest.prefix(120).firstIndex(of: ":"), colon > rest.startIndex else {
      return nil
    }
    return Header(
      wall: WallTime(day: day, secondOfDay: second), sender: String(rest[..<colon]),
      text: rest[rest.index(after: colon)...].drop { $0 == " " })
  }

  /// Returns the files that a text shows, such as `![name](./media/name.jpg)`, and the text without
  /// them.
  static func split(_ text: String) -> (files: [(name: String, path: String)], text: String) {
    var files: [(String, String)] = []
    var rest = ""
    var left = text[...]
    while let open = left.range(of: "](./media/") {
      guard let bracket = left[..<open.lowerBound].lastIndex(of: "["),
        let close = left[open.upperBound...].firstIndex(of: ")")
      else { break }
      var before = left[..<bracket]
      if before.last == "!" { before.removeLast() }
      let name = left[left.index(after: bracket)..<open.lowerBound]
      let path = "media/" + left[open.upperBound..<close]
      files.append((String(name), path.removingPercentEncoding ?? String(path)))
      rest += before
      left = left[left.index(after: close)...]
    }
    return (files, (rest + left).trimmingCharacters(in: .whitespacesAndNewlines))
  }
}
