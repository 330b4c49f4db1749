import Foundation

/// A sender of desktop notifications (Desktop Notifications Specification 1.2) that uses
/// `notify-send`, otherwise `gdbus`.
///
/// The text never passes through a shell.
package struct DesktopNotifier: Sendable {
  /// The reason that nothing was shown.
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

  /// The variables that the program needs to find the desktop.
  private static let variables = [
    "PATH", "HOME", "LANG", "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR", "DISPLAY",
    "WAYLAND_DISPLAY", "XAUTHORITY",
  ]

  /// Creates a notifier.
  ///
  /// - Parameters:
  ///   - environment: identifies the desktop, and in `PATH` the folders of programs.
  ///   - limit: the time limit for the program.
  package init(
    environment: [String: String] = ProcessInfo.processInfo.environment,
    limit: Duration = .seconds(10)
  ) {
    self.environment = environment
    self.limit = limit
  }

  /// True if there is a program that shows notifications.
  package var isThere: Bool { command("", "") != nil }

  /// Shows a notification, and waits for the program to exit.
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

  /// Removes control characters, which are useless in a notification.
  private static func plain(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
  }

  /// Escapes a text, because the body of a notification is markup.
  private static func markup(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }

  /// Formats a string in GVariant's text format.
  private static func variant(_ text: String) -> String {
    "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
  }
}
