import { Type } from "typebox";
import type { ReadContext } from "../../../../kernel/context.ts";
import { refuse } from "../../../../kernel/errors.ts";
import { byObject } from "../../../../kernel/narrowing.ts";
import { defineRead, governs } from "../../../../kernel/operation.ts";
import { basesWithin } from "../../../agents/public.ts";
import { maySee, readerTokens } from "../../access.ts";
import { citedSourceDeleted } from "../../errors.ts";
import { exampleCitation } from "../../example.ts";
import { Citation, CitationId } from "../../schemas.ts";
import { type CitedRow, findCited } from "../chunk-store.ts";
import { parseCitation } from "../citations.ts";
import { findTombstone, type Tombstone } from "../deletion-store.ts";
import { citationView } from "../view.ts";

type Loaded = { readonly row: CitedRow } | { readonly tombstone: Tombstone };

export const readCitation = defineRead({
  id: "knowledge.readCitation",
  path: "/v1/knowledge/citations/{citation}",
  summary: "Read what a citation leads to",
  description:
    "The exact source text as it was when it was cited, with its place, and whether searches still find it so. Answers 410 once the document was deleted; for whoever may " +
    "not read the document, the citation does not exist.",
  params: Type.Object({ citation: CitationId }),
  output: Citation,
  example: { params: { citation: exampleCitation.citation }, output: exampleCitation },
  permission: "knowledge:read",
  load: loadCited,
  narrowing: byObject("a base that one of the key's agents names, in its draft or a version", ofNamedBase),
  compliance: governs("document.read"),
  audit: ({ params }) => `citation:${params.citation}`,
  errors: [citedSourceDeleted],
  handle(_ctx, { loaded }) {
    if ("row" in loaded) return citationView(loaded.row);
    const deleted_at = loaded.tombstone.deleted_at.toISOString();
    throw refuse(citedSourceDeleted, `The document of this citation was deleted at ${deleted_at}.`, {
      members: { deleted_at },
    });
  },
});

async function loadCited(ctx: ReadContext, { citation }: { citation: string }): Promise<Loaded | undefined> {
  const cited = parseCitation(citation);
  if (!cited) return undefined;
  const row = await findCited(ctx, cited);
  if (row) return { row };
  const tombstone = await findTombstone(ctx, cited.document);
  if (!tombstone || !maySee([readerTokens(ctx.principal)], tombstone.readers, tombstone.base_readers)) return undefined;
  return { tombstone };
}

async function ofNamedBase(ctx: ReadContext, { loaded }: { loaded: Loaded }) {
  const name = "row" in loaded ? loaded.row.base_name : loaded.tombstone.base_name;
  return (await basesWithin(ctx))?.includes(name) ? ctx.principal.agents : null;
}
