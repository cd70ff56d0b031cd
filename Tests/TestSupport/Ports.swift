import Foundation
import Synchronization

package enum Ports {
    private static let supply = Mutex(Supply())

    /// A free port of the loopback interface, outside the range of outgoing connections.
    ///
    /// Each port is returned once: seconds pass before a server binds it, and other tests, of this process and of others, ask for ports
    /// meanwhile.
    package static func free() -> Int {
        while true {
            let port = supply.withLock { $0.next() }
            if BoundSocket(port: port) != nil { return port }
        }
    }

    /// The ports that this process hands out: blocks of a thousand, each its own while it holds the block's first port.
    private struct Supply {
        private static let all = 20_000..<32_000
        private static let block = 1_000
        private var claims: [BoundSocket] = []
        private var left: [Int] = []

        mutating func next() -> Int {
            if left.isEmpty { left = claim().shuffled() }
            return left.removeLast()
        }

        /// - Returns: The ports of a block that nobody has; all ports when every block is somebody's.
        private mutating func claim() -> Range<Int> {
            for first in stride(from: Self.all.lowerBound, to: Self.all.upperBound, by: Self.block).shuffled() {
                guard let claim = BoundSocket(port: first) else { continue }
                claims.append(claim)
                return first + 1..<first + Self.block
            }
            return Self.all
        }
    }

    package static func isListening(_ port: Int) -> Bool {
        sockets.contains { $0.localPort == port && $0.isListening }
    }

    /// The bytes that a client of a port has written and the other side's kernel has not accepted; the maximum over all
    /// clients.
    package static func backlog(towards port: Int) -> Int {
        sockets.lazy.filter { $0.remotePort == port }.map(\.unsent).max() ?? 0
    }

    private struct Socket {
        let localPort: Int
        let remotePort: Int
        let isListening: Bool
        let unsent: Int

        /// - Parameter line: "number: address:port address:port state unsent:unread ...", in hexadecimal.
        init?(_ line: Substring) {
            let columns = line.split(separator: " ", omittingEmptySubsequences: true)
            guard columns.count > 4 else { return nil }
            func number(_ text: Substring?) -> Int? { text.flatMap { Int($0, radix: 16) } }
            guard let localPort = number(columns[1].split(separator: ":").last),
                let remotePort = number(columns[2].split(separator: ":").last),
                let unsent = number(columns[4].split(separator: ":").first)
            else { return nil }
            (self.localPort, self.remotePort, self.unsent) = (localPort, remotePort, unsent)
            isListening = columns[3] == "0A"
        }
    }

    private static var sockets: [Socket] {
        ["/proc/net/tcp", "/proc/net/tcp6"].flatMap { path -> [Socket] in
            // The kernel returns this file in pages, and functions that read whole files mistake the first page for all
            // of it.
            guard let table = try? FileHandle(forReadingAtPath: path)?.readToEnd() else { return [] }
            return String(decoding: table, as: UTF8.self).split(separator: "\n").compactMap(Socket.init)
        }
    }
}
