import PushTargets
import Testing

@Suite struct PushTargetPolicyTests {
    private static let strict = PushTargetPolicy()

    @Test(arguments: [
        "https://example.com/hook", "https://example.com:443/hook?token=a", "HTTPS://Example.COM",
        "https://example.com./x",
        "https://xn--bcher-kva.example/", "https://1.example.com/", "https://example.com/%20@10.0.0.1/",
        "https://example.com/x#@internal",
    ])
    func `may be registered everywhere`(text: String) throws {
        let target = try Self.strict.register(text)
        #expect(!target.needsPermission)
        #expect(try Self.strict.register(target.url) == target)
        #expect(!"\(target)".contains("example"))
    }

    @Test(arguments: [
        (
            [
                "https://fcm.googleapis.com/a", "HTTPS://FCM.googleapis.com./a", "https://fcm.googleapis.com:443/a#x",
                "https://fcm.googleapis.com:0443/a",
            ], "https://fcm.googleapis.com/a"
        ),
        (
            ["https://example.com", "https://EXAMPLE.com/", "https://example.com#/b", "https://example.com:/"],
            "https://example.com/"
        ),
        (["https://example.com?a=B", "https://example.com/?a=B#"], "https://example.com/?a=B"),
        (["https://example.com/A%2f/../b?C=://d"], "https://example.com/A%2f/../b?C=://d"),
    ])
    func `spellings of one address are one target`(texts: [String], url: String) throws {
        for text in texts { #expect(try PushTarget(text).url == url, "\(text)") }
    }

    @Test func `a port stays where it is not the scheme's`() throws {
        #expect(try PushTarget("http://10.0.0.1:443").url == "http://10.0.0.1:443/")
        #expect(try PushTarget("http://10.0.0.1:80/x").url == "http://10.0.0.1/x")
        #expect(try PushTarget("https://[FD12::1]:8443/x").url == "https://[fd12::1]:8443/x")
    }

    @Test(arguments: [
        ("", PushTargetFault.notAURL), ("example.com/hook", .notAURL), ("https://", .notAURL), ("https:///x", .notAURL),
        ("https://exa mple.com/", .notAURL), ("https://example.com\\@10.0.0.1/", .notAURL),
        ("https://bücher.example/", .notAURL), ("https://example.com/\n", .notAURL),
        ("https://example.com:0/", .notAURL),
        ("https://example.com:70000/", .notAURL),
        ("ftp://example.com/", .scheme), ("file://example.com/etc/passwd", .scheme), ("unix://x/y", .scheme),
        ("https+unix://x/y", .scheme),
        ("https://user@example.com/", .credentials), ("https://user:word@example.com/", .credentials),
        ("https://example.com@10.0.0.1/", .credentials),
        ("https://127.1/", .host), ("https://0x7f.1/", .host), ("https://2130706433/", .host), ("https://a..b/", .host),
        ("https://example.com%2f.evil/", .host), ("https://[fe80::1%25eth0]/", .host),
        ("http://example.com/", .notEncrypted), ("http://127.0.0.1:9000/", .notEncrypted),
        ("https://example.com:8443/", .port), ("https://127.0.0.1:8443/", .port),
        ("https://127.0.0.1/", .privateHost), ("https://8.8.8.8/", .privateHost), ("https://[::1]/", .privateHost),
        ("https://[::ffff:10.0.0.1]/", .privateHost), ("https://localhost/", .privateHost),
        ("https://localhost./", .privateHost), ("https://postgres/", .privateHost),
        ("https://nas.local/", .privateHost),
        ("https://metadata.google.internal/", .privateHost), ("https://router.lan/", .privateHost),
        ("https://a.localhost/", .privateHost), ("https://x.home.arpa/", .privateHost),
    ])
    func `is refused where nothing is permitted`(text: String, fault: PushTargetFault) {
        #expect(throws: fault) { try Self.strict.register(text) }
    }

    @Test func `is refused when too long`() {
        let path = String(repeating: "a", count: PushTarget.longest)
        #expect(throws: PushTargetFault.tooLong) { try Self.strict.register("https://example.com/\(path)") }
    }

    @Test(arguments: [
        ("127.0.0.0/8:9000", "http://127.0.0.1:9000/", true), ("127.0.0.0/8:9000", "http://127.0.0.1:9001/", false),
        ("127.0.0.0/8:9000", "http://localhost:9000/", true), ("127.0.0.0/8:9000", "http://localhost/", false),
        ("127.0.0.0/8:9000", "http://10.0.0.1:9000/", false), ("127.0.0.0/8:*", "http://127.9.9.9:1/", true),
        ("10.0.0.5/32:443", "https://10.0.0.5/", true), ("10.0.0.5/32:443", "https://10.0.0.6/", false),
        ("10.0.0.5/32:443", "https://[::ffff:10.0.0.5]/", true), ("0.0.0.0/0:8443", "https://example.com:8443/", true),
        ("fd00::/8:443", "https://[fd12::1]/", true),
        ("10.0.0.0/8:80, 127.0.0.0/8:9000", "http://127.0.0.1:9000/", true),
        ("127.0.0.0/8:9000", "ftp://127.0.0.1:9000/", false), ("127.0.0.0/8:9000", "http://a@127.0.0.1:9000/", false),
    ])
    func `permission`(allowed: String, text: String, isAccepted: Bool) throws {
        let policy = PushTargetPolicy(allowed: try #require(PushAllowList(allowed)))
        #expect(((try? policy.register(text)) != nil) == isAccepted)
    }

    /// The address that a connection reached; `needsPermission` is the target's.
    @Test(arguments: [
        ("", "8.8.8.8", 443, false, true), ("", "8.8.8.8", 443, true, false), ("", "127.0.0.1", 443, false, false),
        ("", "::ffff:127.0.0.1", 443, false, false), ("127.0.0.0/8:9000", "127.0.0.1", 9000, true, true),
        ("127.0.0.0/8:9000", "127.0.0.1", 9000, false, true), ("127.0.0.0/8:9000", "127.0.0.1", 443, false, false),
        ("127.0.0.0/8:9000", "::ffff:127.0.0.1", 9000, true, true), ("127.0.0.0/8:9000", "::1", 9000, true, false),
        ("127.0.0.0/8:9000", "8.8.8.8", 9000, true, false), ("10.0.0.0/8:443", "64:ff9b::10.1.2.3", 443, false, true),
    ])
    func `a connection is admitted`(
        allowed: String, address: String, port: Int, needsPermission: Bool, isAdmitted: Bool
    ) throws {
        let policy = PushTargetPolicy(allowed: try #require(PushAllowList(allowed)))
        let address = try #require(IPAddress(address))
        #expect(policy.admits(address, port: port, needsPermission: needsPermission) == isAdmitted)
    }

    @Test(arguments: [
        "10.0.0.0/8", "10.0.0.0:80", "10.0.0.0/8:0", "10.0.0.0/8:65536", "10.0.0.0/8:x", "x/8:80", "10.0.0.0/8:80,x",
    ])
    func `is no list`(text: String) {
        #expect(PushAllowList(text) == nil)
    }

    @Test(arguments: PushTargetFault.allCases)
    func `every fault is a sentence`(fault: PushTargetFault) {
        #expect(fault.description.hasSuffix("."))
    }
}
