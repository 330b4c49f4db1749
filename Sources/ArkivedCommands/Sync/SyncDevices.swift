import ArgumentParser
import ArkivedCore
import ArkivedEngine
import ArkivedStore
import ArkivedWeb
import Foundation

/// Shared code of the commands for the owner's other devices.
enum SyncDevices {
  /// Returns the job that syncs with the other devices.
  ///
  /// - Throws: `CommandFailure` if the archive isn't synced, or this device hasn't been let in yet.
  static func job(_ archive: Archive) throws -> DeviceSyncJob {
    if let job = try DeviceSyncJob(archive: archive) { return job }
    if let job = try DevicePairing.finish(archive) { return job }
    throw CommandFailure(
      .refused,
      try DevicePairing.isAsking(archive)
        ? said("The other device hasn’t let this one in yet. Confirm there, then try again.")
        : said(
          "This archive isn’t synced with other devices. Start with: `arkived sync folder FOLDER`"))
  }

  /// Returns the device that a name or an ID refers to.
  static func device(_ text: String, _ job: DeviceSyncJob) throws -> OwnDevice {
    let found = job.devices.filter {
      $0.id == text.lowercased() || NameFolding.key($0.name) == NameFolding.key(text)
    }
    guard let device = found.first else {
      throw CommandFailure(
        .noInput, said("No device named “\(text)”. To list your devices: `arkived sync status`"))
    }
    guard found.count == 1 else {
      throw CommandFailure(
        .usage,
        said(
          "Several devices are named “\(text)”. Use an ID: \(found.map(\.id).joined(separator: ", "))"
        ))
    }
    return device
  }

  /// Describes the devices, problems and recent conflicts.
  static func lines(_ status: DeviceSyncStatus, _ context: Context) -> [String] {
    var lines = [said("Shared folder: \(status.folder)")]
    lines += status.devices.map { "  " + line($0, context) }
    if status.unsent > 0 {
      lines.append(
        said(
          status.unsent, one: "1 change is waiting to be sent.",
          other: "\(status.unsent) changes are waiting to be sent."))
    }
    lines += status.troubles.map { $0.sentence(in: context.zone) }
    if status.missingFiles > 0 {
      lines.append(
        said(
          status.missingFiles, one: "1 file hasn’t arrived yet.",
          other: "\(status.missingFiles) files haven’t arrived yet."))
    }
    if status.waiting > 0 { lines.append(status.waitingSentence) }
    if !status.refusals.isEmpty { lines.append(status.refusalSentence) }
    lines += status.refusals.prefix(20).map { "  \($0.line)" }
    if !status.conflicts.isEmpty { lines.append(said("Recently resolved conflicts:")) }
    for conflict in status.conflicts.prefix(5) {
      let wording = ConflictWording(conflict, in: context.zone)
      let other = String(wording.replaced.prefix(60)).replacingOccurrences(of: "\n", with: " ")
      lines.append(
        "  \(context.timeText(conflict.at))  \(wording.label) · "
          + said("other version: \(other)"))
    }
    return lines
  }

  private static func line(_ one: DeviceSyncStatus.Device, _ context: Context) -> String {
    var parts = [context.output.bold(one.device.name)]
    if one.isThisOne { parts.append(said("this device")) }
    if one.device.isRevoked {
      parts.append(
        one.device.removal.map {
          said("revoked on \(context.zone.wallTime(at: $0.at).day.shownName)")
        }
          ?? said("revoked"))
    }
    if !one.isThisOne, !one.device.isRevoked {
      parts.append(
        one.lastSeen.map { said("last synced \(context.timeText($0))") } ?? said("not synced yet"))
      if one.behind > 0 {
        parts.append(
          said(
            one.behind, one: "1 update not received yet",
            other: "\(one.behind) updates not received yet"))
      }
    }
    return parts.joined(separator: " · ")
  }
}

struct SyncFolder: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "folder",
    abstract: "Choose the shared folder; on the first device, this switches on sync.",
    discussion: """
      arkived sync folder ~/Sync/Arkived     the first device
      arkived sync folder ~/Cloud/Arkived    later: the folder was renamed or moved
      arkived sync folder https://cloud.example.org/dav/Arkived/ --user me     a WebDAV address

      Use a folder that Syncthing, a cloud drive, a NAS or a USB stick shares between your devices. \
      Everything in it is encrypted for your devices.
      """)

  @Argument(help: "The shared folder, or its WebDAV address.", completion: .directory)
  var folder: String
  @Option(help: "The name of this device (default: its host name).") var name: String?
  @OptionGroup var account: CredentialOptions
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let archive = try context.openToSync()
    _ = try PathArgument.checked(folder)
    let place = SharedPlace(folder, credentials: try account.credentials())
    var job: DeviceSyncJob
    let isFirst: Bool
    if let known = try DeviceSyncJob(archive: archive) {
      (job, isFirst) = (known, false)
      try job.move(to: place)
    } else {
      let name = name ?? DevicePairing.hostName
      (job, isFirst) = (try DevicePairing.start(archive, name: name, at: place), true)
    }
    try job.exchange()
    let status = try job.status()
    context.output.result(status.json, lines: SyncDevices.lines(status, context))
    if isFirst { context.output.say(said("To add another device: `arkived sync add-device`")) }
  }
}

