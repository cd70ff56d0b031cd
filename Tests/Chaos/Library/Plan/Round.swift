/// One round: load flows, a fault comes, stays for a while, and everything has to be well again.
package struct Round: Hashable, Sendable {
    package var number: Int
    package var fault: Fault
    /// How long load flows before the fault.
    package var lead: Duration
    /// How long the fault lasts; for one that is over at once, how long load flows on.
    package var length: Duration
    /// Of the load and of the fault's details.
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
