import HTTPTypes
import Routes

extension ProblemType {
    static let invitationUnknown = ProblemType(
        "invitation-unknown", .notFound,
        title: Localised(
            en: "There is no such invitation", ja: "この招待は見つかりません", es: "No existe esta invitación"),
        detail: Localised(
            en: "The link was not copied whole, or the invitation was taken back. Ask for another.",
            ja: "リンクが正しくコピーされていないか、招待が取り消されています。新しい招待を依頼してください。",
            es: "El enlace no se copió entero o la invitación se retiró. Pida otra."))
    static let invitationUsed = ProblemType(
        "invitation-used", .conflict,
        title: Localised(
            en: "This invitation was used already", ja: "この招待はすでに使用されています",
            es: "Esta invitación ya se utilizó"))
    static let invitationExpired = ProblemType(
        "invitation-expired", .gone,
        title: Localised(
            en: "This invitation has expired", ja: "この招待は期限が切れています", es: "Esta invitación ha caducado"))
    static let alreadyWatching = ProblemType(
        "already-watching", .conflict,
        title: Localised(
            en: "You watch this device already", ja: "すでにこのデバイスを見守っています",
            es: "Ya observa este dispositivo"))
    static let tooManyWatchers = ProblemType(
        "too-many-watchers", .conflict,
        title: Localised(
            en: "As many people watch this device as can", ja: "このデバイスを見守る人数が上限に達しています",
            es: "Este dispositivo ya tiene el máximo de observadores"))
    static let tooManyInvitations = ProblemType(
        "too-many-invitations", .conflict,
        title: Localised(
            en: "As many invitations are open as can be", ja: "有効な招待の数が上限に達しています",
            es: "Ya hay el máximo de invitaciones abiertas"),
        detail: Localised(
            en: "Take one back, or wait until one has expired.", ja: "招待を取り消すか、期限が切れるまでお待ちください。",
            es: "Retire alguna o espere a que caduque."))
}
