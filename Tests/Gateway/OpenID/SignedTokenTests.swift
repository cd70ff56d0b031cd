import Crypto
import Foundation
import JWTKit
import Routes
import Secrets
import TestSupport
import Testing

@testable import Gateway

/// Whose signature is taken: that of a key of the provider's, by an algorithm that its type is good for, and nothing that the token chooses.
@Suite struct SignedTokenTests {
    private static func token(_ header: JSON, _ key: P256.Signing.PrivateKey) throws -> String {
        try CompactToken.text(header: header.bytes, claims: JSON.object(["sub": "s"]).bytes) {
            Array(try key.signature(for: Data($0)).rawRepresentation)
        }
    }

    private static func fault(_ text: String, _ keys: [ProviderKey]) -> OpenIDFault? {
        do throws(OpenIDFault) {
            try SignedToken(text).verify(by: keys)
            return nil
        } catch {
            return error
        }
    }

    private static func jwk(_ key: P256.Signing.PublicKey, _ more: [JSON.Member] = []) -> JSON {
        let point = Array(key.rawRepresentation)
        return .object(
            [
                .init("kty", "EC"), .init("crv", "P-256"), .init("x", .string(Base64URL.text(Array(point.prefix(32))))),
                .init("y", .string(Base64URL.text(Array(point.suffix(32))))),
            ] + more)
    }

    @Test func `a key signs by its own algorithm, with or without a name`() async throws {
        let (key, other) = (P256.Signing.PrivateKey(), P256.Signing.PrivateKey())
        let keys = await ProviderKey.all(of: [
            "keys": [Self.jwk(other.publicKey, [.init("kid", "b")]), Self.jwk(key.publicKey, [.init("kid", "a")])]
        ])
        #expect(keys.count == 2)
        #expect(Self.fault(try Self.token(["alg": "ES256", "kid": "a"], key), keys) == nil)
        #expect(Self.fault(try Self.token(["alg": "ES256"], key), keys) == nil)
        #expect(Self.fault(try Self.token(["alg": "ES256", "kid": "b"], key), keys) == .signature)
        #expect(Self.fault(try Self.token(["alg": "ES256", "kid": "c"], key), keys) == .unknownKey)
        #expect(Self.fault(try Self.token(["alg": "RS256", "kid": "a"], key), keys) == .unknownKey)
    }

    @Test func `no algorithm without a key of the provider's alone is taken`() async throws {
        let key = P256.Signing.PrivateKey()
        let keys = await ProviderKey.all(of: ["keys": [Self.jwk(key.publicKey)]])
        for algorithm in ["none", "None", "NONE", "", "HS256", "HS512", "ES384", "RS512", "EdDSA", "es256"] {
            #expect(Self.fault(try Self.token(["alg": .string(algorithm)], key), keys) == .algorithm, "\(algorithm)")
        }
        // The public key, taken for a secret that both sides share.
        let header = Base64URL.text(JSON.object(["alg": "HS256"]).bytes)
        let signed = "\(header).\(Base64URL.text(JSON.object(["sub": "s"]).bytes))"
        for secret in [key.publicKey.pemRepresentation, key.publicKey.derRepresentation.base64EncodedString()] {
            let code = HMAC<SHA256>.authenticationCode(
                for: Data(signed.utf8), using: SymmetricKey(data: Data(secret.utf8)))
            #expect(Self.fault("\(signed).\(Base64URL.text(Array(code)))", keys) == .algorithm)
        }
        #expect(Self.fault(try Self.token([:], key), keys) == .algorithm)
        #expect(Self.fault(try Self.token(["alg": "ES256", "crit": ["exp"]], key), keys) == .malformedToken)
        let fine = try Self.token(["alg": "ES256"], key)
        for text in ["", "a.b", "\(fine).x", fine + "=", fine.replacing(".", with: ".."), String(fine.dropLast(2))] {
            #expect(Self.fault(text, keys) != nil, "\(text)")
        }
        #expect(Self.fault("\(fine)\(String(repeating: "A", count: SignedToken.longest))", keys) == .malformedToken)
        // A number beyond 64 bits, or a name twice, ends nothing but the token.
        for content in ["{\"sub\":\"s\",\"exp\":1e999}", "{\"sub\":\"s\",\"sub\":\"t\"}", "[]", "\"s\""] {
            let text = try CompactToken.text(header: JSON.object(["alg": "ES256"]).bytes, claims: Array(content.utf8)) {
                Array(try key.signature(for: Data($0)).rawRepresentation)
            }
            #expect(Self.fault(text, keys) == .malformedToken, "\(content)")
        }
    }

    @Test func `keys that are not for signatures, or too weak, are passed over`() async throws {
        let key = P256.Signing.PrivateKey().publicKey
        let set: [JSON] = [
            Self.jwk(key, [.init("use", "enc")]), Self.jwk(key, [.init("key_ops", ["sign"])]),
            Self.jwk(key, [.init("alg", "ES512")]), ["kty": "oct", "k": "AAAA"], ["kty": "EC", "crv": "P-384"], 7,
            ["kty": "RSA", "n": "AQAB", "e": "AQAB"],
            ["kty": "RSA", "n": .string(String(repeating: "A", count: 2000)), "e": "AQAB"],
        ]
        #expect(await ProviderKey.all(of: ["keys": .array(set)]).isEmpty)
        #expect(await ProviderKey.all(of: ["keys": 7]).isEmpty)
        #expect(await ProviderKey.all(of: []).isEmpty)
        let many = JSON.array(Array(repeating: Self.jwk(key), count: ProviderKey.most + 1))
        #expect(await ProviderKey.all(of: ["keys": many]).count == ProviderKey.most)
    }

    private struct Claims: JWTPayload {
        var sub = "s"
        func verify(using algorithm: some JWTAlgorithm) {}
    }

    @Test func `an RSA key signs by either padding, unless it names one`() async throws {
        let pem = try await ProcessUnderTest.run("/usr/bin/openssl", ["genrsa", "2048"])
        let key = try Insecure.RSA.PrivateKey(pem: pem)
        let numbers = try key.publicKey.getKeyPrimitives()
        let jwk: [JSON.Member] = [
            .init("kty", "RSA"), .init("n", .string(Base64URL.text(Array(numbers.modulus)))),
            .init("e", .string(Base64URL.text(Array(numbers.publicExponent)))),
        ]
        let pkcs = try await JWTKeyCollection().add(rsa: key, digestAlgorithm: .sha256).sign(Claims())
        let pss = try await JWTKeyCollection().add(pss: key, digestAlgorithm: .sha256).sign(Claims())
        let unnamed = await ProviderKey.all(of: ["keys": [.object(jwk)]])
        #expect(Self.fault(pkcs, unnamed) == nil && Self.fault(pss, unnamed) == nil)
        let named = await ProviderKey.all(of: ["keys": [.object(jwk + [.init("alg", "RS256")])]])
        #expect(Self.fault(pkcs, named) == nil && Self.fault(pss, named) == .unknownKey)
    }
}
