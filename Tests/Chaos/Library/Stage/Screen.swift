import Synchronization
import TestSupport

/// A person's screen: signs in once, and looks at the latest readings.
final class Screen: Sendable {
    static let password = "correct horse battery"
    /// The time allowed for signing in: hashing a password is slow on purpose, even more in a debug build on a busy
    /// machine.
    private static let limitOfSigningIn = Duration.seconds(120)

    private let origin: String
    private let email: String
    private let signedIn = Mutex<PeopleClient?>(nil)

    init(origin: String, email: String) {
        self.origin = origin
        self.email = email
    }

    /// Looks again and again until that succeeds; signs in first if necessary, or if the token has expired.
    /// - Returns: The last failure; nil if the person saw readings in time.
    func refusal(within limit: Duration) async -> String? {
        var deadline = ContinuousClock.now + limit
        var refusal: String
        repeat {
            do {
                let client: PeopleClient
                if let known = signedIn.withLock({ $0 }) {
                    client = known
                } else {
                    deadline = .now + max(limit, Self.limitOfSigningIn)
                    client = try await PeopleClient(origin: origin).signedIn(
                        email, password: Self.password, within: Self.limitOfSigningIn)
                    signedIn.withLock { $0 = client }
                }
                let latest = try await client.ask("GET", "/readings/latest", within: .seconds(10))
                if latest.status == 200, latest.text.contains(#""parameter":"temperature""#) { return nil }
                if latest.status == 401 { signedIn.withLock { $0 = nil } }
                refusal = "no reading is shown: \(latest.status) \(latest.text)"
            } catch {
                refusal = "\(error)"
            }
            // Pauses, so that attempts stay below the limit on sign-ins.
            try? await Task.sleep(for: .milliseconds(500))
        } while ContinuousClock.now < deadline && !Task.isCancelled
        return refusal
    }
}
