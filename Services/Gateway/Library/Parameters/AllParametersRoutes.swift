import HTTPTypes
import Postgres
import Routes
import Store
import WaterQuality

/// The route of the parameters of all of a person's devices.
enum AllParametersRoutes {
    static let all = [listAll]

    private static let limit = Input.limit(1...50, default: 20)
    private static let cursor = Input.cursor(of: "listAllParameters", String.self)

    private static let listAll = Route<Caller>(
        .get, "/parameters", id: "listAllParameters", tag: ParameterRoutes.tag, access: .read,
        "List the parameters of all devices",
        text: "Device by device, in the order of their ids: what a screen begins with.",
        inputs: [cursor, limit], answers: .json(.ok, .page(of: .deviceParameters))
    ) { caller, inputs in
        let (limit, after) = (inputs[limit], inputs[cursor] ?? "")
        return try await caller.scope.transaction(TransactionOptions(isReadOnly: true)) { transaction, account in
            let devices = try transaction.execute(ListPersonDevices(after: after, limit: limit + 1))
            let page = Page(devices, limit: limit, of: "listAllParameters", key: \.hardwareID)
            return .value(
                try page.map {
                    DeviceParameters(device: $0.hardwareID, all: try transaction.parameters(of: $0.key, account))
                })
        }
    }
}

/// The parameters of one of a person's devices.
private struct DeviceParameters: Sendable {
    let device: String
    let all: [PersonParameter]
}

extension Output where Value == DeviceParameters {
    fileprivate static let deviceParameters = Output.object(
        "DeviceParameters", "The parameters of a device.",
        [
            .member("device", .text, "The device's id.", example: "pond-1") { $0.device },
            .member("tag", .text, "The ETag of this list, which If-Match takes.", example: "\"v1-1\"") {
                $0.all.tag.description
            },
            .member("parameters", .list(of: .parameter), "In their order on the screen.") { $0.all },
        ])
}
