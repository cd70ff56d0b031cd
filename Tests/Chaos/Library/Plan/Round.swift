/// One round: load flows, a fault starts and ends, and the system has to recover.
package struct Round: Hashable, Sendable {
    package var number: Int
    package var fault: Fault
    /// How long load flows before the fault.
    package var lead: Duration
    /// How long the fault lasts; for an instantaneous fault, how long load flows on.
    package var length: Duration
    /// The seed of the load and of the fault's details.
    package var seed: UInt64
}

extension Round: CustomStringConvertible {
    package var description: String { "round \(number): \(fault.name) after \(lead.inSeconds) for \(length.inSeconds)" }
}

extension Duration {
    /// "1.3 s"
    package var inSeconds: String {
        let tenths = Int((self / .milliseconds(100)).rounded())
        return "\(tenths / 10).\(tenths % 10) s"
    }

    package var microseconds: Int { Int(self / .microseconds(1)) }
}
