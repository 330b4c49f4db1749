import ArkivedAssistant
import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedSearch
import ArkivedStore
import Foundation
import Hummingbird

/// The parts of the web app and its routes.
struct WebApp: Sendable {
  let archive: Archive
  let zone: Zone
  let door: Door
  /// The access from the home network, closed until its owner opens it.
  let phone: PhoneDoor
  /// The signal that wakes those who wait for changes to the archive.
  let news: ArchiveNews
  let feed: ChangeFeed
  let indexes: SearchIndexes
  let indexStatus: IndexStatus
  let timelines: ArchiveTimelines
  let importDesk: ImportDesk
  let checkDesk: CheckDesk
  let tools: ToolBox
  let backupDesk: BackupDesk
  let restoreDesk: RestoreDesk
  let mergeDesk: MergeDesk
  let voiceDesk: VoiceDesk
  let mcpSessions: MCPSessions
  let thumbnails: Thumbnails
  let thumbnailQueue = ThumbnailQueue()
  let mapDesk: MapDesk
  let photoDesk: PhotoDesk
  let sampleDesk: SampleDesk
  /// The downloads of optional parts.
  var partDesk = PartDesk()
  /// The address of the owner's archive if this app shows the sample life.
  var sampleHome: String?
  /// The service that runs the web app whenever its owner is signed in.
  var service = UserService()
  /// The changelog, and the version of the program.
  var changelog = ChangelogPage.shipped
  /// The origin of the home time zone.
  var zoneSource = HomeZone.Source.environment
  /// The way to start the server again.
  let restart = Restart()
  /// Returns the system's current time zone, if the archive follows the system's.
  var systemZone: @Sendable () -> Zone? = { nil }

  /// Creates the app.
  ///
  /// - Parameters:
  ///   - archive: the archive.
  ///   - zone: the time zone.
  ///   - door: checks access.
  ///   - indexes: the search indexes, kept open between requests.
  ///   - indexStatus: the status, updated by the process that maintains the indexes.
  ///   - timelines: the data from which questions are answered, also kept open.
  ///   - confirmingAgents: the agents whose own dialogs the owner accepts as confirmation.
  ///   - images: the service that creates thumbnails.
  ///   - phone: the access from the home network.
  init(
    archive: Archive, zone: Zone, door: Door, indexes: SearchIndexes? = nil,
    indexStatus: IndexStatus = IndexStatus(), timelines: ArchiveTimelines? = nil,
    confirmingAgents: Set<String> = [], images: ImageReader = ImageReader(),
    phone: PhoneDoor? = nil
  ) {
    let indexes = indexes ?? SearchIndexes(archive)
    self.timelines = timelines ?? ArchiveTimelines(archive, indexes: indexes)
    self.indexes = indexes
    self.indexStatus = indexStatus
    self.archive = archive
    self.zone = zone
    self.door = door
    self.phone = phone ?? PhoneDoor(archive: archive)
    news = ArchiveNews(archive)
    feed = ChangeFeed(archive: archive, zone: zone, news: news)
    importDesk = ImportDesk(archive: archive, zone: zone)
    checkDesk = CheckDesk(archive: archive)
    tools = ToolBox(
      archive: archive, zone: zone, indexes: self.indexes, timelines: self.timelines)
    backupDesk = BackupDesk(archive: archive, zone: zone)
    restoreDesk = RestoreDesk(archive: archive, zone: zone)
    mergeDesk = MergeDesk(archive: archive, zone: zone)
    voiceDesk = VoiceDesk(archive: archive)
    mcpSessions = MCPSessions(tools: tools, confirming: confirmingAgents)
    thumbnails = Thumbnails(archive, reader: images)
    mapDesk = MapDesk(archive: archive, zone: zone, timelines: self.timelines)
    photoDesk = PhotoDesk(archive)
    sampleDesk = SampleDesk(clock: archive.clock)
  }

  /// True while work is in progress that ends with the server.
  @Sendable private func isBusy() -> Bool {
    importDesk.current?.isRunning == true || mergeDesk.current?.isRunning == true
      || restoreDesk.current?.isRunning == true || backupDesk.current != nil
      || checkDesk.isRunning || partDesk.isWorking || voiceDesk.isWorking
  }

  /// The ways to reach the app.
  enum Way {
    /// From a browser or a program on this computer.
    case desk
    /// From a paired device on the home network.
    case phone
  }

