import Secrets
import Testing

@Suite struct StoredSecretTests {
    private static let hexadecimal = String(repeating: "0f", count: 32)
    private static let base64 = "Dw8PDw8PDw8PDw8PDw8PDw8PDw8PDw8PDw8PDw8PDw8="

    @Test func `a key is 32 bytes in either spelling`() throws {
        let one = try #require(SecretKey(Self.hexadecimal))
        let other = try #require(SecretKey(Self.base64))
        #expect(one.claimCodeHash("ABCD") == other.claimCodeHash("ABCD"))
        for text in ["", "0f", Self.hexadecimal + "0f", String(repeating: "0g", count: 32), "Dw8PDw8="] {
            #expect(SecretKey(text) == nil)
            #expect(SecretKeys([Self.hexadecimal, text]) == nil)
            #expect(DeviceKeys([text]) == nil)
        }
    }

    @Test func `opens only with the key, channel and endpoint it was sealed for`() throws {
        let key = try #require(SecretKey(Self.hexadecimal))
        let other = try #require(SecretKey(String(repeating: "10", count: 32)))
        let secret: [UInt8] = [1, 2, 3]
        let sealed = try SealedSecret.seal(secret, with: key, channel: "webhook", endpoint: 7)
        #expect(try sealed.open(with: key, channel: "webhook", endpoint: 7) == secret)
        #expect(throws: SealedSecret.CannotOpen.self) { try sealed.open(with: other, channel: "webhook", endpoint: 7) }
        #expect(throws: SealedSecret.CannotOpen.self) { try sealed.open(with: key, channel: "webhook", endpoint: 8) }
        #expect(throws: SealedSecret.CannotOpen.self) { try sealed.open(with: key, channel: "ntfy", endpoint: 7) }
        for index in sealed.bytes.indices {
            var bytes = sealed.bytes
            bytes[index] ^= 1
            #expect(throws: SealedSecret.CannotOpen.self) {
                try SealedSecret(stored: bytes).open(with: key, channel: "webhook", endpoint: 7)
            }
        }
        #expect(throws: SealedSecret.CannotOpen.self) {
            try SealedSecret(stored: []).open(with: key, channel: "webhook", endpoint: 7)
        }
        // A fresh nonce each time.
        #expect(try SealedSecret.seal(secret, with: key, channel: "webhook", endpoint: 7) != sealed)
    }

    @Test func `an address is sealed with its secret, and what was sealed without is told from it`() throws {
        let key = try #require(SecretKey(Self.hexadecimal))
        let newest = try #require(SecretKeys([String(repeating: "10", count: 32), Self.hexadecimal]))
        let endpoint = EndpointSecret(address: "https://example.org/\u{e9}", secret: [1, 2, 3])
        let sealed = try SealedSecret.seal(endpoint, with: key, channel: "webhook", number: 7)
        let opened = try newest.openEndpoint(sealed, channel: "webhook", number: 7)
        #expect(opened.endpoint == endpoint && !opened.isNewest)
        #expect(opened.endpoint.addressed("https://other.example.org/") == endpoint)
        for (channel, number) in [("webhook", Int64(8)), ("webPush", 7)] {
            #expect(throws: SealedSecret.CannotOpen.self) {
                try newest.openEndpoint(sealed, channel: channel, number: number)
            }
        }
        // One format is not accepted as the other.
        let bare = try SealedSecret.seal([1, 2, 3], with: key, channel: "webhook", endpoint: 7)
        let former = try newest.openEndpoint(bare, channel: "webhook", number: 7).endpoint
        #expect(former == EndpointSecret(address: nil, secret: [1, 2, 3]))
        #expect(former.addressed("https://example.org/").address == "https://example.org/")
        for (bytes, format) in [(sealed.bytes, UInt8(1)), (bare.bytes, 2)] {
            #expect(throws: SealedSecret.CannotOpen.self) {
                try newest.openEndpoint(
                    SealedSecret(stored: [format] + bytes.dropFirst()), channel: "webhook", number: 7)
            }
        }
        #expect(throws: SealedSecret.CannotOpen.self) { try sealed.open(with: key, channel: "webhook", endpoint: 7) }
    }

    @Test func `a new secret keeps the address, and the one before it has none`() throws {
        let (old, newest) = (try #require(SecretKey(Self.hexadecimal)), String(repeating: "10", count: 32))
        let keys = try #require(SecretKeys([newest, Self.hexadecimal]))
        for address in ["https://example.org/a", nil] {
            let stored = try SealedSecret.seal(
                EndpointSecret(address: address, secret: [1]), with: old, channel: "webhook", number: 7)
            let (secret, former) = try keys.rotate(
                stored, beside: "https://example.org/a", to: [2], channel: "webhook", number: 7)
            let opened = try keys.openEndpoint(secret, channel: "webhook", number: 7)
            #expect(opened.isNewest)
            #expect(opened.endpoint == EndpointSecret(address: "https://example.org/a", secret: [2]))
            #expect(try keys.open(former, channel: "webhook", endpoint: 7).secret == [1])
        }
    }

    @Test func `an answer opens for its person and its request only`() throws {
        let key = try #require(SecretKey(Self.hexadecimal))
        let sealed = try SealedSecret.seal([1, 2, 3], with: key, for: .answer(account: 7, idempotencyKey: "a"))
        #expect(try SecretKeys(key).open(sealed, for: .answer(account: 7, idempotencyKey: "a")).secret == [1, 2, 3])
        for context in [
            SealedSecret.Context.answer(account: 8, idempotencyKey: "a"), .answer(account: 7, idempotencyKey: "b"),
            .endpoint(channel: "7", number: 7), .endpoint(channel: "webhook", number: 7),
        ] {
            #expect(throws: SealedSecret.CannotOpen.self) { try sealed.open(with: key, for: context) }
        }
    }

    @Test func `a device's key fits its own hash alone`() {
        let hash = DeviceKeyHash(of: "abc")
        #expect(hash.bytes.count == DeviceKeyHash.length)
        // FIPS 180-2, appendix B.1.
        #expect(hash.bytes.prefix(4) == [0xBA, 0x78, 0x16, 0xBF])
        let stored = DeviceKeyHash(stored: hash.bytes)
        #expect(stored.matches("abc"))
        for key in ["abd", "ab", "abcd", ""] { #expect(!stored.matches(key)) }
        #expect(!DeviceKeyHash(stored: []).matches("abc"))
        var last = hash.bytes
        last[31] ^= 1
        #expect(!DeviceKeyHash(stored: last).matches("abc"))
    }

    /// The vector is Python's: `hashlib.pbkdf2_hmac("sha512", b"the key of a device", bytes(range(12)), 101, 64)`.
    @Test func `a broker is given what its plugin computes itself`() throws {
        let hash = try BrokerPasswordHash(of: "the key of a device", salt: Array(0..<12))
        #expect(hash.salt == "AAECAwQFBgcICQoL")
        #expect(hash.iterations == 101)
        #expect(
            hash.password
                == "7YE3bVUa/bUCU7OYOrgEEVrsmh7A3HlA9VUWwlftKNe/Ci/xIf0LsJmTFjb/7UljGorXKc6burpi6zZ6nhLH8w==")
        #expect(try BrokerPasswordHash(of: "a") != BrokerPasswordHash(of: "a"), "each has a salt of its own")
    }

    @Test func `claim codes differ by code and key`() throws {
        let key = try #require(SecretKey(Self.hexadecimal))
        let other = try #require(SecretKey(String(repeating: "10", count: 32)))
        #expect(key.claimCodeHash("ABCD").count == 32)
        #expect(key.claimCodeHash("ABCD") != key.claimCodeHash("ABCE"))
        #expect(key.claimCodeHash("ABCD") != other.claimCodeHash("ABCD"))
    }

    @Test func `the newest key makes and every key opens`() throws {
        let (old, new) = (Self.hexadecimal, String(repeating: "10", count: 32))
        let before = try #require(SecretKeys([old]))
        let during = try #require(SecretKeys([new, old]))
        let after = try #require(SecretKeys([new]))
        let sealed = try SealedSecret.seal([1, 2, 3], with: before.newest, channel: "webhook", endpoint: 7)
        let opened = try during.open(sealed, channel: "webhook", endpoint: 7)
        #expect(opened.secret == [1, 2, 3])
        #expect(!opened.isNewest)
        #expect(throws: SealedSecret.CannotOpen.self) { try after.open(sealed, channel: "webhook", endpoint: 7) }
        let again = try SealedSecret.seal(opened.secret, with: during.newest, channel: "webhook", endpoint: 7)
        #expect(try after.open(again, channel: "webhook", endpoint: 7).isNewest)
        #expect(during.claimCodeHashes("ABCD").contains(before.newest.claimCodeHash("ABCD")))
        #expect(Set(during.ids).count == 2)
        #expect(during.newest.id == after.newest.id)
        #expect(during.newest.id.description.wholeMatch(of: /[0-9a-f]{16}/) != nil)
    }

    @Test func `a device keeps the password of its master key`() throws {
        let (old, new) = (Self.hexadecimal, String(repeating: "10", count: 32))
        let before = try #require(DeviceKeys([old]))
        let during = try #require(DeviceKeys([new, old]))
        let password = before.password(hardwareID: "pond-1", generation: 1)
        #expect(during.password(hardwareID: "pond-1", generation: 1) != password)
        #expect(during.password(hardwareID: "pond-1", generation: 1, key: "\(before.newest)") == password)
        // A device from before keys had an id.
        #expect(during.password(hardwareID: "pond-1", generation: 1, key: nil) == password)
        let after = try #require(DeviceKeys([new]))
        #expect(after.password(hardwareID: "pond-1", generation: 1, key: "\(before.newest)") == nil)
    }

    /// The expected text comes from: printf %s pond-1:1 | openssl dgst -sha256 -mac HMAC -macopt hexkey:0f0f... -binary
    @Test func `device passwords are the HMAC of id and generation`() throws {
        let keys = try #require(DeviceKeys([Self.hexadecimal]))
        #expect(keys.password(hardwareID: "pond-1", generation: 1) == "OhrEAErucrCLJoK8yPFz8JiyLQnAjd3hG7-FcOEJv0Y")
        #expect(
            keys.password(hardwareID: "pond-1", generation: 2) != keys.password(hardwareID: "pond-1", generation: 1))
    }

    @Test func `a password verifies against its hash only`() throws {
        let hash = try PasswordHash.create("correct horse")
        let stored = try #require(PasswordHash(stored: "\(hash)"))
        #expect("\(stored)" == "\(hash)")
        #expect("\(hash)".hasPrefix("scrypt$32768$8$3$"))
        #expect(stored.matches("correct horse"))
        #expect(!stored.matches("correct horse "))
    }

    @Test func `a hash of other costs is to be made anew`() throws {
        let quick = PasswordSalt.random(cost: .quick)
        #expect(quick.needsRehash())
        #expect(!quick.needsRehash(at: .quick))
        #expect(try #require(PasswordSalt(stored: "\(quick)")).needsRehash())
        #expect(!PasswordSalt.random().needsRehash())
    }

    @Test func `a salt gives a password the same hash again`() throws {
        let salt = PasswordSalt.random(cost: .quick)
        let hash = try salt.hash("correct horse")
        #expect("\(hash)".hasPrefix("\(salt)"))
        let again = try #require(PasswordSalt(stored: "\(salt)"))
        #expect(try again.hash("correct horse").description == "\(hash)")
        #expect(try again.hash("another horse").description != "\(hash)")
        #expect(PasswordSalt(stored: "\(hash)") == nil)
    }

    /// RFC 7914, section 12, second vector, shortened to 32 bytes (scrypt's output is a prefix of a longer one).
    @Test func `verifies the RFC's vector`() throws {
        let stored = "scrypt$1024$8$16$TmFDbA==$/bq+HJ00cgB4VucZDQHp/nxq18vII3gw53N2Y0s3MWI="
        #expect(try #require(PasswordHash(stored: stored)).matches("password"))
    }

    @Test(arguments: [
        "", "scrypt", "bcrypt$1024$8$1$TmFDbA==$TmFDbA==",
        "scrypt$1000$8$1$TmFDbA==$/bq+HJ00cgB4VucZDQHp/nxq18vII3gw53N2Y0s3MWI=",
        "scrypt$1073741824$8$1$TmFDbA==$/bq+HJ00cgB4VucZDQHp/nxq18vII3gw53N2Y0s3MWI=",
        "scrypt$1024$8$1$TmFDbA==$TmFDbA==",
    ])
    func `refuses another text`(text: String) {
        #expect(PasswordHash(stored: text) == nil)
    }
}
