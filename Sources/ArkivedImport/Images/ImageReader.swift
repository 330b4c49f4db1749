import ArkivedCore
import CImages
package import Foundation
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Why a picture could not be read.
package enum ImageFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// libvips is not installed, or this is not the program itself.
  case absent
  /// Its first bytes are none of a picture that is read.
  case notAPicture
  /// More points than fit into memory, as its header says.
  case tooLarge(width: Int, height: Int)
  /// More bytes than are handed on.
  case tooLong
  /// libvips's reason.
  case unreadable(String)
  /// The process that read it came to its end, by a fault or by the limit of its memory.
  case crashed
  /// It took too long.
  case timedOut

  package var description: String {
    switch self {
    case .absent: "images can’t be read here: libvips isn’t installed (install libvips42)"
    case .notAPicture: "it isn’t an image that Arkived can read"
    case .tooLarge(let width, let height):
      "it has \(width) × \(height) pixels, more than fit into memory"
    case .tooLong: "it’s longer than \(ZipFailure.size(Int64(ImageReader.lengthLimit)))"
    case .unreadable(let reason): reason.isEmpty ? "it is damaged" : "it is damaged (\(reason))"
    case .crashed: "reading it crashed the image reader; the file may be harmful"
    case .timedOut: "reading it took too long"
    }
  }

  /// Whether the file is at fault, so that trying again would end the same way.
  package var isOfTheFile: Bool { self != .absent }
}

/// Makes thumbnails of pictures and reads their metadata, in a process of its own.
///
/// Decoders of pictures are large libraries in C that meet files from anywhere. They run in a child
/// of this program with little memory and time, without network, other programs or files to write
/// (Documentation/Decisions/018); what goes wrong there costs one picture. The child is started when
/// it is first needed and asked one picture at a time, whoever asks.
package final class ImageReader: Sendable {
  /// The one argument with which the program is the child.
  package static let argument = "--read-images"
  /// A longer file is not handed on.
  static let lengthLimit = 256 << 20
  /// A longer answer is none.
  private static let answerLimit = 32 << 20
  /// Seconds of waiting; the child has fewer of the processor.
  private static let patience: Int32 = 40

  /// Types of pictures that are handed to libvips.
  package static let types: Set<String> = [
    "image/jpeg", "image/png", "image/gif", "image/webp", "image/heic", "image/avif", "image/tiff",
  ]

  private static let ownProgram = Mutex<String?>(nil)

  private struct State {
    var child: ci_child?
  }

  private let program: String?
  private let state = Mutex(State())
  /// The child's number while it may be killed from another thread, else 0.
  private let running = Atomic<Int32>(0)
  private let isStopped = Atomic<Bool>(false)

  /// - Parameter program: the program that is started with `argument`; this one when nil, if it
  ///   called `register`.
  package init(program: String? = nil) { self.program = program }

  deinit { rest() }

  /// Tells that this process runs the program, which then can be started as the child.
  package static func register() {
    #if os(Linux)
      // The very file that is running, even when another version took its name since.
      let path: String? = "/proc/self/exe"
    #else
      let path = Bundle.main.executablePath
    #endif
    ownProgram.withLock { $0 = path }
  }

  /// This program, where it can be started as a child.
  package static var registered: String? { ownProgram.withLock { $0 } }

  /// The child's whole work; returns when nobody asks any more.
  package static func serve() { ci_serve() }

  /// The child's number, while there is one.
  var processNumber: Int32? { state.withLock { $0.child?.pid } }

  /// Ends the child until it is needed again.
  package func rest() { state.withLock { end(&$0) } }

  /// Ends whatever is being read, at once and for good: the program is about to end.
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

  /// A picture that fits into a square, upright, in the colours of sRGB, as WebP without metadata;
  /// never larger than the original.
  ///
  /// - Parameters:
  ///   - content: a whole file.
  ///   - box: the side of the square in points, 1 to 4096.
  package func thumbnail(of content: Data, fitting box: Int) throws(ImageFailure) -> Data {
    try ask(CI_THUMBNAIL, content, box: UInt32(clamping: box))
  }

  /// When, where and with what a photo was taken, as its file says.
  ///
  /// - Parameter content: a whole file.
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
      let first = ask(&state, program, request, content, box)
      // Somebody may have ended the child since it was asked last; once more tells.
      guard case .failure(.crashed) = first else { return first }
      return ask(&state, program, request, content, box)
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

  /// The first line of what libvips said.
  private static func reason(_ answer: Data) -> String {
    let text = String(decoding: answer.prefix(300), as: UTF8.self)
    let line = text.split(whereSeparator: \.isNewline).first ?? ""
    return String(line.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }.prefix(120))
  }
}
