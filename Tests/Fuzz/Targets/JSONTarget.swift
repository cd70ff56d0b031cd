import Routes

extension FuzzTarget {
    /// The body of a request.
    static let json = FuzzTarget(
        "json",
        seeds: [
            #"{"name":"Big tank","limits":[1.5,-2e3,0],"on":true,"off":false,"none":null}"#,
            #"["\u00e9\ud83d\udc1f\n\\\"",{"a":{"b":[[[]]]}}]"#, "-0.5E-10", " [ ] ",
        ],
        words: [
            "\\u0000", "\\ud83d", "\\udc1f", "1e999", "-", "0", ".", "\"", "{", "}", "[", "]", ":", ",", "null",
            "9223372036854775808", "[[[[[[[[[[[[[[[[", "\u{FEFF}", "\0",
        ]
    ) { bytes in
        guard let json = try? JSON(reading: bytes) else { return }
        let written = json.bytes
        guard let again = try? JSON(reading: written) else {
            throw BrokenPromise(description: "not read: \(json.text)")
        }
        // A number such as 1e2 is written as the shortest text of its value, which may read as the other kind of
        // number.
        try promise(again.bytes == written, "\(json.text) became \(again.text)")
        try promise(depth(json) <= JSON.greatestDepth, "deeper than it says")
    }

    private static func depth(_ json: JSON) -> Int {
        switch json {
        case .array(let elements): 1 + (elements.map(depth).max() ?? 0)
        case .object(let members): 1 + (members.map { depth($0.value) }.max() ?? 0)
        default: 0
        }
    }
}
