import Foundation
import Glibc
import TestSupport

/// The machines' network: a bridge, with a cable to each machine. It belongs to this process alone, like its loopback
/// interface: nothing else on the computer sees it. Needs root.
package enum Lan {
    private static let prefix = "10.77.0."
    private static let bridge = "lan"
    private static let setUp = """
        ip link set lo up && ip link add \(bridge) type bridge && ip address add \(prefix)254/24 dev \(bridge) \
        && ip link set \(bridge) up
        """
    private static let path = "PATH=$PATH:/usr/sbin:/sbin"

    /// Whether such a network can be made here; tried in a namespace that ends at once.
    private static let canBeMade = system("\(path) unshare --net sh -c '\(setUp)' 2>/dev/null") == 0

    /// Gives this process a network of its own. Call it before other threads exist.
    package static func enterOwnNamespace() {
        // Stays outside if it fails: without a loopback interface no round could run.
        guard canBeMade, Namespaces.enter(Namespaces.network) else { return }
        _ = system("export \(path); \(setUp)")
    }

    /// The reason why there can be no machines here; nil if there can.
    package static var obstacle: String? {
        guard canBeMade else { return "machines with networks of their own cannot be made here; it takes root" }
        let programs = [PatroniCluster.patroni, PatroniCluster.etcd]
        let missing = programs.filter { !FileManager.default.isExecutableFile(atPath: $0) }
        return missing.isEmpty ? nil : "\(missing.joined(separator: " and ")) cannot be found"
    }

    static func address(_ number: Int) -> String { "\(prefix)\(number)" }

    static func plugIn(_ cable: String) async throws {
        try await ProcessUnderTest.run("/bin/sh", ["-c", #"ip link set "$1" master "$2" up"#, "sh", cable, bridge])
    }

    /// Drops all packets in both directions, without any notice.
    static func unplug(_ cable: String) async throws {
        try await ProcessUnderTest.run("/bin/sh", ["-c", #"ip link set "$1" nomaster"#, "sh", cable])
    }
}
