import Synchronization
import TestSupport

/// A person's screen: signs in once, looks at the latest readings, and asks for what its person wants.
final class Screen: Sendable {
    static let password = "correct horse battery"
    /// The time allowed for signing in: hashing a password is slow on purpose, even more in a debug build on a busy
    /// machine.
    private static let limitOfSigningIn = Duration.seconds(120)
    /// The time after which a request that finds no service counts as refused.
    private static let patience = Duration.seconds(150)
    /// Pauses between attempts stay below the limit on sign-ins.
    private static let pause = Duration.milliseconds(500)

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
        let isSignedIn = signedIn.withLock { $0 != nil }
        let deadline = ContinuousClock.now + (isSignedIn ? limit : max(limit, Self.limitOfSigningIn))
        var refusal: String
        repeat {
            do {
                let latest = try await ask("GET", "/readings/latest")
                if latest.status == 200, latest.text.contains(#""parameter":"temperature""#) { return nil }
                refusal = "no reading is shown: \(latest.status) \(latest.text)"
            } catch {
                refusal = "\(error)"
            }
            try? await Task.sleep(for: Self.pause)
        } while ContinuousClock.now < deadline && !Task.isCancelled
        return refusal
    }

    /// Signs in, as soon as there is a service.
    func signIn() async throws { _ = try await insist("GET", "/readings/latest") }

    struct Answered: Sendable {
        var answer: PeopleClient.Answer
        /// More than one where an answer was lost, or the service refused for the moment.
        var attempts: Int
        /// From the first attempt until the answer.
        var span: ClosedRange<Int>
    }

    /// Asks again and again until there is an answer, as an application does whose person waits. Each attempt may have
    /// been heard.
    func insist(_ method: String, _ path: String, json: String? = nil) async throws -> Answered {
        let (from, deadline) = (wallClock(), ContinuousClock.now + Self.patience)
        for attempt in 1... {
            var refusal: String
            do {
                let answer = try await ask(method, path, json: json)
                guard answer.status >= 500 || [401, 429].contains(answer.status) else {
                    return Answered(answer: answer, attempts: attempt, span: from...wallClock())
                }
                refusal = "\(answer.status) \(answer.text)"
            } catch {
                refusal = "\(error)"
            }
            try Task.checkCancellation()
            guard ContinuousClock.now < deadline else {
                throw TestSupportError("\(email) is not served: \(method) \(path): \(refusal)")
            }
            try await Task.sleep(for: Self.pause)
        }
        preconditionFailure("Attempts go on until one is answered.")
    }

    private func ask(_ method: String, _ path: String, json: String? = nil) async throws -> PeopleClient.Answer {
        let answer = try await client().ask(method, path, json: json, within: .seconds(10))
        if answer.status == 401 { signedIn.withLock { $0 = nil } }
        return answer
    }

    private func client() async throws -> PeopleClient {
        if let known = signedIn.withLock({ $0 }) { return known }
        let client = try await PeopleClient(origin: origin).signedIn(
            email, password: Self.password, within: Self.limitOfSigningIn)
        signedIn.withLock { $0 = client }
        return client
    }
}
