import CImages
import CLibraries
package import Foundation
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A process that reads files: a program started with one argument, and the socket for requests.
///
/// Several threads may send requests and end the process, one request at a time.
package final class ReaderChild: Sendable {
  /// The argument that starts the program as such a process.
  package static let argument = "--read-files"

  /// The reason why the process ended.
  package enum End: Hashable, Sendable {
    /// A normal exit or a fault.
    case fault
    /// The memory limit, as far as can be determined.
    case memory
    /// The processor time limit.
    case time
    /// A signal from the system or another process.
    case killed
    /// Termination by this program.
    case ended
  }

  /// The result of waiting for data.
  package enum Arrival: Hashable, Sendable { case bytes, nothing, end }

  /// The memory use in kilobytes above which a fault is attributed to the memory limit.
  private static let memoryMark = 1_400_000
  private static let pieceSize = 256 << 10
  /// The time in milliseconds to wait for a process that closed its socket.
  private static let patience: Int32 = 1_000

  private struct State {
    var child: ci_child?
    var piece = [UInt8](repeating: 0, count: ReaderChild.pieceSize)
    var end: End?
  }

  private let state: Mutex<State>
  /// The process ID.
  package let number: Int32

  /// Starts a program; nil if it can't be started.
  ///
  /// - Parameters:
  ///   - program: the path of the program.
  ///   - folder: the only folder it may write to, also used for its temporary files.
  package init?(_ program: String, writingIn folder: URL) {
    var child = ci_child(pid: 0, socket: -1)
    guard ci_start_files(program, Self.argument, folder.path, &child) == 0 else { return nil }
    number = child.pid
    state = Mutex(State(child: child))
  }

  deinit { _ = conclude(waits: false) }

  /// Sends a request.
  ///
  /// - Returns: true if everything was accepted within the given seconds.
  package func send(_ bytes: [UInt8], seconds: Int32 = 30) -> Bool {
    state.withLock { state in
      guard var child = state.child else { return false }
      return bytes.withUnsafeBufferPointer { bytes in
        guard let start = bytes.baseAddress else { return true }
        return ci_send(&child, start, bytes.count, seconds * 1_000) == 0
      }
    }
  }

  /// Receives what the process has sent.
  ///
  /// - Parameters:
  ///   - buffer: the buffer to append to.
  ///   - milliseconds: the time to wait for data.
  /// - Returns: the outcome: data arrived, more may follow, or the process has ended.
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

  /// Waits for the process to end and returns the reason.
  ///
  /// - Parameter waits: true if it ends by itself; otherwise it is killed at once.
  /// - Returns: the reason.
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

/// The tasks of the reading process besides reading.
package enum ReaderDuty {
  /// Drops everything from this process that a file reader doesn't need; call it before any other
  /// thread starts.
  package static func confine() {
    // No library can be opened afterwards.
    _ = clb_load_archive()
    _ = clb_load_ical()
    _ = clb_load_crypto()
    ci_confine_files()
  }

  /// Waits until the requesting process has exited.
  ///
  /// - Returns: true if it has exited.
  package static func awaitEnd(milliseconds: Int32) -> Bool { ci_await_end(milliseconds) != 0 }

  package static func allow(seconds: UInt32) { ci_allow_seconds(seconds) }

  /// The number of blocks read from and written to disks.
  package static var traffic: UInt64 { ci_traffic() }

  /// Reads a request.
  ///
  /// - Returns: false if the requesting process has exited.
  package static func read(into buffer: inout FrameBuffer) -> Bool {
    let piece = [UInt8](unsafeUninitializedCapacity: 64 << 10) { piece, count in
      count = piece.baseAddress.map { max(0, ci_read_question($0, piece.count)) } ?? 0
    }
    buffer.append(piece)
    return !piece.isEmpty
  }

  /// Sends an answer.
  ///
  /// - Returns: false if nobody receives it.
  package static func write(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBufferPointer { bytes in
      bytes.baseAddress.map { ci_write_answer($0, bytes.count) != 0 } ?? true
    }
  }

  /// Ends this process.
  package static func end() -> Never { _exit(0) }
}
