import CGlibc
import Glibc
import MQTT
import ThreadExecutor

/// The sockets of a fleet under epoll, level-triggered: bytes that are not read now are reported again.
final class Epoll {
    struct Ready {
        let id: Int
        let hungUp: Bool
    }

    /// The id of the wake-up descriptor; clients count from 1.
    static let wakeUpID = 0

    private let descriptor: Int32
    private var events = [epoll_event](repeating: epoll_event(), count: 512)

    init(_ wakeUp: WakeUp) throws(MQTTError) {
        descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard descriptor >= 0 else {
            throw MQTTError(.invalidConfiguration, "the limit on open files is too low", detail: "epoll \(errno)")
        }
        control(EPOLL_CTL_ADD, wakeUp.descriptor, id: Self.wakeUpID, writing: false)
    }

    deinit { close(descriptor) }

    func add(_ socket: Int32, id: Int, writing: Bool) { control(EPOLL_CTL_ADD, socket, id: id, writing: writing) }

    func change(_ socket: Int32, id: Int, writing: Bool) { control(EPOLL_CTL_MOD, socket, id: id, writing: writing) }

    /// Waits for events. A socket is removed by closing it.
    func wait(milliseconds: Int32) -> [Ready] {
        let count = epoll_wait(descriptor, &events, Int32(events.count), milliseconds)
        guard count > 0 else { return [] }
        let ends = EPOLLHUP.rawValue | EPOLLERR.rawValue
        return events.prefix(Int(count)).map { Ready(id: Int($0.data.u64), hungUp: $0.events & ends != 0) }
    }

    private func control(_ operation: Int32, _ socket: Int32, id: Int, writing: Bool) {
        let interest = writing ? EPOLLIN.rawValue | EPOLLOUT.rawValue : EPOLLIN.rawValue
        var event = epoll_event(events: interest, data: epoll_data_t(u64: UInt64(id)))
        epoll_ctl(descriptor, operation, socket, &event)
    }
}
