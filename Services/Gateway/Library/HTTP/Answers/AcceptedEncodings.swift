/// Whether a client takes gzip (RFC 9110 §12.5.3).
func acceptsGzip(_ values: [String]) -> Bool {
    var any: Bool?
    for item in values.flatMap({ $0.split(separator: ",") }) {
        let parts = item.split(separator: ";").map { $0.split(separator: " ").joined().lowercased() }
        guard let coding = parts.first else { continue }
        let isRefused = parts.dropFirst().contains { part in
            part.hasPrefix("q=") && Double(part.dropFirst(2)).map { $0 <= 0 } ?? true
        }
        switch coding {
        case "gzip", "x-gzip": return !isRefused
        case "*": any = !isRefused
        default: continue
        }
    }
    return any ?? false
}
