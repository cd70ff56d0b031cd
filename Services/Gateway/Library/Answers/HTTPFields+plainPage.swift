import Crypto
import FoundationEssentials
import HTTPTypes
import Words

extension HTTPFields {
    /// The headers of a page without scripts. Only its own style is allowed, by its hash.
    static func ofPlainPage(_ text: String, _ language: Language) -> HTTPFields {
        var policy = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
        if let start = text.firstRange(of: "<style>"), let end = text.firstRange(of: "</style>") {
            let style = text[start.upperBound..<end.lowerBound]
            let hash = Data(SHA256.hash(data: Array(style.utf8))).base64EncodedString()
            policy += "; style-src 'sha256-\(hash)'"
        }
        return [
            .contentType: "text/html; charset=utf-8", .contentLanguage: language.rawValue, .vary: "Accept-Language",
            .contentSecurityPolicy: policy,
        ]
    }
}
