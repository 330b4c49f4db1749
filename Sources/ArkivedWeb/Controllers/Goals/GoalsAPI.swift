import ArkivedCore
import ArkivedStore
import Hummingbird

/// The routes related to goals below `/api/v1`.
struct GoalsAPI: Sendable {
  let archive: Archive
  let zone: Zone
  let repeated: RepeatedRequests

  func addRoutes(to group: RouterGroup<WebContext>) {
    GoalController(archive: archive, zone: zone, repeated: repeated).addRoutes(to: group)
    ActionController(archive: archive, zone: zone, repeated: repeated).addRoutes(to: group)
    ValueController(archive: archive, zone: zone, repeated: repeated).addRoutes(to: group)
    TermController(archive: archive, zone: zone, repeated: repeated).addRoutes(to: group)
    MatchController(archive: archive, zone: zone, repeated: repeated).addRoutes(to: group)
    LifeTimeController(archive: archive, zone: zone).addRoutes(to: group)
    ProgressController(archive: archive, zone: zone).addRoutes(to: group)
  }
}
