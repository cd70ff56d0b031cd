/// The address and the credentials of the database.
package struct DatabaseSettings: Sendable {
    /// A libpq URL without a password.
    package let url: String
    /// The password; nil if the server asks for none, as with peer authentication.
    package let password: Renewable<Secret>?
    /// The directory in which a service remembers the servers it has worked on; nil forgets them with the process.
    package var stateDirectory: String?

    package init(url: String, password: Renewable<Secret>?) {
        self.url = url
        self.password = password
    }

    /// Settings with a constant password.
    package init(url: String, password: Secret?) {
        self.init(url: url, password: password.map { Renewable($0) })
    }

    /// Reads the password's file anew.
    package var readPassword: @Sendable () -> String? {
        { [password] in password?.renewed().revealed }
    }
}

/// The addresses and the credentials of the broker.
package struct BrokerSettings: Sendable {
    package struct Address: Hashable, Sendable {
        package let host: String
        package let port: Int
        /// Whether the connection is encrypted and the broker's certificate checked.
        package let usesTLS: Bool

        package init(host: String, port: Int, usesTLS: Bool) {
            self.host = host
            self.port = port
            self.usesTLS = usesTLS
        }
    }

    /// The addresses in the order in which they are tried; at least one.
    package let addresses: [Address]
    package let user: String
    package let password: Renewable<Secret>
    /// A PEM file of certificate authorities; nil for the system's.
    package let authorityFile: String?

    package init(addresses: [Address], user: String, password: Renewable<Secret>, authorityFile: String?) {
        precondition(!addresses.isEmpty, "a broker has an address")
        self.addresses = addresses
        self.user = user
        self.password = password
        self.authorityFile = authorityFile
    }

    /// Settings with one address.
    package init(
        host: String, port: Int, usesTLS: Bool, user: String, password: Renewable<Secret>, authorityFile: String?
    ) {
        self.init(
            addresses: [Address(host: host, port: port, usesTLS: usesTLS)], user: user, password: password,
            authorityFile: authorityFile)
    }

    /// The first address's host.
    package var host: String { addresses[0].host }
    package var port: Int { addresses[0].port }
    package var usesTLS: Bool { addresses[0].usesTLS }

    /// The same settings, once for each address.
    package var each: [BrokerSettings] {
        addresses.map {
            BrokerSettings(
                addresses: [$0], user: user, password: password, authorityFile: $0.usesTLS ? authorityFile : nil)
        }
    }
}

extension ConfigurationReader {
    /// `AQUA_DATABASE_URL` and `AQUA_DATABASE_PASSWORD_FILE`.
    package func database() -> DatabaseSettings {
        let url = string(.databaseURL)
        if carriesPassword(url) {
            faultOnPassword(.databaseURL)
        } else if !url.isEmpty, !url.hasPrefix("postgresql://"), !url.hasPrefix("postgres://") {
            fault(.databaseURL, "is \(quoted(url))")
        }
        return DatabaseSettings(url: url, password: optionalRenewableSecret(.databasePasswordFile, minimumLength: 12))
    }

    /// Like `database`, with `AQUA_STATE_DIRECTORY`, for a service.
    package func serviceDatabase() -> DatabaseSettings {
        var settings = database()
        settings.stateDirectory = optionalStateDirectory()
        return settings
    }

    /// `AQUA_MQTT_URL`, `AQUA_MQTT_USER`, `AQUA_MQTT_PASSWORD_FILE` and `AQUA_MQTT_CA_FILE`; or another broker's variables.
    /// - Parameters:
    ///   - minimumLength: The least length of the password in bytes.
    ///   - isOnly: Whether a list of brokers is a fault.
    package func broker(
        url: Variable = .mqttURL, user: Variable = .mqttUser, passwordFile: Variable = .mqttPasswordFile,
        authorityFile: Variable = .mqttCAFile, minimumLength: Int = 12, isOnly: Bool = false
    ) -> BrokerSettings {
        let addresses = brokerAddresses(url)
        if isOnly, addresses.count > 1 { fault(url, "names \(addresses.count) brokers") }
        let authority = optionalFile(authorityFile)
        if authority != nil, !addresses.contains(where: \.usesTLS), !addresses[0].host.isEmpty {
            fault(
                authorityFile, "is set while \(url.rawValue) is not encrypted",
                remedy: "use mqtts:// there or remove it")
        }
        return BrokerSettings(
            addresses: addresses, user: string(user),
            password: renewableSecret(passwordFile, minimumLength: minimumLength), authorityFile: authority)
    }

    /// The brokers in the order in which they are tried; at least one, a stand-in after a fault.
    package func brokerAddresses(_ variable: Variable) -> [BrokerSettings.Address] {
        serverURLs(variable, schemes: ["mqtt", "mqtts"]).map { server in
            let usesTLS = server.scheme == "mqtts"
            return BrokerSettings.Address(
                host: server.host, port: server.port ?? (usesTLS ? 8883 : 1883), usesTLS: usesTLS)
        }
    }
}
