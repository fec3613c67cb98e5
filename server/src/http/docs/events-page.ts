import { html } from "./html.ts";
import { layout } from "./layout.ts";
import type { DocsModel } from "./model.ts";
import { bodyView, entry } from "./schema-view.ts";

/** All events, with the members of their bodies and the headers of a delivery. */
export function eventsPage(model: DocsModel): string {
  const { events, eventHeaders, resolve } = model;
  const content = html`<header class="head"><h1>Events</h1><p class="lead">What happens is told: stored in the same transaction as what it tells of, delivered at least once and in order
of what belongs together. Bodies are flat; what is about the delivery stands in its headers (Standard Webhooks).</p></header>
<section><h2>Headers of a delivery</h2><ul class="entries">${eventHeaders.map((one) =>
    entry(String(one.name), one.schema, resolve, { required: one.required === true, description: one.description }),
  )}</ul></section>
${events.map(
  ({
    type,
    summary,
    schema,
  }) => html`<section class="event" id="${type}"><h2><a href="#${type}"><code>${type}</code></a></h2><p>${summary}</p>
<details><summary>Body</summary>${bodyView(schema, resolve)}</details></section>`,
)}`;
  return layout(model, { title: "Events", path: "/docs/events", content });
}
