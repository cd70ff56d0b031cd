import Foundation
import Mail
import ServiceKit
import TestSupport
import Testing

/// Mail over a real server, with encryption and without, and what its refusals mean.
@Suite struct MailClientTests {
    private static let sender = MailSender("Koi Club <alerts@example.org>")!

    private static func client(
        _ server: TestMailServer, _ encryption: MailServer.Encryption = .none,
        credential: MailServer.Credential = .none,
        knowsAuthority: Bool = true, patience: Duration = .seconds(60)
    ) -> MailClient {
        MailClient(
            MailServer(
                host: "127.0.0.1", port: server.port, encryption: encryption, credential: credential, sender: sender,
                authorityFile: knowsAuthority ? server.authorityFile : nil), patience: patience)
    }

    private static let password = MailServer.Credential.password(
        user: TestMailServer.user, Renewable(Secret(TestMailServer.password)))

    @Test(
        arguments: [
            (.plain, .none, .none), (.starttls, .demanded, password), (.tls, .fromTheStart, password),
            (.starttls, .demanded, .bearer(user: TestMailServer.user, Renewable(Secret(TestMailServer.token)))),
        ] as [(TestMailServer.Mode, MailServer.Encryption, MailServer.Credential)])
    func aMailArrivesAsItWasMeant(
        mode: TestMailServer.Mode, encryption: MailServer.Encryption, credential: MailServer.Credential
    ) async throws {
        let asksForLogin = mode != .plain
        try await TestMailServer.with(mode, asksForLogin: asksForLogin) { server in
            let client = Self.client(server, encryption, credential: credential)
            let text = "25.6 °C — Ihr Höchstwert ist 24 °C.\n.\nFrom = here"
            let message = try MailMessageTests.message(
                title: "鯉の池: 水温が高い — " + String(repeating: "とても", count: 20), text: text)
            #expect(await client.send(message) == .accepted)
            let mail = try #require(try await server.mails(1).first)
            #expect(mail.from == "alerts@example.org" && mail.to == ["ada@example.org"])
            #expect(mail.helo == "example.org")
            #expect(mail.isEncrypted == asksForLogin && mail.isAuthenticated == asksForLogin)
            #expect(mail.header("subject") == message.title)
            #expect(mail.header("from") == "Koi Club <alerts@example.org>")
            #expect(mail.defects.isEmpty && mail.longest <= 100)
            #expect(
                mail.text.hasPrefix("\(message.title)\n\n\(text)\n\nOpen:\nhttps://water.example.org/alerts/0198f3a2\n")
            )
            #expect(mail.html.contains("href=\"https://water.example.org/unsubscribe#7-ab\""))
        }
    }

    @Test func oneConnectionIsKeptForManyMails() async throws {
        try await TestMailServer.with(.starttls, asksForLogin: true) { server in
            let client = Self.client(server, .demanded, credential: Self.password)
            let message = try MailMessageTests.message()
            for _ in 0..<3 { #expect(await client.send(message) == .accepted) }
            let numbers = try await server.mails(3).map(\.number)
            #expect(numbers == [1, 2, 3])
        }
    }

    @Test func asManyAtOnceAsComeAllArrive() async throws {
        try await TestMailServer.with { server in
            let client = Self.client(server)
            let message = try MailMessageTests.message()
            let replies = await withTaskGroup(of: MailReply.self) { group in
                for _ in 0..<40 { group.addTask { await client.send(message) } }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(replies == Array(repeating: .accepted, count: 40))
            #expect(try await server.mails(40).count == 40)
        }
    }

    @Test(
        arguments: [
            ("unknown", .unknownAddress), ("afterwards", .refused(code: 550, enhanced: "5.1.1")),
            ("policy", .refused(code: 550, enhanced: "5.7.1")),
            ("full", .refused(code: 452, enhanced: "4.2.2")), ("busy", .refused(code: 421, enhanced: "4.3.2")),
            ("bare", .refused(code: 550, enhanced: nil)), ("rejected", .refused(code: 554, enhanced: "5.6.0")),
            ("broken", .broken),
        ] as [(String, MailReply)])
    func aRefusalIsReadAtEachStep(recipient: String, reply: MailReply) async throws {
        try await TestMailServer.with { server in
            let client = Self.client(server)
            let message = try MailMessageTests.message(to: "\(recipient)@example.org")
            #expect(await client.send(message) == reply)
            // Others' mail is not held up by it.
            let other = try MailMessageTests.message()
            #expect(await client.send(other) == .accepted)
        }
    }

    @Test func aServerThatHangs() async throws {
        try await TestMailServer.with { server in
            let client = Self.client(server, patience: .seconds(2))
            let hanging = try MailMessageTests.message(to: "hang@example.org")
            #expect(await client.send(hanging) == .noConnection(.timeout))
            // Sent, so it may have been taken.
            let silent = try MailMessageTests.message(to: "silent@example.org")
            #expect(await client.send(silent) == .silence)
            let reply = await client.send(try MailMessageTests.message())
            #expect(reply == .accepted)
        }
    }

    @Test func whoeverIsCancelledWaitsNoLonger() async throws {
        try await TestMailServer.with { server in
            let client = Self.client(server)
            let hanging = try MailMessageTests.message(to: "hang@example.org")
            // More than there are connections: some wait for one.
            let sending = Task {
                await withTaskGroup(of: MailReply.self) { group in
                    for _ in 0..<12 { group.addTask { await client.send(hanging) } }
                    return await group.reduce(into: []) { $0.append($1) }
                }
            }
            try await awaitFact("all connections hang") { server.hanging == 8 ? true : nil }
            sending.cancel()
            let replies = await sending.value
            #expect(replies == Array(repeating: .noConnection(.timeout), count: 12))
            let message = try MailMessageTests.message()
            #expect(await client.send(message) == .accepted)
        }
    }

    @Test func nothingIsSentInClearWhereEncryptionIsDemanded() async throws {
        try await TestMailServer.with(.plain) { server in
            let client = Self.client(server, .demanded)
            let message = try MailMessageTests.message()
            #expect(await client.send(message) == .noConnection(.encryption))
            #expect(try server.received.isEmpty)
        }
    }

    @Test(arguments: [(.tls, .fromTheStart), (.starttls, .demanded)] as [(TestMailServer.Mode, MailServer.Encryption)])
    func aServerThatNobodyVouchesForGetsNothing(
        mode: TestMailServer.Mode, encryption: MailServer.Encryption
    ) async throws {
        try await TestMailServer.with(mode, asksForLogin: true) { server in
            let client = Self.client(server, encryption, credential: Self.password, knowsAuthority: false)
            let message = try MailMessageTests.message()
            #expect(await client.send(message) == .noConnection(.encryption))
            #expect(try server.received.isEmpty)
        }
    }

    @Test func aWrongPasswordIsOursToMend() async throws {
        try await TestMailServer.with(.starttls, asksForLogin: true) { server in
            let wrong = MailServer.Credential.password(user: TestMailServer.user, Renewable(Secret("another")))
            let client = Self.client(server, .demanded, credential: wrong)
            let reply = await client.send(try MailMessageTests.message())
            #expect(reply == .loginRefused)
            // Not at once again, for servers bar whoever does.
            let attempts = server.attempts
            let again = await client.send(try MailMessageTests.message())
            #expect(again == .loginRefused)
            #expect(server.attempts == attempts)
        }
    }

    @Test func aServerIsExaminedWithoutAMail() async throws {
        try await TestMailServer.with(.starttls, asksForLogin: true) { server in
            var settings = MailServer(
                host: "127.0.0.1", port: server.port, encryption: .demanded, credential: Self.password,
                sender: Self.sender, authorityFile: server.authorityFile)
            let sound = await MailClient.examine(settings, within: .seconds(60))
            settings.credential = .password(user: TestMailServer.user, Renewable(Secret("another")))
            let wrong = await MailClient.examine(settings, within: .seconds(60))
            settings.authorityFile = nil
            let stranger = await MailClient.examine(settings, within: .seconds(60))
            let received = try server.received
            #expect(sound == .accepted && wrong == .loginRefused && stranger == .noConnection(.encryption))
            #expect(received.isEmpty)
        }
    }

    @Test func nobodyListens() async throws {
        let server = MailServer(host: "127.0.0.1", port: Ports.free(), encryption: .none, sender: Self.sender)
        #expect(try await MailClient(server).send(MailMessageTests.message()) == .noConnection(.refused))
    }
}
