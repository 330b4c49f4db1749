import ArkivedCore
import ArkivedImport
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Posts on X")
struct TwitterImportTests {
  private static func post(_ id: String, _ text: String, _ more: String = "") -> String {
    """
    {"tweet":{"id_str":"\(id)","created_at":"Tue Feb 10 23:30:00 +0000 2026",
    "full_text":\(JSON.string(text).text())\(more)}}
    """
  }

  private static func list(_ posts: String..., name: String = "tweets") -> String {
    "window.YTD.\(name).part0 = [\n\(posts.joined(separator: ",\n"))\n]"
  }

  private static func read(
    _ text: String, _ others: [String: String] = [:]
  ) throws -> PlaceSink {
    let folder = try TemporaryFolder()
    for (name, content) in others { _ = try folder.file(name, content) }
    let file = ImportFile(url: try folder.file("data/tweets.js", text), name: "data/tweets.js")
    let sink = PlaceSink(folders: [folder])
    try TwitterImporter().read(file, context: TableReading.context(), into: sink)
    return sink
  }

  @Test func aPostHasItsTimeWordsAndAddresses() throws {
    let sink = try Self.read(
      Self.list(
        Self.post(
          "12",
          "Tea &amp; cake &lt;3 https://t.co/a1B2c3D4e5\nand https://t.co/a1B2c3D4e6 https://t.co/picture001",
          """
          ,"in_reply_to_screen_name":"ann","place":{"full_name":"Berlin"},
          "coordinates":{"type":"Point","coordinates":["13.4","52.5"]},
          "entities":{"hashtags":[{"text":"tea"},{"text":"Tea"}],"urls":[{"url":
          "https://t.co/a1B2c3D4e5","expanded_url":"https://example.org/?a=1&b=2"}],
          "media":[{"url":"https://t.co/picture001","media_url_https":
          "https://pbs.twimg.com/media/Abc.jpg"}]}
          """)))
    let post = try #require(sink.activities.first)
    #expect(post.text == "Tea & cake <3 https://example.org/?a=1&b=2")
    #expect(post.notes == "and https://t.co/a1B2c3D4e6")
    #expect(post.tags == ["tea"] && post.source == .twitterImport)
    #expect(post.description == "Reply to @ann\nhttps://x.com/i/status/12")
    #expect(post.locationLabel == "Berlin" && post.lat == 52.5 && post.lon == 13.4)
    #expect("\(post.dayKey)" == "2026-02-11" && sink.times == ["00:30"])
    #expect(sink.identities == ["12"])
    #expect(sink.diagnostics.map(\.message).contains { $0.contains("Abc.jpg") })
  }

  @Test func repostsAndFormerVersionsAreCounted() throws {
    func edits(_ key: String) -> String {
      key == "initial"
        ? #","edit_info":{"initial":{"editTweetIds":["20","21"]}}"#
        : #","edit_info":{"edit":{"initialTweetId":"20","editControlInitial":{"editTweetIds":["20","21"]}}}"#
    }
    let sink = try Self.read(
      Self.list(
        Self.post("21", "the cat", edits("edit")), Self.post("20", "teh cat", edits("initial")),
        Self.post("22", "RT @ann: someone’s words")))
    #expect(sink.texts == ["the cat"] && sink.identities == ["20"])
    #expect(
      sink.diagnostics.map(\.message) == [
        "skipped reposts: 1", "skipped earlier versions of edited posts: 1",
      ])
  }

  @Test func aLongPostHasItsWholeText() throws {
    let start = String(repeating: "many words ", count: 20)
    let note = """
      window.YTD.note_tweet.part0 = [{"noteTweet":{"noteTweetId":"11","createdAt":
      "2026-02-10T23:30:00.000Z","core":{"text":"\(start)and the end https://t.co/a1B2c3D4e5",
      "urls":[{"shortUrl":"https://t.co/a1B2c3D4e5","expandedUrl":"https://example.org"}]}}}]
      """
    let sink = try Self.read(
      Self.list(
        Self.post("12", "@ann \(start)and… https://t.co/aaaaaaaaaa"),
        Self.post("13", "many words")),
      ["data/note-tweet.js": note])
    let notes = sink.activities.map(\.notes)
    #expect(notes.count == 2 && notes[1] == nil)
    #expect(notes[0]?.hasSuffix("and the end https://example.org") == true, "\(notes)")
  }

  @Test func postsOf2019AreReadAndDamageIsTold() throws {
    let old =
      #"window.YTD.tweet.part0 = [ {"id":"1","full_text":"old","created_at":"#
      + #""Wed Jan 08 12:00:00 +0000 2019"}, {"id":"2","full_text":"new","created_at":"soon"},"#
    let sink = try Self.read(old)
    #expect(sink.texts == ["old"])
    #expect(
      sink.skipped.map(\.place) == [
        "data/tweets.js entry 2 field “created_at”", "data/tweets.js byte \(old.utf8.count)",
      ])
    #expect(throws: ImportRefusal.self) { try Self.read("window.YTD.tweet.part0 = ") }
  }

  @Test func mediaOutsideTheArchiveAreNotRead() throws {
    let media = #","extended_entities":{"media":[{"media_url":"https://x/../../secret.jpg"}]}"#
    let sink = try Self.read(
      Self.list(Self.post("12", "see", media)), ["secret.jpg": "x", "12-secret.jpg": "x"])
    #expect(sink.activities.map(\.attachments.count) == [0])
    #expect(sink.diagnostics.count == 1)
  }

  @Test func onlyListsOfPostsAreRecognised() throws {
    let importer = TwitterImporter()
    #expect(try TableReading.recognises(Self.list(), name: "tweets.js", by: importer))
    #expect(try TableReading.recognises(Self.list(name: "tweet"), name: "a.js", by: importer))
    for other in ["like", "deleted_tweets", "tweet_headers", "note_tweet"] {
      #expect(try !TableReading.recognises(Self.list(name: other), name: "a.js", by: importer))
    }
    for name in ["x/data/like.js", "x/data/tweets_media/1-a.jpg", "x/Your archive.html"] {
      #expect(importer.accompanies(name, filesIn: ["x/data/"]))
    }
    for name in ["x/photo.jpg", "y/data/like.js", "x/data/photos/a.jpg"] {
      #expect(!importer.accompanies(name, filesIn: ["x/data/"]))
    }
  }
}
