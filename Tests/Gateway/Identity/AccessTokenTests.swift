import Crypto
import Foundation
import Instants
import JWTKit
import Secrets
import ServiceKit
import Synchronization
import Testing
import WaterQuality

@testable import Gateway

@Suite struct AccessTokenTests {
    private static let oneKey = String(repeating: "0f", count: 32)
    private static let otherKey = String(repeating: "1e", count: 32)
    private static let account = Account.ID(rawValue: 7)
    private static let session: UInt128 = 0x0190_0000_0000_7000_8000_0000_0000_0001
    private static let start = Timestamp(microseconds: 1_790_000_000_000_000)

    private let time = ManualTime(start)
    private let keys = FileOfKeys([oneKey])
    private let tokens: AccessTokens

    init() throws {
        let (time, keys) = (time, keys)
        tokens = AccessTokens(
            keys: Renewable(try #require(AccessTokenKeys([Self.oneKey]))) { AccessTokenKeys(keys.lines) },
            clock: WallClock { time.now })
    }

    /// A token as anybody could write it.
    private func forge(
        _ header: [String: Any], _ claims: [String: Any], sign: (Data) throws -> Data = { _ in Data() }
    ) throws -> String {
        let parts = try [header, claims].map { try JSONSerialization.data(withJSONObject: $0).base64URL }
        let text = parts.joined(separator: ".")
        return try "\(text).\(sign(Data(text.utf8)).base64URL)"
    }

    private func header(_ changes: [String: Any] = [:]) throws -> [String: Any] {
        let keys = try #require(AccessTokenKeys([Self.oneKey]))
        let header: [String: Any] = ["typ": "at+jwt", "alg": "ES256", "kid": keys.ids[0]]
        return header.merging(changes) { $1 }
    }

    private func claims(_ changes: [String: Any] = [:]) -> [String: Any] {
        let now = Int(Self.start.microseconds / 1_000_000)
        let claims: [String: Any] = [
            "iss": "aquamonitor", "aud": "aquamonitor-api", "sub": "7", "sid": "01900000-0000-7000-8000-000000000001",
            "iat": now, "exp": now + 600,
        ]
        return claims.merging(changes) { $1 }
    }

    private func signature(_ key: String = oneKey) throws -> (Data) throws -> Data {
        let key = try P256.Signing.PrivateKey(rawRepresentation: try #require(KeyText.bytes(key)))
        return { try key.signature(for: $0).rawRepresentation }
    }

    @Test func `a token says who and in which session, for ten minutes`() async throws {
        let text = try await tokens.issue(to: Self.account, session: Self.session)
        let token = try #require(await tokens.verify(text))
        #expect(token.account == Self.account)
        #expect(token.session == Self.session)
        #expect(token.expiresAt == Self.start + .seconds(600))
        time.now = Self.start + .seconds(599)
        #expect(await tokens.verify(text) != nil)
        time.now = Self.start + .seconds(600)
        #expect(await tokens.verify(text) == nil)
    }

    /// Proves the forger: the other tests are refused for what they change.
    @Test func `a token of the same form by the same key is taken`() async throws {
        let text = try forge(header(), claims(), sign: signature())
        #expect(await tokens.verify(text)?.account == Self.account)
    }

    @Test func `no other algorithm is taken`() async throws {
        let publicKey = try P256.Signing.PrivateKey(rawRepresentation: try #require(KeyText.bytes(Self.oneKey)))
            .publicKey
        // The public key as an HMAC secret, in each form that libraries have accepted.
        for secret in [
            Data(publicKey.pemRepresentation.utf8), publicKey.derRepresentation, publicKey.x963Representation,
        ] {
            let text = try forge(header(["alg": "HS256"]), claims()) {
                Data(HMAC<SHA256>.authenticationCode(for: $0, using: SymmetricKey(data: secret)))
            }
            #expect(await tokens.verify(text) == nil)
        }
        for algorithm in ["none", "None", "NONE", "es256", "ES384", ""] {
            #expect(await tokens.verify(try forge(header(["alg": algorithm]), claims())) == nil)
            #expect(await tokens.verify(try forge(header(["alg": algorithm]), claims(), sign: signature())) == nil)
        }
    }

    @Test func `a foreign key is not taken under any name`() async throws {
        let ours = try #require(AccessTokenKeys([Self.oneKey])).ids[0]
        let theirs = try #require(AccessTokenKeys([Self.otherKey])).ids[0]
        for kid in [ours, theirs, "", "../../../dev/null", "' OR 1=1 --", String(repeating: "a", count: 300)] {
            let text = try forge(header(["kid": kid]), claims(), sign: signature(Self.otherKey))
            #expect(await tokens.verify(text) == nil)
        }
        var nameless = try header()
        nameless["kid"] = nil
        // Not even with our own key: without a key id no key is used, and an unknown id stands for none.
        #expect(await tokens.verify(try forge(nameless, claims(), sign: signature())) == nil)
        #expect(await tokens.verify(try forge(header(["kid": "x"]), claims(), sign: signature())) == nil)
        #expect(await tokens.verify(try forge(header(["kid": 7]), claims(), sign: signature())) == nil)
        #expect(await tokens.verify(try forge(header(["kid": NSNull()]), claims(), sign: signature())) == nil)
    }

    @Test(arguments: ["JWT", "", "jwt", "AT+JWT", "refresh"])
    func `no other type of token is taken`(type: String) async throws {
        #expect(await tokens.verify(try forge(header(["typ": type]), claims(), sign: signature())) == nil)
    }

    @Test func `an extension that has to be understood is not`() async throws {
        let text = try forge(header(["crit": ["b64"], "b64": false]), claims(), sign: signature())
        #expect(await tokens.verify(text) == nil)
        // Ignores keys that a token brings along.
        let carried = try forge(
            header(["jku": "https://example.org", "jwk": ["kty": "EC"], "x5c": ["AAAA"], "n": 1e300]), claims(),
            sign: signature(Self.otherKey))
        #expect(await tokens.verify(carried) == nil)
    }

    @Test func `every claim is checked`() async throws {
        let now = Int(Self.start.microseconds / 1_000_000)
        let wrong: [[String: Any]] = [
            ["iss": "somebody"], ["iss": NSNull()], ["aud": "another"], ["aud": ["aquamonitor-api", "another"]],
            ["sub": "0"], ["sub": "-7"], ["sub": "seven"], ["sub": 7], ["sub": "99999999999999999999"],
            ["sid": "1"], ["sid": ""], ["iat": now + 61, "exp": now + 600], ["exp": now], ["exp": now - 1],
            ["exp": now + 601], ["iat": now - 601, "exp": now + 1], ["exp": Int.max], ["iat": Int.min], ["iat": "now"],
            ["exp": 1e300],
        ]
        for changes in wrong {
            let text = try forge(header(), claims(changes), sign: signature())
            #expect(await tokens.verify(text) == nil, "\(changes)")
        }
        // Another Gateway's clock may be a little ahead.
        let ahead = try forge(header(), claims(["iat": now + 60, "exp": now + 660]), sign: signature())
        #expect(await tokens.verify(ahead) != nil)
    }

    @Test func `a changed or cut token is refused`() async throws {
        let text = try await tokens.issue(to: Self.account, session: Self.session)
        let bytes = Array(text.utf8)
        // Skips the last character of each part, which holds bits that decoders ignore.
        let ends = Set(bytes.indices.filter { $0 + 1 == bytes.count || bytes[$0 + 1] == UInt8(ascii: ".") })
        for index in bytes.indices where !ends.contains(index) {
            var changed = bytes
            changed[index] = changed[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            #expect(await tokens.verify(String(decoding: changed, as: UTF8.self)) == nil)
        }
        for cut in ["", ".", "..", "...", String(text.dropLast()), text + ".", text + ".x", "." + text] {
            #expect(await tokens.verify(cut) == nil)
        }
    }

    @Test func `huge and odd texts are refused`() async throws {
        let huge = try forge(
            header(["pad": String(repeating: "a", count: 100_000)]), claims(), sign: signature())
        #expect(await tokens.verify(huge) == nil)
        #expect(await tokens.verify(String(repeating: ".", count: 1_000_000)) == nil)
        for text in ["é.é.é", "a b.c.d", "\0.\0.\0", "e30.e30.", "e30.e30.e30", "W10.W10.W10", "bnVsbA.bnVsbA.AA"] {
            #expect(await tokens.verify(text) == nil)
        }
    }

    @Test func `a key is exchanged without anybody being signed out`() async throws {
        let old = try await tokens.issue(to: Self.account, session: Self.session)
        keys.lines = [Self.otherKey, Self.oneKey]
        time.now = Self.start + .seconds(11)
        let new = try await tokens.issue(to: Self.account, session: Self.session)
        #expect(try self.keyID(of: new) == #require(AccessTokenKeys([Self.otherKey])).ids[0])
        #expect(await tokens.verify(old) != nil)
        #expect(await tokens.verify(new) != nil)
        keys.lines = [Self.otherKey]
        time.now = Self.start + .seconds(22)
        #expect(await tokens.verify(old) == nil)
        #expect(await tokens.verify(new) != nil)
    }

    @Test func `a key that another Gateway has read already is found within a second`() async throws {
        let text = try forge(
            header(["kid": try #require(AccessTokenKeys([Self.otherKey])).ids[0]]), claims(),
            sign: signature(Self.otherKey))
        #expect(await tokens.verify(text) == nil)
        keys.lines = [Self.otherKey, Self.oneKey]
        time.now = Self.start + .seconds(1)
        #expect(await tokens.verify(text) != nil)
    }

    @Test func `made-up key ids do not have the file read each time`() async throws {
        let before = keys.readings
        for number in 0..<100 {
            _ = await tokens.verify(try forge(header(["kid": "key\(number)"]), claims(), sign: signature()))
        }
        #expect(keys.readings == before)
        time.now = Self.start + .seconds(1)
        for number in 0..<100 {
            _ = await tokens.verify(try forge(header(["kid": "key\(number)"]), claims(), sign: signature()))
        }
        #expect(keys.readings == before + 1)
    }

    @Test func `a file that cannot be used changes nothing`() async throws {
        let text = try await tokens.issue(to: Self.account, session: Self.session)
        keys.lines = ["nonsense"]
        time.now = Self.start + .seconds(60)
        #expect(await tokens.verify(text) != nil)
    }

    @Test func `lines that are no keys`() {
        // Zero, and the order of the curve.
        let order = "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551"
        for lines in [
            [], [""], ["abc"], [String(repeating: "00", count: 32)], [order], [Self.oneKey, "x"],
            [Self.oneKey, Self.oneKey],
        ] {
            #expect(AccessTokenKeys(lines) == nil)
        }
        #expect(AccessTokenKeys([Self.oneKey, Self.otherKey])?.ids.count == 2)
    }

    private func keyID(of token: String) throws -> String? {
        var base64 = String(try #require(token.split(separator: ".").first))
            .replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        base64 += String(repeating: "=", count: (4 - base64.count % 4) % 4)
        let header = try JSONSerialization.jsonObject(with: try #require(Data(base64Encoded: base64)))
        return (header as? [String: Any])?["kid"] as? String
    }
}

/// A clock that a test sets.
final class ManualTime: Sendable {
    private let value: Mutex<Timestamp>

    init(_ now: Timestamp) { value = Mutex(now) }

    var now: Timestamp {
        get { value.withLock { $0 } }
        set { value.withLock { $0 = newValue } }
    }
}

/// A key file that counts its reads.
private final class FileOfKeys: Sendable {
    private let state: Mutex<(lines: [String], readings: Int)>

    init(_ lines: [String]) { state = Mutex((lines, 0)) }

    var lines: [String] {
        get {
            state.withLock {
                $0.readings += 1
                return $0.lines
            }
        }
        set { state.withLock { $0.lines = newValue } }
    }

    var readings: Int { state.withLock(\.readings) }
}

extension Data {
    fileprivate var base64URL: String {
        base64EncodedString().replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
            .replacingOccurrences(of: "=", with: "")
    }
}
