import { refuse } from "../../../../kernel/errors.ts";
import { whole } from "../../../../kernel/narrowing.ts";
import { defineOperation, exempt } from "../../../../kernel/operation.ts";
import { knowledgeBaseExists } from "../../errors.ts";
import { exampleBase } from "../../example.ts";
import { CreateBaseBody, KnowledgeBase } from "../../schemas.ts";
import { bases } from "../operation-parts.ts";

const emptyHealth = {
  ...exampleBase.health,
  state: "empty" as const,
  documents: { ...exampleBase.health.documents, indexed: 0 },
};

export const createBase = defineOperation({
  ...bases.changeOfAll("knowledge.create"),
  id: "knowledge.createBase",
  method: "POST",
  status: 201,
  listed: true,
  summary: "Create a knowledge base",
  description:
    "A base of the environment, empty: documents and records are added to it, and agents that name it in `knowledge` search it and look records up in it.",
  body: CreateBaseBody,
  output: KnowledgeBase,
  example: {
    body: { name: exampleBase.name, description: exampleBase.description },
    output: { ...exampleBase, documents: 0, records: 0, chunks: 0, health: emptyHealth, updated_at: null },
  },
  narrowing: whole("makes a base, which belongs to no agent before one names it"),
  gate: exempt("makes an empty base; nothing acts"),
  decides: exempt("makes an empty base"),
  audit: ({ output }) => (output ? `base:${output.base_id}` : "bases"),
  errors: [knowledgeBaseExists],
  async handle(
    ctx,
    { body: { name, description = "", language = "english", settings, embedding = null, reranker = null, ...rules } },
  ) {
    const made = await bases.rows.insertUnlessTaken(ctx, {
      id: ctx.newId("kb"),
      name,
      description,
      language,
      ...rules,
      embedding,
      reranker,
      ...(settings && { settings }),
      author: ctx.principal.id,
      created_at: new Date(ctx.now),
    });
    if (!made)
      throw refuse(
        knowledgeBaseExists,
        `There is a base ${name} in ${ctx.scope.environment}. Add to it, or choose another name.`,
      );
    return bases.itemOf(ctx, made);
  },
});
