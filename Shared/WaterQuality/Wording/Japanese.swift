import Instants

struct Japanese: Phrasebook {
    func alarm(_ trouble: Notice.Trouble) -> Notice.Message {
        Notice.Message(
            title: "\(trouble.deviceName)：\(trouble.parameter.words.ja)が\(excess(trouble))",
            body: state(trouble) + hint(trouble))
    }

    func unstable(_ trouble: Notice.Trouble) -> Notice.Message {
        Notice.Message(
            title: "\(trouble.deviceName)：\(trouble.parameter.words.ja)が不安定です",
            body: "設定範囲の内外を行き来しています。現在の測定値は\(trouble.text(trouble.value, .ja))で、"
                + "\(beyond(trouble))います。落ち着いたらお知らせします。" + hint(trouble))
    }

    func reminder(_ trouble: Notice.Trouble, worst: Float) -> Notice.Message {
        let worst = trouble.isWorse(worst) ? "これまでの\(extreme(trouble))は\(trouble.text(worst, .ja))です。" : ""
        return Notice.Message(
            title: "\(trouble.deviceName)：\(trouble.parameter.words.ja)が\(persistence(trouble))",
            body: state(trouble) + worst + hint(trouble))
    }

    func recovery(_ trouble: Notice.Trouble, at time: CivilTime) -> Notice.Message {
        if trouble.isBeyond {
            return Notice.Message(
                title: "\(trouble.deviceName)：\(trouble.parameter.words.ja)は設定範囲内です",
                body: "設定範囲が変更されました。\(trouble.text(trouble.value, .ja))は範囲内です。")
        }
        return Notice.Message(
            title: "\(trouble.deviceName)：\(trouble.parameter.words.ja)が設定範囲内に戻りました",
            body: "\(clock(time, trouble.now))に\(trouble.text(trouble.value, .ja))になりました。"
                + "\(clock(trouble.since, trouble.now))から\(beyond(trouble))いました。")
    }

    func ended(_ parting: Notice.Parting) -> Notice.Message {
        Notice.Message(
            title: "\(parting.deviceName)：共有が終了しました",
            body: "警告が続いている\(clock(parting.at, parting.at))に終了しました。今後の通知はありません。水の様子は所有者に確認してください。")
    }

    func silence(_ quiet: Notice.Quiet, isReminder: Bool) -> Notice.Message {
        let time = clock(quiet.since, quiet.now)
        let state = "届\(isReminder ? "かない状態が続いています" : "いていません")"
        if let parameter = quiet.parameter?.words.ja {
            return Notice.Message(
                title: "\(quiet.deviceName)：\(parameter)の測定値が\(state)",
                body: quiet.cause == .anotherProbe
                    ? "\(time)を最後に届いていません。水に入っているプローブの代わりに、別のプローブが応答しています。交換した場合は、"
                        + "デバイスの画面で新しいプローブを選んでください。"
                    : "\(time)を最後に届いていません。ほかの測定値は届いています。プローブを確認してください。")
        }
        let since = "\(time)から測定値が届いていません"
        return Notice.Message(
            title: "\(quiet.deviceName)：測定値が\(state)",
            body: quiet.cause == .connected
                ? "\(since)が、接続はされています。プローブを確認してください。" : "\(since)。電源とネットワークを確認してください。")
    }

    func heardAgain(_ quiet: Notice.Quiet, at time: CivilTime) -> Notice.Message {
        let what = quiet.parameter.map { "\($0.words.ja)の測定値" } ?? "測定値"
        return Notice.Message(
            title: "\(quiet.deviceName)：\(what)がまた届きはじめました",
            body: "\(clock(time, quiet.now))に届いています。\(clock(quiet.since, quiet.now))から途絶えていました。")
    }

    func fault(_ broken: Notice.Broken, isReminder: Bool) -> Notice.Message {
        let (probe, since) = ("\(broken.parameter.words.ja)のプローブ", clock(broken.since, broken.now))
        let flatAt = broken.flatAt(.ja)
        let stillBroken = flatAt == nil ? "のエラーが続いています" : "の値が変わらないままです"
        return Notice.Message(
            title: "\(broken.deviceName)：\(probe)\(isReminder ? stillBroken : "を確認してください")",
            body: flatAt.map { "\(since)から値が\($0)のまま変わっていません。水に浸かっているか確かめ、汚れを落としてください。" }
                ?? "\(since)から測定値のかわりにエラーが届いています。コネクターとケーブルを確認してください。")
    }

