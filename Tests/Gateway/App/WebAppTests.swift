import Foundation
import NIOCore
import NIOHTTP1
import Routes
import ServiceKit
import TestSupport
import Testing

@testable import Gateway

@Suite struct WebAppTests {
    private static let contents: [String: String] = [
        "/index.html": "<!doctype html><title>App</title>" + String(repeating: "<p>water</p>", count: 200),
        "/app/main.js": "export {};\n",
        "/styles/base.css": "body { margin: 0 }\n",
        "/icons/icon.svg": "<svg xmlns=\"http://www.w3.org/2000/svg\"/>",
        "/sw.js": "self.version = BUILD.version;\n",
    ]

    private static func app(_ contents: [String: String] = contents) throws -> WebApp {
        try WebApp(files: contents.mapValues { Array($0.utf8) })
    }

    private static func serving(_ body: @Sendable @escaping (GatewayUnderTest) async throws -> Void) async throws {
        let app = try app()
        try await GatewayUnderTest.with(GatewayUnderTest.adjusting { $0.app = app }, body)
    }

    // MARK: Served files

    @Test func theShellIsServedWithItsPolicy() async throws {
        try await Self.serving { gateway in
            let reply = try await gateway.request(.GET, "/")
            #expect(reply.status == 200)
            #expect(reply[header: "Content-Type"] == "text/html; charset=utf-8")
            #expect(reply[header: "Cache-Control"] == "no-cache")
            #expect(reply[header: "X-Content-Type-Options"] == "nosniff")
            #expect(reply[header: "Strict-Transport-Security"] == "max-age=31536000")
            let policy = try #require(reply[header: "Content-Security-Policy"])
            for rule in [
                "default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'", "img-src 'self'",
                "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'",
            ] {
                #expect(policy.split(separator: ";").contains { $0.trimmingCharacters(in: .whitespaces) == rule })
            }
            #expect(!policy.contains("unsafe"))
        }
    }

