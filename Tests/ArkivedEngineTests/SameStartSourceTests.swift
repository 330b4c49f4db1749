import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

/// The sources other than tables of any kind that give an entry no better name than its start.
@Suite("Entries of other sources with the same start")
struct SameStartSourceTests {
  private let shelf: PreviewedArchive

  init() throws { shelf = try PreviewedArchive() }

  private func file(_ name: String, _ lines: [String]) throws -> URL {
    try shelf.test.folder.file(name, lines.joined(separator: "\n") + "\n")
  }

  // MARK: Toggl

  /// Writes an export with the project, the words and the length of each entry.
  private func toggl(_ name: String, _ entries: (String, String, String)...) throws -> URL {
    try file(
      name,
      ["User,Project,Description,Start date,Start time,Duration"]
        + entries.map { "Ada,\($0.0),\($0.1),2026-03-10,09:00:00,\($0.2)" })
  }

  @Test func twoWorkspacesOfTogglAreBothKept() throws {
    let one = try toggl("a.csv", ("P", "One", "01:00:00"))
    _ = try shelf.bring(one)
    let identity = try shelf.identity("One")
    let before = try shelf.export()
    let other = try toggl("b.csv", ("Q", "Call", "00:30:00"))
    let second = try shelf.bring(other)
    #expect(second.created == ["activity": 1] && second.updated == 0 && second.tellsBoth)
    for file in [one, other, one] { try shelf.bringAgain(file) }
    _ = try shelf.undo(second)
    #expect(try shelf.export() == before)
    #expect(try shelf.bring(other).created == ["activity": 1])
    #expect(try shelf.texts() == ["Call", "One"] && shelf.identity("One") == identity)
    // A longer call is still the call.
    let call = try shelf.identity("Call")
    #expect(try shelf.bring(try toggl("b.csv", ("Q", "Call", "00:45:00"))).updated == 1)
    #expect(try shelf.identity("Call") == call && shelf.identity("One") == identity)
  }

  @Test func aNewEntryOfTogglBeforeOthersLeavesThemWhatTheyAre() throws {
    _ = try shelf.bring(try toggl("a.csv", ("P", "One", "01:00:00")))
    let identity = try shelf.identity("One")
    // Even the same length doesn’t make it the other.
    let more = try toggl("b.csv", ("P", "Zero", "01:00:00"), ("P", "One", "01:00:00"))
    let run = try shelf.bring(more)
    #expect(run.created == ["activity": 1] && run.updated == 0 && !run.tellsBoth)
    #expect(try shelf.identity("One") == identity)
    try shelf.bringAgain(more)
  }

  @Test func aNewFileOfAFolderThatTellsOtherwiseOfAnEntryChangesNothing() throws {
    _ = try toggl("in/a.csv", ("P", "One", "01:00:00"))
    _ = try toggl("in/b.csv", ("Q", "Call", "00:30:00"))
    let folder = shelf.test.folder.url.appendingPathComponent("in")
    usleep(150_000)
    let job = shelf.job(readsAgain: false)
    #expect(try job.run(folder).first?.created == ["activity": 2])
    _ = try toggl("in/c.csv", ("P", "One", "02:00:00"))
    usleep(150_000)
    for _ in 0..<3 {
      let run = try #require(try job.run(folder).first)
      #expect(run.created.isEmpty && run.updated == 0, "\(run)")
    }
    _ = try toggl("in/d.csv", ("R", "Dentist", "00:20:00"))
    for round in 0..<3 {
      let run = try #require(try job.run(folder).first)
      #expect(run.created == (round == 0 ? ["activity": 1] : [:]) && run.updated == 0, "\(run)")
    }
    #expect(try shelf.texts() == ["Call", "Dentist", "One"])
  }

  // MARK: Daylio

  @Test func twoDiariesOfDaylioAreBothKept() throws {
    func daylio(_ name: String, _ rows: String...) throws -> URL {
      try file(name, ["full_date,date,weekday,time,mood,activities,note_title,note"] + rows)
    }
    let day = "2026-03-10,March 10,Tuesday"
    let mine = try daylio("a.csv", "\(day),18:50,good,run,,With Sam")
    let theirs = try daylio("b.csv", "\(day),18:50,meh,read,,Rain")
    _ = try shelf.bring(mine)
    #expect(try shelf.bring(theirs).created == ["activity": 1])
    for file in [mine, theirs] { try shelf.bringAgain(file) }
    #expect(try shelf.texts() == ["Rain", "With Sam"])
    let row = "\(day),14:00,rad,tea,,Cake"
    let more = try daylio("a.csv", "\(day),18:50,good,run,,With Sam", row)
    #expect(try shelf.bring(more).created == ["activity": 1])
    let newer = try daylio("a.csv", "\(day),18:50,good,run,,With Sam and Bo", row)
    #expect(try shelf.bring(newer).updated == 1)
    #expect(try shelf.texts() == ["Cake", "Rain", "With Sam and Bo"])
    try shelf.bringAgain(newer)
  }

