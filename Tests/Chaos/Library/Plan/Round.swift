/// One round: load flows, a fault starts and ends, and the system has to recover.
package struct Round: Hashable, Sendable {
    package var number: Int
    package var fault: Fault
    /// The time for which load flows before the fault.
    package var lead: Duration
    /// The length of the fault; for an instantaneous fault, the time for which load flows on.
    package var length: Duration
    /// The seed of the load and of the fault's details.
    package var seed: UInt64
}

extension Round: CustomStringConvertible {
    package var description: String { "round \(number): \(fault.name) after \(lead.inSeconds) for \(length.inSeconds)" }
}

extension Duration {
    /// The text of a duration, such as "1.3 s".
    package var inSeconds: String {
        let tenths = Int((self / .milliseconds(100)).rounded())
        return "\(tenths / 10).\(tenths % 10) s"
    }

    package var microseconds: Int { Int(self / .microseconds(1)) }
}
