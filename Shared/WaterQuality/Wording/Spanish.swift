import Instants

struct Spanish: Phrasebook {
    func header(_ deviceName: String) -> String { "\(deviceName): " }

    func range(_ range: RangeContent, _ notice: Notice) -> Text {
        let (name, told, isHigh) = (range.parameter.words.es, range.told(in: notice.unit), range.side == .high)
        let (value, since) = (told.text(range.value, .es), clock(notice.since, notice.now))
        let beyond =
            "por \(isHigh ? "encima" : "debajo") de tu \(isHigh ? "máximo" : "mínimo")\(range.isCritical ? " crítico" : "")"
            + " de \(told.text(range.toldLimit, .es))"
        let hint =
            range.checkProbe
            ? " El valor está fuera de lo que la sonda puede medir: revisa también la sonda." : ""
        if notice.isOver {
            if range.isBeyond {
                return (
                    "\(name.noun) dentro de tus límites",
                    "Tus límites han cambiado; \(value) está dentro de ellos."
                )
            }
            return (
                "\(name.noun) de nuevo en su rango",
                "\(value) desde \(clock(notice.at, notice.now)). Estaba \(beyond) desde \(since)."
            )
        }
        if range.isUnstable, !notice.isReminder {
            return (
                "\(name.noun) inestable",
                "Sale de tus límites y vuelve una y otra vez. Ahora \(value), \(beyond). "
                    + "Te avisaremos cuando se estabilice." + hint
            )
        }
        // `since` is the time of leaving the range; the critical limit was crossed later.
        let state =
            range.isCritical
            ? "\(value), \(beyond). Fuera de tus límites desde \(since)." : "\(value), \(beyond) desde \(since)."
        let worst =
            notice.isReminder && range.hasBeenWorse
            ? " Valor más \(isHigh ? "alto" : "bajo") hasta ahora: \(told.text(range.worst, .es))." : ""
        let degree = name.tooFar(range.side, isCritical: range.isCritical)
        return (
            notice.isReminder ? "\(name.withArticle) sigue \(degree)" : "\(name.noun) \(degree)", state + worst + hint
        )
    }

    func silence(_ silence: SilenceContent, _ notice: Notice) -> Text {
        let since = clock(notice.since, notice.now)
        let readings = "mediciones" + (silence.parameter.map { " de \($0.words.es.noun)" } ?? "")
        if notice.isOver {
            return (
                "de nuevo hay \(readings)",
                "Vuelven a llegar desde \(clock(notice.at, notice.now)). No había llegado nada desde \(since)."
            )
        }
        let body =
            switch silence.cause {
            case .missing: "Ninguna desde \(since), aunque las demás siguen llegando. Revisa la sonda."
            case .anotherProbe:
                "Ninguna desde \(since): responde otra sonda en lugar de la que está en el agua. Si se cambió, elige la nueva en la "
                    + "página del dispositivo."
            case .connected: "No llega nada desde \(since), aunque está conectado. Revisa la sonda."
            case .cutOff: "No llega nada desde \(since). Revisa la corriente y la red."
            }
        return ("\(notice.isReminder ? "sigue sin" : "sin") \(readings)", body)
    }

    func fault(_ fault: FaultContent, _ notice: Notice) -> Text {
        let (probe, since) = ("la sonda de \(fault.parameter.words.es.noun)", clock(notice.since, notice.now))
        let flatAt = fault.flatAt(in: notice.unit, .es)
        if notice.isOver {
            let time = clock(notice.at, notice.now)
            return (
                "\(probe) vuelve a funcionar",
                flatAt.map { "Su valor cambió a \(time). No se movía de \($0) desde \(since)." }
                    ?? "Ha dado una medición a \(time). Enviaba un error desde \(since)."
            )
        }
        return (
            notice.isReminder ? "\(probe) sigue fallando" : "revisa \(probe)",
            flatAt.map {
                "Desde \(since) su valor no se mueve de \($0). Límpiala y comprueba que esté en el agua."
            } ?? "Desde \(since) envía un error en lugar de mediciones. Revisa su conector y su cable."
        )
    }

    func rate(_ rate: RateContent, _ notice: Notice) -> Text {
        let name = rate.parameter.words.es.withArticle
        if notice.isOver {
            return (
                "\(name) vuelve a estar estable",
                "Cambia más despacio desde \(clock(notice.at, notice.now)). "
                    + "Cambiaba más rápido que tu límite desde \(clock(notice.since, notice.now))."
            )
        }
        let verb =
            switch (notice.isReminder, rate.rises) {
            case (false, true): "sube"
            case (false, false): "baja"
            case (true, true): "sigue subiendo"
            case (true, false): "sigue bajando"
            }
        let title = "\(name) \(verb) muy rápido"
        guard let (by, minutes, to, limit) = rate.text(in: notice.unit, .es) else { return (title, "") }
        let time = minutes == 1 ? "un minuto" : "\(minutes) minutos"
        return (
            title,
            "Ha \(rate.rises ? "subido" : "bajado") \(by) en \(time), hasta \(to). Tu límite es de \(limit) en una hora."
        )
    }

    func ahead(_ ahead: AheadContent, _ notice: Notice) -> Text {
        let name = ahead.parameter.words.es.withArticle
        if notice.isOver {
            return (
                "\(name) ya no alcanzaría pronto tu límite",
                "Cambió de rumbo o va más despacio desde \(clock(notice.at, notice.now)). "
                    + "Iba hacia tu límite desde \(clock(notice.since, notice.now))."
            )
        }
        let rises = ahead.outlook?.side == .high
        let title = "\(name) está \(rises ? "subiendo" : "bajando")"
        guard let (value, limit) = ahead.text(in: notice.unit, .es), let time = notice.expected else {
            return (title, "")
        }
        return (
            title,
            "A este ritmo, hacia \(clock(time, notice.now)) estará por \(rises ? "encima" : "debajo") "
                + "de \(limit). Ahora está en \(value)."
        )
    }

    func other(of parameter: Parameter?, _ notice: Notice) -> Text {
        let alert = "alerta" + (parameter.map { " de \($0.words.es.noun)" } ?? "")
        let time = clock(notice.at, notice.now)
        return notice.isOver
            ? ("fin de la \(alert)", "Terminó a \(time). Hay que actualizar AquaMonitor para saber más.")
            : (
                alert,
                "Revisa el dispositivo: ha ocurrido algo a \(time). Hay que actualizar AquaMonitor para saber más."
            )
    }

    func ended(_ notice: Notice) -> Text {
        (
            "ya no se comparte contigo",
            "Terminó a \(clock(notice.now, notice.now)), en plena alerta. No te llegará nada más de este equipo: "
                + "pregunta a su dueño cómo está el agua."
        )
    }

    var test: Text {
        ("Notificación de prueba de AquaMonitor", "Así te llegarán los avisos sobre tu agua.")
    }

    /// One o'clock is singular in Spanish.
    func clock(_ time: CivilTime, _ now: CivilTime) -> String {
        let clock = "\(time.hour == 1 ? "la" : "las") \(time.clock(paddedHour: false))"
        return time.isSameDay(as: now)
            ? clock : "el \(time.day) de \(Self.months[time.month - 1]) a \(clock)"
    }

    private static let months = [
        "enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre", "octubre",
        "noviembre", "diciembre",
    ]
}
