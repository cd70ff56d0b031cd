import Backoff
import HTTPTypes
import Postgres
import PublicHTTP
import Routes

extension Problem {
    /// The problem that a device is told for an error; it reveals nothing of the service's inside.
    init(ofDevice error: any Error) {
        switch error {
        case let problem as Problem: self = problem
        // The connection has already answered.
        case is ConnectionGuard.Refused: self = .comeAgain
        case is Intake.Refusal, is TimeoutError, is CancellationError: self = .comeAgain
        case RunningRequests.Refusal.tooManyOfDevice: self.init(.tooManyRequests, retryAfter: .seconds(1))
        case is RunningRequests.Refusal: self = .comeAgain
        case let error as PostgresError where error.isRetriable || error.code == .closed: self = .comeAgain
        default: self.init(.internalError)
        }
    }

    /// Nothing is lost: the device still has its readings.
    static let comeAgain = Problem(.unavailable, retryAfter: .seconds(5))

    static let keyRefused = Problem(.deviceKeyRefused, headers: [.wwwAuthenticate: "Bearer"])
}

extension ProblemType {
    static let nothingStored = ProblemType(
        "nothing-stored", .unprocessableContent,
        title: Localised(
            en: "Nothing of it can be stored", ja: "保存できる内容がありません", es: "No se puede guardar nada de ello"),
        detail: Localised(
            en: "The member rejected says why of each message. They will never be stored as they are.",
            ja: "各メッセージの理由はrejectedに示されています。このままでは保存されることはありません。",
            es: "El miembro rejected indica el motivo de cada mensaje. Tal como están no se guardarán nunca."))
    static let deviceKeyRefused = ProblemType(
        "device-key-refused", .unauthorized,
        title: Localised(
            en: "This is not the device's key", ja: "このデバイスのキーではありません", es: "No es la clave del dispositivo"),
        detail: Localised(
            en: "Send the device's key as Authorization: Bearer KEY. A new one is made by: aqua device rotate-key",
            ja: "デバイスのキーをAuthorization: Bearer KEYとして送ってください。新しいキーはaqua device rotate-keyで作成できます。",
            es:
                "Envíe la clave del dispositivo como Authorization: Bearer KEY. Una nueva se crea con: aqua device rotate-key"
        ))
}
