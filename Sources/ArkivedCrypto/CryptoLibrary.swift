import CCrypto
import Foundation

/// OpenSSL's libcrypto, which is loaded when it is first needed.
enum CryptoLibrary {
  /// Ends the program if something can't be created because libcrypto or memory is missing.
  ///
  /// Continuing would produce file names that don't match their content, or keys that anybody can
  /// guess. Everything acknowledged before is already on disk.
  ///
  /// - Parameter thing: what couldn't be created.
  static func stop(without thing: String) -> Never {
    guard crypto_is_there() == 1 else {
      let text = "arkived: OpenSSL’s libcrypto isn’t installed. Install libssl3 and try again.\n"
      FileHandle.standardError.write(Data(text.utf8))
      exit(EX_UNAVAILABLE)
    }
    preconditionFailure("No memory for \(thing).")
  }
}
