import Logging

/// The server's log on standard error, without messages on which no owner can act: connections that
/// ended because the server was stopped.
struct ServerLog: LogHandler {
  private var output: StreamLogHandler

  static func logger() -> Logger {
    var logger = Logger(label: "arkived") { label in
      ServerLog(output: StreamLogHandler.standardError(label: label))
    }
    logger.logLevel = .error
    return logger
  }

  func log(event: LogEvent) {
    guard !"\(event.message)".hasSuffix("CancellationError()") else { return }
    output.log(event: event)
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { output[metadataKey: key] }
    set { output[metadataKey: key] = newValue }
  }

  var metadata: Logger.Metadata {
    get { output.metadata }
    set { output.metadata = newValue }
  }

  var logLevel: Logger.Level {
    get { output.logLevel }
    set { output.logLevel = newValue }
  }
}
