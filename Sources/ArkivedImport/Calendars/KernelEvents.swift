#if os(Linux)
  import Glibc
  import Synchronization

  /// The kernel's events about files and folders (inotify(7)), for one waiting thread.
  final class KernelEvents: Sendable {
    /// A single event.
    struct Event {
      /// The flags of inotify(7).
      var flags: UInt32
      /// The name of the file in a watched folder; empty for the watched item itself.
      var name: String

      func isAny(_ flags: Int32...) -> Bool {
        flags.contains { self.flags & UInt32($0) != 0 }
      }
    }

    /// The size of the header before each name: four numbers of four bytes.
    private static let headSize = 16

    private let descriptor: Int32
    /// A pipe that wakes the waiting thread.
    private let wakeUp: (read: Int32, write: Int32)
    private let stopped = Atomic(false)

    /// Opens an event queue.
    ///
    /// - Returns: nil if the system can't provide one.
    init?() {
      descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
      var ends: [Int32] = [-1, -1]
      guard descriptor >= 0 else { return nil }
      guard pipe(&ends) == 0 else {
        close(descriptor)
        return nil
      }
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      wakeUp = (ends[0], ends[1])
    }

    deinit {
      close(descriptor)
      close(wakeUp.read)
      close(wakeUp.write)
    }

    /// True once waiting has ended for good.
    var isOver: Bool { stopped.load(ordering: .acquiring) }

    func stop() {
      stopped.store(true, ordering: .releasing)
      var byte: UInt8 = 0
      _ = write(wakeUp.write, &byte, 1)
    }

    /// Adds a watch.
    ///
    /// - Returns: The watch's descriptor, which is used to end it; nil, with `errno`, on failure.
    func watch(_ path: String, for flags: UInt32) -> Int32? {
      let watch = inotify_add_watch(descriptor, path, flags)
      return watch >= 0 ? watch : nil
    }

    func end(_ watch: Int32) { inotify_rm_watch(descriptor, watch) }

    /// Waits for events.
    ///
    /// - Parameter milliseconds: the timeout; negative for none.
    /// - Returns: true if something happened.
    func wait(milliseconds: Int) -> Bool {
      var waiting = [
        pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: wakeUp.read, events: Int16(POLLIN), revents: 0),
      ]
      let count = poll(&waiting, nfds_t(waiting.count), Int32(clamping: milliseconds))
      return count != 0
    }

    /// Reads the pending events.
    @discardableResult
    func take() -> [Event] {
      var events: [Event] = []
      var buffer = [UInt8](repeating: 0, count: 16_384)
      while true {
        let count = read(descriptor, &buffer, buffer.count)
        guard count > 0 else { return events }
        buffer.withUnsafeBytes { bytes in
          Self.parse(UnsafeRawBufferPointer(rebasing: bytes[..<count]), into: &events)
        }
      }
    }

    private static func parse(_ bytes: UnsafeRawBufferPointer, into events: inout [Event]) {
      var place = 0
      while place + headSize <= bytes.count {
        let flags = bytes.loadUnaligned(fromByteOffset: place + 4, as: UInt32.self)
        let length = bytes.loadUnaligned(fromByteOffset: place + 12, as: UInt32.self)
        let end = min(place + headSize + Int(length), bytes.count)
        let name = bytes[(place + headSize)..<end].prefix { $0 != 0 }
        events.append(Event(flags: flags, name: String(decoding: name, as: UTF8.self)))
        place = end
      }
    }
  }
#endif
