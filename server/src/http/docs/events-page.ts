import { codeBlock, type Html, html, json } from "./html.ts";
import { eventPath, layout, operationPath } from "./layout.ts";
import type { DocsModel, DocumentedEvent } from "./model.ts";
import { bodyView, entry } from "./schema-view.ts";

/** All events, and the headers of a delivery. */
export function eventsPage(model: DocsModel): string {
  const { events, eventHeaders, resolve } = model;
  const content = html`<header class="head"><h1>Events</h1><p class="lead">Events say what happened: each is stored in the transaction of the change, delivered at least once and in order
of what belongs together. Bodies are flat; what is about the delivery stands in its headers (Standard Webhooks). <a href="/docs/guide/webhooks">How to receive them.</a></p></header>
<section><h2>All events</h2><ul class="rows">${events.map(
    ({ type, summary }) =>
      html`<li id="${type}"><a href="${eventPath(type)}"><span><code>${type}</code> ${summary}</span></a></li>`,
  )}</ul></section>
<section><h2>Headers of a delivery</h2><ul class="entries">${eventHeaders.map((one) =>
    entry(String(one.name), one.schema, resolve, { required: one.required === true, description: one.description }),
  )}</ul></section>`;
  return layout(model, { title: "Events", path: "/docs/events", content });
}

/** The page of one event: when it is sent, what its body holds, which operations cause it, and how it looks in each format. */
export function eventPage(model: DocsModel, event: DocumentedEvent): string {
  const { type, summary, schema } = event;
  const causes = model.operations.filter(({ declared }) => declared.emits.some((one) => one.type === type));
  const content = html`<header class="head"><p class="crumb"><a href="/docs/events">Events</a></p><h1><code>${type}</code></h1><p class="lead">${summary}</p></header>
<section><h2>Body</h2>${bodyView(schema, model.resolve)}</section>
<section><h2>What causes it</h2>${causes.length === 0 ? html`<p>The service itself, by its clock or while it works.</p>` : html`<ul class="rows">${causes.map(cause)}</ul>`}</section>`;
  return layout(model, { title: type, path: eventPath(type), content, aside: formats(event) });
}

const cause = ({ id, summary }: DocsModel["operations"][number]): Html =>
  html`<li><a href="${operationPath(id)}"><span>${summary} <code>${id}</code></span></a></li>`;

/** The same event in the three formats that an endpoint can ask for. */
function formats({ type, example }: DocumentedEvent): Html[] {
  const { event, ...data } = example;
  const time = "2026-11-20T09:00:00.000Z";
  const cloud = {
    specversion: "1.0",
    id: "evt_01jd8x0000000000000000000g",
    source: "/development",
    type,
    time,
    datacontenttype: "application/json",
    data,
  };
  return [
    codeBlock(html`<code>flat</code>, the default`, json({ event, ...data })),
    codeBlock(html`<code>standard</code>`, json({ type, timestamp: time, data })),
    codeBlock(html`<code>cloudevents</code>`, json(cloud)),
  ];
}
