package import ArkivedCore
import Foundation

/// The invented life of Nell Ashworth, who designs ferry timetables in Hamburg: a diary for the
/// demo, tests, screenshots, the evaluation of search, and benchmarks.
///
/// A day's content depends only on the seed and the date. The course of the life (trips, habits,
/// stories, pieces of work) is written for 2016 to 2026 and repeats every eleven years; the details
/// of each day are drawn from the seed, so a longer run repeats the course but not the days.
package struct SampleLife: Sendable {
  package static let ownerName = "Nell Ashworth"
  package static let homeZoneIdentifier = "Europe/Berlin"

  package let seed: UInt64
  package let from: DayKey
  package let through: DayKey
  private let salt: UInt64

  /// Creates a life.
  ///
  /// - Parameters:
  ///   - seed: determines everything that the course of the life leaves open.
  ///   - from: the first day written.
  ///   - through: the last day written.
  ///   - identitySalt: changes every ID and nothing else, so that the same life can be
  ///     imported into one archive twice.
  package init(
    seed: UInt64 = 2016, from: DayKey = DayKey(clamping: LifeCalendar.courseStart),
    through: DayKey, identitySalt: UInt64 = 0
  ) {
    self.seed = seed
    self.from = from
    self.through = through
    salt = identitySalt
  }

  /// Writes the people, then the days in order: each day's activities, with meetings and their
  /// minutes, its note and its numbers.
  ///
  /// - Parameters:
  ///   - now: the latest creation time of an entry.
  ///   - take: takes each entry; an error it throws ends the writing.
  package func write(now: Instant, into take: (ImportedRecord) throws -> Void) rethrows {
    try write(now: now, into: take) { _ in }
  }

  /// Writes like `write(now:into:)`, and also passes on the patterns that each day's note used.
  func write(
    now: Instant, into take: (ImportedRecord) throws -> Void, noted: ([Int]) -> Void
  ) rethrows {
    let material = SampleMaterial.shared
    let random = SampleRandom(seed: seed)
    let calendar = LifeCalendar(random, material)
    let writer = SceneWriter(material, random, calendar.frame(from))
    var records = RecordWriter(
      material: material, random: SampleRandom(seed: seed ^ SampleRandom.mix(salt)), now: now)
    for record in records.people() { try take(record) }
    guard from <= through else { return }
    var day = from
    while day <= through {
      let frame = calendar.frame(day)
      writer.begin(frame)
      let planner = DayPlanner(writer, calendar, frame)
      var scenes = planner.plan()
      var notes = NoteWriter(writer, random, frame)
      let note = notes.write(&scenes)
      if note != nil { noted(writer.usedTemplates) }
      let written = records.day(frame, scenes, note, metrics: random, minutes: writer)
      for record in written { try take(record) }
      guard day < .latest else { return }
      day = day.advanced(by: 1)
    }
  }
}
