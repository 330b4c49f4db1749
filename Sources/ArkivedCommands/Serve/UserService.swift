import ArkivedCore
import ArkivedStore
import ArkivedWeb
import Foundation

/// The service in the owner's session: systemd's user manager on Linux, launchd on macOS.
struct UserService {
  private let environment: [String: String]

  init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    self.environment = environment
  }

  private static let unit = "arkived.service"

  private var home: URL { OwnProgram.home(environment) }

  /// The system's configuration file, whether it exists or not.
  var file: URL {
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

  var isInstalled: Bool { FileManager.default.fileExists(atPath: file.path) }

  /// True if it starts the next time its owner signs in.
  var isEnabled: Bool {
    #if os(macOS)
      return isInstalled
    #else
      let link = try? FileManager.default.destinationOfSymbolicLink(atPath: wanted.path)
      return isInstalled && link != nil
    #endif
  }

  /// The archive that the installed service serves.
  var archive: String? {
    guard let data = try? Data(contentsOf: file) else { return nil }
    #if os(macOS)
      return ServiceFile.archive(inPropertyList: data)
    #else
      return ServiceFile.archive(inUnit: String(decoding: data, as: UTF8.self))
    #endif
  }

  /// True if services keep running while their owner is signed out; nil if that is unknown.
  var lingers: Bool? {
    #if os(macOS)
      return nil
    #else
      // loginctl(1), enable-linger.
      return FileManager.default.fileExists(atPath: "/var/lib/systemd/linger/\(NSUserName())")
    #endif
  }

  // MARK: Asking the system

  /// Returns the reason that the system can't manage services from here at the moment; nil if it
  /// can.
  ///
  /// - Throws: `CommandFailure` (unavailable) if the system has no such services at all.
  func absence() throws -> String? {
    let answer = try ask(["show-environment"], ["print", domain])
    guard answer.status != 0 else { return nil }
    return answer.said.split(separator: "\n").last.map(String.init) ?? said("no answer")
  }

  /// Returns the state of the service as the system reports it: active, inactive, failed, or any
  /// other word.
  func state() -> String {
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
  /// - Throws: `CommandFailure` if the system doesn't start it.
  func start() throws {
    try act(["start", Self.unit], ["kickstart", "\(domain)/\(ServiceFile.label)"])
  }

  /// Waits until the service responds.
  ///
  /// - Throws: `CommandFailure` (failed) if it doesn't respond within 20 seconds, or has failed.
  func answer(for home: URL) async throws -> ServerNotice {
    let end = ContinuousClock.now + .seconds(20)
    var round = 0
    while ContinuousClock.now < end {
      if let notice = ServerNotice.current(of: home) { return notice }
      round += 1
      if round.isMultiple(of: 10), state() == "failed" { break }
      try await Task.sleep(for: .milliseconds(100))
    }
    throw CommandFailure(
      .failed, said("The service was started but doesn’t respond. To see why: \(Self.journal)"))
  }

  /// The command that shows the service's log.
  static var journal: String {
    #if os(macOS)
      return "log show --last 10m --predicate 'process == \"arkived\"'"
    #else
      return "journalctl --user -u arkived -n 20"
    #endif
  }

  // MARK: Installing

  /// Writes the file, and enables the service whenever its owner signs in.
  func write(_ content: ServiceFile) throws {
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
  func reload() throws {
    #if !os(macOS)
      try act(["daemon-reload"], [])
    #endif
  }

  /// Starts the service with its current file, after stopping a running one.
  func restart() throws {
    #if os(macOS)
      _ = try ask([], ["bootout", "\(domain)/\(ServiceFile.label)"])
    #endif
    try act(["restart", Self.unit], ["bootstrap", domain, file.path])
  }

  /// Stops the service and removes its file.
  func remove() throws {
    if try absence() == nil {
      _ = try ask(["disable", "--now", Self.unit], ["bootout", "\(domain)/\(ServiceFile.label)"])
    }
    for url in [wanted, file] where isThere(url) { try FileManager.default.removeItem(at: url) }
    if try absence() == nil { try reload() }
  }

  /// Returns true if the name exists, even as a dangling link.
  private func isThere(_ url: URL) -> Bool {
    (try? FileManager.default.attributesOfItem(atPath: url.path)) != nil
  }

  private var domain: String { "gui/\(getuid())" }

  private func act(_ systemctl: [String], _ launchctl: [String]) throws {
    let answer = try ask(systemctl, launchctl)
    guard answer.status == 0 else {
      let why = answer.said.isEmpty ? said("it exited with \(answer.status)") : answer.said
      throw CommandFailure(
        .failed, said("Couldn’t change the service: \(why). Details: \(Self.journal)"))
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
      throw CommandFailure(
        .unavailable,
        said(
          """
          This system has no \(name), so Arkived can’t start automatically. Add this command to \
          whatever starts your session: arkived serve --no-login
          """))
    }
    return answer
  }
}
