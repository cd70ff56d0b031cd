import Instants

extension Japanese {
    func happening(_ step: ToldStep) -> String {
        switch step.step.what {
        case .limits: limits(step)
        case .gap: step.holdsUntil.map { "\(clock($0, step.time))まで測定値が届いていません。" } ?? "測定値が届いていません。"
        case .inRange: "測定値は\(values(step))で、設定範囲内です\(stretch(step))。"
        case .opened, .flipped:
            step.values == nil ? "設定範囲を外れました。" : "測定値は\(values(step))で、\(beyond(step))います。\(hint(step))"
        case .ongoing:
            step.values == nil
                ? "設定範囲を外れたままです。" : "測定値は\(values(step))で、\(beyond(step))いる状態が続いています\(stretch(step))。\(hint(step))"
        case .settling where step.step.notification == .held: "測定値が急に\(values(step))になりました。"
        case .settling: "測定値は\(values(step))で範囲内に戻りましたが、まだ十分に離れていません\(stretch(step))。"
        case .recovered: step.values == nil ? "設定範囲内に戻りました。" : "測定値は\(values(step))で、設定範囲内に戻りました。"
        case .superseded: "測定値は\(values(step))ですが、より新しい測定値の判定後に届きました\(stretch(step))。"
        case .history: "測定値は\(values(step))です。大きく遅れて、または重ねて届いたため、履歴としてのみ保存されました\(stretch(step))。"
        case .unlimited: "測定値は\(values(step))です。上限・下限は設定されていませんでした\(stretch(step))。"
        case .undecided: "測定値は\(values(step))です。判定の記録がありません\(stretch(step))。"
        case .silent: "測定値が届かず、途絶えたと判定されました。"
        case .heard: "測定値がまた届きはじめました。"
        case .broken: "プローブが測定値のかわりにエラーを送りました。"
        case .works: "プローブがまた測定値を送りました。"
        case .flat: "値が何時間も変わらなかったため、プローブの異常とみなされました。"
        case .moved: "値がまた変わりました。"
        case .changing: "設定より速く変化しました。"
        case .steady: "変化が落ち着きました。"
        case .heading: "範囲の外に向かっていました。"
        case .turned: "すぐには範囲を外れない見込みになりました。"
        case .allClear: step.isTold ? "収まったことをお知らせしました。" : "収まりました。"
        case .unlinked: "デバイスが削除されました。"
        }
    }

    func outcome(_ step: ToldStep) -> String {
        switch step.step.notification {
        case .none: ""
        case .alerted: step.step.what == .allClear ? told("", "解消の通知", step) : told("通知しました。", "通知", step)
        case .reminded: told("再通知しました。", "再通知", step)
        case .critical: told("危険域の値のため、すぐに通知しました。", "危険域の値の通知", step)
        case .unstable: told("不安定であることを、個々の通知の代わりに一度通知しました。", "不安定であることの通知", step)
        case .stale: "測定値が古いため通知しませんでした。"
        case .held: "センサーの一時的な異常かもしれないため、次の測定値を待ちました。"
        case .noRecipient: "送り先がないため通知しませんでした。"
        case .throttled:
            "直前に通知したため送りませんでした。" + (step.holdsUntil.map { "次の通知は\(clock($0, step.time))以降です。" } ?? "")
        case .delayed: "まだ\(step.delay.map(span) ?? "設定した時間")続いていないため通知しませんでした。"
        case .acknowledged: "確認済みのため通知しませんでした。"
        case .snoozed: (step.holdsUntil.map { "\(clock($0, step.time))まで" } ?? "") + "スヌーズ中のため通知しませんでした。"
        case .toldUnstable: "不安定であることを通知済みのため送りませんでした。"
        case .outOfRange: "範囲外であることを通知済みのため、これについては送りませんでした。"
        case .unknown: "通知の記録がありません。送り先がなかったか、当時は通知の間隔が長かった可能性があります。"
        }
    }

    /// An alert that arrived was told; for any other the sentence says how far it got.
    private func told(_ sentence: String, _ message: String, _ step: ToldStep) -> String {
        switch step.step.alert?.state {
        case .delivered: sentence + "届きました。"
        case nil: sentence
        case .undelivered: "\(message)を送りましたが、届きませんでした。"
        case .decided, .sending: "\(message)を送信中です。"
        case .cancelled: "\(message)は取り消されました。"
        }
    }

    private func limits(_ step: ToldStep) -> String {
        guard let range = step.step.range else { return "上限・下限は設定されていませんでした。" }
        let (minimum, maximum) = (range.minimum.map(step.text), range.maximum.map(step.text))
        var text =
            switch (minimum, maximum) {
            case (let minimum?, let maximum?): "設定範囲は\(minimum)～\(maximum)です。"
            case (let minimum?, nil): "下限は\(minimum)です。"
            case (nil, let maximum?): "上限は\(maximum)です。"
            case (nil, nil): "上限・下限は設定されていませんでした。"
            }
        let critical = [
            range.criticalMinimum.map { "危険下限は\(step.text($0))" },
            range.criticalMaximum.map { "危険上限は\(step.text($0))" },
        ].compactMap(\.self)
        if !critical.isEmpty { text += "\(critical.joined(separator: "、"))です。" }
        if let delay = step.delay { text += "範囲を外れて\(span(delay))続くと通知します。" }
        if range.tellsUnstable { text += "不安定なときは一度だけ通知します。" }
        if let limit = step.changeLimit { text += "1時間に\(limit)を超えて変化すると通知します。" }
        if let ahead = step.ahead { text += "範囲を外れる見込みの\(span(ahead))前に通知します。" }
        return text
    }

    private func values(_ step: ToldStep) -> String {
        guard let (least, greatest) = step.values else { return "" }
        return least == greatest ? least : "\(least)～\(greatest)"
    }

    private func beyond(_ step: ToldStep) -> String {
        guard let limit = step.limit.map(step.text) else { return "設定範囲を外れて" }
        return step.step.side == .high ? "上限の\(limit)を超えて" : "下限の\(limit)を下回って"
    }

    private func stretch(_ step: ToldStep) -> String {
        step.stretch.map { "（\(clock($0.until, step.time))まで\($0.count)件）" } ?? ""
    }

    private func hint(_ step: ToldStep) -> String {
        step.step.checkProbe ? "センサーの測定範囲を外れた値です。" : ""
    }

    private func span(_ delay: (count: Int64, unit: ToldStep.DelayUnit)) -> String {
        switch delay.unit {
        case .seconds: "\(delay.count)秒"
        case .minutes: "\(delay.count)分"
        case .hours: "\(delay.count)時間"
        }
    }
}
