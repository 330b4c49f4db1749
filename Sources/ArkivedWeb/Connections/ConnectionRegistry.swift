import NIOCore
import NIOHTTP1
import NIOSSL
import Synchronization

/// The open connections of a listener, and the choice of the one to close when another arrives.
///
/// Each priority has its own limit, so neither silent visitors nor busy programs keep the owner
/// out. A new connection is always accepted, in place of the oldest unauthenticated one. An
/// authenticated connection is closed only between two requests, by another one of its own
/// priority.
final class ConnectionRegistry: Sendable {
  typealias ID = Int

  private struct Connection: Sendable {
    let channel: any Channel
    var priority = ConnectionPriority.unauthenticated
    /// The number of requests whose responses haven't been written yet.
    var pendingRequests = 0
    /// The time when it was opened or last responded.
    var idleSince: NIODeadline
    /// A counter that increases with each use of a connection.
    var lastUse: Int
    /// A task that closes the connection unless it authenticates in time.
    var timeout: Scheduled<Void>?

    func close() {
      timeout?.cancel()
      let channel = channel
      channel.eventLoop.execute {
        // TLS would wait some seconds for the other end to agree.
        let pipeline = channel.pipeline.syncOperations
        let tls = try? pipeline.context(handlerType: NIOSSLServerHandler.self)
        guard let tls else { return channel.close(promise: nil) }
        tls.close(promise: nil)
      }
    }
  }

  private struct State: Sendable {
    var connections: [ID: Connection] = [:]
    var uses = 0

    mutating func nextUse() -> Int {
      uses += 1
      return uses
    }

    func count(_ priority: ConnectionPriority) -> Int {
      connections.values.count { $0.priority == priority }
    }

    /// Removes the connection that was used least recently, and returns it.
    ///
    /// There are so few connections that checking each is cheaper than keeping them sorted.
    mutating func removeOldest(where isCandidate: (ID, Connection) -> Bool) -> Connection? {
      var oldest: (id: ID, use: Int)?
      for (id, connection) in connections where isCandidate(id, connection) {
        if let oldest, oldest.use <= connection.lastUse { continue }
        oldest = (id, connection.lastUse)
      }
      return oldest.flatMap { connections.removeValue(forKey: $0.id) }
    }

    /// Removes one of the older half of the unauthenticated connections, and returns it.
    ///
    /// A connection with a request may be about to authenticate, so silent ones go first. The newer
    /// half is spared because the owner's request may still be on its way while strangers have
    /// already begun theirs.
    mutating func removeStranger(except spared: ID? = nil) -> Connection? {
      let strangers = connections.filter { id, connection in
        id != spared && connection.priority == .unauthenticated
      }
      .sorted { $0.value.lastUse < $1.value.lastUse }
      let older = strangers.prefix((strangers.count + 1) / 2)
      let closed = older.first { $0.value.pendingRequests == 0 } ?? older.first
      return closed.flatMap { connections.removeValue(forKey: $0.key) }
    }
  }

  private let limits: ServerLimits
  private let state = Mutex(State())

  init(_ limits: ServerLimits) { self.limits = limits }

  /// Adds a connection that has become active, closing another one if there are too many.
  func add(_ channel: any Channel) -> ID {
    let (id, closed) = state.withLock { state -> (ID, Connection?) in
      let id = state.nextUse()
      state.connections[id] = Connection(channel: channel, idleSince: .now(), lastUse: id)
      guard state.count(.unauthenticated) > limits.unauthenticated else { return (id, nil) }
      return (id, state.removeStranger(except: id))
    }
    closed?.close()
    scheduleTimeout(id, channel, after: limits.unauthenticatedPatience)
    return id
  }

  /// Records that the head of a request has arrived.
  func beginRequest(_ id: ID) {
    state.withLock { $0.connections[id]?.pendingRequests += 1 }
  }

  /// Records that a response has been written.
  func endRequest(_ id: ID) {
    let unwatched = state.withLock { state -> (any Channel)? in
      guard var connection = state.connections[id] else { return nil }
      connection.pendingRequests = max(0, connection.pendingRequests - 1)
      connection.idleSince = .now()
      // Unauthenticated connections are closed in order of arrival, however often they send
      // requests.
      if connection.priority != .unauthenticated { connection.lastUse = state.nextUse() }
      state.connections[id] = connection
      let isUnwatched =
        connection.priority == .unauthenticated && connection.pendingRequests == 0
        && connection.timeout == nil
      return isUnwatched ? connection.channel : nil
    }
    guard let unwatched else { return }
    scheduleTimeout(id, unwatched, after: limits.unauthenticatedPatience)
  }

