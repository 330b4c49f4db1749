import ArkivedCore
package import ArkivedImport

extension WebDAVFailure {
  /// The problem and what to do about it.
  package var sentence: String {
    switch kind {
    case .unencrypted:
      said("\(place) isn’t encrypted. Use an address that begins with https://.")
    case .unusableAddress:
      said("\(place) isn’t a valid address. It should look like https://example.org/dav/Arkived/.")
    case .unauthorised:
      said(
        """
        \(place) rejected the user name or password (401). Enter them again. Many services need an \
        app password.
        """)
    case .forbidden:
      said("\(place) doesn’t let this account write there (403). Use another folder or account.")
    case .missing: said("No folder at \(place) (404). Check the address.")
    case .notAFolder: said("\(place) isn’t a WebDAV folder (405). Check the address.")
    case .locked: said("\(place) is locked by another program (423). Arkived will try again.")
    case .tooLarge:
      said(
        """
        \(place) doesn’t accept files this large (413). Increase the limit there.
        """)
    case .full: said("\(place) is out of space (507). Free some space there.")
    case .redirected: said("\(place) redirects to another server. Enter that server’s address.")
    case .unreachable: said("Couldn’t reach \(place). Arkived will try again.")
    case .timedOut: said("\(place) didn’t respond in time. Arkived will try again.")
    case .serverError:
      said(
        """
        \(place) reported a server error (\(status ?? 500)). Arkived will try again.
        """)
    case .unusable: said("\(place) sent an invalid response. Arkived will try again.")
    }
  }
}
