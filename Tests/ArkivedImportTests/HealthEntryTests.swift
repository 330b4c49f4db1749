import ArkivedCore
import ArkivedImport
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Apple Health: workouts, sleep and mindfulness")
struct HealthEntryTests {
  // MARK: Workouts

  /// As iOS 10 to 15 write it.
  private let oldRun = """
     <Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="31.5" durationUnit="min" \
    totalDistance="5.214" totalDistanceUnit="km" totalEnergyBurned="402.6" \
    totalEnergyBurnedUnit="kcal" sourceName="Ada’s Watch" sourceVersion="6.1" \
    creationDate="2024-05-03 07:40:00 +0200" startDate="2024-05-03 07:05:00 +0200" \
    endDate="2024-05-03 07:40:00 +0200">
      <MetadataEntry key="HKIndoorWorkout" value="0"/>
      <MetadataEntry key="HKElevationAscended" value="4200 cm"/>
      <MetadataEntry key="HKWeatherTemperature" value="54.5 degF"/>
      <MetadataEntry key="HKWeatherHumidity" value="7700 %"/>
      <WorkoutEvent type="HKWorkoutEventTypePause" date="2024-05-03 07:20:00 +0200"/>
      <WorkoutEvent type="HKWorkoutEventTypeResume" date="2024-05-03 07:23:00 +0200"/>
      <WorkoutRoute sourceName="Ada’s Watch">
       <FileReference path="/workout-routes/route_2024-05-03_7.40am.gpx"/>
      </WorkoutRoute>
     </Workout>

    """

  /// As iOS 16 and later write it.
  private let newRide = """
     <Workout workoutActivityType="HKWorkoutActivityTypeCycling" duration="62" durationUnit="min" \
    sourceName="Ada’s Watch" startDate="2024-05-03 18:00:00 +0200" \
    endDate="2024-05-03 19:02:00 +0200">
      <MetadataEntry key="HKIndoorWorkout" value="1"/>
      <MetadataEntry key="HKTimeZone" value="America/New_York"/>
      <WorkoutActivity uuid="1" startDate="2024-05-03 18:00:00 +0200" duration="62">
       <WorkoutStatistics type="HKQuantityTypeIdentifierHeartRate" average="99" unit="count/min"/>
      </WorkoutActivity>
      <WorkoutStatistics type="HKQuantityTypeIdentifierHeartRate" average="131.4" minimum="88" \
    maximum="160.2" unit="count/min"/>
      <WorkoutStatistics type="HKQuantityTypeIdentifierDistanceCycling" sum="15.5" unit="mi"/>
      <WorkoutStatistics type="HKQuantityTypeIdentifierActiveEnergyBurned" sum="480.2" unit="Cal"/>
     </Workout>

    """

  private let route = """
    <?xml version="1.0" encoding="UTF-8"?>
    <gpx version="1.1" creator="Apple Health Export"><trk><name>Route</name><trkseg>
    <trkpt lon="13.400000" lat="52.500000"><ele>34.1</ele><time>2024-05-03T05:05:00Z</time></trkpt>
    <trkpt lon="13.400000" lat="52.509000"><ele>34.1</ele><time>2024-05-03T05:10:00Z</time></trkpt>
    </trkseg></trk></gpx>
    """

  /// The phone writes everything by the clock of where it exports.
  @Test(arguments: [("1800", "s"), ("30", "min"), ("0.5", "hr"), ("1800000", "ms")])
  func aWorkoutsDurationIsReadInAnyUnit(duration: String, unit: String) throws {
    let sink = try HealthReading.read(
      HealthReading.export(
        """
         <Workout workoutActivityType="HKWorkoutActivityTypeYoga" duration="\(duration)" \
        durationUnit="\(unit)" totalEnergyBurned="2000" totalEnergyBurnedUnit="cal" \
        sourceName="Watch" startDate="2024-05-03 08:00:00 +0200" \
        endDate="2024-05-03 08:35:00 +0200"/>

        """))
    let workout = try #require(sink.activities.first)
    #expect(workout.durationMinutes == 30 && workout.measurements == ["kcal": 2])
  }

