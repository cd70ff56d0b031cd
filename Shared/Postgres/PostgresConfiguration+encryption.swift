import CLibpq

extension PostgresConfiguration {
    /// Hosts that may be on other machines, to which the connection is not sure to reach the right one unread: `sslmode` is not
    /// `verify-full`. Names without a dot are those of this machine or of a private network of containers.
    package var unprotectedHosts: [String] {
        let values = parsed
        guard values["sslmode"] != "verify-full" else { return [] }
        let hosts = (values["host"] ?? values["hostaddr"] ?? "").split(separator: ",").map(String.init)
        return hosts.filter { host in
            let isLocal = host.hasPrefix("/") || host.hasPrefix("@") || host.hasPrefix("127.") || host == "::1"
            return !isLocal && (host.contains(".") || host.contains(":"))
        }
    }

    /// What the URL, or libpq's own environment, says.
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
