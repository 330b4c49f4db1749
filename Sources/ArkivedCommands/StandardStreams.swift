#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The standard input, output and error of the process.
enum StandardStreams {
  /// Keeps the place of each stream that is closed, so no file or connection that is opened later
  /// takes it, and receives what is meant for the stream.
  ///
  /// A closed input is then empty, and writing to a closed output fails as before.
  static func keepPlaces() {
    for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
    where fcntl(stream, F_GETFD) == -1 && errno == EBADF {
      // The lowest free number, which is given to it, is the stream's own.
      _ = open("/dev/null", O_RDONLY)
    }
  }
}
