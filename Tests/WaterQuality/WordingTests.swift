import Instants
import Testing

@testable import WaterQuality

@Suite struct WordingTests {
    static let now = CivilTime(year: 2026, month: 5, day: 4, hour: 15, minute: 20)

    /// - Parameters:
    ///   - day: Of its beginning, like the hour.
    func notice(
        _ purpose: Alert.Purpose, _ content: Alert.Content, unit: Unit? = nil, day: Int = 4, hour: Int = 9
    ) throws -> Notice {
        let now = try #require(Self.now)
        return Notice(
            deviceName: content == .test ? nil : "Reef", purpose, content,
            since: try #require(CivilTime(year: 2026, month: 5, day: day, hour: hour, minute: 5)), at: now, now: now,
            unit: unit)
    }

    private func range(
        _ parameter: Parameter = .temperature, _ side: Side = .high, _ value: Float = 26.3, _ limit: Float = 24,
        worst: Float? = nil, checkProbe: Bool = false, isCritical: Bool = false, isUnstable: Bool = false
    ) -> Alert.Content {
        .range(
            RangeContent(
                parameter: parameter, side: side, value: value, worst: worst ?? value, limit: limit,
                checkProbe: checkProbe, isCritical: isCritical, isUnstable: isUnstable))
    }

    private func silence(_ parameter: Parameter? = nil, isConnected: Bool = false) -> Alert.Content {
        .silence(SilenceContent(parameter: parameter, checkProbe: isConnected))
    }

    private func fault(_ parameter: Parameter, flatAt: Float? = nil) -> Alert.Content {
        .fault(FaultContent(parameter: parameter, flatAt: flatAt))
    }

    private func text(_ notices: [Notice], _ language: Language) -> String {
        notices.map { notice in
            let message = notice.message(in: language)
            return "\(message.title)\n  \(message.body)"
        }.joined(separator: "\n")
    }

