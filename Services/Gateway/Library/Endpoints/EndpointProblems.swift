import HTTPTypes
import PushClient
import PushTargets
import Routes

extension ProblemType {
    static let endpointTaken = ProblemType(
        "endpoint-taken", .conflict,
        title: Localised(
            en: "This address is in use by another account", ja: "このアドレスは別のアカウントで使用中です",
            es: "Otra cuenta usa esta dirección"),
        detail: Localised(
            en: "Remove it there first, or register another address of your receiver.",
            ja: "先にそのアカウントで削除するか、受信側の別のアドレスを登録してください。",
            es: "Elimínela allí primero o registre otra dirección de su receptor."))
    static let tooManyEndpoints = ProblemType(
        "too-many-endpoints", .conflict,
        title: Localised(
            en: "You have as many endpoints as a person may have", ja: "エンドポイントの数が上限に達しています",
            es: "Tiene tantos destinos como puede tener una persona"),
        detail: Localised(
            en: "Remove one that you do not need any more.", ja: "不要なエンドポイントを削除してください。",
            es: "Elimine uno que ya no necesite."))
    static let endpointUnreachable = ProblemType(
        "endpoint-unreachable", .unprocessableContent,
        title: Localised(
            en: "The receiver cannot be reached", ja: "受信側に接続できません", es: "No se puede llegar al receptor"),
        detail: Localised(
            en: "Its name must lead to public addresses where it listens, with a valid certificate.",
            ja: "名前が公開アドレスを指し、有効な証明書で待ち受けている必要があります。",
            es: "Su nombre debe llevar a direcciones públicas en las que escuche, con un certificado válido."))
    static let endpointUnanswered = ProblemType(
        "endpoint-unanswered", .unprocessableContent,
        title: Localised(
            en: "The receiver did not answer in time", ja: "受信側が時間内に応答しませんでした",
            es: "El receptor no respondió a tiempo"),
        detail: Localised(
            en: "It must answer the challenge within 10 seconds.", ja: "チャレンジには10秒以内に応答してください。",
            es: "Debe responder al desafío en 10 segundos."))
    static let endpointUnproven = ProblemType(
        "endpoint-unproven", .unprocessableContent,
        title: Localised(
            en: "The receiver did not answer the challenge", ja: "受信側がチャレンジに正しく応答しませんでした",
            es: "El receptor no contestó al desafío"),
        detail: Localised(
            en: "It must answer the message endpoint.challenge with a status of 2xx and a body of at most 4 KiB: "
                + "the JSON object with a member challenge, which holds the text that data.challenge held.",
            ja: "endpoint.challengeメッセージには、2xxのステータスと4 KiB以下の本文で応答してください。"
                + "本文は、data.challengeの文字列をchallengeメンバーに入れたJSONオブジェクトです。",
            es: "Debe contestar al mensaje endpoint.challenge con un estado 2xx y un cuerpo de 4 KiB como máximo: "
                + "el objeto JSON con un miembro challenge que contenga el texto de data.challenge."))
    static let tooManyChallenges = ProblemType(
        "too-many-challenges", .tooManyRequests,
        title: Localised(
            en: "Too many registrations in a row", ja: "登録の回数が多すぎます", es: "Demasiados registros seguidos"))
    static let tooManyTests = ProblemType(
        "too-many-tests", .tooManyRequests,
        title: Localised(
            en: "Too many test alerts in a row", ja: "テスト通知の回数が多すぎます",
            es: "Demasiadas alertas de prueba seguidas"))
    static let webPushOff = ProblemType(
        "web-push-off", .conflict,
        title: Localised(
            en: "This service sends nothing to browsers", ja: "このサービスはブラウザーへの通知を行っていません",
            es: "Este servicio no envía nada a los navegadores"),
        detail: Localised(
            en: "Its operator can switch it on.", ja: "運営者が有効にできます。", es: "Su operador puede activarlo."))
    static let pushKeyUnknown = ProblemType(
        "push-key-unknown", .conflict,
        title: Localised(
            en: "The browser subscribed with another key", ja: "ブラウザーは別の鍵で登録されています",
            es: "El navegador se suscribió con otra clave"),
        detail: Localised(
            en: "Unsubscribe in the browser, then subscribe with the key that GET /push-subscription shows.",
            ja: "ブラウザーで購読を解除し、GET /push-subscription の鍵で購読し直してください。",
            es: "Cancele la suscripción en el navegador y suscríbase con la clave que muestra GET /push-subscription."))
    static let subscriptionGone = ProblemType(
        "subscription-gone", .conflict,
        title: Localised(
            en: "The push service has ended this subscription", ja: "プッシュサービスがこの購読を終了しました",
            es: "El servicio de notificaciones ha terminado esta suscripción"),
        detail: Localised(
            en: "Unsubscribe in the browser and subscribe anew.", ja: "ブラウザーで購読を解除し、購読し直してください。",
            es: "Cancele la suscripción en el navegador y suscríbase de nuevo."))
    static let noInstallation = ProblemType(
        "no-installation", .conflict,
        title: Localised(
            en: "Browsers are registered by a session that names its installation",
            ja: "ブラウザーの登録には、clientIdを指定したセッションが必要です",
            es: "Los navegadores se registran desde una sesión que nombra su instalación"),
        detail: Localised(
            en: "Sign in with a clientId; a personal token has none.",
            ja: "clientIdを指定してサインインしてください。個人用トークンでは登録できません。",
            es: "Inicie sesión con un clientId; un token personal no lo tiene."))
    static let noEndpoint = ProblemType(
        "no-endpoint", .conflict,
        title: Localised(
            en: "No endpoint is in use", ja: "使用中のエンドポイントがありません", es: "No hay ningún destino en uso"),
        detail: Localised(
            en: "Register one first, or sign in again where it is paused.",
            ja: "先に登録するか、一時停止中の端末で再度サインインしてください。",
            es: "Registre uno primero o vuelva a iniciar sesión donde esté en pausa."))
}

