import Routes

extension FuzzTarget {
    /// The text behind the question mark of a URL.
    static let query = FuzzTarget(
        "query",
        seeds: [
            "since=2026-05-01T12:00:00%2B02:00&limit=50&name=two+words", "a=%C3%A9%F0%9F%90%9F&b=&c", "a=1&a=2&&=x",
        ],
        words: ["%", "%00", "%2", "%C3", "%FF", "&", "=", "+", "%25", "limit", ",", "\0", "é"]
    ) { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        let parameters = Query(text).parameters
        try promise(parameters.count <= text.utf8.count, "more parameters than characters")
        for parameter in parameters {
            let size = parameter.name.utf8.count + (parameter.value?.utf8.count ?? 0)
            try promise(size <= text.utf8.count, "decoding made \(parameter.name.debugDescription) longer")
            guard let value = parameter.value else { continue }
            // Every byte written as an escape reads back as the same text.
            let digits = Array("0123456789abcdef")
            let escapes = value.utf8.map { "%\(digits[Int($0 >> 4)])\(digits[Int($0 & 15)])" }.joined()
            try promise(percentDecoded(escapes[...]) == value, "\(escapes) is not \(value.debugDescription)")
        }
    }
}
