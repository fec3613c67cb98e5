import { Type } from "typebox";
import { byObject } from "../../../kernel/narrowing.ts";
import { defineRead, governs } from "../../../kernel/operation.ts";
import { agentsLiveWith, agentsNaming } from "../../agents/public.ts";
import { readerTokens } from "../access.ts";
import type { BaseRow } from "../base-store.ts";
import { readBaseRow, readHoldings } from "../base-store.ts";
import { exampleBase } from "../example.ts";
import { ofKnownBase } from "../narrowing.ts";
import { BaseRef, KnowledgeBaseDetails } from "../schemas.ts";
import { findBase } from "../store.ts";
import { vectorHealth } from "../vectors/vector-store.ts";
import { baseView } from "../view.ts";

export const readBase = defineRead({
  id: "knowledge.readBase",
  path: "/v1/knowledge/bases/{base}",
  listed: true,
  summary: "Read a knowledge base",
  description: "Its settings, what is in it, how its index stands, and which agents use it.",
  params: Type.Object({ base: BaseRef }),
  output: KnowledgeBaseDetails,
  example: {
    params: { base: exampleBase.name },
    output: {
      ...exampleBase,
      agents: ["sales"],
      live_agents: ["sales"],
      versions: 0,
      pages: 0,
      bytes: 0,
      vectors: null,
    },
  },
  revision: ({ revision }) => revision,
  revisionOfPart: true,
  permission: "knowledge:read",
  load: (ctx, { base }) => findBase(ctx, base),
  narrowing: byObject("a base that one of the key's agents names, in its draft or a version", ofKnownBase),
  compliance: governs("knowledge.read"),
  audit: ({ params, loaded }) => `base:${loaded?.id ?? params.base}`,
  async handle(ctx, { loaded: { id, name } }) {
    const sight = [readerTokens(ctx.principal)];
    const [row, holdings, naming, vectors] = await Promise.all([
      readBaseRow(ctx, id, sight),
      readHoldings(ctx, id),
      agentsNaming(ctx, name),
      vectorHealth(ctx, [id], sight),
    ]);
    const { agents: own } = ctx.principal;
    const seen = (agent: string): boolean => own === null || own.includes(agent);
    const live = agentsLiveWith(ctx, name).filter(seen).sort();
    return {
      ...baseView(row as BaseRow),
      agents: naming.filter(seen).sort(),
      live_agents: live,
      ...holdings,
      vectors: vectors.get(id) ?? null,
    };
  },
});
