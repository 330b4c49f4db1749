import ArkivedCore
import ArkivedStore
package import Foundation

/// A failure to set up or change the service, worded for its owner.
package struct ServiceFailure: Error, CustomStringConvertible {
  /// True if this system has no such services, or can't manage them now.
  package let isUnavailable: Bool
  package let description: String

  init(isUnavailable: Bool = false, _ description: String) {
    self.isUnavailable = isUnavailable
    self.description = description
  }
}

/// The service in the owner's session: systemd's user manager on Linux, launchd on macOS.
package struct UserService: Sendable {
  private let environment: [String: String]

  package init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    self.environment = environment
  }

  private static let unit = "arkived.service"

  private var home: URL { OwnProgram.home(environment) }

  /// The system's configuration file, even if it doesn't exist.
  package var file: URL {
    #if os(macOS)
      return home.appendingPathComponent("Library/LaunchAgents/\(ServiceFile.label).plist")
    #else
      return units.appendingPathComponent(Self.unit)
    #endif
  }

  private var units: URL {
    let named = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    let settings = named.map { URL(fileURLWithPath: $0) } ?? home.appendingPathComponent(".config")
    return settings.appendingPathComponent("systemd/user", isDirectory: true)
  }

  /// The link that makes systemd start the service when its owner signs in (systemd.unit(5),
  /// WantedBy=).
  private var wanted: URL {
    units.appendingPathComponent("default.target.wants/\(Self.unit)")
  }

  package var isInstalled: Bool { FileManager.default.fileExists(atPath: file.path) }

  /// True if it starts the next time its owner signs in.
  package var isEnabled: Bool {
    #if os(macOS)
      return isInstalled
    #else
      let link = try? FileManager.default.destinationOfSymbolicLink(atPath: wanted.path)
      return isInstalled && link != nil
    #endif
  }

  /// The archive that the installed service serves.
  package var archive: String? {
    guard let data = try? Data(contentsOf: file) else { return nil }
    #if os(macOS)
      return ServiceFile.archive(inPropertyList: data)
    #else
      return ServiceFile.archive(inUnit: String(decoding: data, as: UTF8.self))
    #endif
  }

  /// True if services keep running while their owner is signed out; nil if that is unknown.
  package var lingers: Bool? {
    #if os(macOS)
      return nil
    #else
      // loginctl(1), enable-linger.
      return FileManager.default.fileExists(atPath: "/var/lib/systemd/linger/\(NSUserName())")
    #endif
  }

  /// Lets the owner's services keep running while they are signed out.
  ///
  /// - Throws: `ServiceFailure` if the system refuses.
  package func linger() throws {
    // Nobody could answer a question for a password.
    let words = ["--no-ask-password", "enable-linger"]
    guard let answer = try OwnProgram.run("loginctl", words, environment) else {
      throw ServiceFailure(isUnavailable: true, said("This system has no loginctl."))
    }
    guard answer.status == 0 else {
      let why = answer.said.isEmpty ? said("exit code \(answer.status)") : answer.said
      throw ServiceFailure(
        said("Couldn’t change this: \(why). In a terminal, run: loginctl enable-linger"))
    }
  }

  // MARK: Asking the system

  /// Returns the reason that the system can't manage services from here at the moment; nil if it
  /// can.
  ///
  /// - Throws: `ServiceFailure` if the system has no such services at all.
  package func absence() throws -> String? {
    let answer = try ask(["show-environment"], ["print", domain])
    guard answer.status != 0 else { return nil }
    return answer.said.split(separator: "\n").last.map(String.init) ?? said("no answer")
  }

  /// Returns the state of the service as the system reports it: active, inactive, failed, or any
  /// other word.
  package func state() -> String {
    guard
      let answer = try? ask(["is-active", Self.unit], ["print", "\(domain)/\(ServiceFile.label)"])
    else { return "unknown" }
    #if os(macOS)
      return answer.status == 0 ? "active" : "inactive"
    #else
      return answer.said.split(separator: "\n").last.map(String.init) ?? "unknown"
    #endif
  }

  /// Starts the service.
  ///
  /// - Throws: `ServiceFailure` if the system doesn't start it.
  package func start() throws {
    try act(["start", Self.unit], ["kickstart", "\(domain)/\(ServiceFile.label)"])
  }

  /// The command that shows the service's log.
  package static var journal: String {
    #if os(macOS)
      return "log show --last 10m --predicate 'process == \"arkived\"'"
    #else
      return "journalctl --user -u arkived -n 20"
    #endif
  }

  // MARK: Installing

  /// Writes the file, and enables the service whenever its owner signs in.
  package func write(_ content: ServiceFile) throws {
    try DurableFile.makeFolder(file.deletingLastPathComponent())
    #if os(macOS)
      try DurableFile.write(try content.propertyList(), to: file)
    #else
      try DurableFile.write(Data(content.unit.utf8), to: file)
      try DurableFile.makeFolder(wanted.deletingLastPathComponent())
      if !isEnabled {
        try FileManager.default.createSymbolicLink(
          atPath: wanted.path, withDestinationPath: file.path)
      }
    #endif
  }

  /// Makes the system reread the file.
  package func reload() throws {
    #if !os(macOS)
      try act(["daemon-reload"], [])
    #endif
  }

  /// Starts the service with its current file, after stopping a running one.
  package func restart() throws {
    #if os(macOS)
      _ = try ask([], ["bootout", "\(domain)/\(ServiceFile.label)"])
    #endif
    try act(["restart", Self.unit], ["bootstrap", domain, file.path])
  }

  /// Restarts the service without waiting, for a program that is the service itself.
  package func restartSoon() throws {
    try act(
      ["--no-block", "restart", Self.unit],
      ["kickstart", "-k", "\(domain)/\(ServiceFile.label)"])
  }

  /// Returns the newest lines of the service's log.
  ///
  /// - Parameter limit: the maximum number of lines.
  /// - Returns: the lines, the oldest first; empty if the system keeps no log.
  package func log(limit: Int) -> [String] {
    #if os(macOS)
      return []
    #else
      let words = ["--user", "-u", "arkived", "-n", "\(limit)", "--no-pager", "-o", "short-iso"]
      guard let answer = try? OwnProgram.run("journalctl", words, environment), answer.status == 0
      else { return [] }
      // journalctl's own remarks begin with “-- ”.
      return answer.said.split(separator: "\n").map(String.init).filter { !$0.hasPrefix("-- ") }
    #endif
  }

  /// Stops the service and removes its file.
  ///
  /// - Parameter stops: false to let a running service continue until its owner signs out.
  /// - Throws: an error if the service can't be stopped or its file can't be removed.
  package func remove(stops: Bool = true) throws {
    let isManaged = (try? absence()) == .some(nil)
    if isManaged, stops {
      _ = try ask(["disable", "--now", Self.unit], ["bootout", "\(domain)/\(ServiceFile.label)"])
    }
    for url in [wanted, file] where isThere(url) { try FileManager.default.removeItem(at: url) }
    if isManaged { try reload() }
  }

  /// Writes the file for an archive and enables the service.
  ///
  /// - Parameters:
  ///   - home: the archive's folder.
  ///   - port: the port on 127.0.0.1; 0 for any free one.
  /// - Returns: the reason that the system can't start it now; nil if it can.
  /// - Throws: `ServiceFailure` if the system has no such services.
  package func install(for home: URL, port: Int) throws -> String? {
    guard let program = OwnProgram.file else {
      throw ServiceFailure(said("Couldn’t find where this program is installed."))
    }
    let absence = try absence()
    let settings = environment.filter { ServiceFile.kept.contains($0.key) && !$0.value.isEmpty }
    try write(
      ServiceFile(program: program.path, archive: home.path, port: port, settings: settings))
    if absence == nil { try reload() }
    return absence
  }

  /// Returns true if the name exists, even as a dangling link.
  private func isThere(_ url: URL) -> Bool {
    (try? FileManager.default.attributesOfItem(atPath: url.path)) != nil
  }

  private var domain: String { "gui/\(getuid())" }

  private func act(_ systemctl: [String], _ launchctl: [String]) throws {
    let answer = try ask(systemctl, launchctl)
    guard answer.status == 0 else {
      let why = answer.said.isEmpty ? said("exit code \(answer.status)") : answer.said
      throw ServiceFailure(
        said("Couldn’t change the service: \(why). Details: \(Self.journal)"))
    }
  }

  private func ask(
    _ systemctl: [String], _ launchctl: [String]
  ) throws -> (status: Int32, said: String) {
    #if os(macOS)
      let (name, words) = ("launchctl", launchctl)
    #else
      let (name, words) = ("systemctl", ["--user"] + systemctl)
    #endif
    guard let answer = try OwnProgram.run(name, words, environment) else {
      throw ServiceFailure(
        isUnavailable: true,
        said(
          """
          This system has no \(name), so Arkived can’t start automatically. Add this command to \
          the programs that start when you sign in: arkived serve --no-login
          """))
    }
    return answer
  }
}
