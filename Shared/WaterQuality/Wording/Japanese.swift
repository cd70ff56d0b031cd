import Instants

struct Japanese: Phrasebook {
    func header(_ deviceName: String) -> String { "\(deviceName)：" }

    func range(_ range: RangeContent, _ notice: Notice) -> Text {
        let (name, told, isHigh) = (range.parameter.words.ja, range.told(in: notice.unit), range.side == .high)
        let (value, since) = (told.text(range.value, .ja), clock(notice.since, notice.now))
        let beyond =
            "\(range.isCritical ? "危険" : "")\(isHigh ? "上限" : "下限")の\(told.text(range.toldLimit, .ja))を"
            + (isHigh ? "超えて" : "下回って")
        let hint = range.checkProbe ? "センサーの測定範囲を外れた値です。センサーの状態も確認してください。" : ""
        if notice.isOver {
            if range.isBeyond {
                return ("\(name)は設定範囲内です", "設定範囲が変更されました。\(value)は範囲内です。")
            }
            return (
                "\(name)が設定範囲内に戻りました",
                "\(clock(notice.at, notice.now))に\(value)になりました。\(since)から\(beyond)いました。"
            )
        }
        if range.isUnstable, !notice.isReminder {
            return (
                "\(name)が不安定です",
                "設定範囲の内外を行き来しています。現在の測定値は\(value)で、\(beyond)います。落ち着いたらお知らせします。" + hint
            )
        }
        // `since` is the time of leaving the range; the critical limit was crossed later.
        let state =
            range.isCritical
            ? "測定値は\(value)です。\(beyond)います。\(since)から設定範囲を外れています。" : "測定値は\(value)です。\(since)から\(beyond)います。"
        let worst =
            notice.isReminder && range.hasBeenWorse
            ? "これまでの\(isHigh ? "最高値" : "最低値")は\(told.text(range.worst, .ja))です。" : ""
        let degree =
            switch (notice.isReminder, range.isCritical) {
            case (false, false): "\(isHigh ? "高" : "低")すぎます"
            case (false, true): "危険な水準まで\(isHigh ? "上" : "下")がっています"
            case (true, false): "\(isHigh ? "高" : "低")い状態が続いています"
            case (true, true): "危険な水準まで\(isHigh ? "上" : "下")がったままです"
            }
        return ("\(name)が\(degree)", state + worst + hint)
    }

    func silence(_ silence: SilenceContent, _ notice: Notice) -> Text {
        let since = clock(notice.since, notice.now)
        let readings = silence.parameter.map { "\($0.words.ja)の測定値" } ?? "測定値"
        if notice.isOver {
            return (
                "\(readings)がまた届きはじめました", "\(clock(notice.at, notice.now))に届いています。\(since)から途絶えていました。"
            )
        }
        let body =
            switch silence.cause {
            case .missing: "\(since)を最後に届いていません。ほかの測定値は届いています。プローブを確認してください。"
            case .anotherProbe:
                "\(since)を最後に届いていません。水に入っているプローブの代わりに、別のプローブが応答しています。交換した場合は、"
                    + "デバイスの画面で新しいプローブを選んでください。"
            case .connected: "\(since)から測定値が届いていませんが、接続はされています。プローブを確認してください。"
            case .cutOff: "\(since)から測定値が届いていません。電源とネットワークを確認してください。"
            }
        return ("\(readings)が届\(notice.isReminder ? "かない状態が続いています" : "いていません")", body)
    }

    func fault(_ fault: FaultContent, _ notice: Notice) -> Text {
        let (probe, since) = ("\(fault.parameter.words.ja)のプローブ", clock(notice.since, notice.now))
        let flatAt = fault.flatAt(in: notice.unit, .ja)
        if notice.isOver {
            let time = clock(notice.at, notice.now)
            return (
                "\(probe)が復旧しました",
                flatAt.map { "\(time)に値が変わりました。\(since)から\($0)のままでした。" }
                    ?? "\(time)に測定値が届きました。\(since)からエラーが届いていました。"
            )
        }
        let persists = flatAt == nil ? "のエラーが続いています" : "の値が変わらないままです"
        return (
            probe + (notice.isReminder ? persists : "を確認してください"),
            flatAt.map { "\(since)から値が\($0)のまま変わっていません。水に浸かっているか確かめ、汚れを落としてください。" }
                ?? "\(since)から測定値のかわりにエラーが届いています。コネクターとケーブルを確認してください。"
        )
    }

    func rate(_ rate: RateContent, _ notice: Notice) -> Text {
        let name = rate.parameter.words.ja
        if notice.isOver {
            return (
                "\(name)の変化が落ち着きました",
                "\(clock(notice.at, notice.now))に落ち着きました。"
                    + "\(clock(notice.since, notice.now))から設定より速く変化していました。"
            )
        }
        let title = "\(name)が\(notice.isReminder ? "まだ" : "")急に\(rate.rises ? "上がって" : "下がって")います"
        guard let (by, minutes, to, limit) = rate.text(in: notice.unit, .ja) else { return (title, "") }
        return (
            title, "\(minutes)分間で\(by)\(rate.rises ? "上がり" : "下がり")、\(to)になりました。設定は1時間に\(limit)までです。"
        )
    }

    func ahead(_ ahead: AheadContent, _ notice: Notice) -> Text {
        let name = ahead.parameter.words.ja
        if notice.isOver {
            return (
                "\(name)はすぐには範囲を外れない見込みです",
                "\(clock(notice.at, notice.now))に向きが変わったか、変化がゆるやかになりました。"
                    + "\(clock(notice.since, notice.now))から範囲の外に向かっていました。"
            )
        }
        let rises = ahead.outlook?.side == .high
        let title = "\(name)が\(rises ? "上がって" : "下がって")います"
        guard let (value, limit) = ahead.text(in: notice.unit, .ja), let time = notice.expected else {
            return (title, "")
        }
        return (
            title,
            "このままでは\(clock(time, notice.now))頃に\(limit)を\(rises ? "上回り" : "下回り")ます。現在の測定値は\(value)です。"
        )
    }

    func other(of parameter: Parameter?, _ notice: Notice) -> Text {
        let about = parameter.map { "\($0.words.ja)の" } ?? ""
        let time = clock(notice.at, notice.now)
        return notice.isOver
            ? ("\(about)警告が終わりました", "\(time)に終わりました。詳しい内容を表示するには、AquaMonitorの更新が必要です。")
            : ("\(about)警告があります", "\(time)に警告がありました。デバイスを確認してください。詳しい内容を表示するには、AquaMonitorの更新が必要です。")
    }

    func ended(_ notice: Notice) -> Text {
        (
            "共有が終了しました",
            "警告が続いている\(clock(notice.now, notice.now))に終了しました。今後の通知はありません。水の様子は所有者に確認してください。"
        )
    }

    var test: Text { ("AquaMonitor テスト通知", "水質の異常は、このような通知でお知らせします。") }

    func clock(_ time: CivilTime, _ now: CivilTime) -> String {
        let clock = time.clock(paddedHour: false)
        return time.isSameDay(as: now) ? clock : "\(time.month)月\(time.day)日\(clock)"
    }
}
