extension Fault {
    package static let missing = Fault(
        "missing", Localised(en: "This is required.", ja: "必須項目です。", es: "Este dato es obligatorio."))
    package static let unknown = Fault(
        "unknown",
        Localised(
            en: "There is no such input here.", ja: "この項目はここでは使えません。", es: "Aquí no existe este dato."))
    package static let repeated = Fault(
        "repeated",
        Localised(
            en: "This may be given only once.", ja: "一度だけ指定してください。", es: "Solo puede indicarse una vez."))
    package static let encoding = Fault(
        "encoding",
        Localised(
            en: "This is not correctly encoded.", ja: "文字の符号化が正しくありません。",
            es: "La codificación no es correcta."))
    package static let nul = Fault(
        "nul-character",
        Localised(
            en: "The character NUL is not allowed.", ja: "NUL文字は使えません。",
            es: "No se admite el carácter NUL."))
    package static let notText = Fault(
        "not-text", Localised(en: "This must be text.", ja: "文字列を指定してください。", es: "Debe ser texto."))
    package static let pattern = Fault(
        "pattern",
        Localised(
            en: "This does not have the expected form.", ja: "形式が正しくありません。",
            es: "No tiene la forma esperada."))
    package static let notInteger = Fault(
        "not-integer",
        Localised(en: "This must be a whole number.", ja: "整数を指定してください。", es: "Debe ser un número entero."))
    package static let notNumber = Fault(
        "not-number", Localised(en: "This must be a number.", ja: "数値を指定してください。", es: "Debe ser un número."))
    package static let notBoolean = Fault(
        "not-boolean",
        Localised(
            en: "This must be true or false.", ja: "trueまたはfalseを指定してください。", es: "Debe ser true o false."))
    package static let notTimestamp = Fault(
        "not-timestamp",
        Localised(
            en: "This must be a date and time with an offset, such as 2026-05-01T12:00:00Z.",
            ja: "2026-05-01T12:00:00Zのように、時差を含む日時を指定してください。",
            es: "Debe ser una fecha y hora con desfase, como 2026-05-01T12:00:00Z."))
    package static let notUUID = Fault(
        "not-uuid", Localised(en: "This must be a UUID.", ja: "UUIDを指定してください。", es: "Debe ser un UUID."))
    package static let notList = Fault(
        "not-list", Localised(en: "This must be a list.", ja: "リストを指定してください。", es: "Debe ser una lista."))
    package static let notObject = Fault(
        "not-object",
        Localised(en: "This must be an object.", ja: "オブジェクトを指定してください。", es: "Debe ser un objeto."))
    package static let cursor = Fault(
        "cursor",
        Localised(
            en: "This cursor does not belong to this list. Start again without a cursor.",
            ja: "このカーソルは使えません。カーソルなしで最初から取得してください。",
            es: "Este cursor no pertenece a esta lista. Empiece de nuevo sin cursor."))
    package static let entityTag = Fault(
        "entity-tag",
        Localised(
            en: "This must be * or a list of entity tags.", ja: "*またはエンティティタグのリストを指定してください。",
            es: "Debe ser * o una lista de etiquetas de entidad."))

    package static func tooShort(minimum: Int) -> Fault {
        Fault(
            "too-short",
            Localised(
                en: "This must have at least {minimum} characters.", ja: "{minimum}文字以上にしてください。",
                es: "Debe tener al menos {minimum} caracteres."),
            parameters: [.init("minimum", .integer(Int64(minimum)))])
    }

    package static func tooLong(maximum: Int) -> Fault {
        Fault(
            "too-long",
            Localised(
                en: "This may have at most {maximum} characters.", ja: "{maximum}文字以下にしてください。",
                es: "Puede tener como máximo {maximum} caracteres."),
            parameters: [.init("maximum", .integer(Int64(maximum)))])
    }

    package static func tooSmall(minimum: JSON) -> Fault {
        Fault(
            "too-small",
            Localised(
                en: "This must be at least {minimum}.", ja: "{minimum}以上にしてください。",
                es: "Debe ser como mínimo {minimum}."),
            parameters: [.init("minimum", minimum)])
    }

    package static func tooLarge(maximum: JSON) -> Fault {
        Fault(
            "too-large",
            Localised(
                en: "This may be at most {maximum}.", ja: "{maximum}以下にしてください。",
                es: "Puede ser como máximo {maximum}."),
            parameters: [.init("maximum", maximum)])
    }

    package static func tooFew(minimum: Int) -> Fault {
        Fault(
            "too-few",
            Localised(
                en: "At least {minimum} entries are needed.", ja: "{minimum}件以上指定してください。",
                es: "Se necesitan al menos {minimum} elementos."),
            parameters: [.init("minimum", .integer(Int64(minimum)))])
    }

    package static func tooMany(maximum: Int) -> Fault {
        Fault(
            "too-many",
            Localised(
                en: "At most {maximum} entries are allowed.", ja: "{maximum}件以下にしてください。",
                es: "Se admiten como máximo {maximum} elementos."),
            parameters: [.init("maximum", .integer(Int64(maximum)))])
    }

    package static func notChoice(_ choices: [String]) -> Fault {
        Fault(
            "not-a-choice",
            Localised(
                en: "This must be one of: {choices}.", ja: "次のいずれかを指定してください: {choices}。",
                es: "Debe ser uno de estos valores: {choices}."),
            parameters: [.init("choices", .string(choices.joined(separator: ", ")))])
    }
}
