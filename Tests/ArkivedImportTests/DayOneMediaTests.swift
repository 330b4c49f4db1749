import ArkivedCore
import ArkivedImport
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Day One: media")
struct DayOneMediaTests {
  private static let one = "11111111111111111111111111111111"
  private static let two = "22222222222222222222222222222222"
  private static let three = "33333333333333333333333333333333"
  private static let four = "44444444444444444444444444444444"

  /// An unpacked export with a photo, a video, a recording and a PDF, as Day One for macOS 1552
  /// writes them; the recording is said to be `aac` and lies in an `.m4a`.
  private func export(_ entries: [JSON], without: [String] = []) throws -> DayOneSink {
    let folder = try TemporaryFolder()
    let files: [(String, Data)] = [
      ("photos/\(Self.one).jpeg", DayOneReading.jpeg(1)),
      ("photos/\(Self.two).jpeg", DayOneReading.jpeg(2)),
      ("videos/\(Self.three).mov", Data([0, 0, 0, 20] + Array("ftypqt  movie".utf8))),
      ("audios/\(Self.four).m4a", Data([0, 0, 0, 20] + Array("ftypM4A sound".utf8))),
      ("pdfs/\(Self.one).pdf", Data("%PDF-1.7 paper".utf8)),
    ]
    for (name, content) in files where !without.contains(name) {
      _ = try folder.file(name, content)
    }
    let url = try folder.file("Journal.json", DayOneReading.journal(entries))
    return try DayOneReading.read(url, in: folder)
  }

  private let rich: JSON = DayOneReading.entry([
    "text": .string(
      """
      # Everything

      ![](dayone-moment://P1)

      ![](dayone-moment:/video/V1)
      ![](dayone-moment:/audio/A1) and ![a paper](dayone-moment:/pdfAttachment/F1)\\.
      ![](dayone-moment:/photo/P2)
      """),
    "photos": [
      DayOneReading.photo("P2", md5: two, order: 4, ["filename": "IMG (2).HEIC"]),
      DayOneReading.photo("P1", md5: one, order: 0, ["filename": "IMG_8615.HEIC"]),
    ],
    "videos": [["identifier": "V1", "md5": .string(three), "type": "mov", "orderInEntry": 1]],
    "audios": [
      [
        "identifier": "A1", "md5": .string(four), "format": "aac", "orderInEntry": 2,
        "title": "Rain on the roof", "duration": 5.5, "recordingDevice": "AirPods",
      ]
    ],
    "pdfAttachments": [
      [
        "identifier": "F1", "md5": .string(one), "type": "pdf", "pdfName": "Lease",
        "orderInEntry": 3,
      ]
    ],
  ])

