import ArkivedCore
import ArkivedImport
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Day One: entries")
struct DayOneEntryTests {
  /// An entry as Day One for iOS 728 exported it in March 2021.
  private let full: JSON = [
    "duration": 0,
    "weather": [
      "sunsetDate": "2021-03-03T08:38:49Z", "temperatureCelsius": 12,
      "weatherServiceName": "HAMweather", "windBearing": 360,
      "sunriseDate": "2021-03-02T19:51:44Z", "conditionsDescription": "Mostly Clear",
      "pressureMB": 1017, "visibilityKM": 48.280200958251953, "relativeHumidity": 72,
      "windSpeedKPH": 11, "weatherCode": "clear-night", "windChillCelsius": 12.199999809265137,
    ],
    "starred": true, "creationOSVersion": "14.4", "creationDeviceType": "iPhone",
    "creationDate": "2021-03-03T23:48:50Z", "timeZone": "Australia/Sydney",
    "editingTime": 63.553035974502563, "uuid": "2F8DDCA258634D9994DF3A4FEE328035",
    "location": [
      "region": [
        "center": ["longitude": 149.08917850000006, "latitude": -35.397421489596944],
        "identifier": "<-35.39742149,+149.08917850> radius 2112.30", "radius": 2112.2999000977147,
      ],
      "localityName": "Wanniassa", "country": "Australia", "timeZoneName": "Australia/Sydney",
      "administrativeArea": "ACT", "longitude": 149.0987548828125, "placeName": "Wanniassa",
      "latitude": -35.401691436767578,
    ],
    "modifiedDate": "2021-03-04T11:59:09Z", "creationOSName": "iOS",
    "text": "# All packed up \\.\\.\\.\n\nStill checking the weather\\.",
    "creationDevice": "Phone", "creationDeviceModel": "iPhone13,4",
    "tags": ["Coast", "packing"],
    "userActivity": ["activityName": "Walking", "stepCount": 75],
  ]

