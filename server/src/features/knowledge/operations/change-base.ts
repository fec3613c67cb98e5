import { Type } from "typebox";
import { changedMeanwhile } from "../../../kernel/changed-meanwhile.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import { refuse } from "../../../kernel/errors.ts";
import { byObject } from "../../../kernel/narrowing.ts";
import { defineOperation, exempt, governs } from "../../../kernel/operation.ts";
import { notFound } from "../../../kernel/problems.ts";
import { agentsNaming } from "../../agents/public.ts";
import { readerTokens } from "../access.ts";
import { type BaseRow, isTaken, lockBase, readBaseRow, updateBase } from "../base-store.ts";
import { knowledgeBaseExists, knowledgeBaseInUse } from "../errors.ts";
import { exampleBase } from "../example.ts";
import { reindexJob } from "../ingest/model.ts";
import { ofOwnBase } from "../narrowing.ts";
import { BaseRef, type BaseSettings, ChangeBaseBody, ChangedBase, standardSettings } from "../schemas.ts";
import { type BaseHead, findBase } from "../store.ts";
import { baseView } from "../view.ts";

export const changeBase = defineOperation({
  id: "knowledge.changeBase",
  method: "PATCH",
  path: "/v1/knowledge/bases/{base}",
  listed: true,
  summary: "Change a knowledge base",
  description:
    "Changes what is named. Who may read it holds at once. Another language or chunk length needs a new index, and `reindex` builds one: the answer says so, and searches use the present one " +
    "until the new one is complete. The name can change while no agent refers to it.",
  params: Type.Object({ base: BaseRef }),
  body: ChangeBaseBody,
  output: ChangedBase,
  example: {
    params: { base: exampleBase.name },
    body: { readers: ["role:builder", "agent:sales"], review_days: 180 },
    output: {
      ...exampleBase,
      readers: ["role:builder", "agent:sales"],
      review_days: 180,
      revision: 2,
      reindex: "none",
    },
  },
  revision: ({ revision }) => revision,
  revisionOfPart: true,
  mayMatch: ({ revision }: BaseHead) => revision,
  permission: "knowledge:write",
  load: (ctx, { base }) => findBase(ctx, base),
  narrowing: byObject("the agents that name the base, in their draft or a version", ofOwnBase),
  gate: exempt("changes a base; nothing acts"),
  decides: "documents",
  compliance: governs("knowledge.change"),
  audit: ({ params, loaded }) => `base:${loaded?.id ?? params.base}`,
  errors: [knowledgeBaseExists, knowledgeBaseInUse],
  async handle(ctx, { body, loaded }) {
    const base = await lockBase(ctx, loaded.id);
    if (!base) throw refuse(notFound, "The base was just deleted.");
    if (ctx.basedOnLoaded && base.revision !== loaded.revision) throw changedMeanwhile();
    if (body.name !== undefined && body.name !== base.name) await permitName(ctx, loaded, body.name);
    const { settings, language, embedding, reindex: anew = false, ...rest } = body;
    const before = { ...standardSettings, ...(base.settings as Partial<BaseSettings>) };
    const after = { ...before, ...settings };
    const spoken = base.next_language ?? base.language;
    const reindex =
      anew || after.chunk_length !== before.chunk_length || (language !== undefined && language !== spoken);
    await updateBase(ctx, base.id, {
      ...rest,
      ...(embedding !== undefined && { embedding: embedding && JSON.stringify(embedding) }),
      ...(settings && { settings: JSON.stringify(after) }),
      ...(reindex && {
        next_generation: (base.next_generation ?? base.generation) + 1,
        next_language: language ?? spoken,
      }),
    });
    if (reindex) ctx.enqueue(reindexJob(ctx.scope, base.id));
    return {
      ...baseView((await readBaseRow(ctx, base.id, [readerTokens(ctx.principal)])) as BaseRow),
      reindex: reindex ? ("queued" as const) : ("none" as const),
    };
  },
});

async function permitName(ctx: WriteContext, base: BaseHead, name: string): Promise<void> {
  const agents = await agentsNaming(ctx, base.name);
  if (agents.length > 0)
    throw refuse(
      knowledgeBaseInUse,
      `${agents.join(", ")} refer to the base as ${base.name}, in a draft or a version; its name stays while they do.`,
      { members: { agents } },
    );
  if (await isTaken(ctx, name, base.id))
    throw refuse(knowledgeBaseExists, `There is a base ${name} in ${ctx.scope.environment}. Choose another name.`);
}
