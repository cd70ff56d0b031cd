import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import TestSupport

/// People who sign in, a few at any moment: each waits for a password to be hashed, which is slow on purpose.
struct SignInRequests: Sendable {
    let base: String
    /// The people's addresses; all have the same password.
    let emails: [String]
    let password: String

    private static let atOnce = 8

    /// The number of sign-ins a second.
    func run(seconds: Int) async throws -> Double {
        let start = ContinuousClock.now
        let end = start + .seconds(seconds)
        let done = try await withThrowingTaskGroup(of: Int.self) { group in
            for first in 0..<Self.atOnce {
                group.addTask {
                    var signedIn = 0
                    while .now < end {
                        try await signIn(first + signedIn * Self.atOnce)
                        signedIn += 1
                    }
                    return signedIn
                }
            }
            return try await group.reduce(0, +)
        }
        return Double(done) / ((ContinuousClock.now - start) / .seconds(1))
    }

    private func signIn(_ number: Int) async throws {
        var request = HTTPClientRequest(url: base + "/api/v1/sessions")
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/json")
        request.headers.add(name: "X-Forwarded-For", value: AskingPeople.address(number % emails.count))
        let email = emails[number % emails.count]
        request.body = .bytes(ByteBuffer(string: #"{"email":"\#(email)","password":"\#(password)"}"#))
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(60))
        let body = try await response.body.collect(upTo: 1 << 20)
        guard response.status == .created else {
            throw TestSupportError("Signing in: \(response.status) \(String(buffer: body).prefix(300))")
        }
    }
}
