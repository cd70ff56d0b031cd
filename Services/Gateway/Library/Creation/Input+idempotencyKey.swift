import HTTPTypes
import Routes

extension Input where Value == String? {
    /// Declares that a creation may be repeated safely, which the shell sees to.
    static var idempotencyKey: Input<String?> {
        .optionalHeader(
            .idempotencyKey, .text(1...128, pattern: "^[!-~]+$"),
            "A text of the client's choice, different for each creation: a repeated request with the same key gets the "
                + "first answer again, for a day.")
    }
}

extension Route {
    var takesIdempotencyKey: Bool {
        inputs.contains { $0.place == .header && $0.name == HTTPField.Name.idempotencyKey.rawName }
    }
}
