import PushTargets
import ServiceKit

/// The address of a service outside that alarms when it has not been called for a while. Whoever knows it can keep that service quiet, so it
/// is a secret: no log, error or metric has it.
package struct HeartbeatAddress: Sendable {
    /// Read anew for each call, so that a file may be replaced.
    private let secret: Renewable<Secret>

    package init(_ address: String) { secret = Renewable(Secret(address)) }

    /// From `AQUA_HEARTBEAT_URL`, or the file of `AQUA_HEARTBEAT_URL_FILE`; nil where neither is set, and after a fault.
    init?(_ reader: ConfigurationReader, policy: PushTargetPolicy) {
        let variable: Variable
        switch (
            reader.optionalString(.heartbeatURL),
            reader.optionalRenewableSecret(.heartbeatURLFile, minimumLength: 1)
        ) {
        case (nil, nil): return nil
        case (_?, _?):
            reader.fault(
                .heartbeatURLFile, "is set, and so is AQUA_HEARTBEAT_URL", remedy: "remove one of the two")
            return nil
        case (let address?, nil): (variable, secret) = (.heartbeatURL, Renewable(Secret(address)))
        case (nil, let file?): (variable, secret) = (.heartbeatURLFile, file)
        }
        // A file that cannot be read is a fault already.
        guard !secret.current.revealed.isEmpty else { return nil }
        do throws(PushTargetFault) {
            _ = try policy.register(secret.current.revealed)
        } catch {
            reader.fault(variable, "names an address that is not called", remedy: Self.remedy(error))
            return nil
        }
    }

    /// The address as it stands now, by the rules of what may be called.
    func target(_ policy: PushTargetPolicy) throws(PushTargetFault) -> PushTarget {
        try policy.register(secret.renewed().revealed)
    }

    /// The operator's remedy for a fault, as faults of variables say it: it never holds the address.
    private static func remedy(_ fault: PushTargetFault) -> String {
        let sentence = fault.description
        return sentence.prefix(1).lowercased() + sentence.dropFirst().dropLast()
    }
}

extension HeartbeatAddress: CustomStringConvertible, CustomReflectable {
    package var description: String { "(heartbeat address)" }
    /// Keeps the address out of dumps.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
