import ArkivedCore
import CImages
package import Foundation
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The reason why a picture couldn't be read.
package enum ImageFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// libvips isn't installed, or this isn't the program itself.
  case absent
  /// The first bytes aren't those of a supported picture format.
  case notAPicture
  /// It has more pixels than fit into memory.
  case tooLarge(width: Int, height: Int)
  /// The file has more bytes than are passed on.
  case tooLong
  /// The reason given by libvips.
  case unreadable(String)
  /// The reading process ended, by a fault or by its memory limit.
  case crashed
  /// Reading exceeded the time limit.
  case timedOut

  package var description: String {
    switch self {
    case .absent: "images can’t be read here: libvips isn’t installed (install libvips42)"
    case .notAPicture: "it isn’t an image that Arkived can read"
    case .tooLarge(let width, let height):
      "it has \(width) × \(height) pixels, too many to fit in memory"
    case .tooLong: "it’s longer than \(ZipFailure.size(Int64(ImageReader.lengthLimit)))"
    case .unreadable(let reason): reason.isEmpty ? "it is damaged" : "it is damaged (\(reason))"
    case .crashed: "reading it crashed the image reader; the file may be harmful"
    case .timedOut: "reading it took too long"
    }
  }

  /// True if the file is at fault, so another attempt would fail the same way.
  package var isOfTheFile: Bool { self != .absent }
}

