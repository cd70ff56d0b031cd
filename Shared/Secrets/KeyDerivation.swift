import COpenSSL

/// Keys derived from passwords, by OpenSSL: the system's library is optimised in every build, and the hash of one password takes a
/// quarter of a second there.
enum KeyDerivation {
    /// scrypt (RFC 7914).
    /// - Parameters:
    ///   - rounds: N, a power of two.
    ///   - blockSize: r.
    ///   - parallelism: p.
    static func scrypt(
        _ password: String, salt: [UInt8], rounds: Int, blockSize: Int, parallelism: Int, byteCount: Int
    ) throws -> [UInt8] {
        // The memory that the algorithm takes, and some for the library's own tables.
        let memory = UInt64(128 * blockSize * (rounds + parallelism + 8))
        return try derived(password, salt: salt, byteCount) { text, count, salt, saltCount, key in
            EVP_PBE_scrypt(
                text, count, salt, saltCount, UInt64(rounds), UInt64(blockSize), UInt64(parallelism), memory, key,
                byteCount)
        }
    }

    /// PBKDF2 with HMAC-SHA-512 (RFC 8018).
    static func pbkdf2(_ password: String, salt: [UInt8], rounds: Int, byteCount: Int) throws -> [UInt8] {
        try derived(password, salt: salt, byteCount) { text, count, salt, saltCount, key in
            PKCS5_PBKDF2_HMAC(
                text, CInt(count), salt, CInt(saltCount), CInt(rounds), EVP_sha512(), CInt(byteCount), key)
        }
    }

    private typealias Derivation = (
        _ password: UnsafePointer<CChar>?, _ count: Int, _ salt: UnsafePointer<UInt8>?, _ saltCount: Int,
        _ key: UnsafeMutablePointer<UInt8>?
    ) -> CInt

    private static func derived(
        _ password: String, salt: [UInt8], _ byteCount: Int, _ derive: Derivation
    ) throws -> [UInt8] {
        var password = password
        return try password.withUTF8 { text in
            try text.withMemoryRebound(to: CChar.self) { text in
                try [UInt8](unsafeUninitializedCapacity: byteCount) { key, count in
                    guard derive(text.baseAddress, text.count, salt, salt.count, key.baseAddress) == 1 else {
                        throw OutOfMemory()
                    }
                    count = byteCount
                }
            }
        }
    }

    /// The library refuses nothing but a want of memory: the settings are within its bounds.
    private struct OutOfMemory: Error, CustomStringConvertible {
        let description = "a password could not be hashed: there is too little memory"
    }
}
