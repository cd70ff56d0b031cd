/** Linking a device: a screen of its own, and a dialog over the list of devices where there is room for both. */

import { createSubPage } from "../../../components/page/page.js";
import { mount as mountDevices } from "../devices.js";
import { createLinkForm } from "./link-form.js";

/**
 * @param {HTMLElement} root
 * @param {import("../../../app/context.js").Context} context
 * @returns {import("../../../app/context.js").Mounted}
 */
export function mount(root, context) {
    const form = createLinkForm(context);
    // Decided once: a window that changes its width takes nothing away that is being typed.
    return matchMedia("(min-width: 75em)").matches ? mountDialog(root, context, form) : mountPage(root, context, form);
}

/**
 * @param {HTMLElement} root
 * @param {import("../../../app/context.js").Context} context
 * @param {ReturnType<typeof createLinkForm>} form
 */
function mountPage(root, context, form) {
    const title = context.t("devices.link");
    context.title(title);
    const page = createSubPage(context, { title, back: "/devices" });
    form.element.classList.add("surface");
    page.body.append(form.element);
    root.replaceChildren(...page.parts);
    return { unmount: form.end };
}

/**
 * @param {HTMLElement} root
 * @param {import("../../../app/context.js").Context} context
 * @param {ReturnType<typeof createLinkForm>} form
 */
function mountDialog(root, context, form) {
    const title = context.t("devices.link");
    const devices = mountDevices(root, context);
    context.title(title);
    let isGone = false;
    const sheet = context.sheet({
        title,
        body: [form.element],
        onClose() {
            if (!isGone) context.back("/devices");
        },
    });
    return {
        unmount() {
            isGone = true;
            form.end();
            sheet.close();
            devices.unmount();
        },
    };
}
