import Glibc
import TestSupport

/// A connection to the broker on loopback that never blocks once it is established. One thread owns the connection.
final class BrokerSocket {
    let descriptor: Int32
    private var session: TLSSession?
    private var outgoing: [UInt8] = []
    private var written = 0

    /// Connects, identifies itself and waits for the CONNACK.
    /// - Parameter tls: The encryption; nil for a plain connection.
    init(port: Int, clientID: String, user: String, password: String, tls: TLSContext? = nil) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw TestSupportError("No socket: \(String(cString: strerror(errno)))") }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else { throw TestSupportError("The broker cannot be reached on port \(port)") }
        var noDelay: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &noDelay, socklen_t(MemoryLayout<Int32>.size))
        session = try tls.map { try TLSSession($0, socket: descriptor) }
        append(MQTTWire.connect(clientID: clientID, user: user, password: password))
        try flush()
        try awaitConsent(to: user)
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }

    deinit { close(descriptor) }

    private func awaitConsent(to user: String) throws {
        var answer = [UInt8](repeating: 0, count: MQTTWire.connack.count)
        var filled = 0
        while filled < answer.count {
            let count = try answer.withUnsafeMutableBytes { try read(into: $0, at: filled) }
            guard count > 0 else { throw TestSupportError("The broker does not answer \(user)") }
            filled += count
        }
        guard answer == MQTTWire.connack else {
            throw TestSupportError("The broker does not let \(user) in: \(answer)")
        }
    }

    var hasOutgoing: Bool { written < outgoing.count }

    func append(_ bytes: [UInt8]) { outgoing += bytes }

    /// Queues bytes that `body` appends.
    func compose<Result>(_ body: (inout [UInt8]) -> Result) -> Result { body(&outgoing) }

    /// Writes until nothing is left or the socket takes no more.
    func flush() throws {
        while hasOutgoing {
            let count = try outgoing.withUnsafeBytes { try write(UnsafeRawBufferPointer(rebasing: $0[written...])) }
            if count == 0 { return }
            written += count
        }
        outgoing.removeAll(keepingCapacity: true)
        written = 0
    }

    /// Reads the available bytes.
    /// - Returns: The number of bytes placed at `offset` of `buffer`; 0 if none is available.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws -> Int {
        let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[offset...])
        if let session { return try known(session.read(into: rest)) }
        let count = recv(descriptor, rest.baseAddress, rest.count, 0)
        return count == 0 ? try known(-1) : try known(Self.count(count))
    }

    private func write(_ bytes: UnsafeRawBufferPointer) throws -> Int {
        if let session { return try known(session.write(bytes)) }
        return try known(Self.count(send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))))
    }

    /// A system call's result; 0 if the call would have to wait.
    private static func count(_ result: Int) -> Int {
        result < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : result
    }

    private func known(_ count: Int) throws -> Int {
        guard count >= 0 else { throw TestSupportError("The broker has closed the connection") }
        return count
    }
}
