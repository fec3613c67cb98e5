import { Type } from "typebox";
import { limitedTo } from "../../../../kernel/narrowing.ts";
import { defineRead, exempt, governs } from "../../../../kernel/operation.ts";
import { headOf, windowOf } from "../../figures/window.ts";
import { windowQuery } from "../../figures/window-schemas.ts";
import { KnowledgeFigures } from "../../schemas.ts";
import { exampleKnowledge } from "../example.ts";
import { knowledgeFigures } from "../knowledge.ts";

const { skill: _skill, label: _label, ...query } = windowQuery;

export const readKnowledgeFigures = defineRead({
  id: "analytics.readKnowledgeFigures",
  path: "/v1/analytics/knowledge",
  summary: "Read what knowledge bases lack",
  description:
    "How often a search was answered well, by base and over time; documents that no search found since the window began; and what was asked without a good answer. Questions are kept for 90 days. " +
    "A key that is narrowed to agents sees the bases that they name and what they asked; documents and questions are named to keys with `knowledge:read`.",
  query: Type.Object(query, { additionalProperties: false }),
  output: KnowledgeFigures,
  example: { output: exampleKnowledge },
  permission: "analytics:read",
  load: exempt("names no object"),
  narrowing: limitedTo("measures bases that the key's agents name"),
  compliance: governs("analytics.read"),
  audit: "analytics",
  async handle(ctx, { query }) {
    const window = windowOf(ctx, query);
    const head = headOf(window, { complete: window.to <= ctx.now, asOf: ctx.now });
    return { ...head, ...(await knowledgeFigures(ctx, window)) };
  },
});
