import Instants
import Routes
import Words

/// A code on its way, and the proof that the client keeps until its person has typed it.
struct SentCode: Sendable {
    let proof: String
    let expiresAt: Timestamp

    static let output = Output<SentCode>.object(
        "EndpointCode", "A code on its way.",
        [
            .member("proof", .text, "To be given back with the code; it is of no use to anybody else.", example: "AQID")
            {
                $0.proof
            },
            .member("expiresAt", .timestamp, "Until when the code can be typed.") { $0.expiresAt },
        ])

    /// The message that holds a code.
    static func words(_ code: String, in language: Language) -> (title: String, text: String) {
        (language.text("notice.code", ["code": code]), language.text("notice.code_text"))
    }
}
