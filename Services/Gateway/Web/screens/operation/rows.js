/** Rows for operators: of the installation's health, its accounts and its devices. */

/** @typedef {import("../../words/format.js").Voice} Voice */
/** @typedef {import("../../components/list-row/list-row.js").RowModel} RowModel */

/** A row with the language of its words, where they are not the person's. @typedef {RowModel & {lang?: string}} OperationRow */

/** @typedef {{count: number, since: string | null}} Backlog */
/** @typedef {'live' | 'silent' | 'unheard' | 'unlinked'} Standing */
/** @typedef {{topic: string, status: string, finding: string, mend: string | null}} Finding */

/**
 * @typedef {object} Operation
 * @property {string[]} away
 * @property {Backlog} readings
 * @property {Backlog} alerts
 * @property {Backlog} deliveries
 * @property {Record<Standing, number>} devices
 * @property {number} people
 * @property {number} unreached
 * @property {number} projects
 * @property {{reason: string, count: number}[]} rejects
 * @property {{channel: string, state: string, count: number}[]} sent
 * @property {string | null} lookedAt
 * @property {Finding[]} findings
 */

/**
 * @typedef {object} OperatedAccount
 * @property {string} email
 * @property {string} createdAt
 * @property {string | null} seenAt
 * @property {number} sessions
 * @property {number} devices
 * @property {number} projects
 * @property {boolean} isReached
 * @property {boolean} isOperator
 */

/**
 * @typedef {object} OperatedDevice
 * @property {string} id
 * @property {Standing} standing
 * @property {string | null} heardAt
 * @property {boolean | null} isOnline
 * @property {string | null} family
 * @property {string | null} version
 * @property {string | null} owner
 * @property {boolean} isOfProject
 * @property {number} rejected
 */

/** As many are counted of what waits. */
const mostCounted = 100_000;
/** Findings that are older say nothing of the present, in milliseconds. */
const longestKnown = 24 * 3_600_000;
/** The marks of a device: of what is linked to nobody nothing can be wrong. @type {Record<Standing, import("../../components/shape/shape.js").ShapeName | undefined>} */
const marks = { live: "live", silent: "silent", unheard: "pending", unlinked: undefined };
/** Services that are called alike everywhere. @type {Record<string, string>} */
const brands = { ntfy: "ntfy", telegram: "Telegram", matrix: "Matrix", slack: "Slack", gotify: "Gotify", pushover: "Pushover" };
const standings = /** @type {const} */ (["live", "silent", "unheard", "unlinked"]);
const states = ["accepted", "pending", "failed", "stale", "cancelled"];

/**
 * Services without a connection, and what waits.
 * @param {Operation} operation
 * @param {Voice} voice
 * @param {number} now
 * @returns {RowModel[]}
 */
export function presentRows(operation, { t, format }, now) {
    const { away } = operation;
    /** @type {(key: 'readings' | 'alerts' | 'deliveries') => RowModel} */
    const waits = (key) => {
        const { count, since } = operation[key];
        const text = format.number(count, 0);
        const span = since === null ? "" : format.brief(Math.max(0, now - Date.parse(since)));
        return {
            name: t(`operation.waits_${key}`),
            value: count >= mostCounted ? t("operation.most", { count: text }) : text,
            detail: span === "" ? "" : t(key === "deliveries" ? "operation.overdue" : "operation.oldest", { span }),
        };
    };
    return [
        ...(away.length === 0
            ? [{ name: t("operation.connected"), mark: /** @type {const} */ ("fine") }]
            : away.map((name) => ({
                name: t.has(`operation.away_${name}`) ? t(`operation.away_${name}`) : name,
                mark: /** @type {const} */ ("fault"),
            }))),
        waits("readings"),
        waits("alerts"),
        waits("deliveries"),
    ];
}

/**
 * The doctor's findings: faults first, then the number of checks that were fine. Of findings of long ago that is said before.
 * @param {Operation} operation
 * @param {Voice} voice
 * @param {number} now
 * @returns {OperationRow[]}
 */
export function doctorRows({ lookedAt, findings }, { t }, now) {
    if (lookedAt === null) return [{ name: t("operation.doctor_never") }];
    /** @param {string} status */
    const of = (status) => findings.filter((finding) => finding.status === status);
    const wrong = of("wrong");
    const [fine, skipped] = [of("ok").length, of("skipped").length];
    /** @type {(finding: Finding) => OperationRow} */
    const rowOf = ({ topic, status, finding, mend }) => ({
        name: `${topic}: ${finding}`,
        more: mend ? [mend] : [],
        mark: status === "wrong" ? "fault" : "due",
        lang: "en",
    });
    const isOld = now - Date.parse(lookedAt) > longestKnown;
    return [
        ...(isOld ? [{ name: t("operation.doctor_old"), mark: /** @type {const} */ ("due") }] : []),
        ...(wrong.length > 0
            ? [{ name: t("operation.doctor_wrong", { count: wrong.length }), mark: /** @type {const} */ ("fault") }]
            : isOld ? [] : [{ name: t("operation.doctor_fine"), mark: /** @type {const} */ ("fine") }]),
        ...[...wrong, ...of("notice")].map(rowOf),
        ...(fine > 0 ? [{ name: t("operation.doctor_ok", { count: fine }) }] : []),
        ...(skipped > 0 ? [{ name: t("operation.doctor_skipped", { count: skipped }) }] : []),
    ];
}

