import ArkivedCore
import ArkivedImport
import Testing

@Suite("Units of columns")
struct TableUnitTests {
  @Test(arguments: [
    ("Distance (km)", "10", "km"), ("Total distance (km)", "10", "km"), ("weight_kg", "80", "kg"),
    ("Speed (km/h)", "20", "km/h"), ("Max Speed (km/h)", "40", "max km/h"),
    ("Calories (kcal)", "500", "kcal"), ("Amount (EUR)", "5", "€"), ("Price", "€ 5.00", "€"),
    ("Fat (g)", "12.1", "fat (g)"), ("sodium_mg", "230", "sodium_mg"),
    ("Height (m)", "1.8", "height (m)"), ("Körperfett (%)", "20.1", "körperfett (%)"),
    ("Sleep Quality", "81%", "sleep quality (%)"), ("Outflow", "€12.50", "outflow (€)"),
    ("Time in bed (seconds)", "29419", "time in bed (seconds)"),
    ("Air Pressure (Pa)", "101.3", "air pressure (pa)"),
    ("Ø Schrittfrequenz (Laufen)", "164", "ø schrittfrequenz (laufen)"),
    ("Movements per hour", "30.5", "movements per hour"),
    ("Schritte pro Minute", "80", "schritte pro minute"),
    ("Steps/minute", "80", "steps/minute"), ("Pace (min/km)", "5.5", "pace (min/km)"),
    ("beats per minute", "80", "bpm"), ("deep_sleep_in_minutes", "70", "deep_sleep_in_minutes"),
  ])
  func aUnitAloneIsOnlyTheNameOfWhatItMeasures(name: String, value: String, unit: String) throws {
    let fields = try TableReading.fields(
      "Date,Title,\(name)\n2026-01-05,a,\"\(value)\"\n2026-01-06,b,\"\(value)\"\n")
    #expect(fields[name] == "measure in \(unit)")
  }

  @Test func columnsOfOneUnitStayApartInEveryRow() throws {
    let fields = try TableReading.fields(
      "Date,Title,Total Distance (km),Distance (km),Outflow,Inflow,Price 1,Price 2\n"
        + "2026-01-05,a,20,10,€12.50,€0.00,€1,€2\n")
    #expect(fields["Distance (km)"] == "measure in km")
    #expect(fields["Total Distance (km)"] == "measure in total distance (km)")
    #expect(fields["Outflow"] == "measure in outflow (€)")
    #expect(fields["Inflow"] == "measure in inflow (€)")
    // A row without the plain column doesn't lend its unit to another.
    let sink = try TableReading.read(
      "Date,Title,Total Distance (km),Distance (km)\n2026-01-05,a,20,10\n2026-01-06,b,30,\n")
    #expect(sink.activities.last?.measurements == ["total distance (km)": 30])
  }

  @Test func aFoodDiaryKeepsWhatItWeighs() throws {
    let sink = try TableReading.read(
      """
      Date,Meal,Calories,Fat (g),Sodium (mg),Carbohydrates (g),Note
      2025-01-05,Breakfast,450.2,12.1,230.0,60.0,early
      2025-01-05,Dinner,"1,120.5",52.1,1230.0,90.0,late
      """)
    #expect(
      sink.activities.first?.measurements == [
        "kcal": 450.2, "fat (g)": 12.1, "sodium (mg)": 230, "carbohydrates (g)": 60,
      ])
    #expect(sink.activities.last?.measurements["kcal"] == 1_120.5)
  }

  @Test func unitsBehindTheNumbersAreRead() throws {
    let sink = try TableReading.read(
      """
      Date,Distance,Time,Pace
      1/5/2024 6:15 AM,3.1 mi,27:45,8:57 /mi
      1/15/2024 6:15 PM,6.2 mi,1:02:10,10:01 /mi
      """)
    #expect(sink.activities.map(\.measurements) == [["miles": 3.1], ["miles": 6.2]])
    #expect(sink.times == ["06:15–06:42", "18:15–19:17"])
    #expect(sink.activities.first?.description == "Pace: 8:57 /mi")
  }

  @Test(arguments: [
    ("Distance", ["3.1 km", "800 m"], "km", 3.1),
    ("Walked", ["3,2 km", "4,1 km"], "km", 3.2),
    ("Altitude", ["320 m", "350 m"], "altitude (m)", 320),
    ("Pulse", ["80 bpm", "82 bpm"], "bpm", 80), ("Weight", ["72kg", "73kg"], "kg", 72),
    ("Meditation", ["45 min", "20 min"], "meditation (minutes)", 45),
  ])
  func aUnitInMostValuesIsTheColumns(
    name: String, values: [String], unit: String, first: Double
  ) throws {
    let rows = values.enumerated().map { "2026-01-0\($0.offset + 1),a,\"\($0.element)\"\n" }
    let sink = try TableReading.read("Date,Title,\(name)\n" + rows.joined())
    #expect(sink.activities.first?.measurements == [unit: first])
    let last = try #require(sink.activities.last?.measurements[unit])
    #expect(values.last != "800 m" || abs(last - 0.8) < 1e-9)
  }

  @Test func wordsBehindNumbersThatAreNoUnitsStayWords() throws {
    let sink = try TableReading.read("Date,Seen\n2026-01-05,3 birds\n2026-01-06,2 foxes\n")
    #expect(sink.texts == ["3 birds", "2 foxes"])
  }

  @Test func anAmountInAnotherCurrencyIsNotTakenForTheColumns() throws {
    let sink = try TableReading.read(
      """
      Date,Title,Amount (€)
      2026-01-05,Rome,€12.50
      2026-01-06,Bern,8
      2026-01-07,Boston,$20.00
      """)
    #expect(sink.activities.map { $0.measurements["€"] } == [12.5, 8, nil])
    #expect(sink.activities.map(\.description) == [nil, nil, "Amount (€): $20.00"])
  }

  @Test func amountsInSeveralCurrenciesStayApart() throws {
    let sink = try TableReading.read(
      """
      Date,Title,Price
      2026-01-05,Rome,€12.50
      2026-01-06,Boston,$20.00
      2026-01-07,Bern,8
      2026-01-08,London,-£3.00
      """)
    #expect(
      sink.activities.map(\.measurements) == [
        ["price (€)": 12.5], ["price ($)": 20], ["price": 8], [:],
      ])
    #expect(sink.activities.last?.description == "Price: -£3.00")
  }

  @Test func airInDegreesFahrenheitIsNotReadAsCelsius() throws {
    let celsius = "Date,Title,Weather,Temperature\n2026-01-05,Walk,sun,12\n2026-01-06,Swim,sun,31\n"
    #expect(try TableReading.fields(celsius)["Temperature"] == "temperature")
    let table = celsius.replacing("31", with: "88").replacing("12", with: "54")
    #expect(try TableReading.fields(table)["Temperature"] == "measure in temperature")
    let sink = try TableReading.read(table)
    #expect(sink.activities.map { $0.weather?.temperatureCelsius } == [nil, nil])
    #expect(sink.activities.map { $0.measurements["temperature"] } == [54, 88])
  }
}
