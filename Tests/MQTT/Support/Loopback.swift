import Glibc

/// Whether something listens on the port.
func accepts(port: UInt16) -> Bool {
    (try? withSocket { connectLoopback($0, port: port) }) ?? false
}

func connectLoopback(_ descriptor: Int32, port: UInt16) -> Bool {
    var address = loopback(port: port)
    return withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        }
    }
}

func withSocket<Result>(_ body: (Int32) throws -> Result) throws -> Result {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { throw BrokerFailure(what: "no socket") }
    defer { close(descriptor) }
    return try body(descriptor)
}

private func loopback(port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
}
