import PushTargets
import Testing
import WebPush

@Suite struct PushHostsTests {
    @Test(arguments: [
        ("https://fcm.googleapis.com/fcm/send/abc", PushService.google), ("https://FCM.GoogleAPIs.com./x", .google),
        ("https://updates.push.services.mozilla.com/wpush/v2/x", .mozilla), ("https://web.push.apple.com/Q", .apple),
        ("https://wns2-par02p.notify.windows.com/w/?token=x", .microsoft),
    ])
    func `push services of browsers`(url: String, service: PushService) throws {
        let target = try PushTarget(url)
        #expect(PushHosts.known.permit(target))
        #expect(PushService(of: target) == service)
    }

    /// Hosts that only resemble those of push services.
    @Test(arguments: [
        "http://fcm.googleapis.com/x", "https://fcm.googleapis.com:8443/x", "http://fcm.googleapis.com:443/x",
        "https://10.0.0.1/fcm.googleapis.com/",
        "https://evil.example/x.push.apple.com/", "https://fcm.googleapis.com.evil.example/x",
        "https://xfcm.googleapis.com/", "https://a.fcm.googleapis.com/", "https://push.apple.com/",
        "https://evilpush.apple.com/", "https://notify.windows.com/", "https://push.example.org/",
    ])
    func `what is none of them`(url: String) throws {
        #expect(!PushHosts.known.permit(try PushTarget(url)))
    }

    @Test func `the operator adds others, by name and port`() throws {
        let hosts = try #require(PushHosts(adding: " push.example.org, *.push.example.net:8443 ,127.0.0.1:9000"))
        for url in [
            "https://push.example.org/x", "https://a.push.example.net:8443/x", "https://127.0.0.1:9000/x",
            "https://fcm.googleapis.com/x",
        ] {
            #expect(hosts.permit(try PushTarget(url)), "\(url)")
        }
        for url in [
            "https://push.example.org:8443/x", "https://push.example.net:8443/x", "https://a.push.example.net/x",
            "https://127.0.0.1:9001/x", "https://a.push.example.org/x",
        ] {
            #expect(!hosts.permit(try PushTarget(url)), "\(url)")
        }
        #expect(PushService(of: try PushTarget("https://push.example.org/x")) == .other)
    }

    @Test(arguments: ["*", "*.com", "https://push.example.org", "push.example.org/x", "a b", "*.127.0.0.1", "u@h.org"])
    func `a name that is none`(text: String) {
        #expect(PushHosts(adding: text) == nil)
    }

    @Test func `a topic has 32 characters of base64url`() {
        let topics = ["", "test", "pond-1/temperature/range", String(repeating: "x", count: 1000)].map(
            CollapseTopic.text)
        #expect(topics.allSatisfy { $0.wholeMatch(of: /[A-Za-z0-9_-]{32}/) != nil })
        #expect(Set(topics).count == topics.count)
        #expect(CollapseTopic.text(of: "test") == topics[1])
    }
}
