import ArkivedImport
import Foundation
import Testing

/// A small sound file of a format, which is then spoiled in every way.
struct BadInputSample: CustomTestStringConvertible, Sendable {
  var name: String
  var importer: any Importer
  /// How its file is called; some formats go by it.
  var file: String
  var text: String
  /// How many entries it brings.
  var count: Int
  /// Whether a beginning of it can be told from the whole.
  var isClosed = true
  /// Where it may nest: beginnings of documents.
  var nests: [String] = []

  var testDescription: String { name }

  static let all = [
    BadInputSample(
      name: "ics", importer: ICalendarImporter(), file: "a.ics",
      text: """
        BEGIN:VCALENDAR
        VERSION:2.0
        PRODID:-//x//y
        BEGIN:VEVENT
        UID:1@x
        DTSTART:20260303T090000Z
        DTEND:20260303T100000Z
        SUMMARY:Café with Sam
        END:VEVENT
        END:VCALENDAR

        """, count: 1),
    BadInputSample(
      name: "vcard", importer: VCardImporter(), file: "contacts.vcf",
      text: """
        BEGIN:VCARD
        VERSION:3.0
        FN:Zoë Café
        TEL;TYPE=home:+49 170 1234567
        BDAY:2026-03-03
        END:VCARD

        """, count: 2),
    BadInputSample(
      name: "whatsapp", importer: WhatsAppImporter(), file: "WhatsApp Chat with Zoë.txt",
      text: "[03.03.2026, 09:00:01] Zoë: café 1.5\n[03.03.2026, 09:01:02] Sam: yes\n", count: 1,
      isClosed: false),
    BadInputSample(
      name: "telegram", importer: TelegramImporter(), file: "result.json",
      text: """
        {"name": "Zoë", "type": "personal_chat", "id": 7, "messages": [
        {"id": 1, "type": "message", "date": "2026-03-03T09:00:00",
        "date_unixtime": "1772528400", "from": "Zoë", "from_id": "user7", "text": "café 1.5"}
        ]}
        """, count: 1,
      nests: [
        #"{"name":"a","type":"personal_chat","id":1,"messages":"#,
        #"{"name":"a","type":"personal_chat","id":1,"messages":[{"text":"#,
      ]),
    BadInputSample(
      name: "sms", importer: SMSImporter(), file: "sms.xml",
      text: """
        <?xml version='1.0' encoding='UTF-8' standalone='yes' ?>
        <smses count="1">
        <sms address="+491701234567" date="1772528400000" type="1" body="café 1.5" contact_name="Zoë" />
        </smses>

        """, count: 1),
    BadInputSample(
      name: "signal", importer: SignalImporter(), file: "data.json",
      text: """
        {"date": "2026-03-03T09:00:00", "sender": "Zoë", "body": "café 1.5", "quote": "", "reactions": [], "attachments": []}

        """, count: 1, isClosed: false, nests: [#"{"date":"","sender":"","body":"","quote":"#]),
    BadInputSample(
      name: "dayone", importer: DayOneImporter(), file: "Journal.json",
      text: """
        {"metadata": {"version": "1.0"}, "entries": [
        {"uuid": "2F8DDCA258634D9994DF3A4FEE328035",
        "creationDate": "2026-03-03T11:48:50Z",
        "timeZone": "Europe/Rome",
        "tags": ["sea"],
        "location": {"latitude": 1.5, "longitude": 2.25, "placeName": "Bay"},
        "text": "A café by the sea"}
        ]}
        """, count: 1, nests: [#"{"metadata":{},"entries":"#, #"{"entries":[{"text":"#]),
    BadInputSample(
      name: "jrnl", importer: JrnlImporter(), file: "journal.txt",
      text: "[2026-03-03 09:00] A café by the @sea.\nWe walked 1.5 km.\n", count: 1,
      isClosed: false),
    BadInputSample(
      name: "jrnl-json", importer: JrnlImporter(), file: "journal.json",
      text: """
        {"tags": {"@sea": 1}, "entries": [
        {"title": "A café",
        "body": "We walked 1.5 km.",
        "date": "2026-03-03",
        "time": "09:00",
        "tags": ["@sea"], "starred": true}
        ]}
        """, count: 1, nests: [#"{"tags":{},"entries":"#, #"{"tags":"#]),
    BadInputSample(
      name: "jsonl", importer: JSONLinesImporter(), file: "life.jsonl",
      text: """
        {"type":"arkived","version":1}
        {"type":"activity","text":"café","dayKey":"2026-03-03","measurements":{"km":1.5},"id":"AAAAAAAA-0000-4000-8000-000000000001"}
        {"type":"day","dayKey":"2026-03-03","note":"fine","mood":4}

        """, count: 2, isClosed: false, nests: ["", #"{"type":"activity","measurements":"#]),
    BadInputSample(
      name: "daylio", importer: DaylioImporter(), file: "daylio.csv",
      text: """
        full_date,date,weekday,time,mood,activities,note_title,note
        2026-03-03,March 3,Tuesday,6:50 pm,good,"walk | café",A day,"He said ""hi"" 1.5"

        """, count: 2, isClosed: false),
    BadInputSample(
      name: "daylio backup", importer: DaylioImporter(), file: "backup.json",
      text: """
        {"version": 15, "customMoods": [
        {"id": 1, "custom_name": "", "mood_group_id": 2, "predefined_name_id": 2}],
        "tags": [{"id": 7, "name": "café", "state": 0}],
        "dayEntries": [
        {"id": 1, "minute": 50, "hour": 18, "day": 3, "month": 2, "year": 2026,
        "datetime": 1772560200000, "timeZoneOffset": 3600000, "mood": 1,
        "note": "fine 1.5", "note_title": "A day", "tags": [7], "assets": []}
        ]}
        """, count: 2,
      nests: [#"{"customMoods":[],"dayEntries":"#, #"{"dayEntries":[{"note":"#]),
    BadInputSample(
      name: "toggl", importer: TogglImporter(), file: "toggl.csv",
      text: """
        User,Email,Client,Project,Task,Description,Billable,Start date,Start time,End date,End time,Duration,Tags
        Ann,a@x.org,,Café,,paint,No,2026-03-03,09:00:00,2026-03-03,10:00:00,01:00:00,home

        """, count: 1, isClosed: false),
    BadInputSample(
      name: "csv", importer: TableImporter(), file: "table.csv",
      text: "Date,Time,Title,Distance (km),Mood\n2026-03-03,09:00,Café,1.5,4\n", count: 2,
      isClosed: false),
    BadInputSample(
      name: "loop", importer: LoopImporter(), file: "Habits.csv",
      text: """
        Position,Name,Type,Question,Description,FrequencyNumerator,FrequencyDenominator,Color,Unit,Target Type,Target Value,Archived?
        001,Café,YES_NO,Did you?,,1,1,#FFF,,,,false

        """, count: 0, isClosed: false),
    BadInputSample(
      name: "google records", importer: GoogleImporter(), file: "Records.json",
      text: """
        {"locations": [
        {"latitudeE7": 500506312, "longitudeE7": 143439906, "accuracy": 9, "timestamp": "2026-03-03T09:00:00.5Z"},
        {"latitudeE7": 500506400, "longitudeE7": 143439906, "accuracy": 9, "timestamp": "2026-03-03T09:20:00Z"}
        ]}
        """, count: 1, nests: [#"{"locations":"#, #"{"locations":[{"activity":"#]),
    BadInputSample(
      name: "google segments", importer: GoogleImporter(), file: "Timeline.json",
      text: """
        {"semanticSegments": [
        {"startTime": "2026-03-03T09:00:00.000+01:00",
        "endTime": "2026-03-03T10:00:00.000+01:00",
        "visit": {"hierarchyLevel": 0, "topCandidate": {"semanticType": "HOME",
        "placeLocation": {"latLng": "50.05°, 14.34°"}}}}
        ]}
        """, count: 1, nests: [#"{"semanticSegments":"#, #"{"semanticSegments":[{"visit":"#]),
    BadInputSample(
      name: "owntracks", importer: OwnTracksImporter(), file: "2026-03.rec",
      text: """
        2026-03-03T09:00:00Z\t*\t{"_type":"location","tst":1772528400,"lat":50.05,"lon":14.34,"acc":9}
        2026-03-03T09:20:00Z\t*\t{"_type":"location","tst":1772529600,"lat":50.05,"lon":14.34,"acc":9}

        """, count: 1, isClosed: false, nests: [#"{"data":"#, #"{"_type":"location","x":"#]),
    BadInputSample(
      name: "gpx", importer: GPXImporter(), file: "ride.gpx",
      text: """
        <?xml version="1.0"?>
        <gpx version="1.1" creator="x"><trk><name>Café</name><trkseg>
        <trkpt lat="50.05" lon="14.34"><time>2026-03-03T09:00:00Z</time></trkpt>
        <trkpt lat="50.07" lon="14.34"><time>2026-03-03T09:10:00Z</time></trkpt>
        </trkseg></trk></gpx>
        """, count: 1),
    BadInputSample(
      name: "kml", importer: KMLImporter(), file: "trip.kml",
      text: """
        <?xml version="1.0"?>
        <kml xmlns="http://www.opengis.net/kml/2.2"><Placemark><name>Café</name>
        <TimeStamp><when>2026-03-03T09:00:00Z</when></TimeStamp>
        <Point><coordinates>14.34,50.05</coordinates></Point>
        </Placemark></kml>
        """, count: 1),
    BadInputSample(
      name: "geojson", importer: GeoJSONImporter(), file: "trip.geojson",
      text: """
        {"type": "FeatureCollection", "features": [
        {"type": "Feature", "geometry": {"type": "Point", "coordinates": [14.34, 50.05]},
        "properties": {"name": "Café", "time": "2026-03-03T09:00:00Z"}}
        ]}
        """, count: 1, nests: [#"{"features":"#, #"{"features":[{"type":"Feature","geometry":"#]),
    BadInputSample(
      name: "tcx", importer: TCXImporter(), file: "run.tcx",
      text: """
        <?xml version="1.0"?>
        <TrainingCenterDatabase><Activities><Activity Sport="Running">
        <Lap StartTime="2026-03-03T09:00:00Z"><TotalTimeSeconds>600</TotalTimeSeconds></Lap>
        <Notes>Café</Notes></Activity></Activities></TrainingCenterDatabase>
        """, count: 1),
    BadInputSample(
      name: "activitywatch", importer: ActivityWatchImporter(), file: "export.json",
      text: """
        {"buckets": {"aw-watcher-window_a": {"type": "currentwindow", "hostname": "a", "events": [
        {"timestamp": "2026-03-03T09:00:00.5+00:00", "duration": 1600.5,
        "data": {"app": "firefox", "title": "Café"}}
        ]}}}
        """, count: 2, nests: [#"{"buckets":"#, #"{"buckets":{"a":{"events":[{"data":"#]),
    BadInputSample(
      name: "health", importer: AppleHealthImporter(), file: "export.xml",
      text: """
        <?xml version="1.0" encoding="UTF-8"?>
        <HealthData locale="en_GB">
        <Record type="HKQuantityTypeIdentifierStepCount" sourceName="Café" unit="count" startDate="2026-03-03 09:00:00 +0100" endDate="2026-03-03 09:10:00 +0100" value="120.5"/>
        <Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="30" durationUnit="min" sourceName="Watch" startDate="2026-03-03 07:00:00 +0100" endDate="2026-03-03 07:30:00 +0100"/>
        </HealthData>
        """, count: 2),
    BadInputSample(
      name: "markdown", importer: MarkdownFolderImporter(takesTimedLines: true),
      file: "2026-03-03.md",
      text: """
        ---
        mood: 4
        weight (kg): 72.5
        ---
        # A café
        - 09:30 coffee with Sam

        """, count: 3, isClosed: false),
    BadInputSample(
      name: "keep", importer: KeepImporter(), file: "note.json",
      text: """
        {"color":"DEFAULT","isTrashed":false,"isPinned":false,"isArchived":false,
        "textContent":"Café 1.5","title":"A note","labels":[{"name":"home"}],
        "userEditedTimestampUsec":1772528400000000,"createdTimestampUsec":1772528400000000}
        """, count: 1, nests: [#"{"isTrashed":false,"labels":"#]),
    BadInputSample(
      name: "twitter", importer: TwitterImporter(), file: "tweets.js",
      text: """
        window.YTD.tweets.part0 = [
        {"tweet":{"id_str":"1626922779105759235","created_at":"Tue Mar 03 09:00:00 +0000 2026",
        "full_text":"Café 1.5 https://t.co/a1B2c3D4e5","entities":{"urls":[{"url":
        "https://t.co/a1B2c3D4e5","expanded_url":"https://example.org"}],"hashtags":[]}}}
        ]
        """, count: 1,
      nests: ["window.YTD.tweets.part0 = ", #"window.YTD.tweets.part0 = [{"tweet":"#]),
    BadInputSample(
      name: "journey", importer: JourneyImporter(), file: "1772528400000-a.json",
      text: """
        {"id":"1772528400000-a","date_journal":1772528400000,"timezone":"Europe/Rome",
        "text":"<p>Café <b>1.5</b></p>","lat":1.5,"lon":2.25,"type":"html",
        "weather":{"degree_c":7.5,"description":"rain"},"tags":["sea"],"photos":[]}
        """, count: 1, nests: [#"{"date_journal":1,"weather":"#]),
    BadInputSample(
      name: "diarium", importer: DiariumImporter(), file: "Diarium.json",
      text: """
        [{"date":"2026-03-03T09:00:00.5","heading":"Café","html":"<p>fine 1.5</p>","rating":4,
        "tags":["sea"],"people":[],"tracker":["Weight: 72.5"],"location":[1.5,2.25]}
        ]
        """, count: 2, nests: ["", #"[{"date":"2026-03-03","heading":"#]),
    BadInputSample(
      name: "diarium text", importer: DiariumImporter(), file: "Diarium_2026-03-03.txt",
      text: "2026-03-03 09:00\n\nCafé 1.5\n\nTags: sea\nRating: 4\n", count: 2, isClosed: false),
    BadInputSample(
      name: "apple journal", importer: AppleJournalImporter(), file: "2026-03-03_Day.html",
      text: """
        <html><head><style>span.s2 {font-weight: bold}</style></head><body>
        <div class="pageHeader">Tuesday, March 3, 2026</div>
        <div class="assetGrid"></div><div class="title">Café</div>
        <div class="bodyText"><p><span class="s2">fine 1.5</span></p></div></body></html>

        """, count: 1, isClosed: false),
    BadInputSample(
      name: "dayone classic", importer: DayOneImporter(), file: "a.doentry",
      text: """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict>
        <key>Creation Date</key><date>2026-03-03T09:00:00Z</date>
        <key>Entry Text</key><string>Café 1.5</string>
        <key>UUID</key><string>FF755C6D7D9B4A5FBC4E41C07D622C65</string>
        </dict></plist>
        """, count: 1),
    BadInputSample(
      name: "dayone text", importer: DayOneImporter(), file: "Journal.txt",
      text: "\tDate:\tMarch 3, 2026 at 09:00:00 GMT+1\n\tLocation:\tBay\n\nCafé 1.5\n", count: 1,
      isClosed: false),
    BadInputSample(
      name: "standard notes", importer: StandardNotesImporter(), file: "backup.txt",
      text: """
        {"version":"004","items":[
        {"uuid":"a","content_type":"Note","content":{"title":"Café","text":"fine 1.5"},
        "created_at":"2026-03-03T09:00:00.000Z"}
        ]}
        """, count: 1, nests: [#"{"items":"#, #"{"items":[{"content":"#]),
    BadInputSample(
      name: "evernote", importer: EvernoteImporter(), file: "Travel.enex",
      text: """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE en-export SYSTEM "http://xml.evernote.com/pub/evernote-export4.dtd">
        <en-export export-date="20260304T000000Z" application="Evernote" version="10.8.5">
        <note><title>Café</title><created>20260303T090000Z</created>
        <content><![CDATA[<en-note><div>fine 1.5</div></en-note>]]></content></note>
        </en-export>
        """, count: 1),
    BadInputSample(
      name: "notion", importer: NotionImporter(),
      file: "A day 0f3b6c1a2d4e4f5a8b9c0d1e2f3a4b5c.md",
      text: "# Café\n\nDate: March 3, 2026 9:00 AM\nTags: sea\n\nfine 1.5\n", count: 1,
      isClosed: false),
    BadInputSample(
      name: "goodreads", importer: MediaListImporter(.goodreads), file: "library.csv",
      text:
        "Book Id,Title,Author,My Rating,Date Read,Exclusive Shelf\n1,Café,Ann,4,2026/03/03,read\n",
      count: 1, isClosed: false),
    BadInputSample(
      name: "letterboxd", importer: MediaListImporter(.letterboxd), file: "diary.csv",
      text: "Date,Name,Year,Letterboxd URI,Rating,Rewatch,Tags,Watched Date\n"
        + "2026-03-03,Café,1995,https://boxd.it/a,4.5,,,2026-03-03\n", count: 1, isClosed: false),
    BadInputSample(
      name: "trakt", importer: MediaListImporter(.trakt), file: "history.json",
      text: """
        [{"id":1,"watched_at":"2026-03-03T09:00:00Z","type":"movie",
        "movie":{"title":"Café","year":1995}}
        ]
        """, count: 1, nests: ["", #"[{"movie":"#]),
    BadInputSample(
      name: "strava", importer: StravaImporter(), file: "activities.csv",
      text: "Activity ID,Activity Date,Activity Name,Activity Type,Distance,Filename\n"
        + "1,\"Mar 3, 2026, 9:00:00 AM\",Café,Run,5.0,\n", count: 1, isClosed: false),
    BadInputSample(
      name: "garmin", importer: GarminExportImporter(), file: "a_0_summarizedActivities.json",
      text: """
        [{"summarizedActivitiesExport":[
        {"activityId":1,"name":"Café","activityType":"running","beginTimestamp":1772528400000,
        "duration":1800000.0,"distance":500000.5}
        ]}]
        """, count: 1, nests: [#"[{"summarizedActivitiesExport":"#]),
    BadInputSample(
      name: "fitbit", importer: FitbitImporter(), file: "exercise-0.json",
      text: """
        [{"logId":1,"activityName":"Café","startTime":"03/03/26 09:00:00","duration":1800000.5}
        ]
        """, count: 1, nests: ["", #"[{"activityName":"#]),
    BadInputSample(
      name: "googlefit", importer: GoogleFitImporter(), file: "Daily activity metrics.csv",
      text: "Date,Move Minutes count,Step count\n2026-03-03,40,7000\n", count: 2, isClosed: false),
    BadInputSample(
      name: "samsunghealth", importer: SamsungHealthImporter(),
      file: "com.samsung.health.weight.1.csv",
      text: "com.samsung.health.weight,2,1\nstart_time,weight,time_offset\n"
        + "2026-03-03 09:00:00.000,72.5,UTC+0100\n", count: 1, isClosed: false),
    BadInputSample(
      name: "withings", importer: WithingsImporter(), file: "weight.csv",
      text: "Date,\"Weight (kg)\",\"Fat mass (kg)\",Comments\n2026-03-03 09:00:00,72.5,14.5,café\n",
      count: 2, isClosed: false),
    BadInputSample(
      name: "oura", importer: OuraImporter(), file: "oura.json",
      text: """
        {"workout":[
        {"id":"1","activity":"café","start_datetime":"2026-03-03T09:00:00+01:00",
        "end_datetime":"2026-03-03T09:30:00+01:00","distance":1.5,"contributors":{}}
        ]}
        """, count: 1, nests: [#"{"workout":"#]),
    BadInputSample(
      name: "polarsteps", importer: PolarstepsImporter(), file: "trip.json",
      text: """
        {"id":1,"start_date":1772528400.5,"all_steps":[
        {"id":2,"display_name":"café","start_time":1772528400.5,
        "location":{"lat":1.5,"lon":2.25,"name":"Bay"}}
        ]}
        """, count: 1, nests: [#"{"id":1,"start_date":1,"all_steps":"#]),
    BadInputSample(
      name: "spotify", importer: ListeningImporter(.spotify), file: "StreamingHistory0.json",
      text: """
        [{"endTime":"2026-03-03 09:00","artistName":"Café","trackName":"A","msPlayed":200000}
        ]
        """, count: 1, nests: ["", #"[{"artistName":"#]),
    BadInputSample(
      name: "lastfm", importer: ListeningImporter(.lastfm), file: "scrobbles.csv",
      text: "uts,utc_time,artist,album,track\n1772528400,\"03 Mar 2026, 09:00\",Café,,A\n",
      count: 1,
      isClosed: false),
    BadInputSample(
      name: "netflix", importer: ViewingImporter(.netflix), file: "ViewingActivity.csv",
      text: "Profile Name,Start Time,Duration,Attributes,Title,Supplemental Video Type\n"
        + "Ann,2026-03-03 09:00:00,00:41:13,,Café,\n", count: 1, isClosed: false),
    BadInputSample(
      name: "youtube", importer: ViewingImporter(.youtube), file: "watch-history.json",
      text: """
        [{"header":"YouTube","title":"Watched Café","time":"2026-03-03T09:00:00Z",
        "titleUrl":"https://www.youtube.com/watch?v=abc"}
        ]
        """, count: 1, nests: ["", #"[{"header":"YouTube","details":"#]),
    BadInputSample(
      name: "camt", importer: CAMTImporter(), file: "camt.xml",
      text: """
        <?xml version="1.0" encoding="UTF-8"?>
        <Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><Stmt>
        <Acct><Id><IBAN>DE02</IBAN></Id></Acct>
        <Ntry><Amt Ccy="EUR">1.50</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts>
        <BookgDt><Dt>2026-03-03</Dt></BookgDt>
        <AddtlNtryInf>Café</AddtlNtryInf></Ntry>
        </Stmt></BkToCstmrStmt></Document>

        """, count: 1),
    BadInputSample(
      name: "ofx", importer: OFXImporter(), file: "statement.ofx",
      text: """
        OFXHEADER:100
        DATA:OFXSGML
        ENCODING:USASCII
        CHARSET:1252

        <OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>EUR
        <BANKACCTFROM><ACCTID>1
        </BANKACCTFROM><BANKTRANLIST>
        <STMTTRN><TRNTYPE>DEBIT
        <DTPOSTED>20260303
        <TRNAMT>-1.50
        <FITID>1
        <NAME>Café
        </STMTTRN>
        </BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>

        """, count: 1),
  ]
}
