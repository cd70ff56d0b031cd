import Instants
import Testing
import WaterQuality

/// The texts of explanations.
@Suite struct ExplanationWordingTests {
    private static let time = Timestamp(unixSeconds: Int64(1_777_816_800))  // 2026-05-03T14:00:00Z

    private static var range: PersonalRange {
        var range = PersonalRange(
            parameter: .temperature, unit: .celsius, minimum: Steps(120), maximum: Steps(240))
        range.criticalMaximum = Steps(280)
        range.delay = .seconds(600)
        range.tellsUnstable = true
        return range
    }

    private static func step(
        _ what: ExplainedStep.What, _ notification: ExplainedStep.Notification = .none, _ least: Int32? = nil,
        _ greatest: Int32? = nil, holdsUntil: Int? = nil, alert: Alert.State? = nil, checkProbe: Bool = false
    ) -> ExplainedStep {
        let values = least.map { least in
            ExplainedStep.Values(
                count: greatest == nil ? 1 : 12, least: Steps(least), greatest: Steps(greatest ?? least),
                until: greatest == nil ? time : time + .seconds(330))
        }
        let alert = alert.map {
            PastAlert(
                id: Alert.ID(rawValue: 1), name: "a", episode: Episode.ID(rawValue: 1), purpose: .alarm,
                eventTime: time,
                decidedAt: time, state: $0)
        }
        let isOut = [.opened, .flipped, .ongoing].contains(what)
        return ExplainedStep(
            what, notification, at: time, values: values, side: isOut ? .high : nil, range: range,
            holdsUntil: holdsUntil.map { time + .seconds($0) }, checkProbe: checkProbe, alert: alert)
    }

    private static let steps: [ExplainedStep] = [
        step(.limits), step(.gap, holdsUntil: 3_600), step(.gap, holdsUntil: 36_000), step(.inRange, .none, 231, 239),
        step(.opened, .alerted, 251, alert: .delivered), step(.flipped, .delayed, 241, holdsUntil: 600),
        step(.ongoing, .throttled, 250, 256, holdsUntil: 1_800),
        step(.ongoing, .snoozed, 250, holdsUntil: 1_800), step(.ongoing, .acknowledged, 250),
        step(.ongoing, .critical, 281, alert: .sending), step(.ongoing, .reminded, 250, alert: .undelivered),
        step(.ongoing, .stale, 250), step(.ongoing, .noRecipient, 250), step(.ongoing, .unknown, 250),
        step(.opened, .alerted, 999, alert: .cancelled, checkProbe: true), step(.ongoing, .alerted),
        step(.settling, .none, 240), step(.recovered, .none, 238), step(.superseded, .none, 250, 251),
        step(.history, .none, 250), step(.unlimited, .none, 250), step(.undecided, .none, 250),
        step(.silent, .alerted, alert: .delivered), step(.heard), step(.broken, .noRecipient), step(.works),
        step(.allClear, .alerted, alert: .delivered), step(.unlinked), step(.opened, .held, 251),
        step(.ongoing, .unstable, 250, alert: .delivered), step(.ongoing, .toldUnstable, 250),
        step(.changing, .outOfRange), step(.steady), step(.heading, .alerted, alert: .delivered), step(.turned),
        step(.flat, .alerted, alert: .delivered), step(.moved),
    ]

    @Test(arguments: Language.allCases) func snapshot(_ language: Language) {
        let text = Self.steps.map { step in
            step.text(of: .temperature, in: .celsius, language) { $0.civilTime() }
        }.joined(separator: "\n")
        #expect(text == Self.expected[language])
    }

    @Test func allIsTold() {
        #expect(Set(Self.steps.map(\.what)) == Set(ExplainedStep.What.allCases))
        #expect(Set(Self.steps.map(\.notification)) == Set(ExplainedStep.Notification.allCases))
    }