  @Test func anExportThatWasMadeOnAJourneyIsTold() throws {
    let export = HealthReading.export(oldRun)
    let away = export.replacing("2026-03-01 10:00:00 +0100", with: "2026-03-01 04:00:00 -0500")
    for (text, isAway) in [(export, false), (away, true)] {
      let told = try HealthReading.read(text).diagnostics.map(\.message)
      #expect(told.contains { $0.hasPrefix("the phone’s time zone wasn’t") } == isAway)
    }
  }

  /// As watchOS 9 and later write a triathlon: the sports in parts of their own, and their sums.
  @Test func theSportsOfATriathlonAddUp() throws {
    let sums = [("Swimming", "800", "m"), ("Cycling", "20", "km"), ("WalkingRunning", "5", "km")]
      .map { name, sum, unit in
        "<WorkoutStatistics type=\"HKQuantityTypeIdentifierDistance\(name)\" sum=\"\(sum)\" "
          + "unit=\"\(unit)\"/>"
      }
    let workout = """
      <Workout workoutActivityType="HKWorkoutActivityTypeSwimBikeRun" duration="100" \
      durationUnit="min" sourceName="Ada’s Watch" startDate="2024-05-03 08:00:00 +0200" \
      endDate="2024-05-03 09:40:00 +0200">
      <WorkoutActivity uuid="1" startDate="2024-05-03 08:00:00 +0200">\(sums[0])</WorkoutActivity>
      \(sums.joined())</Workout>
      """
    let sink = try HealthReading.read(HealthReading.export(workout))
    #expect(sink.activities.first?.measurements["km"] == 25.8)
  }

  @Test func aWorkoutOfTheOldFormBecomesAnActivity() throws {
    let sink = try HealthReading.read(HealthReading.export(oldRun))
    let run = try #require(sink.activities.first)
    #expect(run.text == "Run, 5.21 km" && run.kind == .health && run.source == .healthImport)
    #expect(run.startAt == Instant("2024-05-03T05:05:00Z"))
    #expect(run.endAt == Instant("2024-05-03T05:40:00Z"))
    #expect(run.durationMinutes == 31.5 && run.timeZone == "Europe/Berlin")
    #expect(run.measurements == ["km": 5.214, "kcal": 402.6])
    #expect(run.description == "42 m up, 1 pause, Ada’s Watch")
    #expect(run.weather == Weather(temperatureCelsius: 12.5, humidityPercent: 77))
    #expect(run.tags == ["running"] && run.lat == nil)
    #expect(run.externalRefs.first?.provider == "health")
  }

  @Test func aWorkoutOfTheNewFormTakesItsSumsFromItsStatistics() throws {
    let sink = try HealthReading.read(HealthReading.export(newRide))
    let ride = try #require(sink.activities.first)
    #expect(ride.text == "Indoor cycling, 15.5 miles" && ride.timeZone == "America/New_York")
    #expect(ride.measurements == ["miles": 15.5, "kcal": 480.2, "bpm": 131.4])
    #expect(ride.description == "Average heart rate 131 bpm (88–160), Ada’s Watch")
    #expect(ride.dayKey.description == "2024-05-03")
  }

  @Test func aWorkoutWithoutADistanceTellsItsLength() throws {
    let sink = try HealthReading.read(
      HealthReading.export(
        """
         <Workout workoutActivityType="HKWorkoutActivityTypeTraditionalStrengthTraining" \
        duration="1.5" durationUnit="hr" startDate="2024-05-03 18:00:00 -0700"/>
         <Workout workoutActivityType="HKWorkoutActivityTypeUnderwaterHockey" \
        startDate="2024-05-03 18:00:00 +0530" endDate="2024-05-03 17:00:00 +0530"/>
         <Workout workoutActivityType="HKWorkoutActivityTypeYoga" startDate="soon"/>

        """))
    #expect(sink.activities.map(\.text) == ["Strength training, 1 h 30 min", "Underwater hockey"])
    // The offset that is not home's has a zone of its own; one of half an hour counts as home.
    #expect(sink.activities.map(\.timeZone) == ["Etc/GMT+7", "Europe/Berlin"])
    #expect(sink.activities[1].endAt == nil)
    #expect(sink.skipped.map(\.place) == ["export.xml:15 field “startDate”"])
  }

