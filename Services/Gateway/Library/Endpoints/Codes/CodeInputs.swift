import Routes

/// The inputs by which a code is given back.
enum CodeInputs {
    /// The longest are those of webhooks with a template.
    static let proof = Input<String>.field(
        "proof", .text(32...16_384, pattern: "^[A-Za-z0-9_-]+$", example: String(repeating: "A", count: 64)),
        "What was answered when the code was sent.")

    static let code = Input<String>.field(
        "code", .text(6...6, pattern: "^[0-9]{6}$", example: "482913"), "The code that the message held.")
}
