/** The public page of a device. */

import { createPublication } from "../../components/publication/publication.js";

/**
 * @param {import("../../app/context.js").Context} context
 * @param {import("../../water/tanks.js").Device} device One that the person owns.
 */
export function createDevicePage(context, { id }) {
    return createPublication(context, {
        path: `/devices/${encodeURIComponent(id)}/public`,
        parameters: () => context.store.tanks.value?.find((tank) => tank.id === id)?.gauges.map(({ name }) => name) ?? [],
        tanks: () => null,
    });
}