  @Test func aZipHoldsTheRoutesOfItsWorkouts() throws {
    // The file is named in the phone's language, and others lie around it.
    let zip = TestZip([
      ("apple_health_export/export_cda.xml", Data("<ClinicalDocument/>".utf8)),
      ("apple_health_export/Exportación.xml", Data(HealthReading.export(oldRun).utf8)),
      ("apple_health_export/workout-routes/route_2024-05-03_7.40am.gpx", Data(route.utf8)),
      (
        "apple_health_export/electrocardiograms/ecg_2024-05-02.csv",
        Data(
          "Name,Ada\nGeburtsdatum,01.01.1980\nAufnahmedatum,2024-05-02 10:00:00 +0200\nKlassifizierung,Sinusrhythmus\n\n1.2\n"
            .utf8)
      ),
    ])
    let sink = try HealthReading.read(try zip.data(), name: "export.zip")
    #expect(sink.activities.map(\.text) == ["Run, 5.21 km", "Electrocardiogram: Sinusrhythmus"])
    #expect(sink.activities.first?.lat == 52.5 && sink.activities.first?.lon == 13.4)
    #expect(sink.diagnostics.isEmpty)
    #expect(sink.records.first?.place.hasPrefix("export.zip/apple_health_export/Exporta") == true)
  }

  @Test func electrocardiogramsKeepTheirCurveAndClinicalRecordsAreTold() throws {
    let table =
      "Name,Ada\nRecorded Date,2024-05-02 10:00:00 +0200\nClassification,Sinus Rhythm\n\n1.2\n3\n"
    let files = [
      "export.xml": HealthReading.export(oldRun),
      "electrocardiograms/ecg_2024-05-02.csv": table,
      "electrocardiograms/ecg_broken.csv": "nothing\n",
      "clinical-records/Observation-1.json": "{}", "clinical-records/Observation-2.json": "{}",
    ]
    let zip = TestZip(
      files.sorted { $0.key < $1.key }.map {
        (name: "apple_health_export/\($0.key)", content: Data($0.value.utf8))
      })
    let folder = try TemporaryFolder()
    for (name, text) in files { _ = try folder.file("in/\(name)", text) }
    let whole = folder.url.appendingPathComponent("in/export.xml")
    for sink in [
      try HealthReading.read(try zip.data(), name: "export.zip"),
      try HealthReading.read(ImportFile(url: whole, name: "in/export.xml")),
    ] {
      #expect(sink.activities.map(\.text) == ["Run, 5.21 km", "Electrocardiogram: Sinus Rhythm"])
      let curve = try #require(sink.activities.last?.attachments.first)
      #expect(curve.originalName == "ecg_2024-05-02.csv" && curve.mediaType == "text/csv")
      #expect(sink.skipped.map(\.place).allSatisfy { $0.hasSuffix("ecg_broken.csv") })
      #expect(sink.diagnostics.contains { $0.message.hasPrefix("skipped clinical records (2)") })
    }
    let sink = try HealthReading.read(ImportFile(url: whole, name: "in/export.xml"))
    let home = try #require(sink.records.last { $0.attachmentsFolder != nil }?.attachmentsFolder)
    let path = try #require(sink.activities.last?.attachments.first?.relativePath)
    let kept = try String(contentsOf: home.appendingPathComponent(path), encoding: .utf8)
    #expect(kept == table)
  }

