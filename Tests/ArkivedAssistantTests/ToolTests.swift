import ArkivedAssistant
import ArkivedCore
import ArkivedSearch
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Tools")
struct ToolTests {
  let test: TestArchive
  let box: ToolBox

  init() throws {
    test = try TestArchive()
    box = ToolBox(archive: test.archive, zone: test.zone)
  }

  private func call(
    _ name: String, _ arguments: JSONObject = [:], by caller: ToolCaller = .agent("tester")
  ) -> ToolAnswer {
    box.call(ToolCall(id: "call_1", name: name, arguments: arguments), by: caller)
  }

  // MARK: The table

  @Test func theTableHoldsTheContractsToolsInTheirOrder() {
    #expect(
      ToolBox.tools.map(\.name) == [
        "searchActivities", "getDay", "createActivity", "updateActivity", "deleteActivity",
        "upsertDayEntry", "listTags", "tagActivity", "summarizeDay", "weeklyRecap", "getGoals",
        "getActions", "getTerms", "getValues", "getProgress", "findMeetings", "findPeople",
        "searchNotes", "prepareBrief", "ask", "query", "attachLink", "captionAttachment",
        "getSyncStatus",
      ])
    for tool in ToolBox.tools {
      #expect(tool.schema["additionalProperties"] == false, "\(tool.name)")
      #expect(!tool.summary.isEmpty && !tool.title.isEmpty, "\(tool.name)")
      for (name, schema) in tool.schema["properties"]?.object?.members ?? [] {
        #expect(schema["description"]?.string?.isEmpty == false, "\(tool.name).\(name)")
      }
    }
  }

  @Test func everyToolAnswersAndItsResultFitsItsSchema() throws {
    let now = test.clock.now
    let activity = try test.add(
      "ran by the river with Alex", from: "09:00", to: "10:00", tags: ["run"], people: ["Alex"],
      measurements: ["km": 5])
    func next() -> UUID { test.archive.identities.next() }
    try test.archive.create(
      Goal(
        id: next(), title: "Run 120 km", measurementUnit: "km", measurementTarget: 120,
        createdAt: now, updatedAt: now))
    let start = try #require(DayKey("2026-03-02"))
    try test.archive.create(
      Term(id: next(), termNumber: 1, startDate: start, createdAt: now, updatedAt: now))
    try test.archive.create(
      PersonalValue(id: next(), title: "Health", createdAt: now, updatedAt: now))
    try test.archive.create(
      Note(id: next(), text: "Buy running shoes", createdAt: now, updatedAt: now))
    let meeting = try test.activity("Pricing", on: "2026-03-16", from: "10:00", to: "11:00")
    let id = next()
    _ = try test.archive.create(
      MeetingEntry(
        meeting: Meeting(
          id: id, activityID: meeting.id, eventIdentifier: id.uuidString,
          attendances: [Attendance(name: "Alex", reply: .accepted)], createdAt: now,
          updatedAt: now), activity: meeting))
    let identity = JSON.string(activity.id.uuidString)
    let link = try Attachment(id: next(), link: "https://example.org/a", at: now)
    _ = try test.archive.attach([link], to: .activity(activity.id))
    let samples: [(String, JSONObject)] = [
      ("searchActivities", ["query": "river", "tags": ["run"], "startDate": "2026-03-01"]),
      ("getDay", ["dayDate": "2026-03-14T12:00:00Z"]),
      ("createActivity", ["text": "tea", "measurements": ["cups": 2], "tags": ["quiet"]]),
      ("updateActivity", ["id": identity, "text": "ran far"]),
      ("upsertDayEntry", ["dayDate": "2026-03-14", "note": "A day.", "mood": 4]),
      ("listTags", [:]), ("tagActivity", ["id": identity, "add": ["#river"]]),
      ("summarizeDay", ["dayDate": "2026-03-14"]), ("weeklyRecap", [:]),
      ("getGoals", ["searchText": "run"]), ("getActions", ["hasMeasurements": true]),
      ("getTerms", ["status": "active"]), ("getValues", ["maxPriority": 100]),
      ("getProgress", ["goal": "Run 120 km"]), ("getProgress", ["term": "1"]),
      ("findMeetings", ["from": "2026-03-15"]), ("findPeople", ["query": "alex"]),
      ("searchNotes", ["query": "shoes"]), ("prepareBrief", ["meeting": "Pricing"]),
      ("ask", ["question": "when did I last run?"]),
      (
        "query",
        ["source": ["entries": ["concept": "run"]], "fold": "sum", "unit": "km", "group": "month"]
      ),
      ("attachLink", ["url": "https://example.org/b", "dayDate": "2026-03-14"]),
      ("captionAttachment", ["id": .string(link.id.uuidString), "caption": "The river"]),
      ("deleteActivity", ["id": identity]), ("getSyncStatus", [:]),
    ]
    #expect(Set(samples.map(\.0)) == Set(ToolBox.tools.map(\.name)))
    for (name, arguments) in samples {
      let tool = try #require(ToolBox.tools.first { $0.name == name })
      #expect(SchemaCheck.fits(.object(arguments), tool.schema), "\(name)")
      let answer = call(name, arguments)
      let result = try #require(answer.result, "\(name): \(answer.json.text())")
      #expect(SchemaCheck.fits(result, tool.resultSchema), "\(name): \(result.text())")
      // The envelope comes back as it was.
      let told = try #require(answer.json.object)
      #expect(try ToolAnswer(told) == answer, "\(name)")
    }
  }

  @Test func everyWordOfAChoiceIsTaken() throws {
    var count = 0
    let activity = try test.add("went for a walk", on: "2026-03-14")
    let needed: [String: JSONObject] = [
      "createActivity": ["text": "went for a run", "startAt": "2026-03-14T09:00:00Z"],
      "updateActivity": [
        "id": .string(activity.id.uuidString), "startAt": "2026-03-14T09:00:00Z",
      ],
    ]
    // Words of queries go together with others; QueryDecoderTests takes each of them.
    for tool in ToolBox.tools where tool.name != "query" {
      for (name, schema) in tool.schema["properties"]?.object?.members ?? [] {
        for word in schema["enum"]?.array?.compactMap(\.string) ?? [] {
          count += 1
          var arguments = needed[tool.name] ?? [:]
          arguments[name] = .string(word)
          let answer = call(tool.name, arguments)
          #expect(answer.result != nil, "\(tool.name) \(name)=\(word): \(answer.json.text())")
        }
      }
    }
    #expect(count > 0)
  }

  @Test func aFilterTakesTheWordsThatItsToolTells() throws {
    let now = test.clock.now
    func next() -> UUID { test.archive.identities.next() }
    try test.add("ran", kind: .health, measurements: ["km": 5])
    for (number, start) in [(1, "2025-01-01"), (2, "2026-03-02"), (3, "2027-01-01")] {
      try test.archive.create(
        Term(
          id: next(), termNumber: number, startDate: try #require(DayKey(start)), createdAt: now,
          updatedAt: now))
    }
    for type in [GoalType.goal, .milestone] {
      try test.archive.create(
        Goal(
          id: next(), title: type.rawValue, goalType: type,
          targetDate: DayKey("2026-06-30"), createdAt: now, updatedAt: now))
    }
    for type in [IncentiveType.general, .lifeArea, .major, .highestOrder] {
      try test.archive.create(
        PersonalValue(
          id: next(), title: type.rawValue, incentiveType: type, createdAt: now, updatedAt: now))
    }
    let span: JSONObject = ["query": "", "startDate": "2026-01-01"]
    let filters: [(tool: String, list: String, told: String, filter: String, more: JSONObject)] = [
      ("getTerms", "terms", "status", "status", [:]),
      ("getGoals", "goals", "goalType", "goalType", [:]),
      ("getValues", "values", "incentiveType", "valueType", [:]),
      ("searchActivities", "results", "kind", "kind", span),
      ("searchActivities", "results", "source", "source", span),
    ]
    for it in filters {
      let listed = try #require(
        call(it.tool, it.more).result?[it.list]?.array, "\(it.tool) \(it.list)")
      let words = Set(listed.compactMap { $0[it.told]?.string })
      #expect(!words.isEmpty, "\(it.tool) \(it.told)")
      for word in words {
        var arguments = it.more
        arguments[it.filter] = .string(word)
        let found = call(it.tool, arguments)
        let items = try #require(
          found.result?[it.list]?.array, "\(it.tool) \(it.filter)=\(word): \(found.json.text())")
        #expect(items.count == listed.filter { $0[it.told]?.string == word }.count, "\(word)")
      }
    }
  }

  @Test func goalsAndActionsAreListedByWhatTheyHave() throws {
    let now = test.clock.now
    func goal(_ title: String, target: Double? = nil, until end: String? = nil) throws {
      try test.archive.create(
        Goal(
          id: test.archive.identities.next(), title: title,
          measurementUnit: target.map { _ in "km" },
          measurementTarget: target, targetDate: end.flatMap(DayKey.init), createdAt: now,
          updatedAt: now))
    }
    try goal("both", target: 5, until: "2026-06-30")
    try goal("neither")
    try test.add("ran", measurements: ["km": 5])
    try test.add("called", from: "09:00", to: "09:30")
    func titles(_ arguments: JSONObject) throws -> [String] {
      try #require(call("getGoals", arguments).result?["goals"]?.array)
        .compactMap { $0["title"]?.string }
    }
    func texts(_ arguments: JSONObject) throws -> [String] {
      try #require(call("getActions", arguments).result?["actions"]?.array)
        .compactMap { $0["textPreview"]?.string }
    }
    #expect(try titles(["hasDates": true]) == ["both"])
    #expect(try titles(["hasDates": false]) == ["neither"])
    #expect(try titles(["hasTarget": true]) == ["both"])
    #expect(try titles(["hasTarget": false, "hasDates": true]).isEmpty)
    #expect(try texts(["hasDuration": true]) == ["called"])
    #expect(try texts(["hasDuration": false]) == ["ran"])
    #expect(try texts(["hasDuration": true, "hasMeasurements": true]).isEmpty)
  }

  @Test func aSearchGivesSummariesWithSnippetAndScore() throws {
    let long = "castle " + String(repeating: "walk ", count: 100)
    let activity = try test.add(long, tags: ["trip"])
    let found = try #require(call("searchActivities", ["query": "castle"]).result)
    let first = try #require(found["results"]?.array?.first)
    #expect(first["id"] == .string(activity.id.uuidString))
    #expect(first["textPreview"]?.string?.count == 200)
    #expect(first["tags"] == ["trip"] && first["source"] == "manual")
    #expect(first["snippet"]?.string?.contains("castle") == true && first["score"] != nil)
  }

  // MARK: Arguments

  @Test(arguments: [
    ("createActivity", "{}", "text"), ("createActivity", #"{"text":5}"#, "text"),
    ("createActivity", #"{"text":""}"#, "text"), ("createActivity", #"{"text":null}"#, "text"),
    ("createActivity", #"{"text":"a","mood":3}"#, "mood"),
    ("createActivity", #"{"text":"a","dayDate":"2026-02-30"}"#, "dayDate"),
    ("createActivity", #"{"text":"a","lat":91,"lon":0}"#, "lat"),
    ("createActivity", #"{"text":"a","lat":1}"#, "lon"),
    ("createActivity", #"{"text":"a","measurements":{"km":-1}}"#, "measurements"),
    ("createActivity", #"{"text":"a","tags":"run"}"#, "tags"),
    (
      "createActivity",
      #"{"text":"a","startAt":"2026-03-14T10:00:00Z","endAt":"2026-03-14T09:00:00Z"}"#, "endAt"
    ),
    ("getGoals", #"{"limit":101}"#, "limit"), ("getTerms", #"{"limit":21}"#, "limit"),
    ("getValues", #"{"limit":0}"#, "limit"),
    (
      "getActions", #"{"hasMeasurements":"yes"}"#,
      "hasMeasurements"
    ),
    ("getTerms", #"{"status":"late"}"#, "status"), ("deleteActivity", #"{"id":"3F2A"}"#, "id"),
    ("upsertDayEntry", #"{"dayDate":"2026-03-14","mood":6}"#, "mood"),
    ("upsertDayEntry", #"{"dayDate":"2026-03-14","mood":3.5}"#, "mood"),
    ("getProgress", "{}", "goal"), ("getProgress", #"{"goal":"a","term":"1"}"#, "term"),
    (
      "searchActivities", #"{"query":"a","startDate":"2026-03-02","endDate":"2026-03-01"}"#,
      "endDate"
    ),
  ])
  func aWrongArgumentIsNamed(_ tool: String, _ text: String, _ argument: String) throws {
    let arguments = try #require(try JSON(parsing: text).object)
    let error = try #require(call(tool, arguments).error, "\(tool) \(text)")
    #expect(error.code == .invalidArgument && error.argument == argument, "\(error)")
    #expect(error.message.contains(argument) && error.message.hasSuffix("."), "\(error)")
    #expect(try test.archive.counts().activities == 0)
  }

  @Test func anUnknownToolIsToldWithThoseThereAre() {
    let error = call("dropEverything").error
    #expect(error?.code == .unknownTool)
    #expect(error?.message.contains("createActivity") == true)
  }

  @Test func aCallIsReadStrictly() throws {
    func read(_ text: String) throws -> ToolCall {
      try ToolCall(try #require(try JSON(parsing: text).object))
    }
    let text = #"{"id":"call_002","name":"createActivity","arguments":{"text":"tea"}}"#
    #expect(try read(text).json.text() == text)
    #expect(throws: FieldError.self) { try read(#"{"id":"a"}"#) }
    #expect(throws: FieldError.self) { try read(#"{"name":"ask","arguments":[1]}"#) }
    #expect(throws: FieldError.self) { try read(#"{"name":"ask","args":{}}"#) }
    #expect(throws: JSONSyntaxError.self) { try JSON(parsing: #"{"name":"a","name":"b"}"#) }
  }

  // MARK: Creating

  @Test func whatAProgramAddsIsMarkedAndCanBeUndone() throws {
    let answer = call("createActivity", ["text": "lunch with Sam", "people": ["Sam"]])
    let created = try #require(answer.result?["created"])
    #expect(created["source"] == "assistant" && created["dayKey"] == "2026-03-14")
    let id = try #require(answer.result?["changeId"]?.string.flatMap(UUID.init(uuidString:)))
    let change = try #require(try test.archive.change(id))
    #expect(change.author == .agent("tester") && change.author.told == "program tester")
    _ = try test.archive.undo(id)
    #expect(try test.archive.counts().activities == 0)
    let own = call("createActivity", ["text": "tea"], by: .owner)
    #expect(own.result?["created"]?["source"] == "manual")
  }

  @Test func aDaysPageIsFilledAtOnceAndOverwrittenOnlyWithAYes() throws {
    let day: JSON = "2026-03-14"
    let filled = call("upsertDayEntry", ["dayDate": day, "note": "Rain.", "mood": 4])
    #expect(filled.pending == nil && filled.result?["after"]?["mood"] == 4)
    let more = call("upsertDayEntry", ["dayDate": day, "appendNote": "Then sun.", "energy": 2])
    #expect(more.result?["after"]?["note"] == "Rain.\n\nThen sun.")
    #expect(more.result?["before"]?["note"] == "Rain.")
    for arguments: JSONObject in [
      ["dayDate": day, "note": "Gone."], ["dayDate": day, "note": ""],
      ["dayDate": day, "mood": 1], ["dayDate": day, "energy": 5],
    ] {
      #expect(call("upsertDayEntry", arguments).pending != nil, "\(arguments)")
    }
    let entry = try #require(try test.day("2026-03-14").entry)
    #expect(entry.note == "Rain.\n\nThen sun." && entry.mood == 4 && entry.energy == 2)
    let acts = try box.pendingActs()
    #expect(acts.count == 4)
    let act = try #require(acts.last)
    #expect(act.effects.first?.differences.map(\.field) == ["note"])
    #expect(try box.confirm(act.id).status == .done)
    #expect(try test.day("2026-03-14").entry?.note == "Gone.")
  }

  /// What continues the last line of a note changes what the owner wrote there.
  @Test func aLineOfANoteIsContinuedOnlyWithAYes() throws {
    let day: JSON = "2026-03-14"
    _ = call("upsertDayEntry", ["dayDate": day, "note": "Paid Sam 50"])
    for note: JSON in ["Paid Sam 500", "Paid Sam 50 too little.", "Paid Sam 50\u{301}"] {
      #expect(call("upsertDayEntry", ["dayDate": day, "note": note]).pending != nil, "\(note)")
    }
    #expect(try test.day("2026-03-14").entry?.note == "Paid Sam 50")
    for note: JSON in ["Paid Sam 50", "Paid Sam 50\nRain.", "Paid Sam 50\nRain.\n\nThen sun."] {
      #expect(call("upsertDayEntry", ["dayDate": day, "note": note]).pending == nil, "\(note)")
    }
    #expect(try test.day("2026-03-14").entry?.note == "Paid Sam 50\nRain.\n\nThen sun.")
  }

  @Test func tagsAreAddedAtOnceAndTakenAwayWithAYes() throws {
    let activity = try test.add("ran", tags: ["run"])
    let id = JSON.string(activity.id.uuidString)
    let added = call("tagActivity", ["id": id, "add": ["#river", "RUN"]])
    #expect(added.result?["updated"]?["tags"] == ["run", "river"])
    // A tag is named without its sign and the blanks around it, as when an entry is written.
    let blank = call("tagActivity", ["id": id, "add": [" # walk "]])
    #expect(blank.result?["updated"]?["tags"] == ["run", "river", "walk"])
    _ = call("tagActivity", ["id": id, "remove": [" walk"]], by: .owner)
    let removal = call("tagActivity", ["id": id, "remove": ["Run"]])
    #expect(removal.pending?["entries"]?.array?.count == 1)
    #expect(try test.archive.activity(activity.id)?.tags == ["run", "river"])
    let own = call("tagActivity", ["id": id, "remove": ["river"]], by: .owner)
    #expect(own.result?["updated"]?["tags"] == ["run"])
  }

  @Test func meetingsAndNotesAreTaggedByTheirOwnIdentities() throws {
    let now = test.clock.now
    let note = try test.archive.create(
      Note(
        id: test.archive.identities.next(), title: "Seeds", text: "peas", meetingID: nil,
        dayKey: nil, tags: ["garden"], attachments: [], createdAt: now, updatedAt: now)
    ).value
    let id = JSON.string(note.id.uuidString)
    let added = call("tagActivity", ["id": id, "add": ["#home", "Garden"]])
    #expect(added.result?["updated"]?["tags"] == ["garden", "home"])
    let removal = call("tagActivity", ["id": id, "remove": ["garden"]])
    #expect(try test.archive.note(note.id)?.tags == ["garden", "home"])
    let act = try #require(removal.pending?["id"]?.string.flatMap(UUID.init(uuidString:)))
    #expect(try box.confirm(act).status == .done)
    #expect(try test.archive.note(note.id)?.tags == ["home"])
    let changeID = try #require(box.pendingAct(act).changeID)
    _ = try test.archive.undo(changeID)
    #expect(try test.archive.note(note.id)?.tags == ["garden", "home"])

    let entry = Activity(
      id: test.archive.identities.next(), dayKey: test.zone.dayKey(at: now),
      timeZone: "Europe/Berlin",
      text: "planning", createdAt: now, updatedAt: now)
    let meeting = try test.archive.create(
      MeetingEntry(
        meeting: Meeting(
          id: test.archive.identities.next(), activityID: entry.id,
          eventIdentifier: "planning@test",
          createdAt: now, updatedAt: now), activity: entry)
    ).value
    let tagged = call(
      "tagActivity", ["id": .string(meeting.id.uuidString), "add": ["work"]])
    #expect(tagged.result?["updated"]?["id"]?.string == meeting.activity.id.uuidString)
    let refused = call("deleteActivity", ["id": id])
    #expect(refused.error?.message.contains("belongs to a note") == true, "\(refused.json)")
  }

  @Test func namesakesAreAllLookedForAndNamed() throws {
    let now = test.clock.now
    func person(_ name: String) throws -> Person {
      try test.archive.create(
        Person(id: test.archive.identities.next(), name: name, createdAt: now, updatedAt: now)
      ).value
    }
    let people = [try person("Anna Berg"), try person("Anna Wolf"), try person("Bela Kiss")]
    for person in people {
      let entry = Activity(
        id: test.archive.identities.next(), dayKey: test.zone.dayKey(at: now),
        timeZone: "Europe/Berlin", text: "planning with \(person.displayName)", createdAt: now,
        updatedAt: now)
      let id = test.archive.identities.next()
      try test.archive.create(
        MeetingEntry(
          meeting: Meeting(
            id: id, activityID: entry.id, eventIdentifier: id.uuidString,
            attendances: [Attendance(name: person.displayName, personID: person.id)],
            createdAt: now, updatedAt: now), activity: entry))
    }
    for arguments in [["people": ["Anna"]], ["people": ["Anna"], "query": "planning"]]
      as [JSONObject]
    {
      let found = try #require(call("findMeetings", arguments).result)
      #expect(found["total"] == 2, "\(found.text())")
      let namesakes = try #require(found["namesakes"]?.array)
      #expect(namesakes.first?["name"] == "Anna")
      #expect(
        Set(namesakes.first?["people"]?.array?.compactMap { $0["name"]?.string } ?? [])
          == ["Anna Berg", "Anna Wolf"])
    }
    let one = try #require(call("findMeetings", ["people": ["Anna Wolf"]]).result)
    #expect(one["total"] == 1 && one["namesakes"] == nil)
    #expect(call("findMeetings", ["people": ["Zora"]]).error != nil)
  }

  @Test func weatherIsWrittenByTools() throws {
    let made = call("createActivity", ["text": "walk", "weather": "light rain, 12 °C"])
    let id = try #require(
      made.result?["created"]?["id"]?.string.flatMap(UUID.init(uuidString:)), "\(made.json)")
    #expect(try test.archive.activity(id)?.weather?.conditions == "light rain")
    let wrong = call("createActivity", ["text": "walk", "weather": "400 °C"])
    #expect(wrong.error?.argument == "weather", "\(wrong.json)")
    let changed = call("updateActivity", ["id": .string(id.uuidString), "weather": "fog"])
    let act = try #require(changed.pending?["id"]?.string.flatMap(UUID.init(uuidString:)))
    #expect(try test.archive.activity(id)?.weather?.conditions == "light rain")
    _ = try box.confirm(act)
    #expect(try test.archive.activity(id)?.weather?.conditions == "fog")
    // What is empty is filled at once; what stands there waits.
    let day = call("upsertDayEntry", ["dayDate": "2026-03-14", "weather": "snow, -3 °C"])
    #expect(day.result?["after"]?["weather"]?["conditions"] == "snow", "\(day.json)")
    #expect(call("upsertDayEntry", ["dayDate": "2026-03-14", "weather": "sun"]).pending != nil)
    #expect(try test.day("2026-03-14").entry?.weather?.temperatureCelsius == -3)
  }
}
