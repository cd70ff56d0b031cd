/** The journal as components use it; the app says where it comes from. */

/** @typedef {import("../../water/journal.js").Content} Content */
/** @typedef {import("../../water/journal.js").Entry} Entry */
/** @typedef {import("../../water/journal.js").Photo} Photo */

/**
 * Which entries are listed.
 * @typedef {object} Wanted
 * @property {string | null} device null: of all tanks.
 * @property {string | null} kind null: of all kinds.
 */

/**
 * @typedef {object} Listed
 * @property {readonly Entry[] | null} items The newest first, with what waits on this phone; null while they are not known.
 * @property {string | null} next Where older ones begin; null when there are none.
 * @property {number} seenAt When they were read.
 * @property {boolean} isOld Whether they could not be read since.
 * @property {unknown} trouble Why not.
 */

/**
 * @typedef {object} Entries
 * @property {import("../../page/signals.js").Readable<Listed>} listed
 * @property {() => Promise<void>} read
 * @property {() => Promise<void>} readMore It throws as the API does.
 * @property {(update: () => void) => () => void} use Runs now and after each change, and has the list kept up; returns what ends it.
 */

/**
 * @typedef {object} Journal
 * @property {(wanted: Wanted) => Entries} list
 * @property {(device: string, content: Content, known?: Entry) => Promise<Entry>} write Keeps a new entry, or a change of one that is known;
 *     resolves once it is kept on this device.
 * @property {(entry: Entry) => Promise<void>} remove
 * @property {(entry: Pick<Entry, 'id' | 'device'>, shrunk: import("../../page/photo.js").Shrunk) => Promise<void>} addPhoto
 * @property {(entry: Entry, photo: Photo) => Promise<void>} removePhoto
 * @property {(entry: Entry, photo: Photo) => import("../photo/photo.js").Source} sourceOf
 * @property {(entry: Entry) => Promise<void>} retry Sends once more what was refused of an entry.
 * @property {(entry: Entry) => Promise<void>} giveUp Gives up what was refused of an entry.
 * @property {(device: string) => Lists} lists
 */

/**
 * An animal or plant that lives in a tank, or a thing that works there.
 * @typedef {object} Item
 * @property {string} id Empty: of a new one.
 * @property {string} [species] Of what lives.
 * @property {number | null} [count]
 * @property {string} [name] Of a thing.
 * @property {string | null} [kind]
 * @property {string | null} since A day.
 * @property {string | null} until The day since when it is gone.
 * @property {string | null} note
 * @property {number} [version] 0: the service does not have it yet.
 */

/** @typedef {'livestock' | 'equipment'} Sort */
/** @typedef {Record<Sort, readonly Item[]>} Inventory */
/** @typedef {{name: string, reason: string, retry: () => Promise<void>, giveUp: () => Promise<void>}} Refused A change that was not taken. */

/**
 * What lives and works in a tank.
 * @typedef {object} Lists
 * @property {import("../../page/signals.js").Readable<{told: Inventory | null, trouble: unknown, refused: readonly Refused[]}>} known
 * @property {() => Promise<void>} read
 * @property {(sort: Sort, item: Item) => Promise<void>} write
 * @property {(sort: Sort, item: Item) => Promise<void>} remove
 */

/** What a person wrote could not be kept on this device. */
export class NotKept extends Error {
    /** @param {boolean} isFull Whether too much waits to be sent. */
    constructor(isFull) {
        super("not kept");
        this.isFull = isFull;
    }
}
