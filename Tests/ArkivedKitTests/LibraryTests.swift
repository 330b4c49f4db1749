import ArkivedKit
import ArkivedTestSupport
import Foundation
import Testing

/// A library in a temporary folder, on Saturday, 14 March 2026, 21:00 in Berlin.
struct TestLibrary {
  let folder: TemporaryFolder
  let library: Library

  init(language: SpokenLanguage = .english) async throws {
    folder = try TemporaryFolder()
    library = try await TestLibrary.open(folder, language)
  }

  static func open(
    _ folder: TemporaryFolder, _ language: SpokenLanguage = .english, named name: String = "archive"
  ) async throws -> Library {
    try await Library.open(
      at: folder.url.appendingPathComponent(name),
      zone: try #require(Zone(TestArchive.zoneName)), language: language,
      clock: FixedClock(TestArchive.now))
  }

  static func day(_ text: String) throws -> DayKey { try #require(DayKey(text)) }
}

@Suite("A library for apps: the journal")
struct LibraryTests {
  @Test func aTypedLineIsReadAndKept() async throws {
    let test = try await TestLibrary()
    let run = try await test.library.add("yesterday at 7am: ran 5 km #sport")
    #expect(run.dayKey.description == "2026-03-13")
    #expect(run.startAt?.description == "2026-03-13T06:00:00Z")
    #expect(run.text == "ran 5 km")
    #expect(run.measurements == ["km": 5])
    #expect(run.tags == ["sport"])
    // Another one that opens the folder sees it.
    let other = try await TestLibrary.open(test.folder)
    #expect(try await other.day(run.dayKey).activities.map(\.text) == ["ran 5 km"])
    #expect(try await other.activity(run.id)?.typedText == run.typedText)
    #expect(try await other.tags().map(\.tag.name) == ["sport"])
  }

  @Test func aDraftIsNotSaved() async throws {
    let test = try await TestLibrary()
    let draft = try await test.library.draft("lunch with @Sam 12:30-13:15 #friends")
    #expect(draft.duration == 45)
    #expect(draft.people.map(\.name) == ["Sam"])
    #expect(try await test.library.entries().total == 0)
    let saved = try await test.library.add(draft)
    #expect(saved.id == draft.id && saved.people.first?.personID != nil)
  }

  @Test func aLineOfTagsAloneIsAnErrorWithItsField() async throws {
    let test = try await TestLibrary()
    let error = await #expect(throws: LibraryError.self) { try await test.library.add("#sport") }
    #expect(error?.code == .invalidValue && error?.field == "line")
    #expect(error?.message.contains("only has tags") == true)
    #expect(error?.errorDescription == error?.message)
  }

  @Test func errorsSpeakTheLibrarysLanguage() async throws {
    let english = try await TestLibrary()
    let german = try await TestLibrary(language: .german)
    let first = await #expect(throws: LibraryError.self) { try await english.library.add("#sport") }
    let second = await #expect(throws: LibraryError.self) { try await german.library.add("#sport") }
    #expect(first?.code == second?.code && first?.message != second?.message)
    #expect(SpokenLanguage(code: "de") == .german && SpokenLanguage(code: "xx") == nil)
  }

  @Test func listsComeInPagesAndInEitherOrder() async throws {
    let test = try await TestLibrary()
    for number in 1...5 { try await test.library.add("on \(number) march: note \(number) #n") }
    try await test.library.add("on 6 march: something else")
    let filter = EntryFilter(
      from: try TestLibrary.day("2026-03-02"), tags: ["n"], limit: 2, offset: 1)
    let newest = try await test.library.entries(filter)
    #expect(newest.total == 4)
    #expect(newest.entries.map(\.dayKey.description) == ["2026-03-04", "2026-03-03"])
    let oldest = try await test.library.entries(filter, order: .oldest)
    #expect(oldest.entries.map(\.dayKey.description) == ["2026-03-03", "2026-03-04"])
  }

  @Test func aChangeToAnOldVersionIsAConflict() async throws {
    let test = try await TestLibrary()
    let first = try await test.library.add("ran 5 km")
    var mine = first
    mine.notes = "Along the river"
    let saved = try await test.library.update(mine)
    #expect(saved.notes == "Along the river" && saved.updatedAt > first.updatedAt)
    var theirs = first
    theirs.notes = "Through the wood"
    let error = await #expect(throws: LibraryError.self) { try await test.library.update(theirs) }
    #expect(error?.code == .conflict)
    #expect(try await test.library.activity(first.id)?.notes == "Along the river")
    let stale = await #expect(throws: LibraryError.self) { try await test.library.delete(first) }
    #expect(stale?.code == .conflict)
  }

  @Test func aDayHasAPageThatIsChecked() async throws {
    let test = try await TestLibrary()
    var page = try await test.library.dayEntry(test.library.today)
    #expect(page.note.isEmpty && page.mood == nil)
    page.note = "A calm day"
    page.mood = 9
    let wrong = page
    let error = await #expect(throws: LibraryError.self) { try await test.library.update(wrong) }
    #expect(error?.code == .invalidValue && error?.field == "mood")
    page.mood = 4
    let late = try await test.library.dayEntry(test.library.today)
    let saved = try await test.library.update(page)
    #expect(try await test.library.dayEntry(test.library.today).updatedAt == saved.updatedAt)
    #expect(try await test.library.day(test.library.today).entry?.note == "A calm day")
    // Somebody else who was shown a blank page doesn't overwrite the one that is there now.
    let second = await #expect(throws: LibraryError.self) { try await test.library.update(late) }
    #expect(second?.code == .conflict)
    page = saved
    page.note = ""
    page.mood = nil
    try await test.library.update(page)
    #expect(try await test.library.day(test.library.today).entry == nil)
  }

