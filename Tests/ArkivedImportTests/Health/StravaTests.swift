import ArkivedCore
import ArkivedImport
import ArkivedTestSupport
import Foundation
import Testing

/// Strava's archives in several languages and from several years.
@Suite("Strava’s archive")
struct StravaTests {
  private let importer = StravaImporter()

  private static let header =
    "Activity ID,Activity Date,Activity Name,Activity Type,Activity Description,Elapsed Time,"
    + "Distance,Max Heart Rate,Relative Effort,Commute,Activity Private Note,Activity Gear,"
    + "Filename,Athlete Weight,Bike Weight,Elapsed Time,Moving Time,Distance,Max Speed,"
    + "Average Speed,Elevation Gain,Elevation Loss,Elevation Low,Elevation High,Max Grade,"
    + "Average Grade,Average Positive Grade,Average Negative Grade,Max Cadence,Average Cadence,"
    + "Max Heart Rate,Average Heart Rate,Max Watts,Average Watts,Calories,Media\n"

  private static let german =
    "Aktivitäts-ID,Aktivitätsdatum,Name der Aktivität,Aktivitätsart,Beschreibung der Aktivität,"
    + "Verstrichene Zeit,Distanz,Max. Herzfrequenz,Relative Leistung,Pendeln,"
    + "Private Notiz zur Aktivität,Aktivitätsausrüstung,Dateiname,Athletengewicht,Fahrradgewicht,"
    + "Verstrichene Zeit,Bewegungszeit,Distanz,Höchstgeschw.,Durchschnittliche Geschwindigkeit,"
    + "Höhenzunahme,Höhenunterschied,Min. Höhe,Max. Höhe,Max. Herzfrequenz,"
    + "Durchschnittliche Herzfrequenz,Kalorien\n"

  private static func row(
    _ id: Int, _ date: String, _ type: String = "Hike", file: String = "", elapsed: Int = 9_000,
    moving: Int = 8_000, metres: Double = 12_500, media: String = ""
  ) -> String {
    "\(id),\"\(date)\",Out,\(type),,\(elapsed),\(metres / 1_000),151,50,false,secret,Boots,\(file),"
      + "70,,\(elapsed),\(moving),\(metres),2,1.5,250,240,10,260,5,0,,,,,151,120,,,800,\(media)\n"
  }

  /// A walk from 23:30 in Rome until after midnight, around a corner.
  private static var night: String {
    let start: Int64 = 1_763_677_833_000
    let points = (0..<16).map { step -> String in
      let lon = 11.4 + (step > 7 ? Double(step - 7) * 0.01 : 0)
      let time = Instant(milliseconds: start + Int64(step) * 600_000)
      return
        "<trkpt lat=\"\(47 + Double(step) * 0.01)\" lon=\"\(lon)\"><time>\(time)</time></trkpt>"
    }
    return "<gpx version=\"1.1\"><trk><trkseg>\(points.joined())</trkseg></trk></gpx>"
  }

  @Test func anActivityPastMidnightIsOneWithItsWholeRoute() throws {
    let sink = try ServiceReading.read(
      importer,
      [
        (
          "activities.csv",
          Self.header + Self.row(1, "Nov 20, 2025, 10:30:33 PM", file: "activities/1.gpx")
        ),
        ("activities/1.gpx", Self.night),
      ])
    let hike = try #require(sink.activities.first)
    #expect(sink.activities.count == 1 && sink.diagnostics.isEmpty)
    #expect(hike.dayKey == DayKey("2025-11-20") && hike.timeZone == "Europe/Rome")
    #expect(hike.startAt == Instant("2025-11-20T22:30:33Z") && hike.lat == 47 && hike.lon == 11.4)
    let line = try #require(try sink.line(of: 0)["coordinates"]?.array)
    #expect(line.first?.array?.last?.double == 47 && line.last?.array?.last?.double == 47.15)
    ServiceReading.expectOwnDays(sink)
  }

  @Test func theOnlyDistanceOfOlderArchivesIsInKilometres() throws {
    let header =
      "Activity ID,Activity Date,Activity Name,Activity Type,Activity Description,Elapsed Time,"
      + "Distance,Commute,Activity Gear,Filename\n"
    let sink = try ServiceReading.read(
      importer,
      [
        (
          "activities.csv",
          header + "1,\"Oct 4, 2018, 7:12:33 AM\",Run,Run,,3600,10.52,false,,\n"
            + "2,2018-10-05 17:12:33,Ride,Ride,,7200,41.20,false,,\n"
            + "3,2018-10-06 17:12:33,Long,Ride,,36000,\"1,041.20\",false,,\n"
            + "4,2018-10-07 17:12:33,Swim,Swim,,1800,750,false,,\n"
            + "5,2018-10-08 17:12:33,Miles,Ride,,9000,10,false,,activities/5.gpx\n"
        ), ("activities/5.gpx", Self.night),
      ])
    let lengths = sink.activities.map { $0.measurements["km"] ?? 0 }
    // The recording of 18 km shows that the last one is in miles.
    #expect(lengths == [10.52, 41.2, 1_041.2, 0.75, 16.093])
  }

