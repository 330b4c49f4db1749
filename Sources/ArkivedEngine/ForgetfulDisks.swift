import Foundation
import Synchronization

/// The disks on which no timestamp reveals that a file was changed and its times were set back:
/// those with FAT and exFAT, as on memory cards and USB sticks.
struct ForgetfulDisks: Sendable {
  private struct Device: Hashable {
    var major: UInt64
    var minor: UInt64
  }

  private static let systems: Set<Substring> = ["vfat", "msdos", "exfat"]

  private let devices: Set<Device>

  private static let latest = Mutex<(at: ContinuousClock.Instant, disks: ForgetfulDisks)?>(nil)

  /// The disks that are mounted, or were a second ago.
  static var present: ForgetfulDisks {
    latest.withLock { known in
      let now = ContinuousClock.now
      if let known, now - known.at < .seconds(1) { return known.disks }
      let disks = ForgetfulDisks()
      known = (now, disks)
      return disks
    }
  }

  /// Reads the mounted disks; finds none if the kernel has no such table.
  init() {
    let table = FileManager.default.contents(atPath: "/proc/self/mountinfo") ?? Data()
    self.init(mounts: String(decoding: table, as: UTF8.self))
  }

  /// Reads the disks from a mount table.
  ///
  /// - Parameter mounts: a line for each mounted disk, as in Linux's `/proc/self/mountinfo`
  ///   (proc(5)): the device numbers are in the third field, and the file system follows a dash.
  init(mounts: String) {
    var devices: Set<Device> = []
    for line in mounts.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count > 3, let dash = words.lastIndex(of: "-"), dash + 1 < words.count,
        Self.systems.contains(words[dash + 1])
      else { continue }
      let numbers = words[2].split(separator: ":").compactMap { UInt64($0) }
      guard numbers.count == 2 else { continue }
      devices.insert(Device(major: numbers[0], minor: numbers[1]))
    }
    self.devices = devices
  }

  /// Returns true if a file is on one of them.
  ///
  /// - Parameter device: the file's `st_dev`, in which glibc and Linux combine both device numbers.
  /// - Returns: true if it is.
  func hold(_ device: UInt64) -> Bool {
    guard !devices.isEmpty else { return false }
    let major = ((device >> 8) & 0xFFF) | ((device >> 32) & ~0xFFF)
    let minor = (device & 0xFF) | ((device >> 12) & 0xFFFF_FF00)
    return devices.contains(Device(major: major, minor: minor))
  }
}
