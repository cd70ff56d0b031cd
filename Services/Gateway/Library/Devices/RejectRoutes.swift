import HTTPTypes
import Postgres
import Routes
import Store
import WaterQuality

/// The route of a device's messages that could not be read.
enum RejectRoutes {
    static let all = [list].forProjects()

    private static let list = Route<Caller>(
        .get, "/devices/{device}/rejects", id: "listRejects", tag: DeviceRoutes.tag, access: .read,
        "List what could not be read",
        text: """
            Messages of a device that could not be read, or not in full, within seven days: one for each day, reason and \
            subject, the latest first. Its owner sees them; a watcher has an empty list.
            """,
        inputs: [DeviceInputs.device], answers: .json(.ok, .list(of: .reject)), problems: [.notFound]
    ) { caller, inputs in
        let id = inputs[DeviceInputs.device]
        return try await caller.scope.transaction { transaction, _ in
            .value(try transaction.execute(ListPersonRejects(of: try transaction.personDevice(id).key)))
        }
    }
}

extension Output where Value == DeviceReject {
    static let reject = Output.object(
        "Reject", "Messages of a device that could not be read, or not in full.",
        [
            .member("day", .text, "The day, by UTC.", example: "2026-05-01") { $0.day },
            .member(
                "reason", .text,
                "unknownParameter, wrongType, unknownUnit, beyondUnit, badTime, badPosition, tooOld, malformed, tooLarge, flood, probeFault, "
                    + "otherProbe, secondProbe, status or refused", example: "unknownParameter"
            ) { $0.reason },
            .member(
                "subject", .text, "The parameter, or the name that is none; empty for the message as a whole.",
                example: "po4"
            ) { ForeignText.shown($0.subject, longest: 64) },
            .member("messages", .integer, "How many there were.", example: 3) { Int($0.messages) },
            .member("firstAt", .timestamp, "When the first of them came.") { $0.firstAt },
            .member("lastAt", .timestamp, "When the last of them came.") { $0.lastAt },
            .member("topic", .text, "The topic of the last one.", example: "aqua/v1/pond-1/readings") {
                ForeignText.shown($0.topic, longest: 200)
            },
            .member(
                "detail", .text, "What was wrong with it, for whoever programs the device.",
                example: "no parameter is called 'po4'"
            ) { ForeignText.shown($0.detail, longest: 400) },
            .member(
                "sample", .text,
                "The beginning of the last one, without what cannot be seen; empty where nobody knows when it was sent, and where it says a position.",
                example: #"{"po4":0.03}"#
            ) { ForeignText.shown($0.payload, longest: 200) },
        ])
}