  // MARK: Vaults

  private let importers: [any Importer] = [MarkdownFolderImporter(takesTimedLines: true)]

  @Test func linesOfTwoPagesOfADayAreBothKept() throws {
    _ = try file("vault/a/2026-03-10.md", ["- 09:30 coffee"])
    _ = try file("vault/b/2026-03-10.md", ["- 09:30 dentist"])
    let vault = shelf.test.folder.url.appendingPathComponent("vault")
    #expect(try shelf.bring(vault, importers).created == ["activity": 2])
    try shelf.bringAgain(vault, importers)
    #expect(try shelf.texts() == ["coffee", "dentist"])
  }

  @Test func linesThatComeOrGoLeaveTheOthersWhatTheyAre() throws {
    _ = try file("vault/.obsidian/app.json", ["{}"])
    let vault = shelf.test.folder.url.appendingPathComponent("vault")
    func bring(_ lines: String...) throws -> ImportRun {
      _ = try file("vault/2026-03-10.md", lines.map { "- 09:30 \($0)" })
      return try shelf.bring(vault, importers)
    }
    _ = try bring("coffee", "letters")
    let (coffee, letters) = (try shelf.identity("coffee"), try shelf.identity("letters"))
    #expect(try bring("bread", "coffee", "letters").created == ["activity": 1])
    #expect(try bring("letters", "bread").updated == 0)
    #expect(try shelf.identity("coffee") == coffee && shelf.identity("letters") == letters)
    #expect(try bring("letters to Sam", "bread").updated == 1)
    #expect(try shelf.identity("letters to Sam") == letters)
    try shelf.bringAgain(vault, importers)
  }

  // MARK: Maps

  private func track(_ name: String, _ title: String, lat: Double) throws -> URL {
    let points = (0...2).map { number in
      "<trkpt lat=\"\(lat + Double(number) * 0.01)\" lon=\"13.4\">"
        + "<time>2026-03-10T09:\(number)0:00Z</time></trkpt>"
    }
    return try file(
      name,
      [
        "<gpx version=\"1.1\"><trk><name>\(title)</name><trkseg>\(points.joined())</trkseg></trk></gpx>"
      ])
  }

  @Test func tracksOfDistantPlacesAreBothKept() throws {
    let north = try track("in/a.gpx", "Ride", lat: 52.5)
    let south = try track("in/b.gpx", "Ride", lat: 48.1)
    _ = try shelf.bring(north)
    let identity = try shelf.entries().first?.id
    #expect(try shelf.bring(south).created == ["activity": 1])
    for file in [north, south] { try shelf.bringAgain(file) }
    // At its place, a track may have another name and length.
    let renamed = try track("in/a.gpx", "By the river", lat: 52.5001)
    #expect(try shelf.bring(renamed).updated == 1)
    #expect(try shelf.identity("By the river") == identity)
    #expect(try shelf.entries().count == 2)
    // Each has its own line.
    #expect(try shelf.entries().allSatisfy { $0.attachments.count == 1 })
  }

  @Test func tracksOfOneFolderAreBothKept() throws {
    _ = try track("in/a.gpx", "Ride", lat: 52.5)
    _ = try track("in/b.gpx", "Run", lat: 48.1)
    let folder = shelf.test.folder.url.appendingPathComponent("in")
    #expect(try shelf.bring(folder).created == ["activity": 2])
    try shelf.bringAgain(folder)
    #expect(try shelf.entries().allSatisfy { $0.attachments.count == 1 })
  }

  @Test func marksOfOneDayOnTwoMapsAreBothKept() throws {
    func map(_ name: String, _ marks: (name: String, at: String)...) throws -> URL {
      let places = marks.map {
        "<Placemark><name>\($0.name)</name><TimeStamp><when>2026-03-10</when></TimeStamp>"
          + "<Point><coordinates>\($0.at)</coordinates></Point></Placemark>"
      }
      return try file(name, ["<kml><Document>\(places.joined())</Document></kml>"])
    }
    let one = try map("a.kml", ("Hut", "14.3,50.1"), ("Lake", "14.4,50.2"))
    let two = try map("b.kml", ("Museum", "2.35,48.85"))
    #expect(try shelf.bring(one).created == ["activity": 2])
    #expect(try shelf.bring(two).created == ["activity": 1])
    for file in [one, two] { try shelf.bringAgain(file) }
    let newer = try map(
      "a.kml", ("Mill", "14.5,50.3"), ("Old hut", "14.3,50.1"), ("Lake", "14.4,50.2"))
    let run = try shelf.bring(newer)
    #expect(run.created == ["activity": 1] && run.updated == 1)
    #expect(try shelf.texts() == ["At Lake", "At Mill", "At Museum", "At Old hut"])
    try shelf.bringAgain(newer)
  }
}
