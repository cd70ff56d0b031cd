import CLibpq

extension PostgresConfiguration {
    /// Hosts that may be on other machines, without a verified encrypted connection: `sslmode` is not `verify-full`.
    /// Names without a dot count as this machine's or a private container network's.
    package var unprotectedHosts: [String] {
        let values = parsed
        guard values["sslmode"] != "verify-full" else { return [] }
        let hosts = (values["host"] ?? values["hostaddr"] ?? "").split(separator: ",").map(String.init)
        return hosts.filter { host in
            let isLocal = host.hasPrefix("/") || host.hasPrefix("@") || host.hasPrefix("127.") || host == "::1"
            return !isLocal && (host.contains(".") || host.contains(":"))
        }
    }

    /// The settings of the URL, or of libpq's own environment.
    var parsed: [String: String] {
        var values: [String: String] = [:]
        for options in [PQconndefaults(), PQconninfoParse(url, nil)].compactMap(\.self) {
            var option = options
            while let keyword = option.pointee.keyword {
                if let value = option.pointee.val { values[String(cString: keyword)] = String(cString: value) }
                option += 1
            }
            PQconninfoFree(options)
        }
        return values
    }
}
