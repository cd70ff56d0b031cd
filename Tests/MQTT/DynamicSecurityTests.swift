import BrokerControl
import MQTT
import TestSupport
import Testing

@Suite struct DynamicSecurityTests {
    @Test func clientsAreAddedChangedAndRemoved() async throws {
        try await TestBroker.with { broker in
            try await DynamicSecurity.with(broker.administrator) { security in
                try await security.createClient("pond", password: TestBroker.password(of: "pond"))
                await #expect(throws: MQTTError(.controlRefused(.alreadyExists))) {
                    try await security.createClient("pond", password: "another")
                }
                let isAddedAgain = try await security.ensureClient("pond", password: "another")
                #expect(!isAddedAgain)
                let known = try await security.client("pond")
                #expect(known?.roleNames == [DynamicSecurity.deviceRole])
                let unknown = try await security.client("nobody")
                #expect(unknown == nil)
                let names = try await security.listClients()
                #expect(names.map(\.username).sorted() == ["aqua_admin", "aqua_ingestor", "pond"])

                let pond = broker.device("pond")
                try await MQTTConsumer.connect(pond).disconnect()

                try await security.disableClient("pond")
                let disabled = try await security.client("pond")
                #expect(disabled?.isDisabled == true)
                await #expect(throws: MQTTError(.connectionRefused(.notAuthorized))) {
                    _ = try await MQTTConsumer.connect(pond)
                }
                try await security.enableClient("pond")
                let connected = try await MQTTConsumer.connect(pond)
                try await security.setPassword("rotated", of: "pond")
                // A connection with the old key does not outlive the key.
                await #expect(throws: MQTTError.self) { _ = try await connected.receive(maximum: 1) }
                await #expect(throws: MQTTError(.connectionRefused(.notAuthorized))) {
                    _ = try await MQTTConsumer.connect(pond)
                }
                try await security.deleteClient("pond")
                await #expect(throws: MQTTError(.controlRefused(.notFound))) { try await security.deleteClient("pond") }
            }
        }
    }

    /// The broker disconnects the administrator before it acknowledges anything, and the old password no longer works.
    @Test func anAdministratorWhoChangesTheOwnPasswordHearsNothing() async throws {
        try await TestBroker.with { broker in
            var configuration = try broker.administrator
            configuration.timeout = .seconds(15)
            let administrator = configuration
            await #expect(throws: MQTTError(.timeout)) {
                try await DynamicSecurity.with(administrator) { security in
                    try await security.setPassword("changed", of: TestBroker.admin)
                }
            }
            configuration.credentials?.password = "changed"
            try await MQTTConsumer.connect(configuration).disconnect()
        }
    }

    @Test func manyClientsGoInAFewRequestsAndSurviveARestart() async throws {
        try await TestBroker.with { broker in
            let names = (0..<250).map { "device-\($0)" }
            let clients = names.map { ($0, TestBroker.password(of: $0)) }
            try await DynamicSecurity.with(broker.administrator) { security in
                let added = try await security.ensureClients(clients)
                #expect(added == 250)
                let addedAgain = try await security.ensureClients(clients)
                #expect(addedAgain == 0)
            }
            try await broker.halt()
            try await broker.resume()
            try await MQTTConsumer.connect(broker.device("device-249")).disconnect()
        }
    }

    @Test func rolesAreEnsured() async throws {
        try await TestBroker.with { broker in
            try await DynamicSecurity.with(broker.administrator) { security in
                try await security.ensureRole("reader", rules: [.init(.subscribePattern, "a/#")])
                try await security.ensureRole("reader", rules: [.init(.subscribePattern, "b/#")])
                try await security.createClient("pond", password: TestBroker.password(of: "pond"), roles: [])
                try await security.addRole("reader", to: "pond")
                let reader = try await security.client("pond")
                #expect(reader?.roleNames == ["reader"])
                await #expect(throws: MQTTError(.controlRefused(.notFound))) {
                    try await security.addRole("nothing", to: "pond")
                }
            }
        }
    }

    @Test func aDeviceMayNotTakeAServicesName() async throws {
        try await TestBroker.with { broker in
            try await DynamicSecurity.with(broker.administrator) { security in
                await #expect(throws: MQTTError(.invalidConfiguration)) {
                    try await security.ensureClient("aqua_admin", password: "a device's key")
                }
            }
        }
    }

    @Test func onlyTheAdministratorMayAsk() async throws {
        try await TestBroker.with(devices: ["pond"]) { broker in
            for configuration in [broker.device("pond"), try broker.ingestor()] {
                await #expect(throws: MQTTError(.notAuthorized)) {
                    try await DynamicSecurity.with(configuration) { try await $0.listClients() }
                }
            }
        }
    }
}