struct SyncAddDevice: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add-device", abstract: "Add another device using a code.",
    discussion: """
      Enter the code on the other device: arkived sync join FOLDER CODE
      Both devices then show a number. Let the other one in only if both numbers are the same.
      """)

  @Flag(help: "Let in the device that has the code, without comparing numbers.") var yes = false
  @Option(help: "How many seconds to wait for the other device.") var wait = 600
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    var job = try SyncDevices.job(archive)
    let code = try job.invite()
    if context.output.isJSON {
      Output.write(JSON.object(["code": .string(code)]).text() + "\n", to: STDOUT_FILENO)
    } else {
      context.output.result([:], lines: [code])
    }
    context.output.say(
      said("On the other device, within an hour: `arkived sync join FOLDER \(code)`"))
    do {
      try letIn(&job, archive, context)
    } catch {
      // The document with the code has been written.
      let failure = CommandFailure(error)
      throw CommandFailure(failure.status, failure.message, isInDocument: true)
    }
  }

  /// Waits for a request by a device with the code, and answers it.
  private func letIn(
    _ job: inout DeviceSyncJob, _ archive: Archive, _ context: Context
  ) throws {
    let end = ContinuousClock.now + .seconds(max(0, wait))
    while true {
      try job.bringRequests()
      if let request = try job.request() {
        return try decide(request, &job, context)
      }
      // The page or another terminal may have answered the request.
      guard try archive.replicaSettings() != nil, ContinuousClock.now < end else {
        throw CommandFailure(
          .unavailable,
          said("No device responded. To try again: `arkived sync add-device`"))
      }
      Thread.sleep(forTimeInterval: 0.5)
    }
  }

  private func decide(
    _ request: DevicePairing.Request, _ job: inout DeviceSyncJob, _ context: Context
  ) throws {
    let name = request.device.name
    context.output.say(said("“\(name)” wants to join. Its number: \(request.comparison)"))
    try Confirmation.ask(
      said("Does “\(name)” show the same number?"), isGiven: yes,
      refusal: said("“\(name)” wasn’t let in."))
    try job.accept(request)
    context.output.say(said("Added “\(name)”."))
  }
}

struct SyncJoin: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "join", abstract: "Join your other devices with the code that one of them shows.")

  @Argument(help: "The shared folder on this device, or its address.", completion: .directory)
  var folder: String
  @Argument(help: "The code.") var code: String
  @Option(help: "The name of this device (default: its host name).") var name: String?
  @Option(help: "How many seconds to wait for the other device.") var wait = 600
  @OptionGroup var account: CredentialOptions
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let archive = try context.openToSync()
    _ = try PathArgument.checked(folder)
    let phrase = try DevicePairing.ask(
      archive, name: name ?? DevicePairing.hostName,
      at: SharedPlace(folder, credentials: try account.credentials()), code: code)
    context.output.say(said("Compare this number with the one on the other device: \(phrase)"))
    let end = ContinuousClock.now + .seconds(max(0, wait))
    while true {
      // The server may have finished joining in the meantime.
      if var job = try DevicePairing.finish(archive) ?? DeviceSyncJob(archive: archive) {
        try job.exchange()
        let status = try job.status()
        context.output.result(status.json, lines: SyncDevices.lines(status, context))
        return
      }
      guard ContinuousClock.now < end else {
        throw CommandFailure(
          .unavailable,
          said("The other device hasn’t let this one in yet. Confirm there, then try again."))
      }
      Thread.sleep(forTimeInterval: 0.5)
    }
  }
}

struct SyncRenameDevice: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rename-device", abstract: "Rename a device.")

  @Argument(help: "The device’s name or ID.") var device: String
  @Argument(help: "Its new name.") var name: String
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    var job = try SyncDevices.job(try context.open())
    let device = try SyncDevices.device(device, job)
    try job.rename(device.id, to: name)
    try job.exchange()
    context.output.result(
      ["renamed": ["id": .string(device.id), "name": .string(name)]],
      lines: [said("Renamed to “\(name)”.")])
  }
}

struct SyncRevokeDevice: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "revoke-device", abstract: "Stop syncing with a device, for example a lost one.",
    discussion: """
      Changes that it has sent so far are kept. Your other devices get new keys, so the revoked one \
      can’t read anything new. It keeps what it already has.
      """)

  @Argument(help: "The device’s name or ID.") var device: String
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    var job = try SyncDevices.job(try context.open())
    let device = try SyncDevices.device(device, job)
    try job.revoke(device.id)
    try job.exchange()
    context.output.result(
      ["revoked": ["id": .string(device.id), "name": .string(device.name)]],
      lines: [said("Access revoked for “\(device.name)”. It can no longer read new changes.")])
  }
}

struct SyncLeave: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "leave", abstract: "Stop syncing this device. Its archive stays as it is.")

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    guard try archive.replicaSettings() != nil || DevicePairing.isAsking(archive) else {
      throw CommandFailure(.noInput, said("This archive isn’t synced with other devices."))
    }
    let unsent = try DevicePairing.leaveAfterSending(archive)
    var lines = [
      said("This device no longer syncs. Revoke its access on one of your other devices.")
    ]
    if unsent > 0 {
      lines.append(
        said(
          unsent, one: "1 change made here couldn’t be sent. It stays in this archive.",
          other: "\(unsent) changes made here couldn’t be sent. They stay in this archive."))
    }
    context.output.result(["left": true, "unsent": JSON(unsent)], lines: lines)
  }
}

extension Context {
  /// Opens the archive, which must have a folder to be synced.
  fileprivate func openToSync() throws -> Archive {
    let archive = try open()
    guard archive.databaseFile != nil else {
      throw CommandFailure(
        .refused, said("An archive in memory can’t be synced. Specify a folder with --archive."))
    }
    return archive
  }
}
