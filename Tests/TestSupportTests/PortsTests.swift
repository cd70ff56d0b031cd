import TestSupport
import Testing

@Suite struct PortsTests {
    @Test func aPortIsHandedOutOnce() async {
        let ports = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<500 { group.addTask { Ports.free() } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(ports).count == ports.count)
    }

    /// Another process that asks for ports finds the block taken.
    @Test func aPortIsOfABlockThatIsHeld() {
        let port = Ports.free()
        #expect(BoundSocket(port: port / 1_000 * 1_000) == nil)
    }

    /// The kernel returns its table of sockets in pages of about 27 lines.
    @Test func everyListenerIsSeen() throws {
        let sockets = try (0..<100).map { _ in try #require(BoundSocket(listens: true)) }
        for socket in sockets { #expect(Ports.isListening(socket.port)) }
        let silent = try #require(BoundSocket())
        #expect(!Ports.isListening(silent.port))
    }
}
