import Foundation

/// Shows notifications of the desktop (Desktop Notifications Specification 1.2): through
/// `notify-send`, else through `gdbus`. No shell reads what is shown.
package struct DesktopNotifier: Sendable {
  /// Why nothing was shown.
  package enum Problem: Error, Hashable, CustomStringConvertible {
    case absent, refused

    package var description: String {
      switch self {
      case .absent:
        "No program for desktop notifications is installed. On Debian, get it with: apt install "
          + "libnotify-bin."
      case .refused: "The desktop didn’t accept the notification. Is anyone signed in?"
      }
    }
  }

  private let environment: [String: String]
  private let limit: Duration

  /// All that such a program needs to find the desktop.
  private static let variables = [
    "PATH", "HOME", "LANG", "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR", "DISPLAY",
    "WAYLAND_DISPLAY", "XAUTHORITY",
  ]

  /// - Parameters:
  ///   - environment: names the desktop, and in `PATH` where programs lie.
  ///   - limit: so long the program may take.
  package init(
    environment: [String: String] = ProcessInfo.processInfo.environment,
    limit: Duration = .seconds(10)
  ) {
    self.environment = environment
    self.limit = limit
  }

  /// Whether there is a program that shows notifications.
  package var isThere: Bool { command("", "") != nil }

  /// Shows a notification; takes as long as the program.
  package func show(_ title: String, _ text: String) throws(Problem) {
    guard let arguments = command(title, text) else { throw .absent }
    let process = BoundedProcess(
      arguments: arguments, environment: environment.filter { Self.variables.contains($0.key) },
      limit: limit, outputLimit: 1 << 16)
    let ending = try? process.run(isCancelled: { false }, heard: { _ in })
    guard ending == .exited(0) else { throw .refused }
  }

  private func command(_ title: String, _ text: String) -> [String]? {
    let (title, text) = (Self.plain(title), Self.plain(text))
    if let program = program("notify-send") {
      return [program, "--app-name=Arkived", "--", title, Self.markup(text)]
    }
    if let program = program("gdbus") {
      let name = "org.freedesktop.Notifications"
      return [
        program, "call", "--session", "--timeout", "5", "--dest", name, "--object-path",
        "/org/freedesktop/Notifications", "--method", "\(name).Notify", Self.variant("Arkived"),
        "uint32 0", Self.variant(""), Self.variant(title), Self.variant(Self.markup(text)),
        "@as []", "@a{sv} {}", "int32 -1",
      ]
    }
    return nil
  }

  private func program(_ name: String) -> String? {
    let folders = (environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
    return folders.filter { $0.hasPrefix("/") }.map { "\($0)/\(name)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// Without control characters, which no notification has a use for.
  private static func plain(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
  }

  /// The body of a notification is markup.
  private static func markup(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }

  /// A string in GVariant's text format.
  private static func variant(_ text: String) -> String {
    "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
  }
}