  @Test func whatIsDeletedComesBack() async throws {
    let test = try await TestLibrary()
    let run = try await test.library.add("ran 5 km")
    try await test.library.delete(run)
    #expect(try await test.library.day(run.dayKey).activities.isEmpty)
    let undone = try await test.library.undo()
    #expect(undone.undid.action == "delete")
    #expect(try await test.library.day(run.dayKey).activities.map(\.id) == [run.id])
    #expect(try await test.library.changes().map(\.action) == ["undo", "delete", "add"])
  }

  @Test func oldVersionsAreListedAndRestored() async throws {
    let test = try await TestLibrary()
    let run = try await test.library.add("ran 5 km")
    var changed = run
    changed.text = "ran 6 km"
    try await test.library.update(changed)
    let versions = try await test.library.history(of: run)
    #expect(versions.map(\.reason) == ["update"])
    #expect(versions.first?.json.contains("ran 5 km") == true)
    try await test.library.restore(try #require(versions.first))
    #expect(try await test.library.activity(run.id)?.text == "ran 5 km")
  }

  @Test func searchAndQuestionsCiteWhatTheyFound() async throws {
    let test = try await TestLibrary()
    let run = try await test.library.add("yesterday at 7am: ran 5 km along the river #sport")
    try await test.library.add("on 3 march: ran 3 km")
    try await test.library.add("read about rivers")
    let found = try await test.library.search("river", in: EntryFilter(tags: ["sport"]))
    #expect(found.hits.map(\.id) == [run.id])
    #expect(found.hits.first?.why.words == ["river"])
    #expect(try await test.library.entries(of: found.hits).map(\.id) == [run.id])
    let answer = try await test.library.ask("how many km did I run this month?", citationLimit: 1)
    #expect(answer.kind == "sum" && answer.figures == [8] && answer.unit == "km")
    #expect(answer.citations.count == 1 && answer.citationCount == 2)
    #expect(answer.days?.lowerBound.description == "2026-03-01")
    #expect(answer.sentence.contains("8 km"))
  }

  @Test func theIndexesAreBuiltOnDemand() async throws {
    let test = try await TestLibrary()
    let run = try await test.library.add("ran 5 km along the river")
    try await test.library.updateIndexes()
    #expect(try await test.library.search("river").hits.map(\.id) == [run.id])
  }

  @Test func indexingEndsWhenItsTaskIsCancelled() async throws {
    for (language, word) in [(SpokenLanguage.english, "Cancelled"), (.german, "Abgebrochen")] {
      let test = try await TestLibrary(language: language)
      try await test.library.add("ran 5 km along the river")
      let task = Task { () async -> LibraryError? in
        // It ends when the task is cancelled.
        try? await Task.sleep(for: .seconds(60))
        do throws(LibraryError) {
          try await test.library.updateIndexes()
          return nil
        } catch {
          return error
        }
      }
      task.cancel()
      let error = await task.value
      #expect(error?.code == .cancelled && error?.message.contains(word) == true)
    }
  }

  @Test func anArchiveInMemoryIsGoneAndKeepsNoFiles() async throws {
    let library = try Library.inMemory(zone: .utc, clock: FixedClock(TestArchive.now))
    let run = try await library.add("ran 5 km")
    #expect(library.folder == nil)
    #expect(try await library.day(library.today).activities.map(\.id) == [run.id])
    let error = await #expect(throws: LibraryError.self) {
      try await library.attach(Data([1]), named: "one.bin", to: .activity(run.id))
    }
    #expect(error?.code == .refused)
  }

  @Test func aFolderWithSomethingElseIsLeftAsItIs() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.file("archive/archive.sqlite", "this is no database at all, really not")
    let error = await #expect(throws: LibraryError.self) {
      _ = try await Library.open(at: file.deletingLastPathComponent())
    }
    #expect(error?.code == .damaged)
    #expect(
      try String(contentsOf: file, encoding: .utf8) == "this is no database at all, really not")
  }

  @Test func whatAnotherProgramWritesIsNews() async throws {
    let test = try await TestLibrary()
    try await test.library.add("before")
    let news = try await test.library.news(every: .milliseconds(20))
    let other = try await TestLibrary.open(test.folder)
    let run = try await other.add("yesterday: ran 5 km")
    for await event in news {
      guard case .changed(let change, let days, _) = event else {
        Issue.record("not told one by one: \(event)")
        break
      }
      #expect(change.action == "add" && change.summary.contains("ran 5 km"))
      #expect(days == [run.dayKey])
      break
    }
  }

  @Test func whatAClosedLibraryHeldIsThereWhenItIsOpenedAgain() async throws {
    let test = try await TestLibrary()
    try await test.library.add("ran 5 km")
    test.library.close()
    await #expect(throws: LibraryError.self) { try await test.library.entries() }
    #expect(try await TestLibrary.open(test.folder).entries().total == 1)
  }
}
