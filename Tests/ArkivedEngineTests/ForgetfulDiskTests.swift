import Testing

@testable import ArkivedEngine

@Suite("Disks that tell no time of a change")
struct ForgetfulDiskTests {
  /// As Linux 6.1 writes it.
  private let mounts = """
    25 30 0:23 / /proc rw,nosuid,nodev,noexec,relatime shared:12 - proc proc rw
    30 1 8:2 / / rw,relatime shared:1 - ext4 /dev/sda2 rw,errors=remount-ro
    41 30 8:1 / /boot/efi rw,relatime shared:29 - vfat /dev/sda1 rw,fmask=0077
    96 30 259:300 / /media/a\\040card\\040-\\040x rw,nosuid shared:50 - exfat /dev/mmcblk0p1 rw
    97 30 broken / /x rw - vfat

    """

  @Test func areKnownByTheKernelsTable() {
    let disks = ForgetfulDisks(mounts: mounts)
    #expect(disks.hold(0x801) && !disks.hold(0x802) && !disks.hold(23))
    // 259 and 300, mixed as in makedev(3).
    #expect(disks.hold(0x1_1032C))
    #expect(!ForgetfulDisks(mounts: "").hold(0x801))
    #expect(!ForgetfulDisks().hold(0))
  }
}