  @Test func theLineOfALongRouteIsKeptSimplified() throws {
    let points = (0...60).map { number in
      "<trkpt lat=\"\(52.5 + Double(number) / 5_000)\" lon=\"\(number < 30 ? 13.4 : 13.41)\"/>"
    }
    let zip = TestZip([
      ("apple_health_export/export.xml", Data(HealthReading.export(oldRun).utf8)),
      (
        "apple_health_export/workout-routes/route_2024-05-03_7.40am.gpx",
        Data("<gpx><trk><trkseg>\(points.joined())</trkseg></trk></gpx>".utf8)
      ),
    ])
    let sink = try HealthReading.read(try zip.data(), name: "export.zip")
    let line = try #require(sink.activities.first?.attachments.first)
    #expect(line.originalName == "track.geojson" && line.mediaType == "application/geo+json")
    let folder = try #require(sink.records.first?.attachmentsFolder)
    let file = folder.appendingPathComponent(try #require(line.relativePath))
    let json = try JSON(parsing: try String(contentsOf: file, encoding: .utf8))
    // Both ends, and the corners where it turns.
    #expect(json["coordinates"]?.array?.count == 4)
    ScratchFolders.remove(folder)
  }

  @Test func aFolderHoldsThemToo() throws {
    let folder = try TemporaryFolder()
    let bare = oldRun.replacingOccurrences(
      of: "totalDistance=\"5.214\" totalDistanceUnit=\"km\"", with: "")
    let url = try folder.file("in/export.xml", HealthReading.export(bare))
    _ = try folder.file("in/workout-routes/route_2024-05-03_7.40am.gpx", route)
    let sink = try HealthReading.read(ImportFile(url: url, name: "in/export.xml"))
    // The way between the points is a kilometre.
    #expect(sink.activities.first?.text == "Run, 1 km")
    #expect(sink.activities.first?.lat == 52.5)
    let importer = AppleHealthImporter()
    for name in [
      "in/workout-routes/a.gpx", "in/electrocardiograms/ecg.csv", "in/export_cda.xml",
    ] {
      #expect(importer.accompanies(name, filesIn: ["in/"]), "\(name)")
    }
    #expect(!importer.accompanies("in/other.gpx", filesIn: ["in/"]))
  }

  @Test func aRouteOutsideTheExportIsNotLookedAt() throws {
    let folder = try TemporaryFolder()
    _ = try folder.file("outside.gpx", route)
    let far = oldRun.replacingOccurrences(
      of: "/workout-routes/route_2024-05-03_7.40am.gpx", with: "../outside.gpx")
    let url = try folder.file("in/export.xml", HealthReading.export(far))
    let sink = try HealthReading.read(ImportFile(url: url, name: "export.xml"))
    #expect(sink.activities.first?.lat == nil && sink.activities.count == 1)
  }

  // MARK: Sleep

  @Test func stagesOfAWatchAndTimesOfAPhoneAreOneNight() throws {
    let phone = "Ada’s iPhone"
    let sink = try HealthReading.read(
      HealthReading.export(
        HealthReading.sleep("InBed", "2024-05-02 23:00:00", "2024-05-03 07:10:00", source: phone),
        // A program that knows no stages, and sees more sleep than there was.
        HealthReading.sleep(
          "Asleep", "2024-05-02 23:05:00", "2024-05-03 07:05:00", source: "Pillow"),
        HealthReading.sleep("AsleepCore", "2024-05-02 23:30:00", "2024-05-03 02:30:00"),
        HealthReading.sleep("AsleepDeep", "2024-05-03 02:30:00", "2024-05-03 03:30:00"),
        HealthReading.sleep("Awake", "2024-05-03 03:30:00", "2024-05-03 03:45:00"),
        HealthReading.sleep("AsleepREM", "2024-05-03 03:45:00", "2024-05-03 06:45:00")))
    let night = try #require(sink.activities.first)
    #expect(sink.activities.count == 1 && night.text == "Slept 7 h")
    #expect(night.dayKey.description == "2024-05-03" && night.durationMinutes == 420)
    #expect(night.startAt == Instant("2024-05-02T21:00:00Z"))
    #expect(night.endAt == Instant("2024-05-03T05:10:00Z"))
    #expect(
      night.description
        == "In bed 8 h 10 min, deep 1 h, core 3 h, REM 3 h, awake 15 min, Ada’s Watch")
    #expect(sink.value("sleepMinutes") == 420 && sink.value("deepSleepMinutes") == 60)
    #expect(sink.value("remSleepMinutes") == 180 && sink.value("bedRestMinutes") == 490)
    #expect(sink.metric("sleepMinutes")?.unit == "min")
    try night.validate()
  }

