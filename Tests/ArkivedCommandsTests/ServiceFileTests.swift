import ArkivedTestSupport
import Foundation
import Testing

@testable import ArkivedCommands
@testable import ArkivedEngine

@Suite("The files of the service")
struct ServiceFileTests {
  private func service(_ archive: String) -> ServiceFile {
    ServiceFile(
      program: "/usr/bin/arkived", archive: archive, port: 8017,
      settings: ["ARKIVED_MODEL": "/home/a b/50%"])
  }

  @Test(arguments: [
    ("/home/a/life", "\"/home/a/life\""), ("/home/a b/life", "\"/home/a b/life\""),
    ("/100%/h", "\"/100%%/h\""), ("/$HOME", "\"/$$HOME\""), ("/a\"b", "\"/a\\\"b\""),
    ("/a\\b", "\"/a\\\\b\""), ("/a\nb\u{7F}", "\"/a\\x0ab\\x7f\""),
    ("/Tagebücher", "\"/Tagebücher\""),
  ])
  func pathsStandInAUnitAsTheyAre(path: String, quoted: String) throws {
    #expect(ServiceFile.quoted(path, isArgument: true) == quoted)
    let unit = service(path).unit
    #expect(unit.contains("\"--archive\" \(quoted)\n"), "\(unit)")
    #expect(ServiceFile.archive(inUnit: unit) == path)
  }

  @Test func aVariableIsDoubledOnlyWhereSystemdReplacesIt() {
    #expect(ServiceFile.quoted("A=$b%", isArgument: false) == "\"A=$b%%\"")
  }

  @Test func theUnitStartsAtSignInRestartsWithinBoundsAndLogsNoLink() {
    let lines = service("/home/a/life").unit.split(separator: "\n").map(String.init)
    for line in [
      "Restart=on-failure", "StartLimitBurst=5", "WantedBy=default.target", "NoNewPrivileges=yes",
      "RestartPreventExitStatus=64 65 66 73 77", "UMask=0077",
      "Environment=\"ARKIVED_MODEL=/home/a b/50%%\"",
    ] { #expect(lines.contains(line), "\(line)") }
    let command = lines.first { $0.hasPrefix("ExecStart=") } ?? ""
    #expect(command.hasPrefix("ExecStart=\"/usr/bin/arkived\" \"serve\" \"--no-login\" \"--port\""))
    #expect(ServiceFile.archive(inUnit: "[Service]\nExecStart=/bin/true\n") == nil)
  }

  @Test func thePropertyListOfLaunchdSaysTheSame() throws {
    let data = try service("/Users/a b/Über & 50%").propertyList()
    #expect(ServiceFile.archive(inPropertyList: data) == "/Users/a b/Über & 50%")
    let list = try #require(
      try PropertyListSerialization.propertyList(from: data, options: [], format: nil)
        as? [String: Any])
    #expect(list["Label"] as? String == "app.arkived.serve" && list["RunAtLoad"] as? Bool == true)
    #expect((list["ProgramArguments"] as? [String])?.first == "/usr/bin/arkived")
    #expect(ServiceFile.archive(inPropertyList: Data("no list".utf8)) == nil)
  }

  @Test func aScriptIsFoundBesideAnInstalledProgramAndInItsSource() throws {
    let folder = try TemporaryFolder()
    let installed = try folder.file("usr/share/arkived/fetch_model.py", "")
    let source = try folder.file("source/Scripts/fetch_model.py", "")
    func found(_ program: String) -> String? {
      OwnProgram.script("fetch_model.py", of: folder.url.appendingPathComponent(program))?.path
    }
    #expect(found("usr/bin/arkived") == installed.path)
    #expect(found("source/.build/debug/arkived") == source.path)
    #expect(found("elsewhere/bin/arkived") == nil)
  }
}