    @Test func whoWatchesNoMoreIsToldSo() throws {
        let notice = try notice(.ended, range())
        #expect(
            Language.allCases.map { notice.message(in: $0) }.map { "\($0.title)\n\($0.body)" } == [
                """
                Reef: no longer shared with you
                That ended at 15:20, in the middle of an alarm. You hear nothing more of it: ask its owner how the water is.
                """,
                """
                Reef：共有が終了しました
                警告が続いている15:20に終了しました。今後の通知はありません。水の様子は所有者に確認してください。
                """,
                """
                Reef: ya no se comparte contigo
                Terminó a las 15:20, en plena alerta. No te llegará nada más de este equipo: pregunta a su dueño cómo está el agua.
                """,
            ])
    }

    /// Every text in the three languages, for reading.
    @Test func snapshot() throws {
        let notices: [Notice] = [
            try notice(.alarm, range()),
            try notice(.alarm, range(), unit: .fahrenheit, day: 3),
            try notice(.alarm, range(.ph, .low, 7.2, 7.5), hour: 1),
            try notice(.alarm, range(.salinity, .high, 21.3, 7, checkProbe: true)),
            try notice(.reminder, range(.ammonia, .high, 0.27, 0.25, worst: 0.31)),
            try notice(.reminder, range(.dissolvedOxygen, .low, 5.5, 7, worst: 5.5)),
            try notice(.recovery, range(.alkalinity, .low, 62, 50), day: 3),
            try notice(.test, .test),
            try notice(.alarm, silence()),
            try notice(.alarm, silence(isConnected: true), day: 3),
            try notice(.reminder, silence(), day: 3),
            try notice(.recovery, silence(), day: 3),
            try notice(.alarm, silence(.ph, isConnected: true)),
            try notice(.reminder, silence(.dissolvedOxygen, isConnected: true), day: 3),
            try notice(.alarm, silence(.temperature)),
            try notice(.recovery, silence(.temperature), day: 3),
            try notice(.alarm, fault(.ph)),
            try notice(.reminder, fault(.dissolvedOxygen), day: 3),
            try notice(.recovery, fault(.temperature), day: 3),
            try notice(.alarm, fault(.ph, flatAt: 7.2), day: 3),
            try notice(.reminder, fault(.dissolvedOxygen, flatAt: 8.1), day: 3),
            try notice(.recovery, fault(.temperature, flatAt: 24.3), unit: .fahrenheit, day: 3),
        ]
        let text = Language.allCases.map { self.text(notices, $0) }.joined(separator: "\n\n")
        #expect(text == expected)
    }

    let expected = """
        Reef: temperature too high
          26.3 °C, above your maximum of 24.0 °C since 09:05.
        Reef: temperature too high
          79.3 °F, above your maximum of 75.2 °F since 3 May, 09:05.
        Reef: pH too low
          7.2, below your minimum of 7.5 since 01:05.
        Reef: salinity too high
          21.3 ppt, above your maximum of 7.0 ppt since 09:05. This is beyond what the probe can measure, so check the probe as well.
        Reef: ammonia still too high
          0.27 ppm, above your maximum of 0.25 ppm since 09:05. Highest so far: 0.31 ppm.
        Reef: dissolved oxygen still too low
          5.5 ppm, below your minimum of 7.0 ppm since 09:05.
        Reef: alkalinity back in range
          62 ppm since 15:20. It had been below your minimum of 50 ppm since 3 May, 09:05.
        AquaMonitor test notification
          This is how alerts about your water will reach you.
        Reef: no readings
          Nothing heard since 09:05. Check its power and its network.
        Reef: no readings
          Nothing heard since 3 May, 09:05, though it is connected. Check the probe.
        Reef: still no readings
          Nothing heard since 3 May, 09:05. Check its power and its network.
        Reef: readings again
          Heard again at 15:20. There had been nothing since 3 May, 09:05.
        Reef: no pH readings
          None since 09:05, while others still arrive. Check the probe.
        Reef: still no dissolved oxygen readings
          None since 3 May, 09:05, while others still arrive. Check the probe.
        Reef: no temperature readings
          None since 09:05: another probe answers in place of the one in the water. If it was replaced, choose the new one on the device's page.
        Reef: temperature readings again
          Heard again at 15:20. There had been nothing since 3 May, 09:05.
        Reef: check the pH probe
          It has reported an error instead of a value since 09:05. Check its plug and its cable.
        Reef: the dissolved oxygen probe still needs a check
          It has reported an error instead of a value since 3 May, 09:05. Check its plug and its cable.
        Reef: the temperature probe works again
          It gave a value at 15:20. It had reported an error since 3 May, 09:05.
        Reef: check the pH probe
          Its value has stayed at 7.2 since 3 May, 09:05. Clean it, and check that it is in the water.
        Reef: the dissolved oxygen probe still needs a check
          Its value has stayed at 8.1 ppm since 3 May, 09:05. Clean it, and check that it is in the water.
        Reef: the temperature probe works again
          Its value changed at 15:20. It had stayed at 75.7 °F since 3 May, 09:05.

        Reef：水温が高すぎます
          測定値は26.3°Cです。9:05から上限の24.0°Cを超えています。
        Reef：水温が高すぎます
          測定値は79.3°Fです。5月3日9:05から上限の75.2°Fを超えています。
        Reef：pHが低すぎます
          測定値は7.2です。1:05から下限の7.5を下回っています。
        Reef：塩分濃度が高すぎます
          測定値は21.3 pptです。9:05から上限の7.0 pptを超えています。センサーの測定範囲を外れた値です。センサーの状態も確認してください。
        Reef：アンモニア濃度が高い状態が続いています
          測定値は0.27 ppmです。9:05から上限の0.25 ppmを超えています。これまでの最高値は0.31 ppmです。
        Reef：溶存酸素量が低い状態が続いています
          測定値は5.5 ppmです。9:05から下限の7.0 ppmを下回っています。
        Reef：アルカリ度が設定範囲内に戻りました
          15:20に62 ppmになりました。5月3日9:05から下限の50 ppmを下回っていました。
        AquaMonitor テスト通知
          水質の異常は、このような通知でお知らせします。
        Reef：測定値が届いていません
          9:05から測定値が届いていません。電源とネットワークを確認してください。
        Reef：測定値が届いていません
          5月3日9:05から測定値が届いていませんが、接続はされています。プローブを確認してください。
        Reef：測定値が届かない状態が続いています
          5月3日9:05から測定値が届いていません。電源とネットワークを確認してください。
        Reef：測定値がまた届きはじめました
          15:20に届いています。5月3日9:05から途絶えていました。
        Reef：pHの測定値が届いていません
          9:05を最後に届いていません。ほかの測定値は届いています。プローブを確認してください。
        Reef：溶存酸素量の測定値が届かない状態が続いています
          5月3日9:05を最後に届いていません。ほかの測定値は届いています。プローブを確認してください。
        Reef：水温の測定値が届いていません
          9:05を最後に届いていません。水に入っているプローブの代わりに、別のプローブが応答しています。交換した場合は、デバイスの画面で新しいプローブを選んでください。
        Reef：水温の測定値がまた届きはじめました
          15:20に届いています。5月3日9:05から途絶えていました。
        Reef：pHのプローブを確認してください
          9:05から測定値のかわりにエラーが届いています。コネクターとケーブルを確認してください。
        Reef：溶存酸素量のプローブのエラーが続いています
          5月3日9:05から測定値のかわりにエラーが届いています。コネクターとケーブルを確認してください。
        Reef：水温のプローブが復旧しました
          15:20に測定値が届きました。5月3日9:05からエラーが届いていました。
        Reef：pHのプローブを確認してください
          5月3日9:05から値が7.2のまま変わっていません。水に浸かっているか確かめ、汚れを落としてください。
        Reef：溶存酸素量のプローブの値が変わらないままです
          5月3日9:05から値が8.1 ppmのまま変わっていません。水に浸かっているか確かめ、汚れを落としてください。
        Reef：水温のプローブが復旧しました
          15:20に値が変わりました。5月3日9:05から75.7°Fのままでした。

        Reef: temperatura demasiado alta
          26,3 °C, por encima de tu máximo de 24,0 °C desde las 9:05.
        Reef: temperatura demasiado alta
          79,3 °F, por encima de tu máximo de 75,2 °F desde el 3 de mayo a las 9:05.
        Reef: pH demasiado bajo
          7,2, por debajo de tu mínimo de 7,5 desde la 1:05.
        Reef: salinidad demasiado alta
          21,3 ppt, por encima de tu máximo de 7,0 ppt desde las 9:05. El valor está fuera de lo que la sonda puede medir: revisa también la sonda.
        Reef: el amoníaco sigue demasiado alto
          0,27 ppm, por encima de tu máximo de 0,25 ppm desde las 9:05. Valor más alto hasta ahora: 0,31 ppm.
        Reef: el oxígeno disuelto sigue demasiado bajo
          5,5 ppm, por debajo de tu mínimo de 7,0 ppm desde las 9:05.
        Reef: alcalinidad de nuevo en su rango
          62 ppm desde las 15:20. Estaba por debajo de tu mínimo de 50 ppm desde el 3 de mayo a las 9:05.
        Notificación de prueba de AquaMonitor
          Así te llegarán los avisos sobre tu agua.
        Reef: sin mediciones
          No llega nada desde las 9:05. Revisa la corriente y la red.
        Reef: sin mediciones
          No llega nada desde el 3 de mayo a las 9:05, aunque está conectado. Revisa la sonda.
        Reef: sigue sin mediciones
          No llega nada desde el 3 de mayo a las 9:05. Revisa la corriente y la red.
        Reef: de nuevo hay mediciones
          Vuelven a llegar desde las 15:20. No había llegado nada desde el 3 de mayo a las 9:05.
        Reef: sin mediciones de pH
          Ninguna desde las 9:05, aunque las demás siguen llegando. Revisa la sonda.
        Reef: sigue sin mediciones de oxígeno disuelto
          Ninguna desde el 3 de mayo a las 9:05, aunque las demás siguen llegando. Revisa la sonda.
        Reef: sin mediciones de temperatura
          Ninguna desde las 9:05: responde otra sonda en lugar de la que está en el agua. Si se cambió, elige la nueva en la página del dispositivo.
        Reef: de nuevo hay mediciones de temperatura
          Vuelven a llegar desde las 15:20. No había llegado nada desde el 3 de mayo a las 9:05.
        Reef: revisa la sonda de pH
          Desde las 9:05 envía un error en lugar de mediciones. Revisa su conector y su cable.
        Reef: la sonda de oxígeno disuelto sigue fallando
          Desde el 3 de mayo a las 9:05 envía un error en lugar de mediciones. Revisa su conector y su cable.
        Reef: la sonda de temperatura vuelve a funcionar
          Ha dado una medición a las 15:20. Enviaba un error desde el 3 de mayo a las 9:05.
        Reef: revisa la sonda de pH
          Desde el 3 de mayo a las 9:05 su valor no se mueve de 7,2. Límpiala y comprueba que esté en el agua.
        Reef: la sonda de oxígeno disuelto sigue fallando
          Desde el 3 de mayo a las 9:05 su valor no se mueve de 8,1 ppm. Límpiala y comprueba que esté en el agua.
        Reef: la sonda de temperatura vuelve a funcionar
          Su valor cambió a las 15:20. No se movía de 75,7 °F desde el 3 de mayo a las 9:05.
        """

    @Test func aCriticalValueIsToldAsSuch() throws {
        let notices = [
            try notice(.alarm, range(.dissolvedOxygen, .low, 2.1, 3, isCritical: true)),
            try notice(.reminder, range(.temperature, .high, 31.2, 30, worst: 32, isCritical: true), day: 3),
        ]
        let text = Language.allCases.map { self.text(notices, $0) }.joined(separator: "\n")
        #expect(
            text == """
                Reef: dissolved oxygen critically low
                  2.1 ppm, below your critical minimum of 3.0 ppm. Outside your limits since 09:05.
                Reef: temperature still critically high
                  31.2 °C, above your critical maximum of 30.0 °C. Outside your limits since 3 May, 09:05. Highest so far: 32.0 °C.
                Reef：溶存酸素量が危険な水準まで下がっています
                  測定値は2.1 ppmです。危険下限の3.0 ppmを下回っています。9:05から設定範囲を外れています。
                Reef：水温が危険な水準まで上がったままです
                  測定値は31.2°Cです。危険上限の30.0°Cを超えています。5月3日9:05から設定範囲を外れています。これまでの最高値は32.0°Cです。
                Reef: oxígeno disuelto críticamente bajo
                  2,1 ppm, por debajo de tu mínimo crítico de 3,0 ppm. Fuera de tus límites desde las 9:05.
                Reef: la temperatura sigue críticamente alta
                  31,2 °C, por encima de tu máximo crítico de 30,0 °C. Fuera de tus límites desde el 3 de mayo a las 9:05. Valor más alto hasta ahora: 32,0 °C.
                """)
    }

    @Test func unstableWaterIsToldAsSuch() throws {
        let notice = try notice(.alarm, range(.dissolvedOxygen, .low, 5.9, 6, worst: 5.8, isUnstable: true))
        let text = Language.allCases.map { self.text([notice], $0) }.joined(separator: "\n")
        #expect(
            text == """
                Reef: dissolved oxygen unstable
                  It keeps leaving your limits and coming back. Now 5.9 ppm, below your minimum of 6.0 ppm. You hear of it again when it is steady.
                Reef：溶存酸素量が不安定です
                  設定範囲の内外を行き来しています。現在の測定値は5.9 ppmで、下限の6.0 ppmを下回っています。落ち着いたらお知らせします。
                Reef: oxígeno disuelto inestable
                  Sale de tus límites y vuelve una y otra vez. Ahora 5,9 ppm, por debajo de tu mínimo de 6,0 ppm. Te avisaremos cuando se estabilice.
                """)
        // The end of unstable water is announced like any other.
        let end = try self.notice(.recovery, range(.dissolvedOxygen, .low, 6.1, 6, worst: 5.8, isUnstable: true))
        #expect(end.message(in: .en).title == "Reef: dissolved oxygen back in range")
    }

    /// The kind is of a newer version.
    @Test func whatIsNotKnownIsToldInPlainWords() throws {
        let notices = [
            try notice(.alarm, .other(kind: "forecast", nil)), try notice(.recovery, .other(kind: "forecast", .ph)),
        ]
        let text = Language.allCases.map { self.text(notices, $0) }.joined(separator: "\n")
        #expect(
            text == """
                Reef: alert
                  Look at the device: something happened at 15:20. AquaMonitor has to be updated to say more.
                Reef: pH alert over
                  It ended at 15:20. AquaMonitor has to be updated to say more.
                Reef：警告があります
                  15:20に警告がありました。デバイスを確認してください。詳しい内容を表示するには、AquaMonitorの更新が必要です。
                Reef：pHの警告が終わりました
                  15:20に終わりました。詳しい内容を表示するには、AquaMonitorの更新が必要です。
                Reef: alerta
                  Revisa el dispositivo: ha ocurrido algo a las 15:20. Hay que actualizar AquaMonitor para saber más.
                Reef: fin de la alerta de pH
                  Terminó a las 15:20. Hay que actualizar AquaMonitor para saber más.
                """)
    }

    @Test(arguments: [
        (Parameter.temperature, Float(25.611), Unit.fahrenheit, "78.1 °F"),
        (.temperature, -40, .fahrenheit, "-40.0 °F"),
        (.temperature, -0.04, .celsius, "0.0 °C"), (.temperature, -0.5, .celsius, "-0.5 °C"),
        (.ammonia, 0.004, .ppm, "0.00 ppm"), (.ammonia, 0.05, .ppm, "0.05 ppm"), (.hardness, 530, .ppm, "530 ppm"),
        (.ph, 8.45, .ph, "8.5"), (.ph, 8.3, .celsius, "8.3"), (.salinity, 1e30, .ppt, "100000.0 ppt"),
    ])
    func showsSensorPrecision(parameter: Parameter, value: Float, unit: Unit, text: String) {
        #expect(parameter.text(value, in: unit, .en) == text)
    }

    @Test func everyParameterHasItsWords() {
        for parameter in Parameter.allCases {
            #expect(!parameter.words.en.isEmpty && !parameter.words.ja.isEmpty && !parameter.words.es.noun.isEmpty)
        }
    }

    @Test(arguments: [
        ("en", Language.en), ("ja", .ja), ("ja-JP", .ja), ("es_MX.UTF-8", .es), ("ES", .es), ("de", .en), ("", .en),
        ("jav", .en),
    ])
    func picksTheLanguage(locale: String, language: Language) {
        #expect(Language(locale: locale) == language)
    }
}
