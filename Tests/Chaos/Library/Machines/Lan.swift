import Foundation
import Glibc
import TestSupport

/// The network of the machines: a bridge, with a cable to each machine. It is this process's own, like its loopback
/// interface: nothing else on the computer sees it. It takes root.
package enum Lan {
    private static let prefix = "10.77.0."
    private static let bridge = "lan"
    private static let setUp = """
        ip link set lo up && ip link add \(bridge) type bridge && ip address add \(prefix)254/24 dev \(bridge) \
        && ip link set \(bridge) up
        """
    private static let path = "PATH=$PATH:/usr/sbin:/sbin"

    /// Whether such a network can be made here, which is tried in one that ends at once.
    private static let canBeMade = system("\(path) unshare --net sh -c '\(setUp)' 2>/dev/null") == 0

    /// Gives this process a network of its own. Call it before there is another thread.
    package static func enterOwnNamespace() {
        // Without a loopback interface nothing at all could be played.
        guard canBeMade, Namespaces.enter(Namespaces.network) else { return }
        _ = system("export \(path); \(setUp)")
    }

    /// Why there are no machines here; nil where there can be.
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

    /// From now on nothing arrives that is sent in either direction, and nobody is told so.
    static func unplug(_ cable: String) async throws {
        try await ProcessUnderTest.run("/bin/sh", ["-c", #"ip link set "$1" nomaster"#, "sh", cable])
    }
}
