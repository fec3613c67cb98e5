import { first, select, sql } from "../../../../db/scoped.ts";
import type { WriteContext } from "../../../../kernel/context.ts";
import { refuse } from "../../../../kernel/errors.ts";
import { limitedTo } from "../../../../kernel/narrowing.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import type { Role } from "../../../../kernel/principal.ts";
import { invalidBody } from "../../../../kernel/problems.ts";
import { memberRows } from "../../../admin/shared-rows.ts";
import { basesWithin, findKnownAgent } from "../../../agents/public.ts";
import { agentTokens, type ReaderTokens, readerTokens } from "../../access.ts";
import { exampleBase } from "../../example.ts";
import { noteQuestion } from "../../questions/store.ts";
import { SearchAnswer, SearchBody } from "../schemas.ts";
import { type FoundChunk, search as searchBases } from "../store.ts";

const output: SearchAnswer = {
  data: [
    {
      citation: "cit_01jd8x0000000000000000000d11111111",
      base: exampleBase.name,
      base_id: exampleBase.base_id,
      document_id: "doc_01jd8x0000000000000000000d",
      external_id: "handbook",
      url: null,
      title: "Handbook of returns",
      headings: ["Returns", "Deadlines"],
      kind: "text",
      first_page: 3,
      last_page: 3,
      text: "Parcels are sent back within thirty days.",
      highlights: [{ start: 12, end: 16 }],
      data_classes: [],
      score: 7.4211,
    },
  ],
  outcome: "answered",
  probability: 0.87,
  answered: true,
  coverage: 0.82,
  corrected: [],
  reranked: null,
  note: null,
  took_ms: 6.2,
};

const exampleSearch: { body: SearchBody; output: SearchAnswer } = {
  body: { query: 'until when can a parcel be "sent back"', filters: { metadata: { product: "shop" } } },
  output,
};

export const search = defineOperation({
  id: "knowledge.search",
  method: "POST",
  path: "/v1/knowledge/search",
  listed: true,
  summary: "Search knowledge bases",
  description:
    "Finds the passages that answer a question best, each with its citation. It finds what the caller may read; `as` narrows that to what a member or an agent " +
    "may read too. `outcome` says whether what was found answers.",
  body: SearchBody,
  output: SearchAnswer,
  example: exampleSearch,
  permission: "knowledge:read",
  load: exempt("the bases stand in the body"),
  narrowing: limitedTo("searches bases that the key's agents name"),
  gate: exempt("makes no agent act"),
  decides: exempt("searches for the caller and stores nothing"),
  compliance: governs("knowledge.search", (_ctx, { body }: { body: SearchBody }) => ({ input: body }), {
    keepsInput: () => false,
  }),
  audit: "search",
  async handle(ctx, { body }) {
    const began = performance.now();
    const { as, query, filters, hybrid } = body;
    const limits = [await basesWithin(ctx), as?.agent === undefined ? null : await basesOfAgent(ctx, as.agent)];
    const found = await searchBases(ctx, {
      query,
      limit: body.limit ?? 10,
      bases: body.bases ?? null,
      within: limits.filter((one) => one !== null),
      sight: [readerTokens(ctx.principal), ...(as === undefined ? [] : [await tokensOf(ctx, as)])],
      ...(filters && { filters }),
      ...(hybrid && { hybrid }),
    });
    const [unknown] = found.unknown;
    if (unknown !== undefined) {
      const at = body.bases?.indexOf(unknown);
      throw invalid(
        `/bases/${at}`,
        "unknown_base",
        `no base ${unknown} is in sight; GET /v1/knowledge/bases lists them`,
      );
    }
    const asker = { asked_by: ctx.principal.id, agent: as?.agent ?? null, quotes: readerTokens(ctx.principal) };
    await noteQuestion(ctx, { query, found, ...asker });
    const { judgement, answered, coverage, corrected, reranked, rerankFailure } = found;
    const data = found.chunks.map(passageOf);
    return {
      data,
      outcome: judgement.outcome,
      probability: Math.round(1e3 * judgement.probability) / 1e3,
      answered,
      coverage,
      corrected: [...corrected],
      reranked,
      note: rerankFailure,
      took_ms: Math.round(10 * (performance.now() - began)) / 10,
    };
  },
});

function passageOf({ id: _id, document, score, kind, ...chunk }: FoundChunk): SearchAnswer["data"][number] {
  return {
    ...chunk,
    document_id: document,
    kind: kind as "text",
    headings: [...chunk.headings],
    highlights: [...chunk.highlights],
    data_classes: [...chunk.data_classes],
    score: Math.round(1e4 * score) / 1e4,
  };
}

const invalid = (pointer: string, code: string, detail: string) =>
  refuse(invalidBody, `${pointer}: ${detail}`, { errors: [{ pointer, code, detail }] });

async function basesOfAgent(ctx: WriteContext, agent: string): Promise<string[] | null> {
  if (findKnownAgent(ctx, agent) === undefined)
    throw invalid("/as/agent", "unknown_agent", `there is no agent ${agent}; GET /v1/agents lists them`);
  return basesWithin({ scope: ctx.scope, db: ctx.db, principal: { ...ctx.principal, agents: [agent] } });
}

async function tokensOf(ctx: WriteContext, { member, agent }: NonNullable<SearchBody["as"]>): Promise<ReaderTokens> {
  if (member === undefined) return agentTokens(agent as string);
  const found = await first(
    ctx,
    select(ctx, memberRows, "m")
      .select(sql<Role | null>`m.roles ->> ${ctx.scope.environment}`.as("role"))
      .where("m.id", "=", member)
      .where("m.removed_at", "is", null),
  );
  if (!found) throw invalid("/as/member", "unknown_member", `there is no member ${member}`);
  return readerTokens({ kind: "member", id: member, role: found.role });
}
