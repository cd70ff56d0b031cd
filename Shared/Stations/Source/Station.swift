package import PushTargets

/// A public station of somebody else.
package enum Station: Hashable, Sendable {
    /// The number of a monitoring location of the Geological Survey: 8 to 15 digits.
    case usgs(String)
    case sensorThings(Thing)

    /// A Thing by its own address: `https://host/v1.1/Things(12)`, `…/Things('weir')`.
    package struct Thing: Hashable, Sendable {
        package let target: PushTarget

        fileprivate init?(_ target: PushTarget) {
            guard target.isEncrypted, !target.url.contains("?"), target.url.utf8.count <= Station.longest else {
                return nil
            }
            guard let last = target.url.split(separator: "/", omittingEmptySubsequences: false).last,
                last.hasPrefix("Things("), last.hasSuffix(")")
            else { return nil }
            let id = last.dropFirst(7).dropLast()
            let isNumber = !id.isEmpty && id.utf8.count <= 19 && id.utf8.allSatisfy(Station.isDigit)
            let isText =
                id.count > 2 && id.hasPrefix("'") && id.hasSuffix("'") && !id.dropFirst().dropLast().contains("'")
            guard isNumber || isText else { return nil }
            self.target = target
        }
    }

    /// The longest address, in bytes.
    package static let longest = 500

    /// Reads what a person names: a number with or without `USGS-` before it, the address of a page of the Survey's about it, or the
    /// address of a Thing.
    /// - Returns: nil for anything else.
    package init?(_ kind: StationKind, _ text: String) {
        switch kind {
        case .usgs:
            let pages = [
                "https://waterdata.usgs.gov/monitoring-location/", "https://waterdata.usgs.gov/nwis/uv?site_no=",
            ]
            var rest = text[...]
            for start in pages where rest.hasPrefix(start) { rest = rest.dropFirst(start.count) }
            if rest.uppercased().hasPrefix("USGS-") { rest = rest.dropFirst(5) }
            rest = rest.prefix { !"/#?&".contains($0) }
            guard (8...15).contains(rest.utf8.count), rest.utf8.allSatisfy(Self.isDigit) else { return nil }
            self = .usgs(String(rest))
        case .sensorThings:
            guard let target = try? PushTarget(text), let thing = Thing(target) else { return nil }
            self = .sensorThings(thing)
        }
    }

    package var kind: StationKind {
        switch self {
        case .usgs: .usgs
        case .sensorThings: .sensorThings
        }
    }

    /// The stored form: `init` reads it again.
    package var address: String {
        switch self {
        case .usgs(let number): number
        case .sensorThings(let thing): thing.target.url
        }
    }

    /// A page, or a document, about the station for whoever wants to know more.
    package var page: String {
        switch self {
        case .usgs(let number): "https://waterdata.usgs.gov/monitoring-location/USGS-\(number)/"
        case .sensorThings(let thing): thing.target.url
        }
    }

    /// Whose data it is, as far as that is known by itself: the Survey by its name, another service by its host.
    package var source: String {
        switch self {
        case .usgs: "U.S. Geological Survey"
        case .sensorThings(let thing): thing.target.hostAndPort
        }
    }

    /// The host that is asked; nil where the operator allows none.
    package func host(_ allowed: StationHosts) -> String? {
        switch self {
        case .usgs: [StationHosts.usgs, StationHosts.formerUSGS].first(where: allowed.names.contains)
        case .sensorThings(let thing): allowed.allow(thing.target) ? thing.target.hostAndPort : nil
        }
    }

    fileprivate static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
