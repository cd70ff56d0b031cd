import Instants
import Synchronization
import TestSupport
import WaterQuality

/// One connection of the generator.
struct GeneratorLine {
    let socket: BrokerSocket
    private var traffic: Traffic
    /// The number of messages that may still leave at the present pace.
    private var quota = Int.max
    private var unacknowledged = 0
    private var packetID: UInt16 = 0
    /// The bytes of a PUBACK that the end of a read cut off.
    private var partial = 0

    init(socket: BrokerSocket, traffic: Traffic) {
        self.socket = socket
        self.traffic = traffic
    }

    mutating func begin(_ pace: LoadGenerator.Pace) {
        quota = pace.rounds.map { $0 * traffic.devices.count } ?? .max
    }

    /// The number of messages that may leave now.
    func room(_ bounds: FleetShape.Bounds) -> Int {
        socket.hasOutgoing ? 0 : min(bounds.burst, bounds.inFlight - unacknowledged, quota)
    }

    mutating func publish(_ number: Int, at time: Timestamp, isStorm: Bool, _ breaches: ArrivalBook) throws {
        for _ in 0..<number {
            packetID = packetID == .max ? 1 : packetID + 1
            let breach = socket.compose {
                traffic.appendPublish(to: &$0, packetID: packetID, at: time, isBreach: isStorm)
            }
            if let breach { breaches.published(breach) }
        }
        unacknowledged += number
        quota -= number
        try socket.flush()
    }

    /// Counts PUBACKs, four bytes each: the broker sends nothing else.
    mutating func readAcknowledgements(
        _ buffer: UnsafeMutableRawBufferPointer, into total: borrowing Atomic<Int>
    ) throws {
        while true {
            let count = try socket.read(into: buffer, at: 0)
            guard count > 0 else { return }
            if partial == 0, buffer[0] != MQTTWire.puback {
                throw TestSupportError("The broker sends something else than a PUBACK: \(buffer[0])")
            }
            let acknowledgements = (partial + count) / 4
            partial = (partial + count) % 4
            unacknowledged -= acknowledgements
            total.add(acknowledgements, ordering: .relaxed)
        }
    }
}