  @Test func mediaComeInInTheOrderOfTheEntryWithTheirBytes() throws {
    let sink = try export([rich])
    #expect(sink.diagnostics.isEmpty)
    let entry = try #require(sink.activities.first)
    #expect(entry.text == "Everything")
    #expect(
      entry.notes == """
        ![photo](attachment:IMG_8615.jpeg)

        ![video](attachment:33333333333333333333333333333333.mov)
        ![audio](attachment:44444444444444444444444444444444.m4a) and ![a paper](attachment:Lease.pdf).
        ![photo](attachment:IMG%20%282%29.jpeg)
        """)
    let attachments = entry.attachments
    #expect(
      attachments.map(\.originalName) == [
        "IMG_8615.jpeg", "\(Self.three).mov", "\(Self.four).m4a", "Lease.pdf", "IMG (2).jpeg",
      ])
    #expect(attachments.map(\.type) == [.photo, .file, .audioNote, .file, .photo])
    #expect(
      attachments.map(\.mediaType) == [
        "image/jpeg", "video/mp4", "audio/mp4", "application/pdf", "image/jpeg",
      ])
    #expect(attachments.map(\.caption) == [nil, nil, "Rain on the roof", nil, nil])
    #expect(attachments.first?.createdAt == Instant("2024-03-24T18:28:37Z"))
    let contents = try sink.contents()
    #expect(contents[0] == DayOneReading.jpeg(1) && contents[4] == DayOneReading.jpeg(2))
    #expect(contents[3] == Data("%PDF-1.7 paper".utf8))
    try entry.validate()
  }

  @Test func aMissingFileIsToldAndTheEntryComesAllTheSame() throws {
    let sink = try export([rich], without: ["videos/\(Self.three).mov"])
    let entry = try #require(sink.activities.first)
    #expect(entry.attachments.count == 4)
    #expect(entry.notes?.contains("![video](attachment:\(Self.three).mov)") == true)
    #expect(sink.diagnostics.map(\.severity) == [.note])
    #expect(sink.diagnostics.first?.message.contains("videos/\(Self.three)") == true)
    #expect(sink.diagnostics.first?.place.hasPrefix("Journal.json entry 1 (uuid ") == true)
  }

  @Test func aJournalAloneSaysOnceThatItsMediaAreMissing() throws {
    let entries = (0..<20).map { number in
      DayOneReading.entry([
        "uuid": .string("U\(number)"),
        "photos": [DayOneReading.photo("P\(number)", md5: "\(1000 + number)")],
      ])
    }
    let sink = try DayOneReading.read(DayOneReading.journal(entries))
    #expect(sink.activities.count == 20)
    #expect(sink.diagnostics.count == 1)
    #expect(sink.diagnostics.first?.message.contains("20 photos and other media") == true)
  }

  @Test(arguments: [
    (1, 0, 0, 0, "Photo"), (3, 0, 0, 0, "3 photos"), (0, 1, 0, 0, "Video"), (0, 0, 1, 0, "Audio"),
    (0, 0, 0, 1, "PDF"), (2, 1, 0, 0, "2 photos, 1 video"),
    (1, 0, 2, 3, "1 photo, 2 audios, 3 PDFs"),
  ])
  func anEntryOfMediaAloneIsCalledAfterThem(
    photos: Int, videos: Int, audios: Int, pdfs: Int, title: String
  ) throws {
    func list(_ count: Int, _ letter: String) -> JSON {
      .array((0..<count).map { ["identifier": .string("\(letter)\($0)"), "type": "x"] })
    }
    let entry = try DayOneReading.one([
      "text": "![](dayone-moment://P0)\n\n", "photos": list(photos, "P"),
      "videos": list(videos, "V"), "audios": list(audios, "A"), "pdfAttachments": list(pdfs, "F"),
    ])
    #expect(entry.text == title && entry.notes == nil)
  }

  @Test func filesAreFoundWhateverTheirEndingAndByTheirIdentifier() throws {
    let folder = try TemporaryFolder()
    _ = try folder.file("photos/\(Self.one).png", DayOneReading.jpeg(1))
    _ = try folder.file("photos/P2.jpeg", DayOneReading.jpeg(2))
    _ = try folder.file("photos/\(Self.three)", DayOneReading.jpeg(3))
    let url = try folder.file(
      "Journal.json",
      DayOneReading.journal([
        DayOneReading.entry([
          "photos": [
            DayOneReading.photo("P1", md5: Self.one.uppercased(), ["type": nil]),
            DayOneReading.photo("P2", md5: "", order: 1, ["md5": nil]),
            DayOneReading.photo("P3", md5: Self.three, order: 2),
          ]
        ])
      ]))
    let sink = try DayOneReading.read(url, in: folder)
    #expect(sink.diagnostics.isEmpty)
    #expect(try sink.contents() == [1, 2, 3].map(DayOneReading.jpeg))
  }

  @Test func oneContentIsOneAttachmentAndNamesStayApart() throws {
    let sink = try export([
      DayOneReading.entry([
        "text": "T\n![](dayone-moment://P1) ![](dayone-moment://P1b) ![](dayone-moment://P2)",
        "photos": [
          DayOneReading.photo("P1", md5: Self.one, order: 0, ["filename": "a.jpg"]),
          DayOneReading.photo("P1b", md5: Self.one, order: 1, ["filename": "b.jpg"]),
          DayOneReading.photo("P2", md5: Self.two, order: 2, ["filename": "A.jpg"]),
        ],
      ])
    ])
    let entry = try #require(sink.activities.first)
    #expect(entry.attachments.map(\.originalName) == ["a.jpeg", "A 2.jpeg"])
    #expect(
      entry.notes
        == "![photo](attachment:a.jpeg) ![photo](attachment:a.jpeg) ![photo](attachment:A%202.jpeg)"
    )
  }

  @Test func aPhotoOfAnotherEntryThatTheTextNamesComesToo() throws {
    // Day One describes the media of a copied entry where they were first.
    let sink = try export([
      DayOneReading.entry(["uuid": "A", "text": "Copy\n\n![](dayone-moment://P1)"]),
      DayOneReading.entry(["uuid": "B", "photos": [DayOneReading.photo("P1", md5: Self.one)]]),
    ])
    #expect(sink.activities.map(\.attachments.count) == [1, 1])
    #expect(sink.diagnostics.isEmpty)
  }

  @Test func aMediumThatNobodyDescribesIsToldAndItsPlaceMarked() throws {
    let sink = try DayOneReading.read(
      DayOneReading.journal([
        DayOneReading.entry(["text": "T\n\nsee ![](dayone-moment:/video/GONE) there"])
      ]))
    #expect(sink.activities.first?.notes == "see ![video](attachment:GONE) there")
    #expect(sink.diagnostics.first?.place.hasSuffix("field “text”") == true)
    #expect(sink.diagnostics.first?.message.contains("GONE") == true)
  }

  @Test func oldAddressesOfMediaAreKnown() throws {
    // The forms that the maker's own importer for another program names.
    let entry = try DayOneReading.text(
      """
      T
      ![](dayone-photo://P1)![](dayone-video://V1)
      ![](dayone-audio://A1) [text](dayone-pdf://F1)
      dayone-moment://bare and [x](dayone2://view?entryId=AB)
      """)
    #expect(
      entry.notes == """
        ![photo](attachment:P1)![video](attachment:V1)
        ![audio](attachment:A1) [text](attachment:F1)
        dayone-moment://bare and [x](dayone2://view?entryId=AB)
        """)
  }

  @Test func namesThatLeadOutOfTheExportAreNoFiles() throws {
    let folder = try TemporaryFolder()
    let secret = try folder.file("secret.jpeg", DayOneReading.jpeg(9))
    _ = try folder.file("export/photos/fine.jpeg", DayOneReading.jpeg(1))
    try FileManager.default.createSymbolicLink(
      at: folder.url.appendingPathComponent("export/photos/linked.jpeg"),
      withDestinationURL: secret)
    try FileManager.default.createSymbolicLink(
      at: folder.url.appendingPathComponent("export/videos"), withDestinationURL: folder.url)
    let url = try folder.file(
      "export/Journal.json",
      DayOneReading.journal([
        DayOneReading.entry([
          "photos": [
            DayOneReading.photo("../../secret", md5: "../../secret"),
            DayOneReading.photo("linked", md5: "linked", order: 1),
            DayOneReading.photo("fine", md5: "fine", order: 2, ["filename": "../../../x\0.jpeg"]),
          ],
          "videos": [["identifier": "secret", "md5": "secret", "type": "jpeg"]],
        ])
      ]))
    let sink = try DayOneReading.read(url, in: folder)
    #expect(sink.activities.first?.attachments.map(\.relativePath) == ["photos/fine.jpeg"])
    #expect(sink.activities.first?.attachments.map(\.originalName) == ["x.jpeg"])
    #expect(sink.diagnostics.count == 2)
  }

  @Test func anEmptyFileIsNoPhoto() throws {
    let folder = try TemporaryFolder()
    _ = try folder.file("photos/\(Self.one).jpeg", Data())
    let url = try folder.file(
      "Journal.json",
      DayOneReading.journal([
        DayOneReading.entry(["photos": [DayOneReading.photo("P1", md5: Self.one)]])
      ]))
    let sink = try DayOneReading.read(url, in: folder)
    #expect(sink.activities.first?.attachments == [])
    #expect(sink.diagnostics.first?.message.contains("it’s empty") == true)
  }
}
