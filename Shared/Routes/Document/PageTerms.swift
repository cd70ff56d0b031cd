/// The pages' fixed words, which no declaration holds.
struct PageTerms {
    let contents = Localised(en: "Contents", ja: "目次", es: "Contenido")
    let basics = Localised(en: "Basics", ja: "基本事項", es: "Conceptos básicos")
    let address = Localised(
        en:
            "All paths begin with {base}. Bodies are JSON in UTF-8; times are RFC 3339; unknown inputs are refused. The "
            + "same description for programs is at {document} (OpenAPI 3.1).",
        ja: "すべてのパスは{base}で始まります。本文はUTF-8のJSON、日時はRFC 3339です。未知の項目は拒否されます。プログラム向けの同じ記述は{document}（OpenAPI 3.1）にあります。",
        es:
            "Todas las rutas empiezan por {base}. Los cuerpos son JSON en UTF-8 y las fechas siguen RFC 3339; se rechazan "
            + "los datos desconocidos. La misma descripción para programas está en {document} (OpenAPI 3.1).")
    let inputs = Localised(en: "Inputs", ja: "入力", es: "Datos de entrada")
    let name = Localised(en: "Name", ja: "名前", es: "Nombre")
    let place = Localised(en: "Where", ja: "場所", es: "Dónde")
    let form = Localised(en: "Form", ja: "形式", es: "Formato")
    let meaning = Localised(en: "Meaning", ja: "説明", es: "Significado")
    let required = Localised(en: "required", ja: "必須", es: "obligatorio")
    let answer = Localised(en: "Answer", ja: "応答", es: "Respuesta")
    let problems = Localised(en: "Problems", ja: "問題の種類", es: "Problemas")
    let example = Localised(en: "Example", ja: "例", es: "Ejemplo")
    let objects = Localised(en: "Objects", ja: "オブジェクト", es: "Objetos")
    let oneOf = Localised(en: "one of", ja: "次のいずれか:", es: "uno de")
    let nothing = Localised(en: "no body", ja: "本文なし", es: "sin cuerpo")

    func access(_ access: Access) -> Localised {
        switch access {
        case .anyone: Localised(en: "Anyone may use this.", ja: "誰でも使えます。", es: "Cualquiera puede usarlo.")
        case .read:
            Localised(
                en: "Needs a session or a personal token.", ja: "セッションまたは個人用トークンが必要です。",
                es: "Requiere una sesión o un token personal.")
        case .write:
            Localised(
                en: "Needs a session or a personal token that may write.",
                ja: "セッションまたは書き込み可能な個人用トークンが必要です。",
                es: "Requiere una sesión o un token personal con permiso de escritura.")
        case .session:
            Localised(
                en: "Needs a session; personal tokens may not use this.",
                ja: "セッションが必要です。個人用トークンでは使えません。",
                es: "Requiere una sesión; no admite tokens personales.")
        case .fresh:
            Localised(
                en:
                    "Needs a session in which the password was given within the last ten minutes; personal tokens may not use this.",
                ja: "10分以内にパスワードを入力したセッションが必要です。個人用トークンでは使えません。",
                es:
                    "Requiere una sesión en la que se haya indicado la contraseña en los últimos diez minutos; no admite tokens personales."
            )
        }
    }

    func place(_ place: FieldFault.Place) -> Localised {
        switch place {
        case .path: Localised(en: "path", ja: "パス", es: "ruta")
        case .query: Localised(en: "query", ja: "クエリ", es: "consulta")
        case .header: Localised(en: "header", ja: "ヘッダー", es: "cabecera")
        case .body: Localised(en: "body", ja: "本文", es: "cuerpo")
        }
    }

    func type(_ type: String, _ tongue: Tongue) -> String {
        switch type {
        case "string": Localised(en: "text", ja: "文字列", es: "texto")(tongue)
        case "integer": Localised(en: "whole number", ja: "整数", es: "número entero")(tongue)
        case "number": Localised(en: "number", ja: "数値", es: "número")(tongue)
        case "boolean": "true | false"
        case "array": Localised(en: "list", ja: "リスト", es: "lista")(tongue)
        case "object": Localised(en: "object", ja: "オブジェクト", es: "objeto")(tongue)
        case "any": "JSON"
        default: type
        }
    }
}
