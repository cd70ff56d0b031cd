import FoundationEssentials
import Instants
import PushTargets
import Routes
import ServiceKit

/// The house's provider: its description and keys, which are kept for a while, and the exchange of a code for what it says of a person.
package actor OpenIDProvider {
    nonisolated let settings: OpenIDSettings
    private nonisolated let connection: ProviderConnection
    private let clock: WallClock
    private var metadata: Kept<ProviderMetadata>?
    private var keys: Kept<[ProviderKey]>?
    /// The last time that it was asked in vain whether it ends sessions.
    private var silence: Kept<Bool>?

    private struct Kept<Value: Sendable>: Sendable {
        let value: Value
        let readAt: Timestamp

        /// A clock that was put back makes nothing last longer.
        func isFresh(_ age: Duration, _ now: Timestamp) -> Bool { readAt <= now && now < readAt + age }
    }

    /// A removed key is honoured no longer than this.
    private static let age = Duration.seconds(3600)
    /// Made-up key ids cause no more requests than this.
    private static let ageForUnknown = Duration.seconds(60)

    init(_ settings: OpenIDSettings, limit: Duration, clock: WallClock) {
        self.settings = settings
        self.clock = clock
        connection = ProviderConnection(settings, limit: limit)
    }

    nonisolated func run() async throws { try await connection.run() }

    /// The provider's description, at most an hour old.
    func description() async throws(OpenIDFault) -> ProviderMetadata {
        if let metadata, metadata.isFresh(Self.age, clock.now()) { return metadata.value }
        guard let target = try? PushTarget(settings.issuer.discovery) else { throw .badMetadata }
        let read = try ProviderMetadata(try await connection.get(target), of: settings.issuer)
        metadata = Kept(value: read, readAt: clock.now())
        return read
    }

    /// Whether browsers end the provider's own session there. Not while it cannot be asked, which is tried once a minute: nobody waits for it longer.
    func endsSessions() async -> Bool {
        if let silence, silence.isFresh(Self.ageForUnknown, clock.now()) { return false }
        guard let read = try? await description() else {
            silence = Kept(value: true, readAt: clock.now())
            return false
        }
        return read.endOfSession != nil
    }

    /// The provider's claims about the person of a code.
    /// - Parameter returning: The address that the code came to.
    func claims(
        of code: String, for departure: Departure, returning: String
    ) async throws(OpenIDFault) -> ProviderClaims {
        let metadata = try await description()
        let tokens = try await exchange(code, departure, returning, metadata)
        let token = try SignedToken(tokens.id)
        try await verify(token, metadata)
        let claims = try ProviderClaims(token.content)
        try claims.check(
            ProviderClaims.Expected(
                issuer: metadata.issuer, clientID: settings.clientID, nonce: departure.nonce,
                accessToken: tokens.access, since: departure.asksAgain ? departure.leftAt : nil),
            at: clock.now())
        let isNeeded = claims.isIncomplete(for: settings)
        guard isNeeded || claims.lacksOperators(for: settings), let userInfo = metadata.userInfo else { return claims }
        do throws(OpenIDFault) {
            return try claims.adding(try await connection.get(userInfo, bearer: tokens.access))
        } catch {
            guard isNeeded else { return claims }
            throw error
        }
    }

    /// The provider's word that somebody has signed out there.
    func logout(_ text: String) async throws(OpenIDFault) -> ProviderLogout {
        let token = try SignedToken(text)
        let metadata = try await description()
        try await verify(token, metadata)
        return try ProviderLogout(
            token.content, issuer: metadata.issuer, clientID: settings.clientID, at: clock.now())
    }

    /// RFC 6749, section 4.1.3, with the verifier of RFC 7636.
    private func exchange(
        _ code: String, _ departure: Departure, _ returning: String, _ metadata: ProviderMetadata
    ) async throws(OpenIDFault) -> (id: String, access: String) {
        var values = [
            ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", returning),
            ("code_verifier", departure.verifier),
        ]
        var headers: [(name: String, value: String)] = []
        switch settings.secret?.renewed().revealed {
        case nil: values.append(("client_id", settings.clientID))
        case let secret? where metadata.takesSecretInForm:
            values += [("client_id", settings.clientID), ("client_secret", secret)]
        case let secret?:
            let pair = "\(percentEncoded(settings.clientID)):\(percentEncoded(secret))"
            headers.append((name: "Authorization", value: "Basic \(Data(pair.utf8).base64EncodedString())"))
        }
        let answer = try await connection.post(form: formEncoded(values), metadata.token, headers)
        guard answer.status == 200 else { throw .codeRefused }
        guard let id = answer.json["id_token"]?.string, let access = answer.json["access_token"]?.string,
            access.utf8.count <= SignedToken.longest, access.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
        else { throw .unreadable }
        return (id, access)
    }

    /// Checks a signature; keys that are not known yet are asked for, at most once a minute.
    private func verify(_ token: SignedToken, _ metadata: ProviderMetadata) async throws(OpenIDFault) {
        do {
            try token.verify(by: try await keys(of: metadata, within: Self.age))
        } catch .unknownKey {
            try token.verify(by: try await keys(of: metadata, within: Self.ageForUnknown))
        }
    }

    private func keys(of metadata: ProviderMetadata, within age: Duration) async throws(OpenIDFault) -> [ProviderKey] {
        if let keys, keys.isFresh(age, clock.now()) { return keys.value }
        let read = await ProviderKey.all(of: try await connection.get(metadata.keys))
        keys = Kept(value: read, readAt: clock.now())
        return read
    }
}