  @Test func everyFieldOfAnEntryComesIn() throws {
    let sink = try DayOneReading.read(DayOneReading.journal([full]))
    #expect(sink.diagnostics.isEmpty)
    let entry = try #require(sink.activities.first)
    #expect(entry.text == "All packed up ...")
    #expect(entry.notes == "Still checking the weather.")
    #expect(entry.description == "Walking, 75 steps")
    #expect(entry.startAt == Instant("2021-03-03T23:48:50Z"))
    #expect(entry.timeZone == "Australia/Sydney")
    // Late in the evening in London, and the next day already in Sydney.
    #expect(entry.dayKey.description == "2021-03-04")
    #expect(entry.isPinned)
    #expect(entry.tags == ["Coast", "packing"])
    #expect(entry.locationLabel == "Wanniassa, ACT, Australia")
    #expect(entry.lat == -35.401691436767578 && entry.lon == 149.0987548828125)
    #expect(
      entry.weather
        == Weather(
          conditions: "Mostly Clear", temperatureCelsius: 12, humidityPercent: 72,
          windSpeedKph: 11))
    #expect(entry.source == .dayOneImport && entry.source.rawValue == "dayOneImport")
    #expect(entry.createdAt == Instant("2021-03-03T23:48:50Z"))
    #expect(entry.updatedAt == Instant("2021-03-04T11:59:09Z"))
    #expect(entry.externalRefs.map(\.provider) == ["dayone"])
    #expect(entry.externalRefs.map(\.externalID) == ["2F8DDCA258634D9994DF3A4FEE328035"])
    #expect(sink.records.first?.hasOwnVersion == true)
    #expect(
      sink.records.first?.place
        == "Journal.json entry 1 (uuid 2F8DDCA258634D9994DF3A4FEE328035)")
    try entry.validate()
  }

  @Test func anEntryOfAWholeDayHasItsLocalDayAndNoTime() throws {
    // Day One for macOS 1552 writes local midnight: the evening before in UTC.
    let entry = try DayOneReading.one([
      "isAllDay": true, "creationDate": "2024-04-16T23:00:00Z", "timeZone": "Europe/Dublin",
    ])
    #expect(entry.startAt == nil)
    #expect(entry.dayKey.description == "2024-04-17")
    #expect(entry.createdAt == Instant("2024-04-16T23:00:00Z"))
  }

  @Test func starsAndPinsBothPin() throws {
    #expect(try DayOneReading.one(["isPinned": true]).isPinned)
    #expect(try DayOneReading.one(["starred": true]).isPinned)
    // Day One for Android 407.
    #expect(try DayOneReading.one(["pinned": true]).isPinned)
    #expect(try !DayOneReading.one(["starred": false, "isPinned": false]).isPinned)
  }

  @Test func anUnknownZoneIsTakenAsTheOwnersAndTold() throws {
    let sink = try DayOneReading.read(
      DayOneReading.journal([DayOneReading.entry(["timeZone": "Mars/Olympus"])]))
    let entry = try #require(sink.activities.first)
    #expect(entry.timeZone == "Europe/Rome")
    #expect(sink.diagnostics.count == 1)
    #expect(sink.diagnostics.first?.place.hasSuffix("field “timeZone”") == true)
    #expect(sink.diagnostics.first?.message.contains("Mars/Olympus") == true)
  }

  @Test func zonesComeFromThePlaceFromAppleAndFromWindows() throws {
    let place: JSON = ["timeZoneName": "America/Toronto"]
    #expect(
      try DayOneReading.one(["timeZone": nil, "location": place]).timeZone == "America/Toronto")
    #expect(try DayOneReading.one(["timeZone": nil]).timeZone == "Europe/Rome")
    let apple = try DayOneReading.one([
      "timeZone": "GMT+0200", "creationDate": "2021-03-03T22:30:00Z",
    ])
    #expect(apple.timeZone == "Etc/GMT-2" && apple.dayKey.description == "2021-03-04")
    #expect(
      try DayOneReading.one(["timeZone": "W. Europe Standard Time"]).timeZone == "Europe/Berlin")
  }

  @Test func weatherIsTakenAsFarAsItIsWeather() throws {
    let odd = try DayOneReading.one([
      "weather": [
        "windBearing": 360, "temperatureCelsius": 2_147_483_647, "relativeHumidity": 250,
        "windSpeedKPH": -1, "conditionsDescription": "Rain",
      ]
    ])
    #expect(odd.weather == Weather(conditions: "Rain"))
    let none = try DayOneReading.one(["weather": ["windBearing": 361, "weatherCode": "rain"]])
    #expect(none.weather == nil)
    let wrong = try DayOneReading.one(["weather": ["temperatureCelsius": "(null)"]])
    #expect(wrong.weather == nil)
  }

  @Test func aPlaceOutsideTheWorldIsLeftOutAndTold() throws {
    for (lat, lon) in [(200.0, 10.0), (-180.0, -180.0), (10.0, 500.0)] {
      let sink = try DayOneReading.read(
        DayOneReading.journal([
          DayOneReading.entry([
            "location": [
              "latitude": .number(lat), "longitude": .number(lon), "country": "Nowhere",
            ]
          ])
        ]))
      let entry = try #require(sink.activities.first)
      #expect(entry.lat == nil && entry.lon == nil && entry.locationLabel == "Nowhere")
      #expect(sink.diagnostics.first?.place.hasSuffix("field “location”") == true)
    }
    let half = try DayOneReading.one(["location": ["latitude": 10.5]])
    #expect(half.lat == nil && half.lon == nil)
  }

  @Test func tagsThatAreNoneCostOnlyThemselves() throws {
    let sink = try DayOneReading.read(
      DayOneReading.journal([
        DayOneReading.entry([
          "tags": [
            "good", "Good", "  ", 7, "tab\tin it", .string(String(repeating: "x", count: 300)),
          ]
        ])
      ]))
    #expect(sink.activities.first?.tags == ["good"])
    #expect(sink.diagnostics.count == 4)
    #expect(sink.diagnostics.allSatisfy { $0.place.hasSuffix("field “tags”") })
    #expect(try DayOneReading.one(["tags": .null]).tags == [])
  }

  @Test func aJournalOfItsOwnNameBecomesATag() throws {
    #expect(try DayOneReading.one(["tags": ["a"]], name: "Travel.json").tags == ["a", "Travel"])
    #expect(try DayOneReading.one(["tags": ["travel"]], name: "Travel.json").tags == ["travel"])
    #expect(try DayOneReading.one([:], name: "Journal.json").tags == [])
    #expect(try DayOneReading.one([:], name: "journal (2).json").tags == [])
    #expect(try DayOneReading.one([:], name: "Journal 2.json").tags == ["Journal 2"])
    // macOS writes the names of files decomposed.
    let decomposed = try DayOneReading.one([:], name: "Tagebuch fu\u{308}r Ida.json").tags.first
    #expect(decomposed.map { Array($0.utf8) } == Array("Tagebuch f\u{FC}r Ida".utf8))
  }

  @Test func fieldsThatNobodyKnowsAreNoNoise() throws {
    let sink = try DayOneReading.read(
      DayOneReading.journal([
        DayOneReading.entry([
          "futureField": ["a": [1, 2]], "editingTime": 0.5, "sourceString": "x",
          "templateID": .string("T"), "fnumber": "(null)",
        ])
      ]))
    #expect(sink.activities.count == 1 && sink.diagnostics.isEmpty)
  }

  @Test func entriesThatCannotBeReadAreToldByNumberAndField() throws {
    let sink = try DayOneReading.read(
      DayOneReading.journal([
        DayOneReading.entry(), DayOneReading.entry(["uuid": "B", "creationDate": nil]),
        DayOneReading.entry(["uuid": "C", "creationDate": "last summer"]), "no entry",
        DayOneReading.entry(["uuid": "E", "text": nil]),
        DayOneReading.entry(["uuid": "F", "text": "fine"]),
      ]))
    #expect(sink.activities.map(\.text) == ["Words", "fine"])
    #expect(
      sink.skipped.map(\.place) == [
        "Journal.json entry 2 (uuid B) field “creationDate”",
        "Journal.json entry 3 (uuid C) field “creationDate”", "Journal.json entry 4",
        "Journal.json entry 5 (uuid E) field “text”",
      ])
  }

  @Test func wrongTypesCostTheFieldNotTheEntry() throws {
    let entry = try DayOneReading.one([
      "starred": 1, "isPinned": "yes", "modifiedDate": 17, "location": "home", "weather": [],
      "tags": "one", "photos": "none", "music": 3, "userActivity": [1],
    ])
    #expect(entry.text == "Words" && entry.isPinned && entry.tags == [])
    #expect(entry.updatedAt == entry.createdAt)
  }

  @Test func anEntryWithoutIdentityComesInAndIsTold() throws {
    // The least that Day One itself imports has no uuid.
    let sink = try DayOneReading.read(DayOneReading.journal([DayOneReading.entry(["uuid": nil])]))
    #expect(sink.activities.first?.externalRefs == [])
    #expect(sink.diagnostics.map(\.severity) == [.note])
  }

  @Test func musicIsKeptAndStandingStillIsNot() throws {
    let entry = try DayOneReading.one([
      "userActivity": ["activityName": "Stationary", "stepCount": 0],
      "music": ["artist": "Radiohead", "track": "Karma Police", "album": "OK Computer"],
    ])
    #expect(entry.description == "Music: Karma Police, Radiohead, OK Computer")
  }

  @Test func aCheckInWithoutWordsIsCalledAfterItsPlace() throws {
    let entry = try DayOneReading.one([
      "text": "", "location": ["placeName": "London Eye", "localityName": "London"],
    ])
    #expect(entry.text == "London Eye, London" && entry.notes == nil)
  }
}
