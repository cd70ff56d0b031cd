import FoundationEssentials

/// What has to be known of a token's header before its signature is checked.
///
/// The library's own type of a header must not read what strangers write: a number beyond 64 bits in it ends the process.
struct TokenHeader: Decodable {
    var typ: String?
    var alg: String?
    var kid: String?
    /// Extensions that have to be understood: we understand none.
    var crit: [String]?

    init?(of token: String) {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        var base64 = parts[0].map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }
        base64 += Array(repeating: "=", count: (4 - base64.count % 4) % 4)
        guard let json = Data(base64Encoded: String(base64)),
            let header = try? JSONDecoder().decode(TokenHeader.self, from: json)
        else { return nil }
        self = header
    }
}