/// Creates thumbnails of pictures and reads their metadata in a separate process.
///
/// Picture decoders are large C libraries that process files from anywhere. They run in a child of
/// this program with little memory and time, without network, other programs or files to write
/// (Documentation/Decisions/018), so a failure there affects only one picture. The child starts on
/// first use and handles one picture at a time for all callers.
package final class ImageReader: Sendable {
  /// The argument that starts the program as the child.
  package static let argument = "--read-images"
  /// The maximum size of a file, in bytes.
  static let lengthLimit = 256 << 20
  /// The maximum size of an answer, in bytes.
  private static let answerLimit = 32 << 20
  /// The seconds to wait; the child has less processor time.
  private static let patience: Int32 = 40

  /// The media types of pictures that are passed to libvips.
  package static let types: Set<String> = [
    "image/jpeg", "image/png", "image/gif", "image/webp", "image/heic", "image/avif", "image/tiff",
  ]

  private static let ownProgram = Mutex<String?>(nil)

  private struct State {
    var child: ci_child?
  }

  private let program: String?
  private let state = Mutex(State())
  /// The child's process ID while another thread may kill it, otherwise 0.
  private let running = Atomic<Int32>(0)
  private let isStopped = Atomic<Bool>(false)

  /// Creates a reader.
  ///
  /// - Parameter program: the program that is started with `argument`; nil for this one, if it
  ///   called `register`.
  package init(program: String? = nil) { self.program = program }

  deinit { rest() }

  /// Registers this process as one whose program can be started as the child.
  package static func register() {
    #if os(Linux)
      // This path refers to the running file even if another version has since replaced it.
      let path: String? = "/proc/self/exe"
    #else
      let path = Bundle.main.executablePath
    #endif
    ownProgram.withLock { $0 = path }
  }

  /// This program, if it can be started as a child.
  package static var registered: String? { ownProgram.withLock { $0 } }

  /// Runs the child until nobody sends requests any more.
  package static func serve() { ci_serve() }

  /// The child's process ID, while it runs.
  var processNumber: Int32? { state.withLock { $0.child?.pid } }

  /// Ends the child until it is needed again.
  package func rest() { state.withLock { end(&$0) } }

  /// Ends any reading at once and permanently, because the program is about to exit.
  package func stop() {
    isStopped.store(true, ordering: .sequentiallyConsistent)
    let number = running.load(ordering: .sequentiallyConsistent)
    if number > 0 { kill(number, SIGKILL) }
  }

  private func end(_ state: inout State) {
    running.store(0, ordering: .sequentiallyConsistent)
    if var child = state.child { ci_end(&child) }
    state.child = nil
  }

  /// Returns a picture scaled to fit a square, upright, in sRGB, as WebP without metadata; it is
  /// never larger than the original.
  ///
  /// - Parameters:
  ///   - content: a whole file.
  ///   - box: the side of the square in pixels, 1 to 4096.
  /// - Returns: the picture.
  /// - Throws: `ImageFailure` if it can't be decoded.
  package func thumbnail(of content: Data, fitting box: Int) throws(ImageFailure) -> Data {
    try ask(CI_THUMBNAIL, content, box: UInt32(clamping: box))
  }

  /// Returns a photo's metadata: when, where and with which camera it was taken.
  ///
  /// - Parameter content: a whole file.
  /// - Returns: the metadata.
  /// - Throws: `ImageFailure` if it can't be read.
  package func metadata(of content: Data) throws(ImageFailure) -> ImageMetadata {
    ImageMetadata(answer: try ask(CI_METADATA, content, box: 0))
  }

  private func ask(
    _ request: ci_request, _ content: Data, box: UInt32
  ) throws(ImageFailure) -> Data {
    guard content.count <= Self.lengthLimit else { throw .tooLong }
    let type = MediaType(sniffing: content.prefix(4096), fileName: "")
    guard Self.types.contains(type.name) else { throw .notAPicture }
    guard let program = program ?? Self.ownProgram.withLock({ $0 }) else { throw .absent }
    let answer = state.withLock { state in
      let isFresh = state.child == nil
      let first = ask(&state, program, request, content, box)
      switch first {
      // The child may have been ended since the last request, and a fresh one has more memory, so a
      // second attempt decides.
      case .failure(.crashed):
        return ask(&state, program, request, content, box)
      case .failure(.tooLarge) where !isFresh:
        end(&state)
        return ask(&state, program, request, content, box)
      default:
        return first
      }
    }
    return try answer.get()
  }

  private func ask(
    _ state: inout State, _ program: String, _ request: ci_request, _ content: Data, _ box: UInt32
  ) -> Result<Data, ImageFailure> {
    guard !isStopped.load(ordering: .sequentiallyConsistent) else { return .failure(.absent) }
    var child = state.child ?? ci_child(pid: 0, socket: -1)
    if state.child == nil {
      guard ci_start(program, Self.argument, &child) == 0 else { return .failure(.absent) }
      state.child = child
      running.store(child.pid, ordering: .sequentiallyConsistent)
    }
    var reply = ci_reply()
    let failure = content.withUnsafeBytes { bytes -> Int32 in
      guard let start = bytes.bindMemory(to: UInt8.self).baseAddress else { return EPIPE }
      return ci_ask(
        &child, request, box, start, bytes.count, Self.answerLimit, Self.patience, &reply)
    }
    guard failure == 0 else {
      end(&state)
      return .failure(failure == ETIMEDOUT ? .timedOut : .crashed)
    }
    defer { free(reply.bytes) }
    let answer = reply.bytes.map { Data(bytes: $0, count: reply.count) } ?? Data()
    switch reply.status {
    case CI_DONE.rawValue: return .success(answer)
    case CI_TOO_LARGE.rawValue:
      return .failure(.tooLarge(width: Int(reply.width), height: Int(reply.height)))
    case CI_ABSENT.rawValue: return .failure(.absent)
    default: return .failure(.unreadable(Self.reason(answer)))
    }
  }

  /// Returns the first line of libvips's message that isn't about where it looked for a format.
  private static func reason(_ answer: Data) -> String {
    let text = String(decoding: answer.prefix(300), as: UTF8.self)
    let lines = text.split(whereSeparator: \.isNewline)
    let line = lines.first { !$0.hasPrefix("source: ") } ?? lines.first ?? ""
    return String(line.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }.prefix(120))
  }
}
