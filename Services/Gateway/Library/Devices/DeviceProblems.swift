import HTTPTypes
import Routes

extension ProblemType {
    static let claimCodeUnknown = ProblemType(
        "claim-code-unknown", .notFound,
        title: Localised(
            en: "No device has this claim code", ja: "この登録コードのデバイスはありません",
            es: "Ningún dispositivo tiene este código"),
        detail: Localised(
            en:
                "Compare it with the code that came with the device. A code works once; unlinking the device makes another.",
            ja: "デバイスに付属のコードと照らし合わせてください。コードは一度しか使えず、登録を解除すると新しくなります。",
            es:
                "Compárelo con el código que acompaña al dispositivo. Cada código sirve una vez; al desvincular el dispositivo se crea otro."
        ))
    static let deviceTaken = ProblemType(
        "device-taken", .conflict,
        title: Localised(
            en: "The device is linked to another account", ja: "このデバイスは別のアカウントに登録されています",
            es: "El dispositivo está vinculado a otra cuenta"),
        detail: Localised(
            en: "It must be unlinked there first, which makes a new claim code.",
            ja: "先にそのアカウントで登録を解除してください。新しいコードが発行されます。",
            es: "Primero hay que desvincularlo allí; entonces se crea un código nuevo."))
    static let deviceAlreadyYours = ProblemType(
        "device-already-yours", .conflict,
        title: Localised(
            en: "The device is linked to your account already", ja: "このデバイスはすでに登録済みです",
            es: "El dispositivo ya está vinculado a su cuenta"))
    static let ownerOnly = ProblemType(
        "owner-only", .forbidden,
        title: Localised(
            en: "Only the owner of the device may do that", ja: "この操作はデバイスの所有者のみ行えます",
            es: "Solo el propietario del dispositivo puede hacerlo"))
}