    @Test(arguments: ["/devices", "/icons/icon.svg", "/sw.js"])
    func whateverRunsScriptsHasThePolicy(path: String) async throws {
        try await Self.serving { gateway in
            let reply = try await gateway.request(.GET, path, headers: ["Accept": "text/html"])
            #expect(reply[header: "Content-Security-Policy"] == AppFile.policy(pictures: nil))
            #expect(reply[header: "Cross-Origin-Opener-Policy"] == "same-origin")
            let permissions = try #require(reply[header: "Permissions-Policy"])
            for one in ["microphone=()", "serial=(self)", "usb=()"] { #expect(permissions.contains(one)) }
            let script = try await gateway.request(.GET, "/app/main.js")
            #expect(script[header: "Content-Security-Policy"] == "default-src 'none'; frame-ancestors 'none'")
        }
    }

    @Test(arguments: ["/devices", "/p/tank-1/ph", "/settings/tank-1/temperature", "/join"])
    func thePathsOfScreensLeadToTheShell(path: String) async throws {
        try await Self.serving { gateway in
            let shown = try await gateway.request(.GET, path, headers: ["Accept": "text/html,*/*;q=0.8"])
            #expect(shown.status == 200)
            #expect(shown[header: "Content-Type"] == "text/html; charset=utf-8")
            let asked = try await gateway.request(.GET, path, headers: ["Accept": "application/json"])
            #expect(asked.status == 404)
        }
    }

    @Test(arguments: ["/api/v1/nothing", "/api/nothing", "/app/other.js", "/app/..%2f..%2fsecret"])
    func theShellStandsForNothingElse(path: String) async throws {
        try await Self.serving { gateway in
            let reply = try await gateway.request(.GET, path, headers: ["Accept": "text/html"])
            #expect(reply.status == 404)
            #expect(reply[header: "Content-Type"] == "application/problem+json")
        }
    }

    @Test func theAPIIsWhereItWas() async throws {
        try await Self.serving { gateway in
            let service = try await gateway.request(.GET, "/api/v1/service")
            #expect(service.json?["name"]?.string == "AquaMonitor")
            let page = try await gateway.request(.GET, "/api/")
            #expect(page.status == 200)
        }
    }

    @Test func withoutAFolderOnlyTheAPIIsServed() async throws {
        try await GatewayUnderTest.with { gateway in
            let reply = try await gateway.request(.GET, "/", headers: ["Accept": "text/html"])
            #expect(reply.status == 404)
        }
    }

    @Test func aFileThatIsKnownIsNotSentAgain() async throws {
        try await Self.serving { gateway in
            let first = try await gateway.request(.GET, "/app/main.js")
            let tag = try #require(first[header: "ETag"])
            #expect(first[header: "Content-Type"] == "text/javascript; charset=utf-8")
            let second = try await gateway.request(
                .GET, "/app/main.js", headers: ["If-None-Match": "\"other\", W/\(tag)"])
            #expect(second.status == 304)
            #expect(second.body.isEmpty)
            #expect(second[header: "ETag"] == tag)
            let third = try await gateway.request(.GET, "/app/main.js", headers: ["If-None-Match": "\"other\""])
            #expect(third.status == 200)
        }
    }

    @Test(arguments: [
        ("br, gzip", ContentCoding.brotli), ("gzip, deflate", .gzip), ("gzip, br;q=0", .gzip), ("*", .brotli),
    ])
    func filesAreCompressedForThoseWhoTakeThat(header: String, coding: ContentCoding) async throws {
        try await Self.serving { gateway in
            let plain = try await gateway.request(.GET, "/")
            let packed = try await gateway.request(.GET, "/", headers: ["Accept-Encoding": header])
            #expect(plain[header: "Content-Encoding"] == nil)
            #expect(packed[header: "Content-Encoding"] == coding.rawValue)
            #expect(packed[header: "Vary"]?.contains("Accept-Encoding") == true)
            #expect(packed.body.count < plain.body.count)
            #expect(packed[header: "ETag"] != plain[header: "ETag"])
            let unpacked = try await coding == .gzip ? gunzip(packed.body) : unbrotli(packed.body, plain.body.count)
            #expect(unpacked == plain.body)
            let known = try await gateway.request(
                .GET, "/", headers: ["If-None-Match": packed[header: "ETag"] ?? ""])
            #expect(known.status == 304)
        }
    }

    @Test func brotliSavesAnEighth() throws {
        let folder = Paths.repository.appending(path: "Services/Gateway/Web").path(percentEncoded: false)
        let packed = try AppPacking.packed(try AppFolder.read(folder))
        let script = try #require(packed[ScriptPacks.parts])
        let compressed = try #require(Brotli.compressed(script))
        #expect(compressed.count < Gzip(level: 9).finish(ByteBuffer(bytes: script)).readableBytes * 9 / 10)
        #expect(try unbrotli(compressed, script.count) == script)
        #expect(try unbrotli(try #require(Brotli.compressed([])), 0) == [])
    }

    @Test func iconsMayBeKeptAndNothingElse() async throws {
        try await Self.serving { gateway in
            let icon = try await gateway.request(.GET, "/icons/icon.svg")
            #expect(icon[header: "Cache-Control"] == "public, max-age=86400")
            let style = try await gateway.request(.GET, "/styles/base.css")
            #expect(style[header: "Cache-Control"] == "no-cache")
        }
    }

    @Test func filesAreReadAndNotWritten() async throws {
        try await Self.serving { gateway in
            let head = try await gateway.request(.HEAD, "/app/main.js")
            #expect(head.status == 200)
            #expect(head.body.isEmpty)
            let post = try await gateway.request(.POST, "/app/main.js")
            #expect(post.status == 405)
            #expect(post[header: "Allow"] == "GET, HEAD, OPTIONS")
        }
    }

    @Test func filesAreCountedAsOne() async throws {
        try await Self.serving { gateway in
            _ = try await gateway.request(.GET, "/app/main.js")
            #expect(gateway.metrics.render().contains(#"aqua_gateway_requests_total{route="app",status="2xx"} 1"#))
        }
    }

    // MARK: The service worker

    @Test func theServiceWorkerIsToldWhatToKeep() async throws {
        try await Self.serving { gateway in
            let text = String(decoding: try await gateway.request(.GET, "/sw.js").body, as: UTF8.self)
            let version = try Self.app().version
            #expect(
                text == """
                    const BUILD = {"version":"\(version)","files":["/","/app/main.js","/icons/icon.svg","/styles/base.css"],\
                    "name":"AquaMonitor","icon":"/icons/icon-192.png","badge":"/icons/badge-96.png"};
                    self.version = BUILD.version;

                    """)
        }
    }

    @Test func anyChangeIsAnotherVersion() throws {
        let version = try Self.app().version
        #expect(try Self.app().version == version)
        for path in Self.contents.keys {
            var changed = Self.contents
            changed[path, default: ""] += "changed"
            #expect(try Self.app(changed).version != version)
        }
        var moved = Self.contents
        moved["/app/start.js"] = moved.removeValue(forKey: "/app/main.js")
        #expect(try Self.app(moved).version != version)
    }
}