  /// Raises the priority of a connection after an authenticated request.
  ///
  /// If all connections of that priority are busy with requests, it stays unauthenticated.
  func raise(_ id: ID, to priority: ConnectionPriority) {
    let (timeout, closed) = state.withLock { state -> (Scheduled<Void>?, Connection?) in
      guard let connection = state.connections[id], connection.priority < priority else {
        return (nil, nil)
      }
      var closed: Connection?
      if state.count(priority) >= limits.connections(of: priority) {
        closed = state.removeOldest { $1.priority == priority && $1.pendingRequests == 0 }
        guard closed != nil else { return (nil, nil) }
      }
      state.connections[id]?.priority = priority
      state.connections[id]?.timeout = nil
      return (connection.timeout, closed)
    }
    timeout?.cancel()
    closed?.close()
  }

  /// Closes some connections so that others, and files, can be opened; none of them is working on
  /// an authenticated request.
  func makeRoom() {
    for _ in 0..<FileDescriptorLimit.reserve {
      let closed = state.withLock { state -> Connection? in
        state.removeStranger()
          ?? state.removeOldest { $1.priority == .program && $1.pendingRequests == 0 }
          ?? state.removeOldest { $1.pendingRequests == 0 }
      }
      guard let closed else { return }
      closed.close()
    }
  }

  /// Removes a connection that has ended.
  func remove(_ id: ID) {
    state.withLock { $0.connections.removeValue(forKey: id) }?.timeout?.cancel()
  }

  // MARK: Timeouts

  private func scheduleTimeout(_ id: ID, _ channel: any Channel, after delay: TimeAmount) {
    let timeout = channel.eventLoop.scheduleTask(in: delay) { self.timeOut(id) }
    state.withLock { $0.connections[id]?.timeout = timeout }
  }

  /// Closes an unauthenticated connection that has been silent for too long, or schedules another
  /// check.
  private func timeOut(_ id: ID) {
    let patience = limits.unauthenticatedPatience
    let (closed, later) = state.withLock { state -> (Connection?, (any Channel, TimeAmount)?) in
      guard let connection = state.connections[id], connection.priority == .unauthenticated else {
        return (nil, nil)
      }
      state.connections[id]?.timeout = nil
      // The end of the response schedules the next check.
      guard connection.pendingRequests == 0 else { return (nil, nil) }
      let rest = connection.idleSince + patience - .now()
      guard rest <= .zero else { return (nil, (connection.channel, rest)) }
      state.connections[id] = nil
      return (connection, nil)
    }
    closed?.close()
    if let (channel, delay) = later { scheduleTimeout(id, channel, after: delay) }
  }
}

/// Reports the events of one connection to a `ConnectionRegistry`.
final class ConnectionRegistryHandler: ChannelDuplexHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  private let registry: ConnectionRegistry
  private var id: ConnectionRegistry.ID?
  /// True if the client sends nothing any more.
  private var hasLeft = false
  /// That of the request being answered, if it asked for it.
  private weak var presence: ClientPresence?

  init(_ registry: ConnectionRegistry) { self.registry = registry }

  // Only an active channel can be closed safely, because before that its listener is still setting
  // it up.
  func channelActive(context: ChannelHandlerContext) {
    id = registry.add(context.channel)
    context.fireChannelActive()
  }

  func channelInactive(context: ChannelHandlerContext) {
    if let id { registry.remove(id) }
    id = nil
    leave()
    context.fireChannelInactive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if let id, case .head = unwrapInboundIn(data) { registry.beginRequest(id) }
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    if let id, case .end = unwrapOutboundIn(data) { registry.endRequest(id) }
    context.write(data, promise: promise)
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch event {
    case let priority as ConnectionPriority:
      if let id { registry.raise(id, to: priority) }
    case let presence as ClientPresence:
      self.presence = presence
      if hasLeft { presence.leave() }
    default:
      // A browser that gives up a request closes its connection.
      if event as? ChannelEvent == .inputClosed { leave() }
      context.fireUserInboundEventTriggered(event)
    }
  }

  private func leave() {
    hasLeft = true
    presence?.leave()
  }
}
