import ArkivedCore
import Foundation

/// The service that serves an archive whenever its owner is signed in, as the system's own files
/// describe one.
struct ServiceFile: Hashable, Sendable {
  /// The path of this program.
  var program: String
  /// The path of the archive's folder.
  var archive: String
  var port: Int
  /// Settings of the shell it was installed from, which the service would not have.
  var settings: [String: String] = [:]

  /// What is taken along. A clock that stands still is for tests.
  static let kept = [
    "ARKIVED_MODEL", "ARKIVED_PLACES", "ARKIVED_TIME_ZONE", "ARKIVED_VOICE", "XDG_DATA_HOME",
  ]

  /// What the service runs. No login link is made, since what it says stands in a log.
  private var words: [String] {
    ["serve", "--no-login", "--port", "\(port)", "--archive", archive]
  }

  // MARK: systemd

  /// Exit codes after which another start would end the same: wrong usage, what cannot be read or
  /// made, an archive that is served already, and one that a newer version wrote.
  private static let lasting = [
    ExitStatus.usage, .badInput, .noInput, .cannotCreate, .busy, .refused,
  ]

  private static let section = "[X-Arkived]"

  /// A unit for systemd's user manager (systemd.service(5), systemd.exec(5)), with those of its
  /// protections that an unprivileged manager has and that leave the program its work: helpers in
  /// processes of their own, calendars over the network, desktop notifications.
  var unit: String {
    let command =
      [Self.quoted(program, isArgument: false)] + words.map { Self.quoted($0, isArgument: true) }
    let environment = settings.sorted { $0.key < $1.key }.map {
      "Environment=\(Self.quoted("\($0.key)=\($0.value)", isArgument: false))\n"
    }
    return """
      [Unit]
      Description=Arkived, a private archive of your life
      Documentation=man:arkived(1)
      StartLimitIntervalSec=300
      StartLimitBurst=5

      [Service]
      Type=exec
      ExecStart=\(command.joined(separator: " "))
      \(environment.joined())Restart=on-failure
      RestartSec=5
      RestartPreventExitStatus=\(Self.lasting.map { "\($0.rawValue)" }.joined(separator: " "))
      TimeoutStopSec=30
      SyslogIdentifier=arkived
      UMask=0077
      NoNewPrivileges=yes
      LockPersonality=yes
      RestrictRealtime=yes
      RestrictSUIDSGID=yes
      RestrictNamespaces=yes
      RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
      SystemCallArchitectures=native
      SystemCallFilter=~@clock @cpu-emulation @debug @module @mount @obsolete @raw-io @reboot @swap
      SystemCallErrorNumber=EPERM

      [Install]
      WantedBy=default.target

      \(Self.section)
      Archive=\(JSON.string(archive).text())

      """
  }

  /// The archive that a unit of ours serves; nil for another unit.
  static func archive(inUnit unit: String) -> String? {
    let lines = unit.split(separator: "\n")
    guard let start = lines.firstIndex(of: Substring(section)),
      let line = lines[start...].first(where: { $0.hasPrefix("Archive=") })
    else { return nil }
    return (try? JSON(parsing: String(line.dropFirst("Archive=".count))))?.string
  }

  /// A word as it stands in a unit (systemd.syntax(7), systemd.unit(5) on specifiers): in quotes, with
  /// C's escapes; `%` would begin a specifier, and `$` a variable where it is an argument.
  static func quoted(_ word: String, isArgument: Bool) -> String {
    var text = "\""
    for scalar in word.unicodeScalars {
      switch scalar {
      case "\\": text += "\\\\"
      case "\"": text += "\\\""
      case "%": text += "%%"
      case "$" where isArgument: text += "$$"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F:
        let digits = String(scalar.value, radix: 16)
        text += "\\x" + (digits.count < 2 ? "0" : "") + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }

  // MARK: launchd

  /// The name of launchd's service.
  static let label = "app.arkived.serve"

  /// A property list for launchd (launchd.plist(5)).
  func propertyList() throws -> Data {
    let values: [String: Any] = [
      "Label": Self.label,
      "ProgramArguments": [program] + words,
      "EnvironmentVariables": settings,
      "RunAtLoad": true,
      "KeepAlive": ["SuccessfulExit": false],
      "ThrottleInterval": 10,
      "ExitTimeOut": 30,
      "ProcessType": "Background",
      "Umask": 0o077,
    ]
    return try PropertyListSerialization.data(fromPropertyList: values, format: .xml, options: 0)
  }

  /// The archive that a property list of ours serves; nil for another one.
  static func archive(inPropertyList data: Data) -> String? {
    let list = try? PropertyListSerialization.propertyList(from: data, options: [], format: nil)
    let words = (list as? [String: Any])?["ProgramArguments"] as? [String]
    return words?.last
  }
}
