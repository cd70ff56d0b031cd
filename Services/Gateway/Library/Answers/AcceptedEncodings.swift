/// How a body is compressed (RFC 9110 §8.4.1).
enum ContentCoding: String {
    case brotli = "br"
    case gzip
}

/// Whether a client takes a coding (RFC 9110 §12.5.3).
func accepts(_ wanted: ContentCoding, _ values: [String]) -> Bool {
    var any: Bool?
    for item in values.flatMap({ $0.split(separator: ",") }) {
        let parts = item.split(separator: ";").map { $0.split(separator: " ").joined().lowercased() }
        guard let coding = parts.first else { continue }
        let isRefused = parts.dropFirst().contains { part in
            part.hasPrefix("q=") && Double(part.dropFirst(2)).map { $0 <= 0 } ?? true
        }
        switch coding {
        case wanted.rawValue, "x-\(wanted.rawValue)": return !isRefused
        case "*": any = !isRefused
        default: continue
        }
    }
    return any ?? false
}
