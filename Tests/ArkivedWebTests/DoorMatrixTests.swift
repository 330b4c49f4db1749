import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@testable import ArkivedWeb

/// Every method and route that the router knows, against every evil visitor.
@Suite("The door, route by route")
struct DoorMatrixTests {
  /// What a stranger may see: the way to sign in, its style, the script of offline pages, and the empty
  /// window of the bookmark.
  private static let open: Set<String> = [
    "/assets/{name}", "/login/{code}", "/service-worker.js", "/capture",
  ]

  @Test func theRouterKnowsItsRoutes() throws {
    let routes = try KnownRoute.all(of: try WebTest().app)
    #expect(routes.count > 250)
    #expect(routes.contains { $0.pattern == "/api/v1/activities/{id}" && $0.method == "PATCH" })
    #expect(Self.open.isSubset(of: Set(routes.map(\.pattern))))
  }

  @Test func everyRouteRefusesEveryOtherHost() async throws {
    let web = try WebTest()
    let routes = try KnownRoute.all(of: web.app)
    try await web.run { client in
      let hosts: [String?] = [
        "evil.test", "evil.test:\(client.port)", "localhost.evil.test",
        "localhost.evil.test:\(client.port)", "0.0.0.0", "0.0.0.0:\(client.port)", "127.0.0.1",
        "localhost:\(client.port)", "[::1]:\(client.port)", nil,
      ]
      let requests = routes.flatMap { route -> [RawRequest] in
        hosts.map { host -> RawRequest in
          var request = route.request(
            ["Authorization": "Bearer \(client.door.ownerToken)"], port: client.port)
          request.host = host
          return request
        }
      }
      let wrong = try await requests.answeredWrongly(port: client.port) { status, _ in
        status == 421 || status == 400
      }
      #expect(wrong == [])
    }
    #expect(try web.test.archive.changes(limit: 1).isEmpty)
  }

  @Test func noRouteIsOpenToAStranger() async throws {
    let web = try WebTest()
    let routes = try KnownRoute.all(of: web.app).filter { !Self.open.contains($0.pattern) }
    try await web.run { client in
      let token = client.door.ownerToken
      let guesses: [(query: String, headers: [String: String])] = [
        ("", [:]), ("", ["Authorization": "Bearer wrong"]), ("", ["Authorization": token]),
        ("", ["Authorization": "Basic \(token)"]), ("", ["X-Token": token]),
        ("", ["Cookie": "arkived-\(client.port)=wrong; token=\(token)"]),
        ("?token=\(token)&access_token=\(token)&authorization=Bearer%20\(token)", [:]),
      ]
      var requests = routes.flatMap { route -> [RawRequest] in
        guesses.map { route.request($0.headers, port: client.port, query: $0.query) }
      }
      for route in routes where route.isReading {
        var request = route.request([:], port: client.port)
        request.method = "HEAD"
        requests.append(request)
      }
      let wrong = try await requests.answeredWrongly(port: client.port) { status, text in
        status == 401 && !text.contains(token)
      }
      #expect(wrong == [])
    }
    #expect(try web.test.archive.changes(limit: 1).isEmpty)
  }

  @Test func everyRouteRefusesEveryOtherOrigin() async throws {
    let web = try WebTest()
    let routes = try KnownRoute.all(of: web.app)
    try await web.run { client in
      let cookie = ["Cookie": try await client.signIn()]
      let token = ["Authorization": "Bearer \(client.door.ownerToken)"]
      let origins = [
        "https://evil.test", "http://localhost.evil.test:\(client.port)", "null",
        "http://0.0.0.0:\(client.port)", "https://127.0.0.1:\(client.port)",
        "http://localhost:\(client.port)",
      ]
      var requests = routes.flatMap { route -> [RawRequest] in
        origins.map { origin -> RawRequest in
          var request = route.request(route.isAPI ? token : cookie, port: client.port)
          request.headers["Origin"] = origin
          return request
        }
      }
      // A change by a browser's session must say where it comes from.
      requests += routes.filter { !$0.isReading }.map { $0.request(cookie, port: client.port) }
      let wrong = try await requests.answeredWrongly(port: client.port) { status, _ in
        status == 403
      }
      #expect(wrong == [])
    }
    #expect(try web.test.archive.changes(limit: 1).isEmpty)
  }

  @Test func noRouteTakesABodyOfTenGigabytes() async throws {
    let web = try WebTest()
    let routes = try KnownRoute.all(of: web.app).filter { !$0.isReading }
    try await web.run { client in
      let headers = [
        "Authorization": "Bearer \(client.door.ownerToken)", "Content-Length": "\(10 << 30)",
        "Content-Type": "application/json",
      ]
      let requests = routes.map { $0.request(headers, port: client.port, body: "{") }
      let wrong = try await requests.answeredWrongly(port: client.port) { status, _ in
        status == 413
      }
      #expect(wrong == [])
    }
  }

  /// Whatever a body says it is: an address takes it as its own kind or refuses it, and never fails
  /// itself.
  @Test func everyRouteLivesThroughEveryContentType() async throws {
    let web = try WebTest()
    let routes = try KnownRoute.all(of: web.app).filter { !$0.isReading }
    try await web.run { client in
      let types = [
        "text/plain", "text/html", "application/x-www-form-urlencoded", "multipart/form-data",
        "multipart/form-data; boundary=", "multipart/form-data; boundary=a",
        "application/json; charset=evil", "application/octet-stream", "a/b/c", ";",
      ]
      let requests = routes.flatMap { route -> [RawRequest] in
        types.map {
          route.request(
            ["Authorization": "Bearer \(client.door.ownerToken)", "Content-Type": $0],
            port: client.port, body: "{\"text\":\"a\"")
        }
      }
      let wrong = try await requests.answeredWrongly(port: client.port) { status, _ in
        (200..<500).contains(status)
      }
      #expect(wrong == [])
    }
  }
}