/**
 * Numbers of devices by their standing.
 * @param {Operation} operation
 * @param {Voice} voice
 * @returns {RowModel[]}
 */
export function standingRows({ devices }, { t, format }) {
    return standings.map((standing) => ({
        name: t(`operation.standing_${standing}`),
        value: format.number(devices[standing], 0),
        mark: devices[standing] > 0 && standing === "silent" ? "silent" : undefined,
    }));
}

/**
 * Messages of the last hour that were not taken, by reason.
 * @param {Operation} operation
 * @param {Voice} voice
 * @returns {RowModel[]}
 */
export function rejectRows({ rejects }, { t, format }) {
    if (rejects.length === 0) return [{ name: t("operation.rejects_none"), mark: "fine" }];
    return rejects.map(({ reason, count }) => ({ name: reasonText(reason, t), value: format.number(count, 0) }));
}

/**
 * @param {string} reason
 * @param {import("../../lang/index.js").Words} t
 */
function reasonText(reason, t) {
    const key = [`operation.reason_${reason}`, `rejects.reason_${reason}_all`, `rejects.reason_${reason}`].find((key) => t.has(key));
    return key ? capital(t(key), t) : reason;
}

/**
 * @param {string} text
 * @param {import("../../lang/index.js").Words} t
 */
const capital = (text, t) => text.charAt(0).toLocaleUpperCase(t.language) + text.slice(1);

/**
 * Deliveries of the last day, a row a channel.
 * @param {Operation} operation
 * @param {Voice} voice
 * @returns {RowModel[]}
 */
export function sentRows({ sent }, { t, format }) {
    if (sent.length === 0) return [{ name: t("operation.sent_none") }];
    const channels = [...new Set(sent.map(({ channel }) => channel))];
    return channels.map((channel) => {
        const own = sent.filter((one) => one.channel === channel);
        const counts = own.toSorted((one, other) => states.indexOf(one.state) - states.indexOf(other.state)).map(({ state, count }) => {
            const text = format.number(count, 0);
            return t.has(`operation.sent_${state}`) ? t(`operation.sent_${state}`, { count: text }) : `${text} ${state}`;
        });
        return { name: channelName(channel, t), detail: counts.join(" · "), mark: own.some(({ state }) => state === "failed") ? "fault" : undefined };
    });
}

/**
 * @param {string} channel
 * @param {import("../../lang/index.js").Words} t
 */
function channelName(channel, t) {
    return t.has(`operation.channel_${channel}`) ? t(`operation.channel_${channel}`) : brands[channel] ?? channel;
}

/**
 * @param {OperatedAccount} account
 * @param {Voice} voice
 * @returns {RowModel}
 */
export function accountRow(account, { t, format }) {
    const { email, createdAt, seenAt, sessions, devices, projects, isReached, isOperator } = account;
    const has = [
        t("operation.own", { count: devices }),
        projects > 0 ? t("operation.parts", { count: projects }) : "",
        sessions > 0 ? t("operation.signedIn", { count: sessions }) : "",
        isReached ? "" : t("operation.noAlert"),
    ];
    return {
        name: email,
        detail: [
            t("operation.opened", { date: format.date(Date.parse(createdAt)) }),
            seenAt === null ? t("operation.unseen") : t("operation.seen", { at: format.at(Date.parse(seenAt)) }),
        ].join(" · "),
        more: [has.filter(Boolean).join(" · "), ...(isOperator ? [t("operation.isOperator")] : [])],
    };
}

/**
 * @param {OperatedDevice} device
 * @param {Voice} voice
 * @returns {RowModel}
 */
export function deviceRow(device, { t, format }) {
    const { id, standing, heardAt, family, version, owner, isOfProject, rejected } = device;
    const firmware = [family, version].filter(Boolean).join(" ");
    const whose = owner === null ? "" : isOfProject ? t("operation.ofProject", { name: owner }) : owner;
    return {
        name: id,
        detail: [t(`operation.standing_${standing}`), heardAt === null ? "" : t("operation.heard", { at: format.at(Date.parse(heardAt)) })].filter(Boolean).join(" · "),
        more: [
            [firmware, whose].filter(Boolean).join(" · "),
            rejected > 0 ? t("operation.rejected", { count: rejected }) : "",
        ].filter(Boolean),
        mark: marks[standing],
    };
}
