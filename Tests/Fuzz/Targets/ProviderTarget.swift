import Instants
import PushTargets
import Routes

@testable import Gateway

extension FuzzTarget {
    /// What a sign-in provider answers: tokens, claims and its description.
    static let provider = FuzzTarget(
        "provider",
        seeds: [
            "eyJhbGciOiJFUzI1NiIsImtpZCI6ImsxIn0.eyJzdWIiOiJzIn0.AAAA",
            #"{"sub":"s-1","iss":"https://id.example","aud":["aqua"],"azp":"aqua","exp":1800000300,"iat":1800000000,"nonce":"n"}"#,
            #"{"sub":"s","email":"ada@example.org","email_verified":true,"groups":["keepers"],"auth_time":1.8e9,"sid":"x"}"#,
            #"{"issuer":"https://id.example","authorization_endpoint":"https://id.example/a","token_endpoint":"https://id.example/t","jwks_uri":"https://id.example/k"}"#,
        ],
        words: ["none", "HS256", "RS256", "crit", "\"exp\":", "1e999", "9223372036854775808", "http://", "\u{202e}"]
    ) { input in
        let text = String(decoding: input, as: UTF8.self)
        if let token = try? SignedToken(text) {
            try promise(SignedToken.algorithms.contains(token.algorithm), "the algorithm \(token.algorithm)")
            try promise((try? token.verify(by: [])) == nil, "a signature without a key")
        }
        guard let json = try? JSON(reading: input) else { return }
        if let claims = try? ProviderClaims(json) {
            try promise(
                (1...255).contains(claims.subject.utf8.count), "a subject of \(claims.subject.utf8.count) bytes")
            if let name = claims.name { try promisePresentable(name, longest: 480) }
            let expected = ProviderClaims.Expected(
                issuer: "https://id.example", clientID: "aqua", nonce: "n", accessToken: "a")
            _ = try? claims.check(expected, at: Timestamp(unixSeconds: Int64(1_800_000_000)))
        }
        let at = Timestamp(unixSeconds: Int64(1_800_000_000))
        if let logout = try? ProviderLogout(json, issuer: "https://id.example", clientID: "aqua", at: at) {
            try promise(logout.subject != nil || logout.session != nil, "a word about nobody")
        }
        if let issuer = OpenIDSettings.Issuer("https://id.example"), let read = try? ProviderMetadata(json, of: issuer)
        {
            try promise(
                [read.authorization, read.token, read.keys].allSatisfy(\.isEncrypted), "a way over an open line")
        }
    }
}