extension ChallengeOutcome {
    /// The reason why a target is not registered; nil for a proven one.
    var problem: ProblemType? {
        switch self {
        case .proven: nil
        case .unreachable: .endpointUnreachable
        case .unanswered: .endpointUnanswered
        case .unproven: .endpointUnproven
        }
    }
}

extension Fault {
    static let pushService = Fault(
        "push-service",
        Localised(
            en: "This is no address of a push service that is known here.",
            ja: "対応しているプッシュサービスのアドレスではありません。",
            es: "No es la dirección de un servicio de notificaciones conocido aquí."))
    static let subscriptionKeys = Fault(
        "subscription-keys",
        Localised(
            en:
                "These are no keys of a subscription: p256dh is a point of P-256 in 65 bytes, auth has 16 bytes, both in base64.",
            ja: "購読の鍵ではありません。p256dhは65バイトのP-256の点、authは16バイトで、いずれもbase64で指定してください。",
            es:
                "No son claves de una suscripción: p256dh es un punto de P-256 de 65 bytes y auth tiene 16 bytes, ambos en base64."
        ))

    /// The fault of an address that is no push target, in words for people who know nothing of the operator's settings.
    init(_ fault: PushTargetFault) {
        switch fault {
        case .tooLong: self = .tooLong(maximum: PushTarget.longest)
        case .notAURL:
            self.init(
                "target-not-url",
                Localised(
                    en: "This is no web address. It looks like https://example.com/path.",
                    ja: "ウェブアドレスではありません。https://example.com/path のように指定してください。",
                    es: "No es una dirección web. Debe parecerse a https://example.com/path."))
        case .scheme, .notEncrypted:
            self.init(
                "target-not-encrypted",
                Localised(
                    en: "The address must begin with https://.", ja: "アドレスはhttps://で始めてください。",
                    es: "La dirección debe empezar por https://."))
        case .credentials:
            self.init(
                "target-credentials",
                Localised(
                    en: "The address must not hold a user name or password. Put a token into its path or query.",
                    ja: "アドレスにユーザー名やパスワードを含めず、トークンはパスかクエリに入れてください。",
                    es: "La dirección no debe llevar usuario ni contraseña. Ponga un token en la ruta o la consulta."))
        case .host:
            self.init(
                "target-host",
                Localised(
                    en: "The address has no valid host name.", ja: "アドレスのホスト名が正しくありません。",
                    es: "La dirección no tiene un nombre de host válido."))
        case .port:
            self.init(
                "target-port",
                Localised(
                    en: "The address must use port 443.", ja: "アドレスのポートは443にしてください。",
                    es: "La dirección debe usar el puerto 443."))
        case .privateHost:
            self.init(
                "target-private",
                Localised(
                    en: "The address must have a public host name.", ja: "公開ホスト名のアドレスを指定してください。",
                    es: "La dirección debe tener un nombre de host público."))
        }
    }
}
