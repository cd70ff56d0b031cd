/**
 * Projects: what owns tanks that several people keep, and what each of them may do.
 */

/** @typedef {'owner' | 'administrator' | 'keeper' | 'viewer'} Role */

/** @typedef {Role | 'sender'} Invited */

/** @typedef {{id: string, name: string, role: Role, devices: number, members: number}} Project */

/**
 * @typedef {object} Member
 * @property {string} id
 * @property {string} name
 * @property {Role} role
 * @property {string} since
 * @property {string | null} until When the membership ends by itself.
 * @property {boolean} isMe
 */

/** @typedef {{id: string, role: Invited, expiresAt: string, until?: string | null, state?: string}} Invitation */

/** From the one who may do most. */
const roles = Object.freeze(/** @type {const} */ (["owner", "administrator", "keeper", "viewer"]));

/**
 * Whether somebody invites people, moves tanks in and acts as the project.
 * @param {string | undefined} role One of a newer service may do less.
 */
export const isAdministrator = (role) => role === "owner" || role === "administrator";

/**
 * Whether somebody answers alarms, does what is due and works on the water of a tank: whoever is a viewer of its project only looks.
 * @param {{project?: {role: string} | null} | null} device
 */
export const mayAct = (device) => device?.project?.role !== "viewer";

/**
 * Whether something is offered to be written down: there is a tank that somebody does not only look at, or none yet.
 * @param {readonly {id: string, isLookedAt?: boolean}[]} tanks
 * @param {string | null} [device] The one that is meant; null: any of them.
 */
export function mayWrite(tanks, device = null) {
    const meant = device === null ? tanks : tanks.filter(({ id }) => id === device);
    return meant.length === 0 || meant.some(({ isLookedAt }) => !isLookedAt);
}

/**
 * What somebody may do with what was written down of a tank: others' words are its owner's to change and to take away. Who acts as a project
 * writes as themselves, and takes away as the project.
 * @param {{role: string, project?: {role: string} | null} | null} device
 * @param {boolean} isOwn Whether it is their own.
 * @param {boolean} isActing Whether they act as a project.
 * @returns {{mayChange: boolean, mayRemove: boolean}}
 */
export function powersOverWords(device, isOwn, isActing) {
    const isOwner = device?.role === "owner";
    return { mayChange: mayAct(device) && (isOwn || isOwner && !isActing), mayRemove: mayAct(device) && (isOwn || isOwner) };
}

/**
 * What somebody may make of a member.
 * @param {Role} mine
 * @param {Member} member
 * @param {readonly Member[]} members
 * @returns {{roles: Role[], mayEnd: boolean, mayRemove: boolean}} The roles that they may give, beside the present one.
 */
export function powersOver(mine, member, members) {
    const isLastOwner = member.role === "owner" && members.filter(({ role }) => role === "owner").length === 1;
    const isAbove = mine === "owner" || (mine === "administrator" && (member.role === "keeper" || member.role === "viewer"));
    if (!isAbove || isLastOwner || member.isMe) return { roles: [], mayEnd: false, mayRemove: member.isMe && !isLastOwner };
    const given = roles.filter((role) => mine === "owner" || role === "keeper" || role === "viewer");
    return { roles: given, mayEnd: member.role !== "owner", mayRemove: true };
}

/**
 * The roles that somebody may invite to. A sender takes no part: the project receives their samples.
 * @param {Role} mine
 * @returns {Invited[]}
 */
export const invitedRoles = (mine) => [...mine === "owner" ? /** @type {const} */ (["administrator"]) : [], "keeper", "viewer", "sender"];