    /// Values are in the person's unit, and times in their time zone.
    @Test func unitsAndClocksAreThePersons() {
        let text = Self.step(.ongoing, .throttled, 250, 256, holdsUntil: 1_800)
            .text(of: .temperature, in: .fahrenheit, .en) { $0.civilTime(secondsFromGMT: 9 * 3_600) }
        #expect(
            text == "77.0 °F to 78.1 °F, still above your maximum of 75.2 °F (12 readings until 23:05). "
                + "No alert: you had been told shortly before. The next may come from 23:30.")
    }

    private static let expected: [Language: String] = [
        .en: """
        Your limits: 12.0 °C to 24.0 °C. Critical above 28.0 °C. You hear of it after 10 min outside. Unstable water is told once.
        Nothing came until 15:00.
        Nothing came until 4 May, 00:00.
        23.1 °C to 23.9 °C, within your limits (12 readings until 14:05).
        25.1 °C, above your maximum of 24.0 °C. You were alerted. It arrived.
        24.1 °C, above your maximum of 24.0 °C. No alert yet: you wait until it has lasted 10 min.
        25.0 °C to 25.6 °C, still above your maximum of 24.0 °C (12 readings until 14:05). No alert: you had been told shortly before. The next may come from 14:30.
        25.0 °C, still above your maximum of 24.0 °C. No alert: you had snoozed it until 14:30.
        25.0 °C, still above your maximum of 24.0 °C. No alert: you had said that you know.
        28.1 °C, still above your maximum of 24.0 °C. An alert about a value beyond your critical limit is on its way.
        25.0 °C, still above your maximum of 24.0 °C. A reminder was sent, and did not arrive.
        25.0 °C, still above your maximum of 24.0 °C. No alert: it came too late to be news.
        25.0 °C, still above your maximum of 24.0 °C. No alert: there was no place to send it to.
        25.0 °C, still above your maximum of 24.0 °C. No alert of it is stored: perhaps there was no place to send it to, or your alerts were further apart then.
        99.9 °C, above your maximum of 24.0 °C. That is beyond what the probe can measure. An alert was made, and cancelled.
        Still outside your limits. You were alerted.
        24.0 °C, inside again, but not yet far enough to be over.
        23.8 °C, back within your limits.
        25.0 °C to 25.1 °C, but too late to count: newer readings had been looked at (12 readings until 14:05).
        25.0 °C, kept as history: it came long after it was taken, or once more.
        25.0 °C; you had set no limits.
        25.0 °C; no decision on it is stored.
        No readings came: that counted as a silence. You were alerted. It arrived.
        Readings came again.
        The probe reported an error instead of a value. No alert: there was no place to send it to.
        The probe gave a value again.
        You were told that it was over. It arrived.
        The device was removed.
        25.1 °C, above your maximum of 24.0 °C. No alert yet: it may have been a glitch of the probe, and the next reading was to tell.
        25.0 °C, still above your maximum of 24.0 °C. You were told that it is unstable, once in place of further alarms. It arrived.
        25.0 °C, still above your maximum of 24.0 °C. No alert: you had been told that it is unstable.
        It changed faster than your limit. No alert of that: you had been told that it is outside your limits.
        It changed more slowly again.
        It was heading for your limit. You were alerted. It arrived.
        It was not expected to reach your limit soon any more.
        The value had not changed for hours: that counted as a fault of the probe. You were alerted. It arrived.
        The value changed again.
        """,
        .ja: """
        設定範囲は12.0°C～24.0°Cです。危険上限は28.0°Cです。範囲を外れて10分続くと通知します。不安定なときは一度だけ通知します。
        15:00まで測定値が届いていません。
        5月4日0:00まで測定値が届いていません。
        測定値は23.1°C～23.9°Cで、設定範囲内です（14:05まで12件）。
        測定値は25.1°Cで、上限の24.0°Cを超えています。通知しました。届きました。
        測定値は24.1°Cで、上限の24.0°Cを超えています。まだ10分続いていないため通知しませんでした。
        測定値は25.0°C～25.6°Cで、上限の24.0°Cを超えている状態が続いています（14:05まで12件）。直前に通知したため送りませんでした。次の通知は14:30以降です。
        測定値は25.0°Cで、上限の24.0°Cを超えている状態が続いています。14:30までスヌーズ中のため通知しませんでした。
        測定値は25.0°Cで、上限の24.0°Cを超えている状態が続いています。確認済みのため通知しませんでした。
        測定値は28.1°Cで、上限の24.0°Cを超えている状態が続いています。危険域の値の通知を送信中です。
        測定値は25.0°Cで、上限の24.0°Cを超えている状態が続いています。再通知を送りましたが、届きませんでした。
        測定値は25.0°Cで、上限の24.0°Cを超えている状態が続いています。測定値が古いため通知しませんでした。
        測定値は25.0°Cで、上限の24.0°Cを超えている状態が続いています。送り先がないため通知しませんでした。
        測定値は25.0°Cで、上限の24.0°Cを超えている状態が続いています。通知の記録がありません。送り先がなかったか、当時は通知の間隔が長かった可能性があります。
        測定値は99.9°Cで、上限の24.0°Cを超えています。センサーの測定範囲を外れた値です。通知は取り消されました。
        設定範囲を外れたままです。通知しました。
        測定値は24.0°Cで範囲内に戻りましたが、まだ十分に離れていません。
        測定値は23.8°Cで、設定範囲内に戻りました。
        測定値は25.0°C～25.1°Cですが、より新しい測定値の判定後に届きました（14:05まで12件）。
        測定値は25.0°Cです。大きく遅れて、または重ねて届いたため、履歴としてのみ保存されました。
        測定値は25.0°Cです。上限・下限は設定されていませんでした。
        測定値は25.0°Cです。判定の記録がありません。
        測定値が届かず、途絶えたと判定されました。通知しました。届きました。
        測定値がまた届きはじめました。
        プローブが測定値のかわりにエラーを送りました。送り先がないため通知しませんでした。
        プローブがまた測定値を送りました。
        収まったことをお知らせしました。届きました。
        デバイスが削除されました。
        測定値は25.1°Cで、上限の24.0°Cを超えています。センサーの一時的な異常かもしれないため、次の測定値を待ちました。
        測定値は25.0°Cで、上限の24.0°Cを超えている状態が続いています。不安定であることを、個々の通知の代わりに一度通知しました。届きました。
        測定値は25.0°Cで、上限の24.0°Cを超えている状態が続いています。不安定であることを通知済みのため送りませんでした。
        設定より速く変化しました。範囲外であることを通知済みのため、これについては送りませんでした。
        変化が落ち着きました。
        範囲の外に向かっていました。通知しました。届きました。
        すぐには範囲を外れない見込みになりました。
        値が何時間も変わらなかったため、プローブの異常とみなされました。通知しました。届きました。
        値がまた変わりました。
        """,
        .es: """
        Tus límites: de 12,0 °C a 24,0 °C. Crítico por encima de 28,0 °C. Se te avisa tras 10 min fuera. El agua inestable se avisa una vez.
        No llegó nada hasta las 15:00.
        No llegó nada hasta el 4 de mayo a las 0:00.
        Entre 23,1 °C y 23,9 °C, dentro de tus límites (12 mediciones hasta las 14:05).
        25,1 °C, por encima de tu máximo de 24,0 °C. Se te avisó. Llegó.
        24,1 °C, por encima de tu máximo de 24,0 °C. Aún sin aviso: esperas a que dure 10 min.
        Entre 25,0 °C y 25,6 °C, sigue por encima de tu máximo de 24,0 °C (12 mediciones hasta las 14:05). Sin aviso: se te había avisado poco antes. El siguiente puede llegar desde las 14:30.
        25,0 °C, sigue por encima de tu máximo de 24,0 °C. Sin aviso: lo habías silenciado hasta las 14:30.
        25,0 °C, sigue por encima de tu máximo de 24,0 °C. Sin aviso: ya lo sabías.
        28,1 °C, sigue por encima de tu máximo de 24,0 °C. Un aviso de que supera tu límite crítico está en camino.
        25,0 °C, sigue por encima de tu máximo de 24,0 °C. Un recordatorio se envió, y no llegó.
        25,0 °C, sigue por encima de tu máximo de 24,0 °C. Sin aviso: llegó demasiado tarde para ser noticia.
        25,0 °C, sigue por encima de tu máximo de 24,0 °C. Sin aviso: no había adónde enviarlo.
        25,0 °C, sigue por encima de tu máximo de 24,0 °C. No consta ningún aviso: quizá no había adónde enviarlo, o tus avisos iban entonces más espaciados.
        99,9 °C, por encima de tu máximo de 24,0 °C. Es más de lo que la sonda puede medir. Un aviso se preparó, y se anuló.
        Sigue fuera de tus límites. Se te avisó.
        24,0 °C, de nuevo dentro, pero aún no lo bastante para darlo por terminado.
        23,8 °C, de nuevo dentro de tus límites.
        Entre 25,0 °C y 25,1 °C, pero llegó tarde para contar: ya se habían valorado mediciones más recientes (12 mediciones hasta las 14:05).
        25,0 °C, guardado como historial: llegó mucho después de medirse, o una vez más.
        25,0 °C; no habías puesto límites.
        25,0 °C; no consta ninguna decisión sobre ello.
        No llegaban mediciones: se dio por silencio. Se te avisó. Llegó.
        Volvieron a llegar mediciones.
        La sonda envió un error en lugar de una medición. Sin aviso: no había adónde enviarlo.
        La sonda volvió a dar una medición.
        Se te dijo que había pasado. Llegó.
        El equipo se quitó.
        25,1 °C, por encima de tu máximo de 24,0 °C. Aún sin aviso: podía ser un fallo momentáneo de la sonda, y la siguiente medición lo diría.
        25,0 °C, sigue por encima de tu máximo de 24,0 °C. Se te dijo que es inestable, una vez en lugar de más alarmas. Llegó.
        25,0 °C, sigue por encima de tu máximo de 24,0 °C. Sin aviso: ya se te había dicho que es inestable.
        Cambió más rápido que tu límite. Sin aviso de eso: ya se te había dicho que está fuera de tus límites.
        Volvió a cambiar más despacio.
        Iba hacia tu límite. Se te avisó. Llegó.
        Ya no alcanzaría pronto tu límite.
        El valor llevaba horas sin cambiar: eso contó como un fallo de la sonda. Se te avisó. Llegó.
        El valor volvió a cambiar.
        """,
    ]
}
