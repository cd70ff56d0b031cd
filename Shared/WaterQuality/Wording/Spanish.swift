import Instants

struct Spanish: Phrasebook {
    func alarm(_ trouble: Notice.Trouble) -> Notice.Message {
        let noun = trouble.parameter.words.es
        return Notice.Message(
            title: "\(trouble.deviceName): \(noun.noun) \(noun.tooFar(trouble.side, isCritical: trouble.isCritical))",
            body: state(trouble) + hint(trouble))
    }

    func unstable(_ trouble: Notice.Trouble) -> Notice.Message {
        Notice.Message(
            title: "\(trouble.deviceName): \(trouble.parameter.words.es.noun) inestable",
            body: "Sale de tus límites y vuelve una y otra vez. Ahora \(trouble.text(trouble.value, .es)), "
                + "\(beyond(trouble)). Te avisaremos cuando se estabilice." + hint(trouble))
    }

    func reminder(_ trouble: Notice.Trouble, worst: Float) -> Notice.Message {
        let noun = trouble.parameter.words.es
        let worst = trouble.isWorse(worst) ? " \(extreme(trouble)) hasta ahora: \(trouble.text(worst, .es))." : ""
        return Notice.Message(
            title: "\(trouble.deviceName): \(noun.withArticle) sigue "
                + noun.tooFar(trouble.side, isCritical: trouble.isCritical),
            body: state(trouble) + worst + hint(trouble))
    }

    func recovery(_ trouble: Notice.Trouble, at time: CivilTime) -> Notice.Message {
        if trouble.isBeyond {
            return Notice.Message(
                title: "\(trouble.deviceName): \(trouble.parameter.words.es.noun) dentro de tus límites",
                body: "Tus límites han cambiado; \(trouble.text(trouble.value, .es)) está dentro de ellos.")
        }
        return Notice.Message(
            title: "\(trouble.deviceName): \(trouble.parameter.words.es.noun) de nuevo en su rango",
            body: "\(trouble.text(trouble.value, .es)) desde \(clock(time, trouble.now)). "
                + "Estaba \(beyond(trouble)) desde \(clock(trouble.since, trouble.now)).")
    }

    func ended(_ parting: Notice.Parting) -> Notice.Message {
        Notice.Message(
            title: "\(parting.deviceName): ya no se comparte contigo",
            body: "Terminó a \(clock(parting.at, parting.at)), en plena alerta. No te llegará nada más de este equipo: "
                + "pregunta a su dueño cómo está el agua.")
    }

    func silence(_ quiet: Notice.Quiet, isReminder: Bool) -> Notice.Message {
        let time = clock(quiet.since, quiet.now)
        let title = "\(quiet.deviceName): \(isReminder ? "sigue sin" : "sin") mediciones"
        if let parameter = quiet.parameter?.words.es.noun {
            return Notice.Message(
                title: "\(title) de \(parameter)",
                body: quiet.cause == .anotherProbe
                    ? "Ninguna desde \(time): responde otra sonda en lugar de la que está en el agua. Si se cambió, elige la nueva en la "
                        + "página del dispositivo."
                    : "Ninguna desde \(time), aunque las demás siguen llegando. Revisa la sonda.")
        }
        let since = "No llega nada desde \(time)"
        return Notice.Message(
            title: title,
            body: quiet.cause == .connected
                ? "\(since), aunque está conectado. Revisa la sonda." : "\(since). Revisa la corriente y la red.")
    }

    func heardAgain(_ quiet: Notice.Quiet, at time: CivilTime) -> Notice.Message {
        let of = quiet.parameter.map { " de \($0.words.es.noun)" } ?? ""
        return Notice.Message(
            title: "\(quiet.deviceName): de nuevo hay mediciones\(of)",
            body: "Vuelven a llegar desde \(clock(time, quiet.now)). No había llegado nada desde "
                + "\(clock(quiet.since, quiet.now)).")
    }

    func fault(_ broken: Notice.Broken, isReminder: Bool) -> Notice.Message {
        let (probe, since) = ("la sonda de \(broken.parameter.words.es.noun)", clock(broken.since, broken.now))
        return Notice.Message(
            title: "\(broken.deviceName): \(isReminder ? "\(probe) sigue fallando" : "revisa \(probe)")",
            body: broken.flatAt(.es).map {
                "Desde \(since) su valor no se mueve de \($0). Límpiala y comprueba que esté en el agua."
            } ?? "Desde \(since) envía un error en lugar de mediciones. Revisa su conector y su cable.")
    }

