import ArkivedTestSupport
import Foundation
import Testing

@Suite("What is packed")
struct PackagingTests {
  private static let packaging = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Packaging")

  private func text(_ name: String) throws -> String {
    try String(contentsOf: Self.packaging.appendingPathComponent(name), encoding: .utf8)
  }

  private func python(_ arguments: [String]) throws -> (status: Int32, output: String) {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", "-B"] + arguments
    process.currentDirectoryURL = Self.packaging
    process.standardOutput = pipe
    try process.run()
    let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: output, as: UTF8.self))
  }

  @Test func theManualNamesEveryCommandAndItsOptions() throws {
    let arkived = try Program()
    let made = try python(["make_manual.py", Program.executable.path])
    #expect(made.status == 0)
    let help = try arkived("--help").output
    let commands = help.matches(of: #/(?m)^  ([a-z][a-z-]+)(?:, [a-z-]+)*(?: {2,}.*)?$/#).map {
      String($0.1)
    }
    #expect(commands.count > 30)
    for command in commands where command != "help" {
      let heading = ".SS arkived " + command.replacingOccurrences(of: "-", with: "\\-") + "\n"
      #expect(made.output.contains(heading), "\(command)")
    }
    for part in [
      ".TH ARKIVED 1", ".SH EXIT STATUS", "\\-\\-archive", "ARKIVED_HOME", "\\-\\-fetch",
    ] {
      #expect(made.output.contains(part), "\(part)")
    }
  }

  @Test(arguments: [
    ("zone/de_AT.res", true), ("en.res", true), ("root.res", true), ("zoneinfo64.res", true),
    ("coll/ucadata.icu", true), ("brkitr/word.brk", true), ("nfkc.nrm", true), ("pool.res", true),
    ("fr.res", false), ("coll/zh_Hant.res", false), ("brkitr/thaidict.dict", false),
    ("ibm-943_P15A-2003.cnv", false), ("translit/root.res", false), ("den.res", false),
  ])
  func theDataOfICUIsInBothLanguagesWithAllZonesAndRules(item: String, isKept: Bool) throws {
    let made = try python(["-c", "import icu_data; print(icu_data.is_kept('\(item)'), end='')"])
    #expect(made.output == (isKept ? "True" : "False"))
  }

  @Test func theDataOfICUIsPackedAsItWasWithoutWhatIsLeftOut() throws {
    let made = try python([
      "-c",
      """
      import icu_data
      header = b"\\x20\\0\\xda\\x27" + bytes(8) + b"CmnD" + bytes(16)
      whole = {f"icu/{name}": name.encode() * 9 for name in ("de.res", "fr.res", "zone/en.res")}
      first, found = icu_data.items(icu_data.package(header, whole))
      assert first == header and found.keys() == whole.keys()
      assert all(found[name].rstrip(b"\\0") == whole[name] for name in whole)
      kept = {name: it for name, it in found.items() if icu_data.is_kept(name.partition("/")[2])}
      data = icu_data.package(header, kept)
      assert icu_data.items(data)[1] == kept and b"fr.res" not in data
      assert all(data.index(it.rstrip(b"\\0")) % 16 == 0 for it in kept.values())
      try:
          icu_data.items(b"something else, longer than a header is")
      except ValueError:
          print("good", end="")
      """,
    ])
    #expect(made.status == 0)
    #expect(made.output == "good")
  }

  @Test func theControlFileSaysWhatDebianAsksFor() throws {
    let made = try python([
      "-c",
      "import package; print(package.control('1.2', 'amd64', ['libc6 (>= 2.36)'], 1000), end='')",
    ])
    #expect(made.status == 0)
    let lines = made.output.split(separator: "\n", omittingEmptySubsequences: false)
    let fields = lines.filter { !$0.hasPrefix(" ") }.compactMap { $0.split(separator: ":").first }
    for field in [
      "Package", "Version", "Architecture", "Maintainer", "Installed-Size", "Depends", "Recommends",
      "Description",
    ] { #expect(fields.contains(Substring(field)), "\(field)") }
    #expect(lines.contains("Depends: libc6 (>= 2.36)"))
    // libvips is loaded when it is there.
    #expect(lines.contains { $0.hasPrefix("Recommends:") && $0.contains("libvips42") })
    #expect(lines.allSatisfy { $0.count <= 100 })
  }

  @Test func theDesktopEntryOpensThePageWithAnIconThatIsThere() throws {
    let lines = try text("arkived.desktop").split(separator: "\n").map(String.init)
    #expect(lines.first == "[Desktop Entry]")
    for line in ["Type=Application", "Exec=arkived open", "Icon=arkived", "Terminal=false"] {
      #expect(lines.contains(line), "\(line)")
    }
    #expect(lines.dropFirst().allSatisfy { $0.contains("=") })
    #expect(try text("package.py").contains("icon.svg"))
    let parsed = try python([
      "-c",
      "import xml.etree.ElementTree as tree\n"
        + "print(tree.parse('app.arkived.Arkived.metainfo.xml').findtext('launchable'))",
    ])
    #expect(parsed.output == "arkived.desktop\n")
  }

  @Test(arguments: ["preinst", "postinst", "prerm"])
  func theScriptsOfThePackageAreShell(name: String) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-n", Self.packaging.appendingPathComponent(name).path]
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(try !text(name).contains("rm -"), "a package's script removes nothing")
  }

  @Test(arguments: [(999, false), (3, true)])
  func aPackageThatCouldNotOpenWhatIsThereIsRefused(installed: Int, goes: Bool) throws {
    let folder = try TemporaryFolder()
    let schema = try folder.file("schema", "\(installed)\n")
    let script = try text("preinst").replacingOccurrences(of: "@SCHEMA@", with: "14")
      .replacingOccurrences(of: "@VERSION@", with: "1.0")
      .replacingOccurrences(of: "/usr/share/arkived/schema", with: schema.path)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = [try folder.file("preinst", script).path, "upgrade", "2.0"]
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    #expect((process.terminationStatus == 0) == goes)
  }
}
