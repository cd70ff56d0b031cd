/**
 * What every screen is given.
 */

/**
 * @typedef {object} Context
 * @property {import("./api.js").API} api
 * @property {import("./store.js").Store} store
 * @property {import("./acting.js").Acting | null} acting The project that this window acts for.
 * @property {import("./live.js").Live} live
 * @property {import("../lang/index.js").Words} t Sentences in the person's language.
 * @property {import("../words/format.js").Format} format
 * @property {(path: string, options?: {replace?: boolean}) => Promise<void>} navigate
 * @property {(otherwise: string) => void} back
 * @property {(toast: import("../components/toast/toast.js").ToastModel) => () => void} toast Shows a sentence for a while;
 *     returns what takes it away.
 * @property {(sheet: import("../components/sheet/sheet.js").SheetModel) => import("../components/sheet/sheet.js").Sheet} sheet
 * @property {(question: import("../components/dialog/dialog.js").Question) => Promise<boolean>} confirm
 * @property {(error: unknown, attempt?: 'read' | 'change') => string} explain Why something was not done, in words.
 * @property {(title: string) => void} title The window's title.
 * @property {import("./session.js").SessionKeeper} session
 * @property {import("./preferences.js").Preferences} preferences What this installation remembers for itself.
 * @property {(language: import("../lang/index.js").Language) => Promise<void>} speak Changes the language, here and now.
 * @property {() => Promise<void>} remount Shows the same screen again, as after a change of languages.
 */

/**
 * A screen that stands.
 * @typedef {object} Mounted
 * @property {() => void} [update]
 * @property {() => void} unmount
 */

export {};
