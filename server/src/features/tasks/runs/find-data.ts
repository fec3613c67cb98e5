import { type DataClass, dataClasses, dataClassOf, scanJson } from "@aos/data-classes";
import type { CallContext } from "../../../kernel/context.ts";
import type { Reader } from "../../../kernel/db.ts";
import type { AgentDefinition, RunnableTool } from "../../agents/schemas.ts";
import {
  agentTokens,
  findRecord,
  type ReadVersion,
  readVersionOf,
  type SearchResult,
  search,
} from "../../knowledge/public.ts";
import type { Failure } from "../schemas.ts";
import type { HeldRun } from "./holds.ts";

/** The result of a look-up, unredacted; the run gets what `redact` names as placeholders. `read`: the document of each chunk, or the record's. */
export type Found =
  | { readonly output: unknown; readonly read?: readonly ReadVersion[] }
  | { readonly failure: Failure };

/** Chunks of a search by default. */
const usualChunks = 5;

type OwnTool = Extract<RunnableTool, { kind: "record" | "search" }>;

/** `arguments`: as the call is made; `shown`: as its readers may see it. */
export interface Asked {
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly shown: Readonly<Record<string, unknown>>;
}

/** Looks up a record by its id, or chunks by words, as far as the agent may read them. */
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
      query,
      limit: limit ?? usualChunks,
      bases: tool.bases ?? definition.knowledge ?? [],
      sight: [agentTokens(agent)],
    });
    await onSearch?.(query, found);
    const chunks = found.chunks.map(({ first_page, last_page, headings, data_classes, ...chunk }) => ({
      id: chunk.id,
      citation: chunk.citation,
      base: chunk.base,
      title: chunk.title,
      ...(chunk.url !== null && { url: chunk.url }),
      ...(headings.length > 0 && { headings }),
      ...(first_page !== null && { first_page, last_page }),
      text: chunk.text,
      score: chunk.score,
      ...(data_classes.length > 0 && { data_classes }),
    }));
    return {
      output: {
        chunks,
        outcome: found.judgement.outcome,
        ...(found.answered ? {} : { answered: false }),
        ...(found.corrected.length > 0 && { corrected: found.corrected }),
      },
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

/** Most characters of a search result that are scanned for data classes. */
const mostScanned = 65_536;

interface ToolStep {
  readonly name: string;
  readonly output?: unknown;
}

/**
 * Notes which classes of data a run has read by searching knowledge, so that policies of its next turns see them as `data.classes`: those that its chunks were
 * given when they were indexed, and those that detectors find in what the run got to see. What it got as placeholders is none.
 */
export function noteFound(held: HeldRun | undefined, { name, output }: ToolStep, redacted = false): void {
  if (!held || output === undefined || output === null) return;
  if (held.work.tools.find((tool) => tool.name === name)?.kind !== "search") return;
  const found = new Set([...(held.found ?? []), ...classesIn(output), ...(redacted ? [] : givenClasses(output))]);
  if (found.size > 0) held.found = [...found];
}

function classesIn(output: unknown): DataClass[] {
  const { kinds, complete } = scanJson(output, { findings: 0, characters: mostScanned });
  return [...kinds.map(dataClassOf), ...(complete ? [] : (["restricted"] as const))];
}

function givenClasses(output: unknown): DataClass[] {
  const { chunks } = output as { chunks?: readonly { readonly data_classes?: readonly unknown[] }[] };
  const given = (chunks ?? []).flatMap(({ data_classes: classes = [] }) => classes);
  return dataClasses.filter((one) => given.includes(one));
}
