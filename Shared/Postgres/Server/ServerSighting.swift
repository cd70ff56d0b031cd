package import Instants

/// A server that was worked on: its identity, and where it was first reached on its timeline.
package struct ServerSighting: Hashable, Sendable {
    package struct Place: Hashable, Sendable {
        /// Host and port as in the URL.
        package let host: String
        /// The address that the name resolved to; empty for a Unix socket.
        package let address: String
        package let time: Timestamp
    }

    package let identity: ServerIdentity
    /// The place; nil if none is recorded.
    package let place: Place?
}

extension ServerSighting {
    init(_ identity: ServerIdentity, at host: PostgresHost, _ time: Timestamp) {
        self.init(
            identity: identity, place: Place(host: host.description, address: host.address, time: time))
    }
}

extension ServerSighting.Place: CustomStringConvertible {
    package var description: String { "\(host)\(address.isEmpty ? "" : " (\(address))") since \(time)" }
}

// MARK: - In a file

extension ServerSighting {
    /// `SYSTEM TIMELINE TIME ADDRESS HOST`; the path of a Unix socket may have spaces.
    var line: String {
        let words = "\(identity.system) \(identity.timeline)"
        guard let place else { return words }
        return "\(words) \(place.time) \(place.address.isEmpty ? Self.noAddress : place.address) \(place.host)"
    }

    /// - Parameter line: A whole line, or `SYSTEM TIMELINE` alone.
    init?(line: Substring) {
        let words = line.split(separator: " ", maxSplits: 4)
        guard [2, 5].contains(words.count), let system = Int64(words[0]), let timeline = UInt32(words[1]) else {
            return nil
        }
        identity = ServerIdentity(system: system, timeline: timeline)
        guard words.count == 5 else {
            place = nil
            return
        }
        guard let time = Timestamp(String(words[2])) else { return nil }
        place = Place(
            host: String(words[4]), address: words[3] == Self.noAddress ? "" : String(words[3]), time: time)
    }

    private static let noAddress = "-"
}
