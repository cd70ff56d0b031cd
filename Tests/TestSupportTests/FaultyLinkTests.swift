import NIOCore
import NIOPosix
import Synchronization
import TestSupport
import Testing

/// The faults that the proxy injects, as tests of services rely on them.
@Suite struct FaultyLinkTests {
    @Test func whatIsSaidIsHandedOn() async throws {
        try await withEcho { link, client in
            try await client.say("one")
            try await client.hears("one")
            link.set(.delay(.milliseconds(1)))
            try await client.say("two")
            try await client.hears("onetwo")
        }
    }

    @Test func aCutConnectionEndsAndNoneIsMade() async throws {
        try await withEcho { link, client in
            try await client.say("one")
            try await client.hears("one")
            link.set(.refuse)
            link.reset()
            try await client.ends()
            // The reset may come before the client knows that it is connected.
            try? await Client.connect(to: link).ends()
            link.set(.pass)
            let next = try await Client.connect(to: link)
            try await next.say("two")
            try await next.hears("two")
        }
    }

    @Test func aBlackHoleSwallows() async throws {
        try await withEcho { link, client in
            try await client.say("one")
            try await client.hears("one")
            link.set(.blackHole)
            try await client.say("lost")
            let late = try await Client.connect(to: link)
            try await late.say("lost as well")
            link.set(.pass)
            link.reset()
            try await client.ends()
            try await client.hears("one")
        }
    }

    @Test func aDeafLinkHearsLater() async throws {
        try await withEcho { link, client in
            try await client.say("one")
            try await client.hears("one")
            link.set(.deaf)
            // The link may already have begun to read the first.
            try await client.say("two")
            try await client.say("three")
            link.set(.pass)
            try await client.hears("onetwothree")
        }
    }

    @Test func aHalfClosedConnectionEndsForOneSide() async throws {
        try await withEcho { link, client in
            try await client.say("one")
            try await client.hears("one")
            link.halfClose(towardsServer: false)
            try await client.ends()
        }
    }

    /// Connects a client through a link to an echo server.
    private func withEcho(_ body: (FaultyLink, Client) async throws -> Void) async throws {
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(Echo()) }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        try await FaultyLink.with { link in
            try link.lead(to: try #require(server.localAddress?.port))
            try await body(link, try await Client.connect(to: link))
        }
        try await server.close()
    }
}

private final class Echo: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        context.writeAndFlush(data, promise: nil)
    }
}

private struct Client: Sendable {
    /// Collects the received text, and whether the connection has ended.
    private final class Ear: ChannelInboundHandler, Sendable {
        typealias InboundIn = ByteBuffer
        let heard = Mutex("")

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let text = String(buffer: unwrapInboundIn(data))
            heard.withLock { $0 += text }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }

    private let channel: any Channel
    private let ear: Ear

    static func connect(to link: FaultyLink) async throws -> Client {
        let ear = Ear()
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelInitializer { $0.pipeline.addHandler(ear) }
            .connect(host: link.host, port: link.port).get()
        return Client(channel: channel, ear: ear)
    }

    func say(_ text: String) async throws { try await channel.writeAndFlush(ByteBuffer(string: text)) }

    func hears(_ text: String) async throws {
        try await awaitFact("hearing \(text)") { ear.heard.withLock { $0 } == text ? true : nil }
    }

    func ends() async throws {
        try await withDeadline(.seconds(60), "the end of a connection") { try await channel.closeFuture.get() }
    }
}
