import Secrets

@testable import Gateway

extension FuzzTarget {
    /// Credentials: tokens of all kinds, invitations, the cookie of a session.
    static let token = FuzzTarget(
        "token",
        // Random parts that nobody holds, with their checksums, which no mutation would find.
        seeds: [
            "aqr_\(unheld)3qLzZh", "aqp_\(unheld)1QD4SO", "aqi_\(unheld)3iXbeH", "aqw_\(unheld)2fPloE",
            "eyJ0eXAiOiJhdCtqd3QiLCJhbGciOiJFUzI1NiIsImtpZCI6ImsxIn0.e30.AA",
        ],
        words: [
            "aqr_", "aqp_", "aqi_", "aqw_", ".", "..", "=", "-", "_", "0", "z", "\u{301}", "eyJ",
            "eyJhbGciOiJub25lIn0", "eyJhbGciOjFlOTk5fQ", "bnVsbA",
        ]
    ) { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        let kinds = [
            try accepts(RefreshToken.self, text), try accepts(PersonalToken.self, text),
            try accepts(SignUpInvitation.self, text), try accepts(WatchInvitation.self, text),
        ]
        try promise(kinds.count { $0 } <= 1, "\(text) is of two kinds")
        if let header = TokenHeader(of: text) {
            try promise(text.utf8.count { $0 == UInt8(ascii: ".") } == 2, "\(header) of a text without three parts")
        }
    }

    private static let unheld = "Aq0Zz9Aq0Zz9Aq0Zz9Aq0Zz9Aq0Zz9Aq0Zz9Aq0Zz9A"

    private static func accepts<Kind: TokenKind>(_: OpaqueToken<Kind>.Type, _ text: String) throws -> Bool {
        guard let token = OpaqueToken<Kind>(text) else { return false }
        // Compares byte by byte, because equal strings may be spelled differently.
        try promise(token.text.utf8.elementsEqual(text.utf8), "\(text) is another token")
        try promise(text == Kind.prefix + unheld + text.suffix(6), "a checksum fits a changed token")
        try promise(!"\(token)".contains(unheld), "a token shows itself")
        return true
    }
}
