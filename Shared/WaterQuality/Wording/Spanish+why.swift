import Instants

extension Spanish {
    func happening(_ step: ToldStep) -> String {
        switch step.step.what {
        case .limits: limits(step)
        case .gap: step.holdsUntil.map { "No llegó nada hasta \(clock($0, step.time))." } ?? "No llegó nada."
        case .inRange: "\(values(step)), dentro de tus límites\(stretch(step))."
        case .opened, .flipped:
            step.values == nil ? "Fuera de tus límites." : "\(values(step)), \(beyond(step)).\(hint(step))"
        case .ongoing:
            step.values == nil
                ? "Sigue fuera de tus límites." : "\(values(step)), sigue \(beyond(step))\(stretch(step)).\(hint(step))"
        case .settling where step.step.notification == .held: "\(values(step)), tras un salto."
        case .settling:
            "\(values(step)), de nuevo dentro, pero aún no lo bastante para darlo por terminado\(stretch(step))."
        case .recovered:
            step.values == nil ? "De nuevo dentro de tus límites." : "\(values(step)), de nuevo dentro de tus límites."
        case .superseded:
            "\(values(step)), pero llegó tarde para contar: ya se habían valorado mediciones más recientes\(stretch(step))."
        case .history:
            "\(values(step)), guardado como historial: llegó mucho después de medirse, o una vez más\(stretch(step))."
        case .unlimited: "\(values(step)); no habías puesto límites\(stretch(step))."
        case .undecided: "\(values(step)); no consta ninguna decisión sobre ello\(stretch(step))."
        case .silent: "No llegaban mediciones: se dio por silencio."
        case .heard: "Volvieron a llegar mediciones."
        case .broken: "La sonda envió un error en lugar de una medición."
        case .works: "La sonda volvió a dar una medición."
        case .flat: "El valor llevaba horas sin cambiar: eso contó como un fallo de la sonda."
        case .moved: "El valor volvió a cambiar."
        case .changing: "Cambió más rápido que tu límite."
        case .steady: "Volvió a cambiar más despacio."
        case .heading: "Iba hacia tu límite."
        case .turned: "Ya no alcanzaría pronto tu límite."
        case .allClear: step.isTold ? "Se te dijo que había pasado." : "Había pasado."
        case .unlinked: "El equipo se quitó."
        }
    }

    func outcome(_ step: ToldStep) -> String {
        switch step.step.notification {
        case .none: ""
        case .alerted:
            step.step.what == .allClear
                ? told("", "Un aviso de que había pasado", step) : told("Se te avisó.", "Un aviso", step)
        case .reminded: told("Se te recordó.", "Un recordatorio", step)
        case .critical:
            told("Se te avisó al momento: supera tu límite crítico.", "Un aviso de que supera tu límite crítico", step)
        case .unstable:
            told(
                "Se te dijo que es inestable, una vez en lugar de más alarmas.",
                "Un aviso de que es inestable, una vez en lugar de más alarmas,", step)
        case .stale: "Sin aviso: llegó demasiado tarde para ser noticia."
        case .held where step.step.what == .settling:
            "Aún no ha terminado: podía ser un fallo momentáneo de la sonda, y la siguiente medición lo diría."
        case .held: "Aún sin aviso: podía ser un fallo momentáneo de la sonda, y la siguiente medición lo diría."
        case .noRecipient: "Sin aviso: no había adónde enviarlo."
        case .throttled:
            "Sin aviso: se te había avisado poco antes."
                + (step.holdsUntil.map { " El siguiente puede llegar desde \(clock($0, step.time))." } ?? "")
        case .delayed: "Aún sin aviso: esperas a que dure \(step.delay.map(span) ?? "más")."
        case .acknowledged: "Sin aviso: ya lo sabías."
        case .snoozed:
            "Sin aviso: lo habías silenciado" + (step.holdsUntil.map { " hasta \(clock($0, step.time))." } ?? ".")
        case .toldUnstable: "Sin aviso: ya se te había dicho que es inestable."
        case .outOfRange: "Sin aviso de eso: ya se te había dicho que está fuera de tus límites."
        case .unknown:
            "No consta ningún aviso: quizá no había adónde enviarlo, o tus avisos iban entonces más espaciados."
        }
    }

    /// An alert that arrived was told; for any other the sentence says how far it got.
    private func told(_ sentence: String, _ message: String, _ step: ToldStep) -> String {
        switch step.step.alert?.state {
        case .delivered: ToldStep.sentences(sentence, "Llegó.")
        case nil: sentence
        case .undelivered: "\(message) se envió, y no llegó."
        case .decided, .sending: "\(message) está en camino."
        case .cancelled: "\(message) se preparó, y se anuló."
        }
    }

    private func limits(_ step: ToldStep) -> String {
        guard let range = step.step.range else { return "No habías puesto límites." }
        let (minimum, maximum) = (range.minimum.map(step.text), range.maximum.map(step.text))
        var text =
            switch (minimum, maximum) {
            case (let minimum?, let maximum?): "Tus límites: de \(minimum) a \(maximum)."
            case (let minimum?, nil): "Tu mínimo: \(minimum)."
            case (nil, let maximum?): "Tu máximo: \(maximum)."
            case (nil, nil): "No habías puesto límites."
            }
        let critical = [
            range.criticalMinimum.map { "por debajo de \(step.text($0))" },
            range.criticalMaximum.map { "por encima de \(step.text($0))" },
        ].compactMap(\.self)
        if !critical.isEmpty { text += " Crítico \(critical.joined(separator: " y "))." }
        if let delay = step.delay { text += " Se te avisa tras \(span(delay)) fuera." }
        if range.tellsUnstable { text += " El agua inestable se avisa una vez." }
        if let limit = step.changeLimit { text += " Se te avisa si cambia más de \(limit) en una hora." }
        if let ahead = step.ahead { text += " Se te avisa \(span(ahead)) antes de alcanzar un límite." }
        return text
    }

    private func values(_ step: ToldStep) -> String {
        guard let (least, greatest) = step.values else { return "" }
        return least == greatest ? least : "Entre \(least) y \(greatest)"
    }

    private func beyond(_ step: ToldStep) -> String {
        guard let limit = step.limit.map(step.text) else { return "fuera de tus límites" }
        return step.step.side == .high ? "por encima de tu máximo de \(limit)" : "por debajo de tu mínimo de \(limit)"
    }

    private func stretch(_ step: ToldStep) -> String {
        step.stretch.map { " (\($0.count) mediciones hasta \(clock($0.until, step.time)))" } ?? ""
    }

    private func hint(_ step: ToldStep) -> String {
        step.step.checkProbe ? " Es más de lo que la sonda puede medir." : ""
    }

    private func span(_ delay: (count: Int64, unit: ToldStep.DelayUnit)) -> String {
        switch delay.unit {
        case .seconds: "\(delay.count) s"
        case .minutes: "\(delay.count) min"
        case .hours: "\(delay.count) h"
        }
    }
}
