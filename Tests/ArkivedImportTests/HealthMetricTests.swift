import ArkivedCore
import ArkivedImport
import ArkivedTestSupport
import Foundation
import Testing

/// The records are written as iOS 17 writes them, where nothing else is said.
@Suite("Apple Health: the numbers of days")
struct HealthMetricTests {
  private func record(
    _ type: String, _ value: String, _ unit: String?, _ start: String, _ end: String? = nil,
    source: String = "Ada’s iPhone", metadata: [String: String] = [:]
  ) -> String {
    HealthReading.record(
      type, value, unit, ("2024-05-03 \(start) +0200", end.map { "2024-05-03 \($0) +0200" }),
      source: source, metadata: metadata)
  }

  @Test func stepsOfPhoneAndWatchAreNotCountedTwice() throws {
    let watch = "Ada’s Watch"
    let sink = try HealthReading.read(
      HealthReading.export(
        record("StepCount", "600", "count", "09:00:00", "09:10:00"),
        record("StepCount", "300", "count", "10:00:00", "10:10:00"),
        record("StepCount", "650", "count", "09:05:00", "09:15:00", source: watch),
        record("StepCount", "100", "count", "11:00:00", "11:10:00", source: watch)))
    // Of each hour the device that counted the most: 650, 300 and 100.
    let steps = try #require(sink.metric("steps"))
    #expect(steps.value == 1050 && steps.unit == "count" && steps.source == "Apple Health")
    #expect(sink.metrics.count == 1 && sink.diagnostics.isEmpty)
  }

  @Test func aRecordOverMidnightIsSharedByBothDays() throws {
    let sink = try HealthReading.read(
      HealthReading.export(
        HealthReading.record(
          "StepCount", "200", "count", ("2024-05-03 23:50:00 +0200", "2024-05-04 00:10:00 +0200"))))
    #expect(sink.value("steps") == 100 && sink.value("steps", "2024-05-04") == 100)
  }

  @Test func theSameRecordTwiceCountsOnceAndIsTold() throws {
    let glass = record("DietaryWater", "250", "mL", "09:00:00")
    let sink = try HealthReading.read(
      HealthReading.export(glass, glass, record("DietaryWater", "250", "mL", "10:00:00")))
    #expect(sink.value("dietaryWater") == 500)
    #expect(sink.diagnostics.map(\.message).contains { $0.hasPrefix("1 records appear more") })
  }

  @Test func readingsHaveTheirMeanAndTheirEnds() throws {
    let sink = try HealthReading.read(
      HealthReading.export(
        record("HeartRate", "60", "count/min", "09:00:00"),
        record("HeartRate", "90", "count/min", "09:05:00", metadata: ["HKMotion": "1"]),
        record("HeartRate", "150", "count/min", "09:10:00"),
        record("RestingHeartRate", "58", "count/min", "09:00:00"),
        record("RestingHeartRate", "56", "count/min", "21:00:00")))
    let heart = try #require(sink.metric("heartRate"))
    #expect(heart.value == 100 && heart.minimum == 60 && heart.maximum == 150)
    #expect(heart.unit == "bpm")
    let resting = try #require(sink.metric("restingHeartRate"))
    #expect(resting.value == 56 && resting.minimum == nil)
  }

  @Test func ofAWeightTheLastOfTheDayCountsWhateverTheOrder() throws {
    let sink = try HealthReading.read(
      HealthReading.export(
        record("BodyMass", "72.4", "kg", "21:00:00"), record("BodyMass", "73.1", "kg", "07:00:00")))
    #expect(sink.value("weight") == 72.4)
  }

  @Test func partsOfOneArePerCent() throws {
    let sink = try HealthReading.read(
      HealthReading.export(
        record("OxygenSaturation", "0.97", "%", "09:00:00"),
        record("BodyFatPercentage", "21.5", "%", "09:00:00")))
    #expect(sink.value("oxygenSaturation") == 97 && sink.metric("oxygenSaturation")?.unit == "%")
    #expect(sink.value("bodyFat") == 21.5)
  }

  @Test func ofSeveralUnitsOfATypeTheFirstIsKept() throws {
    let sink = try HealthReading.read(
      HealthReading.export(
        record("DistanceCycling", "10", "km", "09:00:00"),
        record("DistanceCycling", "1", "mi", "10:00:00"),
        record("DistanceCycling", "1", "kg", "10:00:00"),
        record("BodyTemperature", "37", "degC", "09:00:00"),
        record("BodyTemperature", "98.6", "degF", "09:01:00")))
    #expect(sink.value("cyclingDistance") == 11.609 && sink.metric("cyclingDistance")?.unit == "km")
    #expect(sink.value("bodyTemperature") == 37)
    #expect(sink.skipped.map(\.place) == ["export.xml:15 field “unit”"])
  }

