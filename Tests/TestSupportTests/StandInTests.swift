import Foundation
import Mail
import Messaging
import NIOCore
import NIOHPACK
import PushClient
import TestSupport
import Testing
import WaterQuality
import Words

@testable import aqua_bench

/// The benchmark's stand-ins know whose message it is that the product sends.
@Suite struct StandInTests {
    private static let origin = "https://127.0.0.1:8443"

    private static func receipt(
        _ standIn: any PushStandIn, _ path: String, _ body: [UInt8], _ headers: [(String, String)] = []
    ) throws -> StandInReceipt {
        guard case .web(let take) = standIn.receiver else { throw TestSupportError("It takes no requests") }
        return take(
            HTTP2Server.Request(
                connection: 0, headers: HPACKHeaders([(":path", path)] + headers), body: ByteBuffer(bytes: body)))
    }

    private static let message = ServiceMessage(
        id: "a", title: #"Tank "7": too warm"#, body: #"It says "topic":"bench-9"."#, link: "https://water.example/",
        urgency: .high, time: 1_790_000_000, language: .en,
        answer: AnswerLinks(page: "https://water.example/a", posted: "https://water.example/b", token: "t"))

    @Test(arguments: [Endpoint.Channel.ntfy, .sms])
    func whatAServiceIsSentIsKnownByItsAddress(channel: Endpoint.Channel) throws {
        let kind = try #require(PushKind(rawValue: channel.rawValue))
        let made = try #require(kind.standIn as? any StandInEndpoints).endpoint(of: 4321, at: Self.origin)
        #expect(made.target.hasPrefix(Self.origin))
        let service = try #require(MessagingServices[channel: channel])
        let values = try #require(ServiceValues(stored: made.secret))
        guard case .request(let request, let answer) = try service.checked(values).dispatch(of: Self.message) else {
            throw TestSupportError("It is sent no request")
        }
        let receipt = try Self.receipt(kind.standIn, String(request.url.dropFirst(Self.origin.count)), request.body)
        #expect(receipt.arrival == Arrival(alarmOf: 4321))
        guard case .body(let text, let status, _, _) = receipt.answer else { throw TestSupportError("No answer") }
        #expect(answer(PushReply(.response(status: status), body: Array(text.utf8))) == .response(status: status))
        #expect((200...299).contains(status))
    }

    @Test func everybodysEndpointIsAnother() throws {
        for kind in PushKind.allCases {
            guard let made = kind.standIn as? any StandInEndpoints else { continue }
            let targets = try (0..<300).map { try made.endpoint(of: $0, at: Self.origin).target }
            #expect(Set(targets).count == targets.count)
        }
    }

    @Test(arguments: [("alarm", Arrival.Purpose.alarm), ("recovery", .recovery), ("test", .other)])
    func whatAppsAreSentTellsWhatItIs(purpose: String, known: Arrival.Purpose) throws {
        let data = #""device":"bench-5","parameter":"ph","purpose":"\#(purpose)""#
        let ofApple = AppleDevices().endpoint(of: 5, at: Self.origin)
        let apple = try Self.receipt(
            AppleDevices(), String(ofApple.target.dropFirst(Self.origin.count)),
            Array(#"{"aps":{"alert":{"title":"x"}},"aqua":{\#(data)}}"#.utf8))
        let token = String(decoding: AndroidDevices().endpoint(of: 5, at: Self.origin).secret, as: UTF8.self)
        let google = try Self.receipt(
            AndroidDevices(), "/v1/projects/\(GoogleMessaging.project)/messages:send",
            Array(#"{"message":{"android":{"ttl":"9s"},"data":{\#(data)},"token":"\#(token)"}}"#.utf8))
        for receipt in [apple, google] {
            #expect(receipt.arrival == Arrival(breach: Breach(device: 5, parameter: .ph), purpose: known))
        }
    }

    @Test func googleGrantsATokenThatIsNoMessage() throws {
        let receipt = try Self.receipt(AndroidDevices(), "/token", Array("grant_type=x".utf8))
        #expect(receipt.arrival == nil)
        guard case .body(let text, 200, _, _) = receipt.answer else { throw TestSupportError("It is refused") }
        #expect(text.contains("access_token"))
    }

    @Test(arguments: PushKind.allCases)
    func whatIsNobodysIsNoArrival(kind: PushKind) throws {
        switch kind.standIn.receiver {
        case .web: #expect(try Self.receipt(kind.standIn, "/elsewhere", Array("{}".utf8)).arrival == nil)
        case .mail(let device): #expect(device("somebody@example.org") == nil)
        }
    }

    /// The product's client hands over mail after mail, over connections that are kept.
    @Test func mailIsTaken() async throws {
        let numbers = (0..<40).map { $0 }
        let (mails, continuation) = AsyncStream.makeStream(of: Int?.self)
        try await PushSink.with(.email) {
            continuation.yield($0.breach.device)
        } body: { sink in
            #expect(sink.notifier == nil)
            let url = try #require(sink.settings["AQUA_SMTP_URL"])
            let port = try #require(url.split(separator: ":").last.flatMap { Int($0) })
            let sender = try #require(MailSender("alerts@example.org"))
            let client = MailClient(MailServer(host: "127.0.0.1", port: port, encryption: .none, sender: sender))
            for number in numbers {
                let address = try #require(MailAddress(Mailboxes.address(of: number)))
                let mail = MailMessage(
                    to: address, id: "m\(number)", language: "en", title: "t", text: ".\n..\nx\n", time: 0)
                #expect(await client.send(mail) == .accepted)
            }
        }
        continuation.finish()
        var arrived: [Int?] = []
        for await number in mails { arrived.append(number) }
        #expect(arrived == numbers)
    }
}
