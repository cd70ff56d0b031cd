import Postgres

/// Checks whether the Gateway sees people's own addresses, rather than that of a proxy or bridge.
struct AddressChecks {
    let connection: PostgresConnection

    private static let topic = "gateway"

    func run() async throws -> [Finding] {
        try await connection.execute(FindSharedAddresses()).map { found in
            .notice(
                Self.topic,
                "\(found.people) people came from \(found.address) within a day: a proxy or a bridge between containers stands for all, who share the limits of one address",
                mend:
                    "If it is a proxy, name it in AQUA_TRUSTED_PROXIES. If it is a bridge, give the network of the containers IPv6, and let a runtime with root forward its ports. Behind the router of a household it is as it should be."
            )
        }
    }
}
