import TestSupport

/// A person's screen: signs in and looks at the latest readings.
struct Screen: Sendable {
    static let password = "correct horse battery"

    let origin: String
    let email: String

    /// Signs in and looks, again and again until that succeeds.
    /// - Returns: What was last wrong; nil when the person saw readings in time.
    func refusal(within limit: Duration) async -> String? {
        let deadline = ContinuousClock.now + limit
        var refusal: String
        repeat {
            do {
                let client = try await PeopleClient(origin: origin).signedIn(
                    email, password: Self.password, within: .seconds(10))
                let latest = try await client.succeed("GET", "/readings/latest")
                if latest.text.contains(#""parameter":"temperature""#) { return nil }
                refusal = "no reading is shown: \(latest.text)"
            } catch {
                refusal = "\(error)"
            }
            // Few enough attempts for the limit on sign-ins.
            try? await Task.sleep(for: .milliseconds(500))
        } while ContinuousClock.now < deadline && !Task.isCancelled
        return refusal
    }
}
