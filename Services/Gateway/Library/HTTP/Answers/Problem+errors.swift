import Backoff
import HTTPTypes
import NIOCore
import NIOHTTP1
import Postgres
import PublicHTTP
import Routes

extension Problem {
    /// The problem that a person is told for an error; it reveals nothing of the service's inside.
    init(of error: any Error) {
        switch error {
        case let problem as Problem: self = problem
        case is NIOTooManyBytesError: self.init(.tooLarge)
        // The connection has already answered; these words are for the log.
        case is ConnectionGuard.Refused: self.init(.requestTooSlow)
        case is HTTPParserError: self.init(.malformedRequest)
        case let error as PostgresError where error.sqlState == Self.boundReached:
            self.init(.tooManyRequests, retryAfter: .seconds(3600))
        case let error as PostgresError where error.isRetriable || error.code == .closed: self = .pause
        case is TimeoutError, is CancellationError: self = .pause
        default: self.init(.internalError)
        }
    }

    func answer(_ tongue: Tongue, id: String) -> RawAnswer {
        RawAnswer(
            status: type.status, headers: fields(tongue), body: .bytes(json(tongue, requestID: id).bytes))
    }

    /// SQLSTATE of a row beyond the bounds of `growth_bound`.
    private static let boundReached = "AQ001"

    /// A passing fault: the database is away, or everything takes too long.
    static let pause = Problem(.unavailable, retryAfter: .seconds(2))
}

extension ProblemType {
    static let idempotencyInProgress = ProblemType(
        "idempotency-in-progress", .conflict,
        title: Localised(
            en: "The first request with this key is still running", ja: "同じキーの最初のリクエストを処理中です",
            es: "La primera solicitud con esta clave sigue en curso"))
    static let idempotencyKeyReused = ProblemType(
        "idempotency-key-reused", .unprocessableContent,
        title: Localised(
            en: "This key belongs to another request", ja: "このキーは別のリクエストで使用済みです",
            es: "Esta clave pertenece a otra solicitud"),
        detail: Localised(
            en: "Use a fresh Idempotency-Key for each thing that is created.",
            ja: "新しく作成するたびに新しいIdempotency-Keyを使ってください。",
            es: "Use una Idempotency-Key nueva para cada elemento que cree."))
    static let crossOrigin = ProblemType(
        "cross-origin", .forbidden,
        title: Localised(
            en: "The request comes from another site", ja: "別のサイトからのリクエストです",
            es: "La solicitud procede de otro sitio"))
    static let requestTooSlow = ProblemType(
        "request-too-slow", .requestTimeout,
        title: Localised(
            en: "The request took too long to arrive", ja: "リクエストの受信に時間がかかりすぎました",
            es: "La solicitud tardó demasiado en llegar"))
    static let malformedRequest = ProblemType(
        "malformed-request", .badRequest,
        title: Localised(
            en: "This is not an HTTP request", ja: "HTTPリクエストとして正しくありません",
            es: "No es una solicitud HTTP correcta"))
    static let tooManyConnections = ProblemType(
        "too-many-connections", .serviceUnavailable,
        title: Localised(
            en: "Too many connections", ja: "接続が多すぎます", es: "Demasiadas conexiones"))

    /// Problems that the shell itself answers with, besides the generic ones.
    static let ofShell: [ProblemType] = [
        .idempotencyInProgress, .idempotencyKeyReused, .crossOrigin, .requestTooSlow, .malformedRequest,
        .tooManyConnections,
    ]
}