    func worksAgain(_ broken: Notice.Broken, at time: CivilTime) -> Notice.Message {
        let (time, since) = (clock(time, broken.now), clock(broken.since, broken.now))
        return Notice.Message(
            title: "\(broken.deviceName)：\(broken.parameter.words.ja)のプローブが復旧しました",
            body: broken.flatAt(.ja).map { "\(time)に値が変わりました。\(since)から\($0)のままでした。" }
                ?? "\(time)に測定値が届きました。\(since)からエラーが届いていました。")
    }

    func changing(_ course: Notice.Course, isReminder: Bool) -> Notice.Message {
        let title =
            "\(course.deviceName)：\(course.parameter.words.ja)が\(isReminder ? "まだ" : "")急に"
            + "\(course.rises ? "上がって" : "下がって")います"
        guard let (by, minutes, to, limit) = course.told(.ja) else { return Notice.Message(title: title, body: "") }
        return Notice.Message(
            title: title,
            body: "\(minutes)分間で\(by)\(course.rises ? "上がり" : "下がり")、\(to)になりました。"
                + "設定は1時間に\(limit)までです。")
    }

    func steady(_ course: Notice.Course, at time: CivilTime) -> Notice.Message {
        Notice.Message(
            title: "\(course.deviceName)：\(course.parameter.words.ja)の変化が落ち着きました",
            body: "\(clock(time, course.now))に落ち着きました。"
                + "\(clock(course.since, course.now))から設定より速く変化していました。")
    }

    func heading(_ way: Notice.Way) -> Notice.Message {
        let title =
            "\(way.deviceName)：\(way.parameter.words.ja)が\(way.rises ? "上がって" : "下がって")います"
        guard let (value, limit, at) = way.told(.ja) else { return Notice.Message(title: title, body: "") }
        return Notice.Message(
            title: title,
            body: "このままでは\(clock(at, way.now))頃に\(limit)を\(way.rises ? "上回り" : "下回り")ます。"
                + "現在の測定値は\(value)です。")
    }

    func turned(_ way: Notice.Way, at time: CivilTime) -> Notice.Message {
        Notice.Message(
            title: "\(way.deviceName)：\(way.parameter.words.ja)はすぐには範囲を外れない見込みです",
            body: "\(clock(time, way.now))に向きが変わったか、変化がゆるやかになりました。"
                + "\(clock(way.since, way.now))から範囲の外に向かっていました。")
    }

    var test: Notice.Message {
        Notice.Message(title: "AquaMonitor テスト通知", body: "水質の異常は、このような通知でお知らせします。")
    }

    /// `since` is the time of leaving the range; the critical limit was crossed later.
    private func state(_ trouble: Notice.Trouble) -> String {
        let (value, since) = (trouble.text(trouble.value, .ja), clock(trouble.since, trouble.now))
        return trouble.isCritical
            ? "測定値は\(value)です。\(beyond(trouble))います。\(since)から設定範囲を外れています。"
            : "測定値は\(value)です。\(since)から\(beyond(trouble))います。"
    }

    private func excess(_ trouble: Notice.Trouble) -> String {
        let isHigh = trouble.side == .high
        return trouble.isCritical ? "危険な水準まで\(isHigh ? "上" : "下")がっています" : "\(isHigh ? "高" : "低")すぎます"
    }

    private func persistence(_ trouble: Notice.Trouble) -> String {
        let isHigh = trouble.side == .high
        return trouble.isCritical
            ? "危険な水準まで\(isHigh ? "上" : "下")がったままです" : "\(isHigh ? "高" : "低")い状態が続いています"
    }

    private func beyond(_ trouble: Notice.Trouble) -> String {
        let limit = trouble.text(trouble.limit, .ja)
        let critical = trouble.isCritical ? "危険" : ""
        return trouble.side == .high ? "\(critical)上限の\(limit)を超えて" : "\(critical)下限の\(limit)を下回って"
    }

    private func extreme(_ trouble: Notice.Trouble) -> String {
        trouble.side == .high ? "最高値" : "最低値"
    }

    private func hint(_ trouble: Notice.Trouble) -> String {
        trouble.checkProbe ? "センサーの測定範囲を外れた値です。センサーの状態も確認してください。" : ""
    }

    func clock(_ time: CivilTime, _ now: CivilTime) -> String {
        let clock = time.clock(paddedHour: false)
        return time.isSameDay(as: now) ? clock : "\(time.month)月\(time.day)日\(clock)"
    }
}
