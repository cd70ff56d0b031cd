import Glibc
import TestSupport

/// A connection to the broker on loopback that never blocks once it is made. It belongs to one thread.
final class BrokerSocket {
    let descriptor: Int32
    private var outgoing: [UInt8] = []
    private var written = 0

    /// Connects, identifies itself and waits for the CONNACK.
    init(port: Int, clientID: String, user: String, password: String) throws {
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
        append(MQTTWire.connect(clientID: clientID, user: user, password: password))
        try flush()
        var answer = [UInt8](repeating: 0, count: MQTTWire.connack.count)
        let count = recv(descriptor, &answer, answer.count, Int32(MSG_WAITALL))
        guard count == answer.count, answer == MQTTWire.connack else {
            throw TestSupportError("The broker does not let \(user) in: \(answer)")
        }
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }

    deinit { close(descriptor) }

    var hasOutgoing: Bool { written < outgoing.count }

    func append(_ bytes: [UInt8]) { outgoing += bytes }

    /// Queues bytes that `body` appends.
    func compose<Result>(_ body: (inout [UInt8]) -> Result) -> Result { body(&outgoing) }

    /// Writes until nothing is left or the socket takes no more.
    func flush() throws {
        while hasOutgoing {
            let count = outgoing.withUnsafeBytes {
                send(descriptor, $0.baseAddress! + written, $0.count - written, Int32(MSG_NOSIGNAL))
            }
            if count < 0 {
                if errno == EAGAIN || errno == EINTR { return }
                throw TestSupportError("The broker has closed the connection")
            }
            written += count
        }
        outgoing.removeAll(keepingCapacity: true)
        written = 0
    }

    /// Reads what is there.
    /// - Returns: How many bytes were put behind the first `offset` of `buffer`; 0 when there is nothing now.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws -> Int {
        let count = recv(descriptor, buffer.baseAddress! + offset, buffer.count - offset, 0)
        if count > 0 { return count }
        if count < 0, errno == EAGAIN || errno == EINTR { return 0 }
        throw TestSupportError("The broker has closed the connection")
    }
}