  @Test func unitsOfOneQuantityAreConverted() throws {
    let sink = try HealthReading.read(
      HealthReading.export(
        record("BloodGlucose", "100", "mg/dL", "09:00:00"),
        record("BloodGlucose", "5.5", "mmol&lt;180.1558800000541&gt;/L", "10:00:00"),
        record("DietaryWater", "250", "mL", "09:00:00"),
        record("DietaryWater", "8", "fl_oz_us", "10:00:00"),
        record("DietaryEnergyConsumed", "500", "kcal", "09:00:00"),
        record("DietaryEnergyConsumed", "1000", "cal", "10:00:00"),
        record("Height", "180", "cm", "09:00:00"), record("Height", "70", "in", "10:00:00"),
        record("BloodPressureSystolic", "120", "mmHg", "09:00:00"),
        record("BloodPressureSystolic", "16", "kPa", "10:00:00")))
    #expect(sink.skipped.isEmpty)
    #expect(sink.metric("bloodGlucose")?.minimum.map { ($0 - 99.1).magnitude < 0.1 } == true)
    #expect(sink.value("dietaryWater").map { ($0 - 486.6).magnitude < 0.1 } == true)
    #expect(sink.value("dietaryEnergy") == 501 && sink.value("bodyHeight") == 177.8)
    #expect(sink.value("bloodPressureSystolic") == 120)
  }

  @Test func molesAreConvertedBothWays() throws {
    let sink = try HealthReading.read(
      HealthReading.export(
        record("BloodGlucose", "5", "mmol&lt;180.1558800000541&gt;/L", "09:00:00"),
        record("BloodGlucose", "108.1", "mg/dL", "10:00:00")))
    #expect(sink.metric("bloodGlucose")?.unit == "mmol/L" && sink.skipped.isEmpty)
    #expect(sink.metric("bloodGlucose")?.maximum.map { ($0 - 6).magnitude < 0.01 } == true)
  }

  @Test func anUnknownUnitIsANumberOfItsOwn() throws {
    let sink = try HealthReading.read(
      HealthReading.export(
        record("DietaryWater", "250", "mL", "09:00:00"),
        record("DietaryWater", "2", "gulps", "10:00:00")))
    #expect(sink.value("dietaryWater") == 250 && sink.value("dietaryWater (gulps)") == 2)
    #expect(sink.skipped.isEmpty)
  }

  @Test func aMissingUnitIsTakenWhereOnlyOneIsPossible() throws {
    let sink = try HealthReading.read(
      HealthReading.export(
        record("StepCount", "12", nil, "09:00:00"), record("BodyMass", "72", nil, "09:00:00")))
    #expect(sink.value("steps") == 12 && sink.metric("weight") == nil)
    #expect(sink.skipped.map(\.place) == ["export.xml:14 field “unit”"])
  }

  @Test func aCommaMayStandForThePoint() throws {
    let sink = try HealthReading.read(
      HealthReading.export(
        record("BodyMass", "72,5", "kg", "09:00:00"), record("BodyMass", "7,2,5", "kg", "10:00:00"),
        record("BodyMass", "heavy", "kg", "11:00:00"), record("BodyMass", "nan", "kg", "11:00:00"),
        record("BodyMass", "", "kg", "11:00:00")))
    #expect(sink.value("weight") == 72.5)
    #expect(sink.skipped.count == 4)
    #expect(sink.skipped.first?.message.contains("“7,2,5” isn’t a valid number") == true)
  }

  @Test func unknownTypesAreNamedAfterThemselves() throws {
    let sink = try HealthReading.read(
      HealthReading.export(
        record("DistanceHoverboard", "3", "km", "09:00:00"),
        record("CrossCountrySkiingSpeed", "10", "km/hr", "09:00:00"),
        record("CrossCountrySkiingSpeed", "20", "km/hr", "09:01:00"),
        record("SneezeCount", "2", "count", "09:00:00"),
        record("SneezeCount", "3", "count", "10:00:00", source: "Other")))
    #expect(sink.value("distanceHoverboard") == 3 && sink.value("sneezeCount") == 5)
    #expect(sink.value("crossCountrySkiingSpeed") == 15)
    #expect(sink.diagnostics.isEmpty)
  }

  @Test func theDayIsTheOneOfThePhonesClockOrOfTheZoneThatARecordNames() throws {
    let late = ("2024-05-03 23:30:00 -0700", nil as String?)
    let sink = try HealthReading.read(
      HealthReading.export(
        HealthReading.record("BodyMass", "70", "kg", late),
        HealthReading.record(
          "Height", "180", "cm", late, metadata: ["HKTimeZone": "Asia/Tokyo"])))
    #expect(sink.value("weight") == 70)
    // 06:30 UTC on the 4th is the afternoon there.
    #expect(sink.value("bodyHeight", "2024-05-04") == 180)
  }

