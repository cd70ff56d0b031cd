// The sentences of the set-up page, in the languages of the app: the browser's own if it is one of them, English otherwise.
#pragma once

#include <string>

namespace aqua {

struct PortalWords {
    const char *code, *title, *network, *password, *settings, *newSettings, *send, *joining, *joined, *connected, *refused, *notJoined, *badNetwork,
        *noSettings, *badSettings, *cut, *tooLong, *elsewhere;

    // wished: the field Accept-Language.
    static const PortalWords &of(const std::string &wished) {
        for (size_t start = 0; start < wished.size();) {
            size_t end = wished.find(',', start);
            size_t first = wished.find_first_not_of(' ', start);
            for (const auto &words : all)
                if (first != std::string::npos && wished.compare(first, 2, words.code) == 0) return words;
            start = end == std::string::npos ? wished.size() : end + 1;
        }
        return all[0];
    }

    static const PortalWords all[4];
};

inline const PortalWords PortalWords::all[4] = {
    {"en", "Set up this probe", "Wi-Fi network", "Its password", "Text from the app", "Text from the app (empty: stays as it is)", "Set up",
     "Joining the network. This can take 20 seconds. If this page goes away, look in the app: the probe shows there once it reports.",
     "In the network. Waiting for the service.", "Done: the probe reports. You can close this page.",
     "The service does not take the key. Make a new one in the app, and paste its text here.",
     "The network was not joined. Check its name and its password.", "That is no network: a name is needed, and its password has at least 8 letters or none.",
     "Paste the text from the app.", "That is not the text from the app, or it was changed.", "The end of the text is missing. Copy all of it.",
     "The text is too long for this device.", "This came from another page, and was not taken."},
    {"ja", "プローブの設定", "Wi-Fiネットワーク", "パスワード", "アプリのテキスト", "アプリのテキスト（空欄なら変更しません）", "設定する",
     "ネットワークに接続しています。20秒ほどかかることがあります。この画面が消えたら、アプリで確認してください。", "ネットワークに接続しました。サービスを待っています。",
     "完了しました。プローブが送信しています。この画面を閉じてもかまいません。", "サービスがキーを受け付けません。アプリで新しいキーを作り、そのテキストを貼り付けてください。",
     "ネットワークに接続できませんでした。名前とパスワードを確認してください。", "ネットワークの名前が必要です。パスワードは8文字以上か、空欄です。", "アプリのテキストを貼り付けてください。",
     "アプリのテキストではないか、変更されています。", "テキストの終わりがありません。全体をコピーしてください。", "テキストがこの機器には長すぎます。", "別のページから送られたため、受け付けませんでした。"},
    {"es", "Configura esta sonda", "Red wifi", "Su contraseña", "Texto de la app", "Texto de la app (vacío: queda como está)", "Configurar",
     "Uniéndose a la red. Puede tardar 20 segundos. Si esta página desaparece, mira en la app: la sonda aparece allí cuando envía datos.",
     "En la red. Esperando al servicio.", "Listo: la sonda envía datos. Puedes cerrar esta página.",
     "El servicio no acepta la clave. Crea una nueva en la app y pega aquí su texto.", "No se pudo unir a la red. Revisa su nombre y su contraseña.",
     "Eso no es una red: hace falta un nombre, y su contraseña tiene al menos 8 letras o ninguna.", "Pega el texto de la app.",
     "Ese no es el texto de la app, o se ha cambiado.", "Falta el final del texto. Cópialo entero.", "El texto es demasiado largo para este aparato.",
     "Vino de otra página y no se aceptó."},
    {"de", "Diese Sonde einrichten", "WLAN", "Sein Passwort", "Text aus der App", "Text aus der App (leer: bleibt, wie er ist)", "Einrichten",
     "Verbindet sich mit dem WLAN. Das kann 20 Sekunden dauern. Verschwindet diese Seite, sieh in der App nach: Dort erscheint die Sonde, sobald sie misst.",
     "Im WLAN. Wartet auf den Dienst.", "Fertig: Die Sonde meldet sich. Du kannst diese Seite schließen.",
     "Der Dienst nimmt den Schlüssel nicht an. Mach in der App einen neuen und füge seinen Text hier ein.",
     "Das WLAN war nicht zu erreichen. Prüfe seinen Namen und sein Passwort.",
     "Das ist kein WLAN: Ein Name ist nötig, und das Passwort hat mindestens 8 Zeichen oder keines.", "Füge den Text aus der App ein.",
     "Das ist nicht der Text aus der App, oder er wurde verändert.", "Das Ende des Textes fehlt. Kopiere ihn ganz.", "Der Text ist zu lang für dieses Gerät.",
     "Das kam von einer anderen Seite und wurde nicht angenommen."},
};

} // namespace aqua
