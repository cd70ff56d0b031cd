import JWTKit
import Routes

/// A token in its compact form (RFC 7515) before its signature is checked.
struct SignedToken: Sendable {
    /// The algorithms that are taken. None of them knows a secret that both sides share, so that no public key is taken for one.
    static let algorithms: Set = ["RS256", "PS256", "ES256"]
    /// In bytes; providers that list hundreds of groups write long ones.
    static let longest = 32_768

    let algorithm: String
    let keyID: String?
    let content: JSON
    private let signed: [UInt8]
    private let signature: [UInt8]

    /// - Throws: `OpenIDFault.malformedToken`, `.algorithm`.
    init(_ text: String) throws(OpenIDFault) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard text.utf8.count <= Self.longest, parts.count == 3, let signature = Base64URL.bytes(parts[2]),
            let header = Self.json(parts[0]), let content = Self.json(parts[1])
        else { throw .malformedToken }
        // Extensions that must be understood: none is.
        guard header["crit"] == nil else { throw .malformedToken }
        guard let algorithm = header["alg"]?.string, Self.algorithms.contains(algorithm) else { throw .algorithm }
        self.algorithm = algorithm
        keyID = header["kid"]?.string
        self.content = content
        self.signature = signature
        signed = Array("\(parts[0]).\(parts[1])".utf8)
    }

    private static func json(_ part: String) -> JSON? {
        Base64URL.bytes(part).flatMap { try? JSON(reading: $0) }.flatMap { $0.members == nil ? nil : $0 }
    }

    /// The keys that may have signed it: those of its id, or where it names none, all of the algorithm.
    private func candidates(_ keys: [ProviderKey]) -> [any JWTAlgorithm] {
        keys.filter { keyID == nil || $0.id == keyID }.compactMap { $0.verifiers[algorithm] }
    }

    /// - Throws: `OpenIDFault.unknownKey` where no key can have signed it, `.signature` where none has.
    func verify(by keys: [ProviderKey]) throws(OpenIDFault) {
        let candidates = candidates(keys)
        guard !candidates.isEmpty else { throw .unknownKey }
        let isSigned = candidates.contains { (try? $0.verify(signature, signs: signed)) == true }
        guard isSigned else { throw .signature }
    }
}
