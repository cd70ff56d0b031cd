import Glibc
import TestSupport

/// Connections from many loopback addresses to one port, each answered once and then idle.
///
/// Blocking, so called on a thread of its own. Unchecked: only one call at a time changes it.
final class IdleCrowd: @unchecked Sendable {
    private let port: UInt16
    private let perAddress: Int
    private var sockets: [Int32] = []

    private static let request = "GET /api/v1/service HTTP/1.1\r\nHost: a\r\n\r\n"
    /// 127.0.1.0, from which the crowd's addresses count.
    private static let network: UInt32 = 0x7F00_0100

    /// - Parameter perAddress: The number of connections from each address.
    init(port: Int, perAddress: Int) {
        self.port = UInt16(port)
        self.perAddress = perAddress
    }

    deinit { for socket in sockets { close(socket) } }

    /// Opens connections up to this number; each is answered.
    func grow(to count: Int) throws {
        while sockets.count < count {
            let socket = try Self.connect(from: UInt32(sockets.count / perAddress) + 1, to: port)
            sockets.append(socket)
            try Self.ask(socket)
        }
    }

    /// The answer to one more connection, from an address of the crowd or, with a higher number, from another one.
    func answer(fromAddress number: Int) throws -> String {
        let socket = try Self.connect(from: UInt32(number), to: port)
        defer { close(socket) }
        // The connection may be refused before the request goes out.
        _ = Self.request.withCString { send(socket, $0, strlen($0), Int32(MSG_NOSIGNAL)) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let read = recv(socket, &bytes, bytes.count, 0)
        guard read > 0 else { throw TestSupportError("no answer from \(number): \(errno)") }
        return String(decoding: bytes[..<read], as: UTF8.self)
    }

    private static func connect(from number: UInt32, to port: UInt16) throws -> Int32 {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard socket >= 0 else { throw TestSupportError("no socket: \(errno)") }
        var limit = timeval(tv_sec: 300, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        let bound = with(network + number, 0) { bind(socket, $0, $1) }
        guard bound == 0, with(0x7F00_0001, port, { Glibc.connect(socket, $0, $1) }) == 0 else {
            let cause = errno
            close(socket)
            throw TestSupportError("no connection from address \(number): \(cause)")
        }
        return socket
    }

    private static func with(
        _ host: UInt32, _ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = host.bigEndian
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        }
    }

    /// Sends a request and reads its answer up to the end of the document.
    private static func ask(_ socket: Int32) throws {
        let sent = request.withCString { send(socket, $0, strlen($0), Int32(MSG_NOSIGNAL)) }
        var answer: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 4096)
        while answer.last != UInt8(ascii: "}") {
            let read = recv(socket, &part, part.count, 0)
            guard sent > 0, read > 0 else { throw TestSupportError("a connection ended: \(errno)") }
            answer += part[..<read]
        }
        let text = String(decoding: answer, as: UTF8.self)
        guard text.hasPrefix("HTTP/1.1 200 ") else { throw TestSupportError(text) }
    }
}

/// The limit on this process's open files, and so on its connections.
enum OpenFiles {
    /// The limit, raised as far as the machine permits: beyond the hard limit only for root.
    static let most: Int = {
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit(rlim_cur: 65_536, rlim_max: 65_536)
        if setrlimit(resource, &limit) == 0 { return 65_536 }
        guard getrlimit(resource, &limit) == 0 else { return 0 }
        limit.rlim_cur = limit.rlim_max
        return setrlimit(resource, &limit) == 0 ? Int(clamping: limit.rlim_max) : 0
    }()
}
