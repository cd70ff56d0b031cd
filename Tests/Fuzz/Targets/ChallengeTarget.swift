import PushClient

extension FuzzTarget {
    /// A receiver's answer to an endpoint challenge.
    static let challenge = FuzzTarget(
        "challenge",
        seeds: [
            #"{"challenge":"Zm9yIHRoaXMgcmVhZGVyIG9ubHkgdGhpcyBpcyByaWdodA"}"#,
            #"{"type":"endpoint.challenge","data":{"challenge":"Zm9yIHRoaXMgcmVhZGVyIG9ubHkgdGhpcyBpcyByaWdodA"}}"#,
            #"{"challenge":null}"#, "[]", "",
        ],
        words: [
            "challenge", nonce, "\"", "{", "}", "[", "]", ":", ",", "\\u0063", "null", "true", "1e999", "\u{feff}",
            "\0",
        ]
    ) { bytes in
        let challenge = EndpointChallenge(nonce: nonce, id: "challenge_1")
        guard challenge.isMet(by: bytes) else { return }
        let text = String(decoding: bytes, as: UTF8.self)
        // A passing answer contains the nonce, literally or in escapes.
        try promise(
            text.contains(nonce) || text.contains("\\u"), "\(text.debugDescription) meets a challenge without its nonce"
        )
        try promise(
            !EndpointChallenge(nonce: nonce + "x", id: "challenge_1").isMet(by: bytes), "an answer meets two challenges"
        )
    }

    private static let nonce = "Zm9yIHRoaXMgcmVhZGVyIG9ubHkgdGhpcyBpcyByaWdodA"
}
