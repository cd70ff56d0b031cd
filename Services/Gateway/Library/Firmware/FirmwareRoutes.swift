import HTTPTypes
import Postgres
import Routes
import Store
import WaterQuality

/// The route of what is entered in a device so that it reports.
enum FirmwareRoutes {
    static let all = [setup].forProjects()

    private static let firmware = Input.path("firmware", .choice(Firmware.self), "The device's firmware.")
    private static let device = Input.query("device", .hardwareID, "The id of the device.")

    private static let setup = Route<Caller>(
        .get, "/enrolment/setup/{firmware}", id: "showSetup", tag: DeviceRoutes.tag, access: .session,
        "Show what is entered in a device",
        text: """
            The broker, the id and the topics, as the firmware names them. `{{password}}` stands for the device's password, \
            which only the browser that asked for the device has. Nothing is told of whether there is such a device. 404 \
            where nobody has said by which name devices reach the broker.
            """,
        inputs: [firmware, device], answers: .json(.ok, .setup), problems: [.notFound]
    ) { caller, inputs in
        let (firmware, device) = (inputs[firmware], inputs[device])
        return try await caller.scope.transaction(TransactionOptions(isReadOnly: true)) { transaction, _ in
            guard let broker = try transaction.execute(FindDeviceBroker()).first else { throw Problem(.notFound) }
            return .value(
                FirmwareSetup(
                    firmware: firmware, device: device, broker: broker.address(for: Slot(of: device)),
                    password: "{{password}}", authority: broker.authority))
        }
    }
}

extension Output where Value == FirmwareSetup {
    fileprivate static let setup = Output.object(
        "Setup", "What is entered in a device.",
        [
            .member("title", .text, "The firmware's name.", example: "ESPHome") { $0.firmware.title },
            .member(
                "file", .optional(of: .text), "The name of the file that the text is; null: it is entered by hand.",
                example: "pond-1.yaml"
            ) { $0.file },
            .member("text", .text, "The lines to enter.", example: "Backlog MqttHost mqtt.example.org; MqttPort 8883") {
                $0.configuration
            },
            .member(
                "authority", .optional(of: .text),
                "The certificate of the authority that the device has to trust (PEM); null: one that devices know.",
                example: .null
            ) { $0.authority },
        ])
}
