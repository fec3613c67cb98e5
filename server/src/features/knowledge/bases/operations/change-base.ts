import { changedMeanwhile } from "../../../../kernel/changed-meanwhile.ts";
import type { WriteContext } from "../../../../kernel/context.ts";
import { refuse } from "../../../../kernel/errors.ts";
import { defineOperation, exempt } from "../../../../kernel/operation.ts";
import { notFound } from "../../../../kernel/problems.ts";
import { agentsNaming } from "../../../agents/public.ts";
import { knowledgeBaseExists, knowledgeBaseInUse } from "../../errors.ts";
import { exampleBase } from "../../example.ts";
import { reindexJob } from "../../ingest/rules.ts";
import { ChangeBaseBody, ChangedBase, standardSettings } from "../../schemas.ts";
import { byOwnBase } from "../narrowing.ts";
import { bases } from "../operation-parts.ts";
import type { BaseRow } from "../resource.ts";
import { isTaken } from "../store.ts";

export const changeBase = defineOperation({
  ...bases.changeOfOne(),
  ...bases.answer,
  id: "knowledge.changeBase",
  method: "PATCH",
  listed: true,
  summary: "Change a knowledge base",
  description:
    "Changes what is named. Who may read it holds at once. Another language or chunk length needs a new index, and `reindex` builds one: the answer says so, and searches use the present one " +
    "until the new one is complete. The name can change while no agent refers to it.",
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
  mayMatch: ({ revision }: BaseRow) => revision,
  narrowing: byOwnBase,
  gate: exempt("changes a base; nothing acts"),
  errors: [knowledgeBaseExists, knowledgeBaseInUse],
  async handle(ctx, { body, loaded }) {
    const base = await bases.rows.lock(ctx, loaded.id);
    if (!base) throw refuse(notFound, "The base was just deleted.");
    if (ctx.basedOnLoaded && base.revision !== loaded.revision) throw changedMeanwhile();
    if (body.name !== undefined && body.name !== base.name) await permitName(ctx, loaded, body.name);
    const { settings, language, embedding, reranker, reindex: asked = false, ...rest } = body;
    const before = { ...standardSettings, ...base.settings };
    const after = { ...before, ...settings };
    const spoken = base.next_language ?? base.language;
    const reindex =
      asked || after.chunk_length !== before.chunk_length || (language !== undefined && language !== spoken);
    const changed = await bases.rows.update(ctx, base.id, {
      ...rest,
      ...(embedding !== undefined && { embedding }),
      ...(reranker !== undefined && { reranker }),
      ...(settings && { settings: after }),
      ...(reindex && {
        next_generation: (base.next_generation ?? base.generation) + 1,
        next_language: language ?? spoken,
      }),
      revision: base.revision + 1,
    });
    if (reindex) ctx.enqueue(reindexJob(ctx.scope, base.id));
    return {
      ...(await bases.itemOf(ctx, changed as BaseRow)),
      reindex: reindex ? ("queued" as const) : ("none" as const),
    };
  },
});

async function permitName(ctx: WriteContext, base: BaseRow, name: string): Promise<void> {
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
