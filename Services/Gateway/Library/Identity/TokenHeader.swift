import FoundationEssentials

/// The members of a token's header that are needed before its signature is checked.
///
/// The library's own header type must not read strangers' texts: a number beyond 64 bits in one ends the process.
struct TokenHeader: Decodable {
    var typ: String?
    var alg: String?
    var kid: String?
    /// Extensions that must be understood: we understand none.
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
