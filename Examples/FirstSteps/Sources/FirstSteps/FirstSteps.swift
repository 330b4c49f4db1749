import ArkivedKit
import Foundation

/// Adds, searches and asks: `FirstSteps FOLDER` opens the archive in a folder, or makes it.
@main
struct FirstSteps {
  static func main() async throws {
    FileReaderProcess.prepare()
    let path = CommandLine.arguments.dropFirst().first ?? "first-steps"
    let library = try await Library.open(at: URL(fileURLWithPath: path, isDirectory: true))

    // A typed line is read as the owner means it: day, times, people, tags and measures.
    try await library.add("today 7:00-7:40 ran 5 km in the park #sport")
    let lunch = try await library.add("today 12:30-13:15 lunch with @Sam at Luigi's #friends")
    print("Added \(lunch.text), \(Int(lunch.duration ?? 0)) minutes")

    for hit in try await library.search("lunch #friends").hits {
      print("Found \(hit.title) on \(hit.dayKey == library.today ? "today" : "\(hit.dayKey)")")
    }

    let answer = try await library.ask("how many km did I run today?")
    print("Asked: \(answer.sentence) (\(answer.citationCount) entry)")

    do {
      try await library.add("#sport")
    } catch {
      print("Not added: \(error)")
    }
    try await library.undo()
    print("Left: \(try await library.day(library.today).activities.map(\.text))")
  }
}
