import HTTPTypes
import People
import Routes
import WaterQuality

extension ProblemType {
    /// One problem for an address without an account and for a wrong password.
    static let wrongCredentials = ProblemType(
        "wrong-credentials", .unauthorized,
        title: Localised(
            en: "E-mail address or password are wrong", ja: "メールアドレスまたはパスワードが違います",
            es: "La dirección de correo o la contraseña no son correctas"))
    static let sessionEnded = ProblemType(
        "session-ended", .unauthorized,
        title: Localised(en: "The session has ended", ja: "セッションは終了しました", es: "La sesión ha terminado"),
        detail: Localised(en: "Sign in again.", ja: "もう一度サインインしてください。", es: "Vuelva a iniciar sesión."))
    /// Not 401: the session goes on.
    static let wrongPassword = ProblemType(
        "wrong-password", .forbidden,
        title: Localised(
            en: "The present password is wrong", ja: "現在のパスワードが違います", es: "La contraseña actual no es correcta"))
    static let signUpClosed = ProblemType(
        "sign-up-closed", .forbidden,
        title: Localised(
            en: "Accounts are opened by the operator", ja: "アカウントは運営者が開設します",
            es: "Las cuentas las abre el operador"))
    static let invitationNotValid = ProblemType(
        "invitation-not-valid", .forbidden,
        title: Localised(en: "The invitation is not valid", ja: "招待状は無効です", es: "La invitación no es válida"),
        detail: Localised(
            en: "It was used, has expired, or is for another address. Ask for a new one.",
            ja: "使用済みか、期限切れか、別のアドレス宛てです。新しい招待状を依頼してください。",
            es: "Se ha usado, ha caducado o es para otra dirección. Pida una nueva."))
    static let tooManyTokens = ProblemType(
        "too-many-tokens", .conflict,
        title: Localised(
            en: "There are as many tokens as a person may have", ja: "トークンの数が上限に達しています",
            es: "Ya hay tantos tokens como puede tener una persona"),
        detail: Localised(
            en: "Revoke one that is not needed any more.", ja: "不要なトークンを取り消してください。",
            es: "Revoque alguno que ya no haga falta."))
}

extension Problem {
    static var wrongCredentials: Problem { Problem(.wrongCredentials, headers: [.wwwAuthenticate: "Bearer"]) }
}

extension Fault {
    static let notEmailAddress = Fault(
        "not-email-address",
        Localised(
            en: "This must be an e-mail address such as ada@example.org.",
            ja: "ada@example.orgのようなメールアドレスを指定してください。",
            es: "Debe ser una dirección de correo como ada@example.org."))
    static let notFuture = Fault(
        "not-future",
        Localised(en: "This must be in the future.", ja: "未来の日時を指定してください。", es: "Debe ser un momento futuro."))
    static let unknownTimeZone = Fault(
        "unknown-time-zone",
        Localised(
            en: "There is no such time zone. Write an IANA name such as Europe/Berlin.",
            ja: "そのタイムゾーンはありません。Asia/TokyoのようなIANA名を指定してください。",
            es: "No existe esa zona horaria. Escriba un nombre IANA como Europe/Madrid."))

    init(_ fault: PasswordFault) {
        self.init(
            fault.rawValue,
            Localised(en: fault.text(in: .en), ja: fault.text(in: .ja), es: fault.text(in: .es)))
    }
}
