import BrokerControl
import Instants
import MQTT
import Secrets
import ServiceKit

/// The act by which certificates come to nothing. It ends when a sentinel, made for this act and revoked with them, has been seen to be
/// admitted before and refused after, and when each name's connection has been seen to be over. Interrupted anywhere, it is run again as
/// a whole: what is on the list stays there. Connections that had their handshake before the list came and have not said CONNECT are in no
/// name yet: Mosquitto 2.0.11 admits them for 95 seconds more, and for longer whoever sends a CONNECT of some thousand bytes by drops. A
/// restart of the broker ends them.
struct Revocation: Sendable {
    let directory: AuthorityDirectory
    let fleet: FleetSettings
    let listener: FleetListener
    /// The broker, as its administrator.
    let brokers: [MQTTConfiguration]
    let clock: WallClock
    /// The time that the broker may take to go by the new list.
    let limit: Duration

    /// A step that is left open, in the order of the steps.
    enum Doubt: Hashable, Sendable {
        /// The sentinel came to nothing before it was revoked, so that its refusal would show nothing.
        case notAdmitted(FleetListener.Answer)
        /// The sentinel is still not refused as a revoked one.
        case notRefused(FleetListener.Answer)
        /// The broker keeps out what is not revoked as well.
        case allKeptOut(FleetListener.Answer)
        /// The names by which somebody may still be connected.
        case connected([String], String)
    }

    /// - Returns: The steps that could not be shown; none where all were.
    func run(_ certificates: [AuthorityDirectory.Issued]) async throws -> [Doubt] {
        try await directory.locked(within: .seconds(150)) {
            let authority = try directory.authority()
            let sentinel = try identity(FleetIdentity.sentinelName, authority)
            try directory.record(sentinel.certificate)
            let before = await listener.knock(as: sentinel)
            // The list is changed whatever the sentinel met: a broker that cannot be reached today goes by it when it starts.
            let serials = certificates.map(\.serial) + [sentinel.certificate.serial]
            let broker = fleet.list(of: authority.certificate)
            try fleet.publish(directory.revoke(serials, by: authority, broker: broker, now: clock.now()))
            guard before == .admitted else { return [.notAdmitted(before)] }
            let after = try await answerOnceRevoked(sentinel)
            guard after == .revoked else { return [.notRefused(after)] }
            return try await end(Set(certificates.map(\.name)).sorted(), authority)
        }
    }

    private func identity(_ name: String, _ authority: CertificateAuthority) throws -> FleetIdentity {
        try .ofThisMoment(name, by: authority, now: clock.now())
    }

    /// The answer that shows the new list in use, or the last one within the limit.
    private func answerOnceRevoked(_ sentinel: FleetIdentity) async throws -> FleetListener.Answer {
        let end = ContinuousClock.now + limit
        while true {
            let answer = await listener.knock(as: sentinel)
            if answer == .revoked || ContinuousClock.now >= end { return answer }
            try await Task.sleep(for: .milliseconds(250))
        }
    }

    /// Ends the connections of these names: the administrator those on every listener, a certificate of this moment the one on the
    /// fleet's, where a name has one at most. Its admission also shows that the broker does not keep everybody out.
    private func end(_ names: [String], _ authority: CertificateAuthority) async throws -> [Doubt] {
        var doubts: [Doubt] = []
        do {
            try await DynamicSecurity.with(firstOf: brokers) { try await $0.bindDevices(names) }
        } catch let error as MQTTError {
            doubts.append(.connected(names, error.advice))
        }
        for (seen, name) in names.enumerated() {
            let answer = await listener.knock(as: try identity(name, authority))
            guard answer == .admitted else {
                return doubts + [.allKeptOut(answer), .connected(Array(names.dropFirst(seen)), "\(answer.words).")]
            }
        }
        return doubts
    }
}

extension FleetListener.Answer {
    var words: String {
        switch self {
        case .admitted: "it was admitted"
        case .revoked: "it was refused as revoked"
        case .refused(let reason): "it was refused: \(reason)"
        case .unreachable(let reason): "the listener cannot be reached: \(reason)"
        }
    }
}

extension Revocation.Doubt {
    /// The step that is not shown, and where to look.
    var words: String {
        switch self {
        case .notAdmitted(let answer):
            """
            It is not shown that the broker refuses them: of a new certificate, which has to be admitted first, \(answer.words). Look \
            whether the broker runs, AQUA_FLEET_URL names its listener for certificates, and both have the same authority: aqua doctor
            """
        case .notRefused(let answer):
            """
            It is not shown that the broker refuses them: with a certificate that was revoked together with them, \(answer.words). The \
            broker has not read the new list. Look whether it gets the file of AQUA_FLEET_TLS, and SIGHUP after each change
            """
        case .allKeptOut(let answer):
            "The broker may keep out the whole fleet: with a certificate that is not revoked, \(answer.words)"
        case .connected(let names, let reason):
            """
            It is not shown that nobody is connected as \(names.joined(separator: ", ")): \(reason) Whoever is, cannot come back once the \
            connection ends
            """
        }
    }
}
