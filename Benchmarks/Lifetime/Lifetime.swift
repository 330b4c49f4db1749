import ArgumentParser
import ArkivedCore
import ArkivedStore
import Foundation

/// The part of the benchmarks that is Swift: the data of a lifetime, and writes timed from inside.
@main
struct LifetimeProgram: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lifetime", abstract: "Data and in-process timings for Arkived's benchmarks.",
    subcommands: [WriteLife.self, TimeAdds.self])
}

/// `write`: the last N activities of a dense life, as JSON Lines.
struct WriteLife: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "write",
    abstract: "Write the last activities of a long and busy life as JSON Lines.",
    discussion: """
      The life ends on 31 December 2025 and begins on 1 January 1946 at the earliest. However many \
      activities are asked for, its days are equally full, so that a larger file reaches further \
      back and differs in nothing else. The same arguments write the same bytes. What was written \
      is told as JSON on standard output.
      """)

  @Argument(help: "The file to write.") var file: String
  @Option(help: "How many activities.") var activities: Int
  @Option(help: "Draws what happens; another seed is another life with the same people.")
  var seed: UInt64 = 2016

  func validate() throws {
    guard activities > 0 else {
      throw ValidationError("--activities is \(activities), but must be at least 1.")
    }
  }

  func run() async throws {
    let life = LongLife(seed: seed)
    let plan = await life.plan(activities: activities)
    guard plan.activities == activities else {
      throw ValidationError(
        "--activities is \(activities); the whole life from \(LongLife.firstYear) holds "
          + "\(plan.activities).")
    }
    let account = try await LifeFile(life: life, plan: plan).write(to: URL(fileURLWithPath: file))
    print(account.json.text())
  }
}

/// `adds`: times `Archive.add` inside one process, one write for each line read.
struct TimeAdds: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "adds",
    abstract: "For each line of standard input, add one activity of that text and tell its time.",
    discussion: """
      Answers each line with the milliseconds that the write took, flushed to the disk. A program \
      that measures something else in the same run writes a line whenever it is this one's turn.
      """)

  @Argument(help: "The archive's folder.") var archive: String
  @Option(help: "The day of the activities.") var day = LongLife.lastDay.description
  @Option(parsing: .upToNextOption, help: "Tags of every activity.") var tags: [String] = []
  @Option(help: "A person in every activity.") var person: String?

  func run() throws {
    guard let dayKey = DayKey(day) else {
      throw ValidationError("--day is \(day); write it like 2025-12-31.")
    }
    let archive = try Archive(at: .folder(URL(fileURLWithPath: archive)))
    let clock = ContinuousClock()
    while let line = readLine() {
      let now = archive.clock.now
      let activity = Activity(
        id: archive.identities.next(), dayKey: dayKey,
        startAt: Instant(milliseconds: Int64(dayKey.daysSinceEpoch) * 86_400_000 + 43_200_000),
        timeZone: "Europe/Berlin", kind: .work, text: line, tags: tags,
        people: person.map { [Mention(name: $0)] } ?? [], createdAt: now, updatedAt: now)
      let start = clock.now
      try archive.add(activity)
      let took = clock.now - start
      print(took / .milliseconds(1))
      // Whoever measures waits for the answer before the next line.
      fflush(nil)
    }
  }
}
