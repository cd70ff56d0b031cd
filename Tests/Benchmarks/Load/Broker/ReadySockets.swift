import CLoad
import Glibc
import TestSupport

/// Finds the readable sockets among many.
final class ReadySockets {
    private let descriptor: Int32
    private var events = [epoll_event](repeating: epoll_event(), count: 256)

    init(_ sockets: [Int32]) throws {
        descriptor = epoll_create1(0)
        for (index, socket) in sockets.enumerated() {
            var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data(u64: UInt64(index)))
            guard epoll_ctl(descriptor, EPOLL_CTL_ADD, socket, &event) == 0 else {
                close(descriptor)
                throw TestSupportError("epoll refuses a socket: \(String(cString: strerror(errno)))")
            }
        }
    }

    deinit { close(descriptor) }

    /// Waits for at most this many milliseconds, and calls `body` with the index of each readable socket.
    func forEach(within milliseconds: Int32, _ body: (Int) throws -> Void) throws {
        let count = epoll_wait(descriptor, &events, Int32(events.count), milliseconds)
        for index in 0..<max(0, Int(count)) { try body(Int(events[index].data.u64)) }
    }
}