  @Test func repeatedColumnsAreNoReasonForAWarning() throws {
    let sink = try ServiceReading.read(
      importer, [("activities.csv", Self.header + Self.row(1, "Nov 20, 2025, 10:30:33 PM"))])
    let hike = try #require(sink.activities.first)
    #expect(sink.diagnostics.isEmpty, "\(sink.diagnostics)")
    #expect(
      hike.measurements
        == ["km": 12.5, "m ascent": 250, "bpm": 120, "max bpm": 151, "kcal": 800])
    #expect(hike.notes == "secret" && hike.description == "Boots")
  }

  @Test func theAscentOfGermanArchivesIsNotTheDescent() throws {
    let sink = try ServiceReading.read(
      importer,
      [
        (
          "activities.csv",
          Self.german
            + "9,\"20.11.2025, 06:12:33\",Früh,Lauf,,3700,\"10,52\",171,50,false,,Schuhe,,70,,3700,"
            + "3500,10520,4.5,3,310,120,30,200,171,152,742\n"
        )
      ])
    let run = try #require(sink.activities.first)
    #expect(run.measurements["m ascent"] == 310 && run.description == "Schuhe")
    #expect(run.measurements["bpm"] == 152 && run.tags == ["run"])
  }

  @Test func whatIsDoneOnTheSpotLastsAsLongAsItDid() throws {
    let sink = try ServiceReading.read(
      importer,
      [
        (
          "activities.csv",
          Self.header
            + Self.row(
              1, "Nov 20, 2025, 10:30:33 PM", "Yoga", elapsed: 3_600, moving: 12, metres: 0)
        )
      ])
    #expect(sink.activities.map(\.durationMinutes) == [60])
  }

  private static let french =
    "ID de l'activité,Date de l'activité,Nom de l'activité,Type d'activité,"
    + "Description de l'activité,Temps écoulé,Distance,Fréquence cardiaque max.,Effort relatif,"
    + "Trajet quotidien,Équipement pour l'activité,Nom du fichier,Poids de l'athlète,Temps écoulé,"
    + "Durée de déplacement,Distance\n"

  @Test func archivesInOtherLanguagesAreReadByPosition() throws {
    let text =
      Self.french
      + "5,\"1 juil. 2024, 21:30:00\",Paris,Course à pied,,1800,\"2,65\",150,20,false,Chaussures,"
      + "activities/5.gpx,70,1800,1700,2655\n"
    #expect(
      importer.recognises(head: Array(text.utf8), fileName: "export/activities.csv"))
    let sink = try ServiceReading.read(importer, [("activities.csv", text)])
    let run = try #require(sink.activities.first)
    #expect(run.text == "Paris" && run.startAt == Instant("2024-07-01T21:30:00Z"))
    #expect(run.measurements["km"] == 2.655 && run.tags == ["run"])
    #expect(run.description == "Chaussures" && run.durationMinutes == 28.33)
    #expect(
      sink.diagnostics.map(\.message) == [
        "recordings are missing, so their activities have no route: 1, such as "
          + "“activities/5.gpx”"
      ])
  }

  @Test func archivesWhoseDatesCannotBeReadAreRefused() throws {
    let text =
      Self.french
      + "5,\"1 июл. 2024 г., 21:30:00\",Paris,Бег,,1800,\"2,65\",150,20,false,,activities/5.gpx,70,"
      + "1800,1700,2655\n"
    #expect(importer.recognises(head: Array(text.utf8), fileName: "activities.csv"))
    let refusal = #expect(throws: ImportRefusal.self) {
      try ServiceReading.read(importer, [("activities.csv", text)])
    }
    #expect(refusal?.message.contains("set the language to English") == true)
  }

  @Test func photosBelongToTheirActivity() throws {
    let sink = try ServiceReading.read(
      importer,
      [
        (
          "activities.csv",
          Self.header
            + Self.row(
              1, "Nov 20, 2025, 10:30:33 PM", file: "activities/1.gpx",
              media: "media/a.jpg|media/b.jpg")
            + Self.row(2, "Nov 22, 2025, 10:30:33 AM", media: "media/c.jpg|media/lost.jpg")
        ),
        ("activities/1.gpx", Self.night), ("media/a.jpg", "a"), ("media/b.jpg", "b"),
        ("media/c.jpg", "c"), ("media/stray.jpg", "d"),
        ("media.csv", "Media Filename,Media Caption\nmedia/b.jpg,The hut\n"),
      ])
    let (night, day) = (sink.activities[0], sink.activities[1])
    #expect(night.attachments.map(\.originalName) == ["track.geojson", "a.jpg", "b.jpg"])
    #expect(night.attachments.last?.caption == "The hut")
    #expect(day.attachments.map(\.originalName) == ["c.jpg"])
    for record in sink.records {
      guard case .activity(let activity) = record.value else { continue }
      let folder = try #require(record.attachmentsFolder)
      for path in activity.attachments.compactMap(\.relativePath) {
        let file = folder.appendingPathComponent(path).path
        #expect(FileManager.default.fileExists(atPath: file), "\(file)")
      }
    }
    let messages = sink.diagnostics.map(\.message)
    #expect(messages.contains { $0.contains("“media/lost.jpg” is missing") })
    #expect(messages.contains { $0.contains("aren’t part of an activity: 1") })
  }
}