  @Test func overlappingPartsOfOneDeviceAreNotAddedUp() throws {
    let sink = try HealthReading.read(
      HealthReading.export(
        HealthReading.sleep("AsleepUnspecified", "2024-05-03 00:00:00", "2024-05-03 06:00:00"),
        HealthReading.sleep("AsleepUnspecified", "2024-05-03 04:00:00", "2024-05-03 07:00:00")))
    #expect(sink.value("sleepMinutes") == 420)
  }

  @Test func aNapIsASleepOfItsOwnAndCountsToTheDay() throws {
    let sink = try HealthReading.read(
      HealthReading.export(
        HealthReading.sleep("Asleep", "2024-05-03 00:00:00", "2024-05-03 06:00:00"),
        HealthReading.sleep("Asleep", "2024-05-03 14:00:00", "2024-05-03 14:30:00")))
    #expect(sink.activities.map(\.text) == ["Slept 6 h", "Slept 30 min"])
    #expect(
      sink.activities.flatMap(\.externalRefs).map(\.externalID)
        == ["sleep/2024-05-03", "sleep/2024-05-03/2"])
    #expect(sink.value("sleepMinutes") == 390)
  }

  @Test func aPhoneAloneTellsOfTheTimeInBed() throws {
    let sink = try HealthReading.read(
      HealthReading.export(
        HealthReading.sleep("InBed", "2024-05-02 23:00:00", "2024-05-03 07:00:00"),
        HealthReading.sleep("InBed", "2024-04-02 23:00:00", "2024-05-01 07:00:00"),
        HealthReading.sleep("Hovering", "2024-05-01 23:00:00", "2024-05-02 07:00:00")))
    #expect(sink.activities.map(\.text) == ["In bed 8 h"])
    #expect(sink.value("sleepMinutes") == nil && sink.value("bedRestMinutes") == 480)
    #expect(sink.skipped.map(\.place) == ["export.xml:15 field “value”"])
    #expect(sink.diagnostics.map(\.message).contains { $0.hasPrefix("1 sleep records") })
  }

  @Test func aNightStandsOnTheDayOfWakingWhereItWas() throws {
    let sink = try HealthReading.read(
      HealthReading.export(
        HealthReading.sleep(
          "Asleep", "2024-05-02 17:00:00", "2024-05-03 00:30:00", zone: "Asia/Tokyo")))
    // Half past seven in the morning there.
    let night = try #require(sink.activities.first)
    #expect(night.dayKey.description == "2024-05-03" && night.timeZone == "Asia/Tokyo")
    #expect(sink.value("sleepMinutes", "2024-05-03") == 450)
  }

  // MARK: Mindfulness

  @Test func sessionsThatTwoProgramsTellAreOne() throws {
    func session(_ start: String, _ end: String, _ source: String) -> String {
      HealthReading.record(
        "HKCategoryTypeIdentifierMindfulSession", "HKCategoryValueNotApplicable", nil,
        ("2024-05-03 \(start) +0200", "2024-05-03 \(end) +0200"), source: source)
    }
    let sink = try HealthReading.read(
      HealthReading.export(
        session("07:00:00", "07:10:00", "Timer"), session("07:00:05", "07:10:05", "Watch"),
        session("21:00:00", "21:05:00", "Timer")))
    #expect(sink.activities.map(\.text) == ["Mindfulness, 10 min", "Mindfulness, 5 min"])
    #expect(sink.value("mindfulTimeMinutes") == 15.08)
  }
}