  func router(_ way: Way = .desk) throws -> Router<WebContext> {
    let pages = Pages(sampleHome: sampleHome)
    let failures = FailureMiddleware(pages: pages, signIn: way == .desk ? "login" : "pair")
    let repeated = RepeatedRequests(archive: archive)
    let events = EventController(feed: feed, door: door, phone: phone)
    let router = Router(context: WebContext.self, options: .autoGenerateHeadEndpoints)
    router.addMiddleware {
      WaitingLineMiddleware()
      SecurityHeadersMiddleware()
      PreferencesMiddleware(archive: archive)
      failures
    }
    switch way {
    case .desk: router.add(middleware: DoorMiddleware(door: door, failures: failures))
    case .phone: router.add(middleware: PhoneDoorMiddleware(door: phone, failures: failures))
    }
    router.add(middleware: UnchangedMiddleware())
    AssetController().addRoutes(to: router)
    let login = LoginController(door: door, pages: pages)
    switch way {
    case .desk: login.addRoutes(to: router)
    case .phone: PairController(door: phone, pages: pages, archive: archive).addRoutes(to: router)
    }
    DayPageController(
      archive: archive, zone: zone, pages: pages, repeated: repeated, voice: voiceDesk,
      systemZone: systemZone, changelog: changelog
    ).addRoutes(to: router)
    WelcomeController(
      archive: archive, zone: zone, door: door, pages: pages, sample: sampleDesk
    ).addRoutes(to: router)
    ActivityPageController(archive: archive, zone: zone, pages: pages, voice: voiceDesk)
      .addRoutes(to: router)
    GoPageController(archive: archive, zone: zone, pages: pages).addRoutes(to: router)
    let calendar = CalendarController(archive: archive, zone: zone, pages: pages)
    calendar.addRoutes(to: router)
    PosterController(archive: archive, zone: zone, pages: pages).addRoutes(to: router)
    let homeZone = HomeZoneController(
      archive: archive, pages: pages, zone: zone, source: zoneSource, restart: restart,
      isBusy: isBusy)
    homeZone.addRoutes(to: router)
    let appearance = AppearanceController(archive: archive, pages: pages, homeZone: homeZone)
    appearance.addRoutes(to: router)
    DayActionController(archive: archive, zone: zone).addRoutes(to: router)
    ReadingController(archive: archive, zone: zone, pages: pages, voice: voiceDesk)
      .addRoutes(to: router)
    SearchPageController(
      archive: archive, zone: zone, indexes: indexes, status: indexStatus, pages: pages
    ).addRoutes(to: router)
    FindPageController(archive: archive, zone: zone, timelines: timelines, pages: pages)
      .addRoutes(to: router)
    let recaps = RecapController(archive: archive, zone: zone, timelines: timelines)
    RecapPageController(recaps: recaps, pages: pages).addRoutes(to: router)
    let insights = InsightController(archive: archive, zone: zone, timelines: timelines)
    InsightPageController(insights: insights, pages: pages).addRoutes(to: router)
    let map = MapController(desk: mapDesk, pages: pages)
    map.addRoutes(to: router)
    let photos = PhotoController(desk: photoDesk, pages: pages)
    photos.addRoutes(to: router)
    let goalPages = GoalSidePages(
      archive: archive, zone: zone, pages: pages, repeated: repeated)
    GoalPageController(shared: goalPages).addRoutes(to: router)
    GoalFileController(shared: goalPages).addRoutes(to: router)
    GoalLinkPageController(shared: goalPages).addRoutes(to: router)
    MatchPageController(shared: goalPages).addRoutes(to: router)
    ActionPageController(shared: goalPages).addRoutes(to: router)
    ValuePageController(shared: goalPages).addRoutes(to: router)
    TermPageController(shared: goalPages).addRoutes(to: router)
    LifePageController(shared: goalPages).addRoutes(to: router)
    SyncPageController(shared: goalPages).addRoutes(to: router)
    let conversations = Conversations(archive: archive, zone: zone, tools: tools)
    ConversationPageController(conversations: conversations, shared: goalPages)
      .addRoutes(to: router)
    let turns = CalendarTurns()
    let meetingPages = MeetingSidePages(
      shared: goalPages, indexes: indexes, voice: voiceDesk)
    MeetingPageController(shared: meetingPages).addRoutes(to: router)
    PersonPageController(shared: meetingPages).addRoutes(to: router)
    FreeNotePageController(shared: meetingPages).addRoutes(to: router)
    PromisePageController(shared: meetingPages).addRoutes(to: router)
    CalendarPageController(shared: meetingPages, turns: turns).addRoutes(to: router)
    let settings = SettingsPages(shared: goalPages)
    AddressBookPageController(settings: settings, turns: turns).addRoutes(to: router)
    TagPageController(settings: settings).addRoutes(to: router)
    let imports = ImportPageController(settings: settings, desk: importDesk)
    imports.addRoutes(to: router)
    MergePageController(settings: settings, desk: mergeDesk, imports: imports)
      .addRoutes(to: router)
    DuplicatePageController(settings: settings).addRoutes(to: router)
    ChangePageController(settings: settings).addRoutes(to: router)
    ForgetPageController(settings: settings).addRoutes(to: router)
    StoragePageController(settings: settings, desk: checkDesk).addRoutes(to: router)
    ExportController(settings: settings).addRoutes(to: router)
    AgentPageController(settings: settings).addRoutes(to: router)
    CaptureSettingsController(settings: settings).addRoutes(to: router)
    CapturePageController(archive: archive, zone: zone, pages: pages, repeated: repeated)
      .addRoutes(to: router)
    ModelPageController(settings: settings, parts: partDesk).addRoutes(to: router)
    PhonePageController(settings: settings, door: phone).addRoutes(to: router)
    DeviceSyncPageController(settings: settings).addRoutes(to: router)
    LinkedServicePageController(settings: settings, turns: turns).addRoutes(to: router)
    PendingPageController(tools: tools, settings: settings).addRoutes(to: router)
    BackupPageController(settings: settings, desk: backupDesk).addRoutes(to: router)
    TemplatePageController(settings: settings).addRoutes(to: router)
    RestorePageController(settings: settings, desk: restoreDesk).addRoutes(to: router)
    MovePageController(settings: settings, desk: backupDesk).addRoutes(to: router)
    ServicePageController(settings: settings, service: service).addRoutes(to: router)
    NewsPageController(settings: settings, changelog: changelog).addRoutes(to: router)
    let nudges = NudgeController(settings: settings)
    nudges.addRoutes(to: router)
    AttachmentController(archive: archive, thumbnails: thumbnails, queue: thumbnailQueue)
      .addRoutes(to: router)
    MarkdownController(archive: archive, zone: zone).addRoutes(to: router)
    let textLinks = TextLinkController(archive: archive, zone: zone, pages: pages)
    textLinks.addRoutes(to: router)
    let attaching = AttachController(archive: archive, zone: zone, repeated: repeated)
    attaching.addRoutes(to: router)
    let transcribing = TranscriptionController(archive: archive, desk: voiceDesk)
    transcribing.addRoutes(to: router)
    events.addRoutes(to: router)
    MCPController(sessions: mcpSessions).addRoutes(to: router)
    let api = router.group("/api/v1")
    DayController(archive: archive).addRoutes(to: api)
    calendar.addRoutes(to: api)
    appearance.addRoutes(to: api)
    nudges.addRoutes(to: api)
    TemplateController(settings: settings).addRoutes(to: api)
    ActivityController(archive: archive, zone: zone, repeated: repeated).addRoutes(to: api)
    attaching.addRoutes(to: api)
    transcribing.addRoutes(to: api)
    GoalsAPI(archive: archive, zone: zone, repeated: repeated).addRoutes(to: api)
    GoalFileController(shared: goalPages).addRoutes(to: api)
    MeetingsAPI(
      archive: archive, zone: zone, repeated: repeated, indexes: indexes, turns: turns
    ).addRoutes(to: api)
    FindController(
      archive: archive, zone: zone, indexes: indexes, status: indexStatus, timelines: timelines
    ).addRoutes(to: api)
    textLinks.addRoutes(to: api)
    recaps.addRoutes(to: api)
    ConversationController(conversations: conversations, repeated: repeated).addRoutes(to: api)
    TagController(archive: archive, repeated: repeated).addRoutes(to: api)
    insights.addRoutes(to: api)
    map.addRoutes(to: api)
    photos.addRoutes(to: api)
    HistoryController(archive: archive, repeated: repeated).addRoutes(to: api)
    ImportController(archive: archive, zone: zone, repeated: repeated).addRoutes(to: api)
    SyncController(archive: archive, zone: zone, repeated: repeated).addRoutes(to: api)
    ToolController(tools: tools, repeated: repeated).addRoutes(to: api)
    AgentController(archive: archive).addRoutes(to: api)
    if case .desk = way { login.addRoutes(to: api) }
    DeviceController(archive: archive, door: phone).addRoutes(to: api)
    DeviceSyncController(archive: archive).addRoutes(to: api)
    KeepingController(settings: settings, checkDesk: checkDesk).addRoutes(to: api)
    BackupController(settings: settings, desk: backupDesk).addRoutes(to: api)
    RestoreController(settings: settings, desk: restoreDesk).addRoutes(to: api)
    homeZone.addRoutes(to: api)
    ServiceController(archive: archive, service: service).addRoutes(to: api)
    InboxController(archive: archive).addRoutes(to: api)
    DescriptionController().addRoutes(to: api)
    events.addRoutes(to: api)
    router.add(
      middleware: KnownPaths(router.routes.map { ($0.path.description, $0.method) }))
    return router
  }
}
