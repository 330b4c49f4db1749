import CImages
import CLibraries
package import Foundation
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A process that reads files: a program started with one argument, and the socket on which it is asked.
///
/// It may be asked and ended from several threads; one asks at a time.
package final class ReaderChild: Sendable {
  /// The one argument with which the program is such a process.
  package static let argument = "--read-files"

  /// How such a process came to its end.
  package enum End: Hashable, Sendable {
    /// By itself or by a fault.
    case fault
    /// By the limit of its memory, as far as can be told.
    case memory
    /// By the limit of its processor's time.
    case time
    /// From outside: by the system or by somebody.
    case killed
    /// It was ended here.
    case ended
  }

  /// What comes of waiting for it.
  package enum Arrival: Hashable, Sendable { case bytes, nothing, end }

  /// Kilobytes of memory after which a fault is one of too much of it.
  private static let memoryMark = 1_400_000
  private static let pieceSize = 256 << 10
  /// Milliseconds for which a process is waited for that closed its socket.
  private static let patience: Int32 = 1_000

  private struct State {
    var child: ci_child?
    var piece = [UInt8](repeating: 0, count: ReaderChild.pieceSize)
    var end: End?
  }

  private let state: Mutex<State>
  /// The process's number.
  package let number: Int32

  /// Starts a program.
  ///
  /// - Parameter folder: where it may write, and its folder for temporary files.
  /// - Returns: nil where it cannot be started.
  package init?(_ program: String, writingIn folder: URL) {
    var child = ci_child(pid: 0, socket: -1)
    guard ci_start_files(program, Self.argument, folder.path, &child) == 0 else { return nil }
    number = child.pid
    state = Mutex(State(child: child))
  }

  deinit { _ = conclude(waits: false) }

  /// Sends what is asked.
  ///
  /// - Returns: whether all of it was taken within the seconds.
  package func send(_ bytes: [UInt8], seconds: Int32 = 30) -> Bool {
    state.withLock { state in
      guard var child = state.child else { return false }
      return bytes.withUnsafeBufferPointer { bytes in
        guard let start = bytes.baseAddress else { return true }
        return ci_send(&child, start, bytes.count, seconds * 1_000) == 0
      }
    }
  }

  /// Takes what it has sent.
  ///
  /// - Parameters:
  ///   - buffer: to which it is added.
  ///   - milliseconds: of waiting for something.
  package func receive(into buffer: inout FrameBuffer, milliseconds: Int32) -> Arrival {
    let arrived = state.withLock { state -> (count: Int, piece: [UInt8]) in
      guard var child = state.child else { return (0, []) }
      let count = state.piece.withUnsafeMutableBufferPointer { piece in
        piece.baseAddress.map { ci_receive(&child, $0, piece.count, milliseconds) } ?? 0
      }
      return (count, count > 0 ? Array(state.piece[..<count]) : [])
    }
    guard arrived.count > 0 else { return arrived.count == 0 ? .end : .nothing }
    buffer.append(arrived.piece)
    return .bytes
  }

  /// Takes its end.
  ///
  /// - Parameter waits: whether it ends by itself; else it is killed at once.
  package func conclude(waits: Bool) -> End {
    state.withLock { state in
      if let end = state.end { return end }
      guard var child = state.child else { return .ended }
      state.child = nil
      var how = ci_outcome()
      let failure = ci_conclude(&child, waits ? Self.patience : 0, &how)
      let end = failure == 0 ? Self.end(how, waits) : .fault
      state.end = end
      return end
    }
  }

  private static func end(_ how: ci_outcome, _ waits: Bool) -> End {
    if how.is_killed != 0 { return waits ? .fault : .ended }
    switch how.signal {
    case SIGXCPU: return .time
    case SIGKILL, SIGTERM, SIGINT, SIGHUP: return .killed
    default: return how.kilobytes >= memoryMark ? .memory : .fault
    }
  }
}

/// What the process does beside reading.
package enum ReaderDuty {
  /// Takes from this process what a reader of files needs no more; before any other thread is started.
  package static func confine() {
    // Later no library can be opened any more.
    _ = clb_load_archive()
    _ = clb_load_ical()
    ci_confine_files()
  }

  /// Waits until whoever asks is gone.
  ///
  /// - Returns: whether nobody is there any more.
  package static func awaitEnd(milliseconds: Int32) -> Bool { ci_await_end(milliseconds) != 0 }

  package static func allow(seconds: UInt32) { ci_allow_seconds(seconds) }

  /// How much was read from disks and written to them, in blocks.
  package static var traffic: UInt64 { ci_traffic() }

  /// Reads what is asked.
  ///
  /// - Returns: false when nobody asks any more.
  package static func read(into buffer: inout FrameBuffer) -> Bool {
    let piece = [UInt8](unsafeUninitializedCapacity: 64 << 10) { piece, count in
      count = piece.baseAddress.map { max(0, ci_read_question($0, piece.count)) } ?? 0
    }
    buffer.append(piece)
    return !piece.isEmpty
  }

  /// Answers.
  ///
  /// - Returns: false when nobody takes it.
  package static func write(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBufferPointer { bytes in
      bytes.baseAddress.map { ci_write_answer($0, bytes.count) != 0 } ?? true
    }
  }

  /// Ends this process.
  package static func end() -> Never { _exit(0) }
}
