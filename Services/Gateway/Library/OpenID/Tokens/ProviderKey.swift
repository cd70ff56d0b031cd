import JWTKit
import Routes

/// A key by which a provider signs. Keys without `alg`, which are common, serve what their type is good for: nothing in a token chooses it.
struct ProviderKey: Sendable {
    let id: String?
    /// By the algorithm's name (RFC 7518).
    let verifiers: [String: any JWTAlgorithm]

    /// The most keys of a set, and the longest number in one: an RSA key of 8,192 bits.
    static let most = 64
    private static let longestNumber = 1366

    /// The keys of a set (RFC 7517, section 5) that can be used; others are passed over.
    static func all(of set: JSON) async -> [ProviderKey] {
        var keys: [ProviderKey] = []
        for json in (set["keys"]?.array ?? []).prefix(most) {
            if let key = await ProviderKey(json) { keys.append(key) }
        }
        return keys
    }

    private init?(_ json: JSON) async {
        guard (json["use"]?.string ?? "sig") == "sig" else { return nil }
        if let operations = json["key_ops"]?.array, !operations.contains("verify") { return nil }
        var verifiers: [String: any JWTAlgorithm] = [:]
        switch json["kty"]?.string {
        case "RSA":
            guard let modulus = Self.number("n", json), let exponent = Self.number("e", json),
                let key = try? Insecure.RSA.PublicKey(modulus: modulus, exponent: exponent)
            else { return nil }
            verifiers["RS256"] = try? await JWTKeyCollection().add(rsa: key, digestAlgorithm: .sha256).getKey()
            verifiers["PS256"] = try? await JWTKeyCollection().add(pss: key, digestAlgorithm: .sha256).getKey()
        case "EC":
            guard json["crv"] == "P-256", let x = Self.number("x", json), let y = Self.number("y", json),
                let key = try? ES256PublicKey(parameters: (x: x, y: y))
            else { return nil }
            verifiers["ES256"] = try? await JWTKeyCollection().add(ecdsa: key).getKey()
        default: return nil
        }
        if let named = json["alg"]?.string { verifiers = verifiers.filter { $0.key == named } }
        guard !verifiers.isEmpty else { return nil }
        id = json["kid"]?.string
        self.verifiers = verifiers
    }

    private static func number(_ name: String, _ json: JSON) -> String? {
        guard let text = json[name]?.string, (1...longestNumber).contains(text.utf8.count), Base64URL.bytes(text) != nil
        else { return nil }
        return text
    }
}
