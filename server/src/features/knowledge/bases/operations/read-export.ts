import type { StreamContext } from "../../../../kernel/context.ts";
import { defineRead } from "../../../../kernel/operation.ts";
import { countDocuments, readContents } from "../../documents/store.ts";
import { entryView } from "../../documents/view.ts";
import { exampleBase, exampleExport } from "../../example.ts";
import { BaseExport } from "../../schemas.ts";
import { byOwnBase } from "../narrowing.ts";
import { bases } from "../operation-parts.ts";
import type { BaseRow } from "../resource.ts";
import { exportView } from "../view.ts";

const most = 200;

export const readExport = defineRead({
  ...bases.readOfOne("knowledge.export"),
  id: "knowledge.readExport",
  path: "/v1/knowledge/bases/{base}/export",
  summary: "Fetch the export of a knowledge base",
  description:
    'With `Accept: application/x-ndjson` the export itself: a line `{ "base": … }`, one `{ "document": … }` for each document in the order of their ids, and as ' +
    'the last `{ "end": true, "documents": n }`, without which it was broken off. As JSON: how much it holds.',
  output: BaseExport,
  example: {
    params: { base: exampleBase.name },
    output: exampleExport,
  },
  streams: { "application/x-ndjson": (ctx, { loaded }: { loaded: BaseRow }) => linesOf(ctx, loaded) },
  narrowing: byOwnBase,
  handle: async (ctx, { loaded }) => exportView(loaded, await countDocuments(ctx, loaded.id)),
});

const line = (value: object): string => `${JSON.stringify(value)}\n`;

async function* linesOf(ctx: StreamContext, base: BaseRow): AsyncGenerator<string> {
  const { id } = base;
  yield line({ base: await bases.itemOf(ctx, base) });
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
