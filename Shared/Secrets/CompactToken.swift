/// A JSON Web Token in its compact form (RFC 7519): what others read to know who we are.
package enum CompactToken {
    /// - Parameters:
    ///   - header: A JSON object with the algorithm.
    ///   - claims: A JSON object.
    ///   - sign: Makes the signature as the algorithm wants it (RFC 7518): of ES256 two numbers of 32 bytes, not DER.
    package static func text(
        header: [UInt8], claims: [UInt8], sign: ([UInt8]) throws -> [UInt8]
    ) rethrows -> String {
        let signed = "\(header.base64URL).\(claims.base64URL)"
        return "\(signed).\(try sign(Array(signed.utf8)).base64URL)"
    }
}
