/// Whether the host is an address, for which TLS has no server name.
func isAddress(_ host: String) -> Bool {
    host.contains(":") || host.allSatisfy { $0.isNumber || $0 == "." }
}
