import type { CallContext } from "../../kernel/context.ts";
import type { Reader } from "../../kernel/db.ts";
import type { AgentDefinition, RunnableTool } from "../agents/schemas.ts";
import {
  agentTokens,
  findRecord,
  type ReadVersion,
  readVersionOf,
  type SearchResult,
  search,
} from "../knowledge/public.ts";
import type { Failure } from "../tasks/schemas.ts";

/** What was found or why not, as it is; the run gets what `redact` names as placeholders only. `read`: the document of each chunk, or the record's. */
export type Found =
  | { readonly output: unknown; readonly read?: readonly ReadVersion[] }
  | { readonly failure: Failure };

/** Chunks that a search answers where its call does not say how many. */
const usualChunks = 5;

type OwnTool = Extract<RunnableTool, { kind: "record" | "search" }>;

/** A call as it is made (`arguments`), and as whoever reads of it may see it. */
export interface Asked {
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly shown: Readonly<Record<string, unknown>>;
}

/** Looks up what the service itself knows, as far as the agent may read it: a record by its id, chunks by words. */
export async function findData(
  ctx: Pick<CallContext, "scope" | "facts"> & { readonly db: Reader },
  agent: string,
  tool: OwnTool,
  definition: Pick<AgentDefinition, "knowledge">,
  { arguments: given, shown }: Asked,
  onSearch?: (query: string, found: SearchResult) => Promise<void>,
): Promise<Found> {
  if (tool.kind === "search") {
    const { query, limit } = given as { query: string; limit?: number };
    const found = await search(ctx, {
      ...{ query, limit: limit ?? usualChunks, bases: tool.bases ?? definition.knowledge ?? [] },
      sight: [agentTokens(agent)],
    });
    await onSearch?.(query, found);
    const chunks = found.chunks.map(({ first_page, last_page, headings, data_classes, ...chunk }) => ({
      ...{ id: chunk.id, citation: chunk.citation, base: chunk.base, title: chunk.title },
      ...(headings.length > 0 && { headings }),
      ...(first_page !== null && { first_page, last_page }),
      ...{ text: chunk.text, score: chunk.score },
      ...(data_classes.length > 0 && { data_classes }),
    }));
    return {
      output: { chunks, ...(found.answered ? {} : { answered: false }) },
      read: found.chunks.map(readVersionOf),
    };
  }
  const [id] = Object.values(given);
  if (typeof id !== "string") throw new TypeError(`${tool.name} takes one argument, the record's id as text`);
  const record = await findRecord(ctx, tool.base, id, [agentTokens(agent)]);
  const [shownId] = Object.values(shown);
  const read = record ? [{ document: record.id, version: record.version }] : [];
  if (record) return { output: { id: shownId, base: tool.base, fields: record.fields }, read };
  const detail = `The knowledge base ${tool.base} has no record ${shownId}.`;
  return { failure: { code: "record_not_found", detail } };
}