  @Test func applesOwnSumsOfADayGoBeforeThoseOfRecords() throws {
    let sink = try HealthReading.read(
      HealthReading.export(
        record("ActiveEnergyBurned", "300", "kcal", "09:00:00", "09:50:00"),
        record(
          "HKCategoryTypeIdentifierAppleStandHour", "HKCategoryValueAppleStandHourStood", nil,
          "09:00:00"),
        record(
          "HKCategoryTypeIdentifierAppleStandHour", "HKCategoryValueAppleStandHourIdle", nil,
          "10:00:00"),
        """
         <ActivitySummary dateComponents="2024-05-03" activeEnergyBurned="512.4" \
        activeEnergyBurnedGoal="500" activeEnergyBurnedUnit="kcal" appleExerciseTime="31" \
        appleStandHours="0"/>
         <ActivitySummary dateComponents="2024-13-03" activeEnergyBurned="1"/>

        """))
    #expect(sink.value("activeEnergy") == 512.4 && sink.value("exerciseRingMinutes") == 31)
    #expect(sink.value("standRingHours") == 1)
    #expect(sink.skipped.map(\.place) == ["export.xml:17 field “dateComponents”"])
  }

  /// Any record in a correlation stands in the export by itself as well, as its document type says.
  @Test func recordsInACorrelationAreNotCountedAgain() throws {
    let food = record("DietaryEnergyConsumed", "90", "kcal", "09:00:00")
    let sink = try HealthReading.read(
      HealthReading.export(
        food,
        " <Correlation type=\"HKCorrelationTypeIdentifierFood\" startDate=\"x\">\n", food,
        " </Correlation>\n"))
    #expect(sink.value("dietaryEnergy") == 90 && sink.diagnostics.isEmpty)
  }

  @Test func datesOfEveryReleaseAndRegionAreRead() throws {
    let forms = [
      "2024-05-03 07:25:41 +0200", "20240503072541+0200", "2024-05-03T05:25:41Z",
      "2024-05-03 7:25:41 AM +0200", "2024-05-03 7:25:41\u{202F}a.m. +0200",
      "2024-05-03 07:25:41.500 +02:00",
    ]
    for form in forms {
      let sink = try HealthReading.read(
        HealthReading.export(
          HealthReading.record("HKCategoryTypeIdentifierHeadache", "x", nil, (form, nil))))
      let entry = try #require(sink.activities.first, "\(form)")
      #expect(entry.startAt == Instant("2024-05-03T05:25:41Z"), "\(form)")
    }
  }

  @Test func wrongDatesAreLeftOutAndTold() throws {
    let wrong = [
      "", "yesterday", "2024-02-30 07:00:00 +0100", "2024-05-03 25:00:00 +0200",
      "2024-05-03 07:00:00", "2024-05-03", "1604-01-01 00:00:00 +0000",
      "2031-05-03 07:00:00 +0200", "2024-05-03 07:00:00 +0200 and more",
      "٢٠٢٤-٠٥-٠٣ ٠٧:٠٠:٠٠ +0200",
    ]
    for form in wrong {
      let sink = try HealthReading.read(
        HealthReading.export(
          HealthReading.record("StepCount", "5", "count", (form, nil)),
          record("StepCount", "12", "count", "09:00:00")))
      #expect(sink.skipped.map(\.place) == ["export.xml:13 field “startDate”"], "\(form)")
      #expect(sink.value("steps") == 12 && sink.metrics.count == 1)
    }
  }

  @Test func symptomsAndWarningsAreEntriesAndWhatWasNotThereIsNone() throws {
    let kind = "HKCategoryTypeIdentifier"
    let sink = try HealthReading.read(
      HealthReading.export(
        record("\(kind)Headache", "HKCategoryValueSeverityMild", nil, "09:00:00", "11:00:00"),
        record("\(kind)Nausea", "HKCategoryValueSeverityNotPresent", nil, "09:00:00"),
        record("\(kind)HighHeartRateEvent", "HKCategoryValueNotApplicable", nil, "10:00:00"),
        record("\(kind)HandwashingEvent", "HKCategoryValueNotApplicable", nil, "10:00:00")))
    #expect(sink.activities.map(\.text) == ["Headache, mild", "High heart rate event"])
    let first = try #require(sink.activities.first)
    #expect(first.kind == .health && first.source == .healthImport)
    #expect(first.endAt == Instant("2024-05-03T09:00:00Z") && first.timeZone == "Europe/Berlin")
    #expect(sink.value("handWashing") == 1)
  }

  @Test func eightyYearsOfManyTypesStaySmall() throws {
    // Steps from two devices and a reading, every day of eighty years, in one hour each.
    var text = ""
    let first = try #require(DayKey("1945-01-01"))
    for number in 0..<29_220 {
      let day = first.advanced(by: number)
      let span = ("\(day) 09:00:00 +0200", "\(day) 09:10:00 +0200" as String?)
      text += "<Record type=\"HKQuantityTypeIdentifierStepCount\" sourceName=\"a\" unit=\"count\""
      text += " startDate=\"\(span.0)\" endDate=\"\(span.1 ?? "")\" value=\"100\"/>\n"
    }
    let sink = try HealthReading.read(HealthReading.export(text))
    #expect(sink.metrics.count == 29_220 && sink.diagnostics.isEmpty)
    #expect(sink.metrics.first?.dayKey == first)
  }
}