    func worksAgain(_ broken: Notice.Broken, at time: CivilTime) -> Notice.Message {
        let (time, since) = (clock(time, broken.now), clock(broken.since, broken.now))
        return Notice.Message(
            title: "\(broken.deviceName): la sonda de \(broken.parameter.words.es.noun) vuelve a funcionar",
            body: broken.flatAt(.es).map { "Su valor cambió a \(time). No se movía de \($0) desde \(since)." }
                ?? "Ha dado una medición a \(time). Enviaba un error desde \(since).")
    }

    func changing(_ course: Notice.Course, isReminder: Bool) -> Notice.Message {
        let verb =
            switch (isReminder, course.rises) {
            case (false, true): "sube"
            case (false, false): "baja"
            case (true, true): "sigue subiendo"
            case (true, false): "sigue bajando"
            }
        let title = "\(course.deviceName): \(course.parameter.words.es.withArticle) \(verb) muy rápido"
        guard let (by, minutes, to, limit) = course.told(.es) else { return Notice.Message(title: title, body: "") }
        return Notice.Message(
            title: title,
            body:
                "Ha \(course.rises ? "subido" : "bajado") \(by) en \(minutes == 1 ? "un minuto" : "\(minutes) minutos"), "
                + "hasta \(to). Tu límite es de \(limit) en una hora.")
    }

    func steady(_ course: Notice.Course, at time: CivilTime) -> Notice.Message {
        Notice.Message(
            title: "\(course.deviceName): \(course.parameter.words.es.withArticle) vuelve a estar estable",
            body: "Cambia más despacio desde \(clock(time, course.now)). "
                + "Cambiaba más rápido que tu límite desde \(clock(course.since, course.now)).")
    }

    func heading(_ way: Notice.Way) -> Notice.Message {
        let title =
            "\(way.deviceName): \(way.parameter.words.es.withArticle) está \(way.rises ? "subiendo" : "bajando")"
        guard let (value, limit, at) = way.told(.es) else { return Notice.Message(title: title, body: "") }
        return Notice.Message(
            title: title,
            body: "A este ritmo, hacia \(clock(at, way.now)) estará por \(way.rises ? "encima" : "debajo") "
                + "de \(limit). Ahora está en \(value).")
    }

    func turned(_ way: Notice.Way, at time: CivilTime) -> Notice.Message {
        Notice.Message(
            title: "\(way.deviceName): \(way.parameter.words.es.withArticle) ya no alcanzaría pronto tu límite",
            body: "Cambió de rumbo o va más despacio desde \(clock(time, way.now)). "
                + "Iba hacia tu límite desde \(clock(way.since, way.now)).")
    }

    var test: Notice.Message {
        Notice.Message(
            title: "Notificación de prueba de AquaMonitor", body: "Así te llegarán los avisos sobre tu agua.")
    }

    /// `since` is the time of leaving the range; the critical limit was crossed later.
    private func state(_ trouble: Notice.Trouble) -> String {
        let (value, since) = (trouble.text(trouble.value, .es), clock(trouble.since, trouble.now))
        return trouble.isCritical
            ? "\(value), \(beyond(trouble)). Fuera de tus límites desde \(since)."
            : "\(value), \(beyond(trouble)) desde \(since)."
    }

    private func beyond(_ trouble: Notice.Trouble) -> String {
        let limit = trouble.text(trouble.limit, .es)
        let critical = trouble.isCritical ? " crítico" : ""
        return trouble.side == .high
            ? "por encima de tu máximo\(critical) de \(limit)" : "por debajo de tu mínimo\(critical) de \(limit)"
    }

    private func extreme(_ trouble: Notice.Trouble) -> String {
        trouble.side == .high ? "Valor más alto" : "Valor más bajo"
    }

    private func hint(_ trouble: Notice.Trouble) -> String {
        trouble.checkProbe ? " El valor está fuera de lo que la sonda puede medir: revisa también la sonda." : ""
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
