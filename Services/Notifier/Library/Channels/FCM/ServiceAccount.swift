import CryptoExtras
import FoundationEssentials

/// A Google service account, by which Google knows us: the JSON file that Google's console hands out.
package struct ServiceAccount: Sendable {
    /// The id of the Firebase project.
    let project: String
    let email: String
    let keyID: String
    /// Where tokens are granted.
    let tokenURL: String
    private let key: _RSA.Signing.PrivateKey

    /// - Returns: nil for a file that is none.
    package init?(file: [UInt8]) {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        guard let content = try? decoder.decode(Content.self, from: Data(file)), content.type == "service_account",
            content.projectId.wholeMatch(of: /[a-z0-9][a-z0-9-]{0,62}/) != nil,
            content.tokenUri.hasPrefix("https://"),
            let key = try? _RSA.Signing.PrivateKey(pemRepresentation: content.privateKey)
        else { return nil }
        project = content.projectId
        email = content.clientEmail
        keyID = content.privateKeyId
        tokenURL = content.tokenUri
        self.key = key
    }

    /// An RS256 signature (RFC 7518, section 3.3).
    func signature(of bytes: [UInt8]) throws -> [UInt8] {
        try Array(key.signature(for: bytes, padding: .insecurePKCS1v1_5).rawRepresentation)
    }

    /// The names are Google's, but for their underscores.
    private struct Content: Decodable {
        var type: String
        var projectId: String
        var privateKeyId: String
        var privateKey: String
        var clientEmail: String
        var tokenUri: String
    }
}
