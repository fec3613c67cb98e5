import { Type } from "typebox";
import type { StreamContext } from "../../../kernel/context.ts";
import { byObject } from "../../../kernel/narrowing.ts";
import { defineRead, governs } from "../../../kernel/operation.ts";
import { readerTokens } from "../access.ts";
import { type BaseRow, readBaseRow } from "../base-store.ts";
import { countDocuments, readContents } from "../document-store.ts";
import { exampleBase, exampleExport } from "../example.ts";
import { ofOwnBase } from "../narrowing.ts";
import { BaseExport, BaseRef } from "../schemas.ts";
import { type BaseHead, findBase } from "../store.ts";
import { baseView, entryView, exportView } from "../view.ts";

/** Documents that are read at a time. */
const most = 200;

export const readExport = defineRead({
  id: "knowledge.readExport",
  path: "/v1/knowledge/bases/{base}/export",
  summary: "Fetch the export of a knowledge base",
  description:
    'With `Accept: application/x-ndjson` the export itself: a line `{ "base": … }`, one `{ "document": … }` for each document in the order of their ids, and as ' +
    'the last `{ "end": true, "documents": n }`, without which it was broken off. As JSON: how much it holds.',
  params: Type.Object({ base: BaseRef }),
  output: BaseExport,
  example: {
    params: { base: exampleBase.name },
    output: exampleExport,
  },
  streams: { "application/x-ndjson": (ctx, { loaded }: { loaded: BaseHead }) => linesOf(ctx, loaded) },
  permission: "knowledge:read",
  load: (ctx, { base }) => findBase(ctx, base),
  narrowing: byObject("the agents that name the base, in their draft or a version", ofOwnBase),
  compliance: governs("knowledge.export"),
  audit: ({ params, loaded }) => `base:${loaded?.id ?? params.base}`,
  handle: async (ctx, { loaded }) => exportView(loaded, await countDocuments(ctx, loaded.id)),
});

const line = (value: object): string => `${JSON.stringify(value)}\n`;

async function* linesOf(ctx: StreamContext, { id }: BaseHead): AsyncGenerator<string> {
  yield line({ base: baseView((await readBaseRow(ctx, id, [readerTokens(ctx.principal)])) as BaseRow) });
  let documents = 0;
  for (let after = ""; ; ) {
    // An export that merely ended here would look whole.
    if (!ctx.allowed()) throw new Error(`the export of ${id} is broken off: the key that reads it no longer may`);
    const rows = await readContents(ctx, id, after, most);
    for (const { text, fields, ...row } of rows) yield line({ document: { ...entryView(row, ctx.now), text, fields } });
    documents += rows.length;
    const last = rows.at(-1);
    if (rows.length < most || !last) break;
    after = last.id;
  }
  yield line({ end: true, documents });
}
