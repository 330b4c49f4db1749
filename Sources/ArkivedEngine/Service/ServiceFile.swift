import ArkivedCore
package import Foundation

/// The service that runs the web app for an archive whenever its owner is signed in, in the format
/// of the system's own files.
package struct ServiceFile: Hashable, Sendable {
  /// The path of this program.
  package var program: String
  /// The path of the archive's folder.
  package var archive: String
  package var port: Int
  /// The settings of the shell from which it was installed, which the service would otherwise lack.
  package var settings: [String: String] = [:]

  package init(program: String, archive: String, port: Int, settings: [String: String] = [:]) {
    self.program = program
    self.archive = archive
    self.port = port
    self.settings = settings
  }

  /// The settings that are included.
  ///
  /// A fixed clock is only for tests.
  package static let kept = [
    "ARKIVED_DICTIONARY", "ARKIVED_MODEL", "ARKIVED_PLACES", "ARKIVED_TIME_ZONE", "ARKIVED_VOICE",
    "XDG_DATA_HOME",
  ]

  /// The command line of the service.
  ///
  /// It creates no sign-in link, because its output is stored in a log.
  private var words: [String] {
    ["serve", "--no-login", "--port", "\(port)", "--archive", archive]
  }

  // MARK: systemd

  /// Exit codes after which a restart would fail in the same way: wrong usage, files that can't be
  /// read or created, and an archive written by a newer version.
  ///
  /// The numbers are those of the commands (sysexits): usage, data, input, create, permission. An
  /// archive that is busy (75), such as one that another process is bringing up to date, may be free
  /// at the next of the few attempts.
  package static let lasting: [Int32] = [64, 65, 66, 73, 77]

  private static let section = "[X-Arkived]"

  /// A unit for systemd's user manager (systemd.service(5), systemd.exec(5)), with the protections
  /// that are available to an unprivileged manager and don't interfere with the program: helper
  /// processes, calendars over the network, desktop notifications.
  package var unit: String {
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
      RestartPreventExitStatus=\(Self.lasting.map(String.init).joined(separator: " "))
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

  /// Returns the archive that one of our units serves; nil for other units.
  package static func archive(inUnit unit: String) -> String? {
    let lines = unit.split(separator: "\n")
    guard let start = lines.firstIndex(of: Substring(section)),
      let line = lines[start...].first(where: { $0.hasPrefix("Archive=") })
    else { return nil }
    return (try? JSON(parsing: String(line.dropFirst("Archive=".count))))?.string
  }

  /// Quotes a word for a unit (systemd.syntax(7), systemd.unit(5) on specifiers) with C escapes;
  /// `%` would begin a specifier, and `$` in an argument a variable.
  package static func quoted(_ word: String, isArgument: Bool) -> String {
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

  /// The label of the launchd service.
  package static let label = "app.arkived.serve"

  /// Returns the property list for launchd (launchd.plist(5)).
  package func propertyList() throws -> Data {
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

  /// Returns the archive that one of our property lists serves; nil for other ones.
  package static func archive(inPropertyList data: Data) -> String? {
    let list = try? PropertyListSerialization.propertyList(from: data, options: [], format: nil)
    let words = (list as? [String: Any])?["ProgramArguments"] as? [String]
    return words?.last
  }
}
