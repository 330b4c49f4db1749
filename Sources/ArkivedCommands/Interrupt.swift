import Foundation
import Synchronization

/// How often Ctrl-C (or a polite request to end) came. A signal's handler can reach nothing else.
private let interrupts = Atomic<Int>(0)

/// Notices Ctrl-C so that a long work can stop in good order; a second one ends the program at once.
enum Interrupt {
  static var hasCome: Bool { interrupts.load(ordering: .relaxed) > 0 }

  /// From here on signals are noticed and no longer end the program.
  static func watch() {
    for number in [SIGINT, SIGTERM] {
      signal(number) { _ in
        if interrupts.add(1, ordering: .relaxed).newValue > 1 { _exit(130) }
      }
    }
  }
}
