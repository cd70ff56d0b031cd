package import PushTargets

/// The hosts whose stations the operator allows (`AQUA_STATIONS`); none unless named.
package struct StationHosts: Hashable, Sendable {
    /// In lower case, with a port where it is not 443.
    package let names: Set<String>

    package static let none = StationHosts([])
    /// The most hosts of the list.
    package static let most = 64
    /// The Geological Survey's services: the present one, and the one that it replaces, asked only where the other is not allowed.
    package static let usgs = "api.waterdata.usgs.gov"
    package static let formerUSGS = "waterservices.usgs.gov"

    package init(_ names: Set<String>) {
        self.names = names
    }

    /// - Parameter text: Hosts separated by commas, each with a port where it is not 443; blanks around them are ignored.
    /// - Returns: nil if a host cannot be read, or there are more than `most`.
    package init?(_ text: String) {
        var names: Set<String> = []
        for part in text.split(separator: ",") {
            let word = part.split(separator: " ").joined(separator: " ")
            if word.isEmpty { continue }
            guard let target = try? PushTarget("https://\(word)/"), target.url == target.origin + "/",
                !word.contains("/"), !word.contains("?"), !word.contains("#")
            else { return nil }
            names.insert(target.hostAndPort)
        }
        guard names.count <= Self.most else { return nil }
        self.names = names
    }

    package var isEmpty: Bool { names.isEmpty }

    package func allow(_ target: PushTarget) -> Bool { target.isEncrypted && names.contains(target.hostAndPort) }

    /// The kinds that a person may choose among.
    package var kinds: [StationKind] {
        let others = names.subtracting([Self.usgs, Self.formerUSGS])
        return (others.count < names.count ? [.usgs] : []) + (others.isEmpty ? [] : [.sensorThings])
    }
}

extension PushTarget {
    /// The host, with its port where that is not the usual one.
    package var hostAndPort: String { String(origin.drop { $0 != ":" }.dropFirst(3)) }
}
