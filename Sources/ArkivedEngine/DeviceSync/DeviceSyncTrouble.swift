package import ArkivedCore
package import ArkivedImport

extension DeviceSyncStatus {
  /// A problem that prevents changes from getting through.
  package enum Trouble: Hashable, Sendable {
    /// The shared folder isn’t there.
    case folderMissing(String)
    /// The shared folder can’t be written to.
    case folderTrouble(String)
    /// This computer's own disk can't be written to.
    case localDisk(String)
    /// The shared folder's server can’t be reached or rejects requests.
    case serverTrouble(WebDAVFailure)
    /// Another copy of this archive uses the same keys, or this one was restored to an earlier
    /// state.
    case copied
    /// This device was revoked from another device.
    case revoked(by: String?, at: Instant?)
    /// A device’s log contradicts data read from it before.
    case forked(String)
    /// The folder contains less of a device’s log than before.
    case rolledBack(String)
    /// A newer program wrote a device’s log.
    case newer(String)
    /// Parts of a device’s log are not here yet.
    case missing(String)
    /// Parts of a device’s log have been missing for days.
    case overdue(String)
    /// A device’s clock is far ahead or behind.
    case clock(String)
  }
}

extension DeviceSyncStatus.Trouble {
  /// True if nothing gets through until a person acts.
  package var isStuck: Bool {
    switch self {
    case .missing, .clock, .rolledBack: false
    default: true
    }
  }

  /// True if it usually resolves itself, such as when the computer has no network.
  var isPassing: Bool {
    guard case .serverTrouble(let failure) = self else { return false }
    switch failure.kind {
    case .unreachable, .timedOut, .serverError, .locked, .unusable: return true
    default: return false
    }
  }

  /// Describes the problem and what to do about it.
  ///
  /// - Parameter zone: the time zone of the days in the text.
  /// - Returns: one or more sentences.
  package func sentence(in zone: Zone = .system) -> String {
    switch self {
    case .folderMissing(let path):
      said(
        """
        Shared folder not found: \(path). Changes stay on this device until the folder is \
        available again.
        """)
    case .folderTrouble(let reason):
      said(
        """
        Couldn’t write to the shared folder: \(reason). Changes stay on this device until they can \
        be sent.
        """)
    case .localDisk(let reason):
      said("Changes from your other devices couldn’t be saved on this computer.") + " "
        + saidAgain(reason)
    case .serverTrouble(let failure):
      failure.sentence + " " + said("Changes stay on this device until they can be sent.")
    case .copied:
      said(
        """
        Another copy of this archive uses the same keys, so this one doesn’t send any changes. \
        Stop syncing on this device, then join again with a new code.
        """)
    case .revoked(let name, let instant):
      Self.removed(by: name, instant.map { zone.wallTime(at: $0).day }) + " "
        + said(
          """
          Nothing is lost here, but this computer no longer gets new changes. To sync again, stop \
          syncing here, then join with a new code.
          """)
    case .forked(let name):
      said(
        """
        “\(name)” sent two different versions of its changes, so Arkived no longer reads them. \
        Revoke its access, then add it again.
        """)
    case .rolledBack(let name):
      said("The shared folder has fewer changes from “\(name)” than before.")
    case .newer(let name):
      said("“\(name)” uses a newer version of Arkived. Update Arkived here to get its changes.")
    case .missing(let name):
      said("Some changes from “\(name)” haven’t arrived yet.")
    case .overdue(let name):
      said(
        """
        Some changes from “\(name)” have been missing for more than three days. Open Arkived on that \
        device, and check that the shared folder is up to date there.
        """)
    case .clock(let name): said("The clock on “\(name)” is wrong. Set it on that device.")
    }
  }

  private static func removed(by name: String?, _ day: DayKey?) -> String {
    guard let day else { return said("This computer was removed from your devices.") }
    guard let name else {
      return said("This computer was removed from your devices on \(day.shownName).")
    }
    return said(
      "This computer was removed from your devices on \(day.shownName), using “\(name)”.")
  }

  package var name: String {
    switch self {
    case .folderMissing: "folderMissing"
    case .folderTrouble: "folderTrouble"
    case .localDisk: "localDisk"
    case .serverTrouble: "serverTrouble"
    case .copied: "copied"
    case .revoked: "revoked"
    case .forked: "forked"
    case .rolledBack: "rolledBack"
    case .newer: "newer"
    case .missing: "missing"
    case .overdue: "overdue"
    case .clock: "clock"
    }
  }

  /// The folder, reason or device that the problem is about.
  var subject: String? {
    switch self {
    case .folderMissing(let text), .folderTrouble(let text), .localDisk(let text),
      .forked(let text), .rolledBack(let text), .newer(let text), .missing(let text),
      .overdue(let text), .clock(let text):
      text
    case .revoked(let name, _): name
    case .serverTrouble(let failure): failure.place
    case .copied: nil
    }
  }

  // MARK: As JSON

  package var json: JSON {
    var object: JSONObject = ["kind": .string(name), "subject": JSON(subject)]
    if case .revoked(_, let instant?) = self { object["at"] = JSON(instant) }
    if case .serverTrouble(let failure) = self { object["failure"] = failure.json }
    return .object(object)
  }

  package init?(_ json: JSON) {
    let subject = json["subject"]?.string
    let text = subject ?? ""
    switch json["kind"]?.string {
    case "folderMissing": self = .folderMissing(text)
    case "folderTrouble": self = .folderTrouble(text)
    case "localDisk": self = .localDisk(text)
    case "serverTrouble":
      guard let failure = WebDAVFailure(json["failure"]) else { return nil }
      self = .serverTrouble(failure)
    case "copied": self = .copied
    case "revoked": self = .revoked(by: subject, at: json["at"]?.string.flatMap { Instant($0) })
    case "forked": self = .forked(text)
    case "rolledBack": self = .rolledBack(text)
    case "newer": self = .newer(text)
    case "missing": self = .missing(text)
    case "overdue": self = .overdue(text)
    case "clock": self = .clock(text)
    default: return nil
    }
  }
}
