import HTTPTypes

// Problems that any route can answer with. Their codes are promises: add, never change.
extension ProblemType {
    package static let malformedBody = ProblemType(
        "malformed-body", .badRequest,
        title: Localised(
            en: "The body cannot be read", ja: "リクエスト本文を読み取れません", es: "No se puede leer el cuerpo"),
        detail: Localised(
            en: "The body must be one JSON object in UTF-8, without repeated members and not nested too deeply.",
            ja: "本文はUTF-8のJSONオブジェクト1つとし、メンバーの重複や深すぎる入れ子は避けてください。",
            es: "El cuerpo debe ser un solo objeto JSON en UTF-8, sin miembros repetidos ni anidado en exceso."))
    package static let unauthenticated = ProblemType(
        "unauthenticated", .unauthorized,
        title: Localised(en: "Sign in first", ja: "サインインが必要です", es: "Inicie sesión primero"),
        detail: Localised(
            en: "The access token is missing, has expired or belongs to a session that has ended.",
            ja: "アクセストークンがないか、期限が切れているか、セッションが終了しています。",
            es: "Falta el token de acceso, ha caducado o su sesión ha terminado."))
    package static let forbidden = ProblemType(
        "forbidden", .forbidden,
        title: Localised(en: "This is not allowed", ja: "この操作は許可されていません", es: "No está permitido"))
    package static let insufficientScope = ProblemType(
        "insufficient-scope", .forbidden,
        title: Localised(
            en: "This token may not do that", ja: "このトークンではこの操作を行えません",
            es: "Este token no permite esa operación"),
        detail: Localised(
            en: "The personal token only reads, or the operation needs a session.",
            ja: "この個人用トークンは読み取り専用であるか、この操作にはセッションが必要です。",
            es: "El token personal es solo de lectura o la operación requiere una sesión."))
    /// Not 401: the session stays valid, and its holder is asked for the password.
    package static let passwordNeeded = ProblemType(
        "password-needed", .forbidden,
        title: Localised(
            en: "The password is needed once more", ja: "もう一度パスワードが必要です",
            es: "Hace falta la contraseña otra vez"),
        detail: Localised(
            en: "What you are about to do would outlast this session. Give your password and try again.",
            ja: "この操作の結果はセッション終了後も残ります。パスワードを入力してから、もう一度お試しください。",
            es: "Lo que va a hacer durará más que esta sesión. Indique su contraseña e inténtelo de nuevo."))
    package static let notFound = ProblemType(
        "not-found", .notFound,
        title: Localised(en: "There is no such thing", ja: "見つかりません", es: "No existe"),
        detail: Localised(
            en: "It does not exist, or it is not yours to see.", ja: "存在しないか、閲覧する権限がありません。",
            es: "No existe o no tiene permiso para verlo."))
    package static let methodNotAllowed = ProblemType(
        "method-not-allowed", .methodNotAllowed,
        title: Localised(
            en: "This address does not know the method", ja: "このメソッドは使えません",
            es: "Esta dirección no admite el método"))
    package static let conflict = ProblemType(
        "conflict", .conflict,
        title: Localised(
            en: "This conflicts with the present state", ja: "現在の状態と矛盾しています",
            es: "Entra en conflicto con el estado actual"))
    package static let preconditionFailed = ProblemType(
        "precondition-failed", .preconditionFailed,
        title: Localised(
            en: "It has changed meanwhile", ja: "その間に変更されました", es: "Ha cambiado entretanto"),
        detail: Localised(
            en: "Read it again, look at what changed, and repeat the change.",
            ja: "もう一度読み込み、変更内容を確認してからやり直してください。",
            es: "Vuelva a leerlo, compruebe qué ha cambiado y repita el cambio."))
    package static let tooLarge = ProblemType(
        "body-too-large", .contentTooLarge,
        title: Localised(
            en: "The body is too large", ja: "リクエスト本文が大きすぎます", es: "El cuerpo es demasiado grande"))
    package static let unsupportedMediaType = ProblemType(
        "unsupported-media-type", .unsupportedMediaType,
        title: Localised(
            en: "The body must be application/json", ja: "本文はapplication/jsonで送ってください",
            es: "El cuerpo debe ser application/json"))
    package static let invalidInput = ProblemType(
        "invalid-input", .unprocessableContent,
        title: Localised(
            en: "Some inputs are not valid", ja: "入力に誤りがあります", es: "Algunos datos no son válidos"),
        detail: Localised(
            en: "The member errors says which, and why.", ja: "詳細はerrorsをご覧ください。",
            es: "El miembro errors indica cuáles y por qué."))
    package static let preconditionRequired = ProblemType(
        "precondition-required", .preconditionRequired,
        title: Localised(
            en: "An If-Match header is required", ja: "If-Matchヘッダーが必要です",
            es: "Se requiere la cabecera If-Match"),
        detail: Localised(
            en: "Send the ETag of the version that the change is based on.",
            ja: "変更の元になった版のETagを送ってください。", es: "Envíe el ETag de la versión en que se basa el cambio."))
    package static let tooManyRequests = ProblemType(
        "too-many-requests", .tooManyRequests,
        title: Localised(en: "Too many requests", ja: "リクエストが多すぎます", es: "Demasiadas solicitudes"),
        detail: Localised(
            en: "Wait as long as Retry-After says.", ja: "Retry-Afterに示された秒数だけお待ちください。",
            es: "Espere el tiempo que indica Retry-After."))
    package static let headersTooLarge = ProblemType(
        "headers-too-large", .requestHeaderFieldsTooLarge,
        title: Localised(
            en: "The headers are too large", ja: "ヘッダーが大きすぎます", es: "Las cabeceras son demasiado grandes"))
    package static let internalError = ProblemType(
        "internal-error", .internalServerError,
        title: Localised(
            en: "Something went wrong on our side", ja: "サーバー側で問題が発生しました",
            es: "Se ha producido un error en nuestro servidor"),
        detail: Localised(
            en: "It has been recorded under the request id.", ja: "リクエストIDとともに記録しました。",
            es: "Se ha registrado con el identificador de la solicitud."))
    package static let unavailable = ProblemType(
        "unavailable", .serviceUnavailable,
        title: Localised(
            en: "The service is briefly unavailable", ja: "サービスは一時的に利用できません",
            es: "El servicio no está disponible por el momento"),
        detail: Localised(
            en: "Try again as Retry-After says.", ja: "Retry-Afterに示された時間の後に再試行してください。",
            es: "Vuelva a intentarlo según indica Retry-After."))

    /// Every problem above, for the page that explains them.
    package static let generic: [ProblemType] = [
        .malformedBody, .unauthenticated, .forbidden, .insufficientScope, .passwordNeeded, .notFound,
        .methodNotAllowed, .conflict, .preconditionFailed, .tooLarge, .unsupportedMediaType, .invalidInput,
        .preconditionRequired, .tooManyRequests, .headersTooLarge, .internalError, .unavailable,
    ]
}
