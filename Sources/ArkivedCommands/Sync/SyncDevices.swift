import ArgumentParser
import ArkivedCore
import ArkivedEngine
import ArkivedStore
import Foundation

/// What the commands for the owner's other devices have in common.
enum SyncDevices {
  /// Returns the job that syncs with the other devices.
  ///
  /// - Throws: `CommandFailure` if the archive isn't synced, or this device wasn't let in yet.
  static func job(_ archive: Archive) throws -> DeviceSyncJob {
    if let job = try DeviceSyncJob(archive: archive) { return job }
    if let job = try DevicePairing.finish(archive) { return job }
    throw CommandFailure(
      .refused,
      try DevicePairing.isAsking(archive)
        ? said("The other device hasn’t let this one in yet. Confirm there, then try again.")
        : said(
          "This archive isn’t synced with other devices. Start with: arkived sync folder FOLDER"))
  }

  /// Returns the device that a name or an ID refers to.
  static func device(_ text: String, _ job: DeviceSyncJob) throws -> OwnDevice {
    let found = job.devices.filter {
      $0.id == text.lowercased() || NameFolding.key($0.name) == NameFolding.key(text)
    }
    guard let device = found.first else {
      throw CommandFailure(
        .noInput, said("No device named “\(text)”. To list them: arkived sync status"))
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

  static func folder(_ path: String) -> URL {
    let path = HomeFolder.expandingTilde(path, ProcessInfo.processInfo.environment)
    return URL(fileURLWithPath: path, isDirectory: true).standardizedFileURL
  }

  /// Describes the devices, problems and recent conflicts.
  static func lines(_ status: DeviceSyncStatus, _ context: Context) -> [String] {
    var lines = [said("Shared folder: \(status.folder)")]
    lines += status.devices.map { "  " + line($0, context) }
    if status.unsent > 0 {
      lines.append(
        said(
          status.unsent, one: "1 change waits to be sent.",
          other: "\(status.unsent) changes wait to be sent."))
    }
    lines += status.troubles.map(\.sentence)
    if status.missingFiles > 0 {
      lines.append(
        said(
          status.missingFiles, one: "1 file hasn’t arrived yet.",
          other: "\(status.missingFiles) files haven’t arrived yet."))
    }
    if !status.conflicts.isEmpty { lines.append(said("Settled recently:")) }
    for conflict in status.conflicts.prefix(5) {
      lines.append(
        "  \(context.timeText(conflict.at))  " + said("other version: \(conflict.summary)"))
    }
    return lines
  }

  private static func line(_ one: DeviceSyncStatus.Device, _ context: Context) -> String {
    var parts = [context.output.bold(one.device.name)]
    if one.isThisOne { parts.append(said("this device")) }
    if one.device.isRevoked { parts.append(said("revoked")) }
    if !one.isThisOne, !one.device.isRevoked {
      parts.append(
        one.lastSeen.map { said("last synced \(context.timeText($0))") } ?? said("not seen yet"))
      if one.behind > 0 {
        parts.append(
          said(
            one.behind, one: "1 update not received there yet",
            other: "\(one.behind) updates not received there yet"))
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

      Use a folder that Syncthing, a cloud drive, a NAS or a USB stick shares between your devices. \
      Everything in it is encrypted for your devices.
      """)

  @Argument(help: "The shared folder.", completion: .directory) var folder: String
  @Option(help: "The name of this device (default: its host name).") var name: String?
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    guard archive.databaseFile != nil else {
      throw CommandFailure(
        .refused, said("An archive in memory can’t be synced. Name its folder with --archive."))
    }
    let place = SyncDevices.folder(folder)
    var job: DeviceSyncJob
    let isFirst: Bool
    if let known = try DeviceSyncJob(archive: archive) {
      (job, isFirst) = (known, false)
      try job.move(to: place)
    } else {
      let name = name ?? DevicePairing.hostName
      (job, isFirst) = (try DevicePairing.start(archive, name: name, folder: place), true)
    }
    try job.exchange()
    let status = try job.status()
    context.output.result(status.json, lines: SyncDevices.lines(status, context))
    if isFirst { context.output.say(said("To add another device: arkived sync add-device")) }
  }
}

struct SyncAddDevice: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add-device", abstract: "Show a code, and let another device in.",
    discussion: """
      Enter the code on the other device: arkived sync join FOLDER CODE
      Both devices then show a number. Let the other one in only if both numbers are the same.
      """)

  @Flag(help: "Let in the device that has the code, without comparing.") var yes = false
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
      said("On the other device, within an hour: arkived sync join FOLDER \(code)"))
    let end = ContinuousClock.now + .seconds(max(0, wait))
    while true {
      if let request = try job.request() {
        return try decide(request, &job, context)
      }
      // The page or another terminal may have answered.
      guard try archive.replicaSettings() != nil, ContinuousClock.now < end else {
        throw CommandFailure(
          .unavailable,
          said("No device has answered. To try again: arkived sync add-device"))
      }
      Thread.sleep(forTimeInterval: 0.5)
    }
  }

  private func decide(
    _ request: DevicePairing.Request, _ job: inout DeviceSyncJob, _ context: Context
  ) throws {
    let name = request.device.name
    context.output.say(said("“\(name)” asks to join. Its number: \(request.comparison)"))
    try Confirmation.ask(
      said("Does “\(name)” show the same number?"), isGiven: yes,
      refusal: said("“\(name)” was not let in."))
    try job.accept(request)
    context.output.say(said("Added “\(name)”."))
  }
}

struct SyncJoin: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "join", abstract: "Join your other devices with the code that one of them shows.")

  @Argument(help: "The shared folder on this device.", completion: .directory) var folder: String
  @Argument(help: "The code.") var code: String
  @Option(help: "The name of this device (default: its host name).") var name: String?
  @Option(help: "How many seconds to wait for the other device.") var wait = 600
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    guard archive.databaseFile != nil else {
      throw CommandFailure(
        .refused, said("An archive in memory can’t be synced. Name its folder with --archive."))
    }
    let phrase = try DevicePairing.ask(
      archive, name: name ?? DevicePairing.hostName, folder: SyncDevices.folder(folder), code: code)
    context.output.say(said("Compare this number with the other device: \(phrase)"))
    let end = ContinuousClock.now + .seconds(max(0, wait))
    while true {
      // The server may have finished it meanwhile.
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
      Changes received from it so far are kept. Your other devices get new keys, so the revoked one \
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
      lines: [said("Revoked “\(device.name)”. It can’t read new changes.")])
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
    try DevicePairing.leave(archive)
    context.output.result(
      ["left": true],
      lines: [said("This device no longer syncs. Revoke it on one of the others.")])
  }
}
