import { Type } from "typebox";
import { changedMeanwhile } from "../../../kernel/changed-meanwhile.ts";
import { refuse } from "../../../kernel/errors.ts";
import { byObject } from "../../../kernel/narrowing.ts";
import { defineOperation, exempt, governs } from "../../../kernel/operation.ts";
import { notFound } from "../../../kernel/problems.ts";
import { agentsLiveWith } from "../../agents/public.ts";
import { readerTokens } from "../access.ts";
import { type BaseRow, deleteBaseRow, lockBase, readBaseRow } from "../base-store.ts";
import { stopConnectorsOf } from "../connectors/connector-store.ts";
import { knowledgeBaseInUse } from "../errors.ts";
import { baseDeleted } from "../events.ts";
import { exampleBase } from "../example.ts";
import { ofOwnBase } from "../narrowing.ts";
import { BaseRef, DeletedBase } from "../schemas.ts";
import { type BaseHead, findBase } from "../store.ts";

export const deleteBase = defineOperation({
  id: "knowledge.deleteBase",
  method: "DELETE",
  path: "/v1/knowledge/bases/{base}",
  listed: true,
  summary: "Delete a knowledge base",
  description:
    "Refused while a deployed agent names it, unless `force` is true. From this answer on nothing of it is found, its name is free, and its citations answer 410. Its " +
    "documents, files and index entries are removed in the background, some hundreds at a time: all of them, though the answer counts those that you may read.",
  params: Type.Object({ base: BaseRef }),
  query: Type.Object(
    {
      force: Type.Optional(
        Type.Boolean({ description: "Delete it even if deployed agents name it. They find nothing in it any more." }),
      ),
    },
    { additionalProperties: false },
  ),
  output: DeletedBase,
  example: {
    params: { base: exampleBase.name },
    output: {
      ...{
        base_id: exampleBase.base_id,
        name: exampleBase.name,
        deleted: true,
        documents: 200,
        chunks: 200,
        agents: [],
      },
      ...{ deleted_at: "2026-11-22T09:30:00.000Z", audit_ref: "aud_01jd8x0000000000000000000f" },
    },
  },
  mayMatch: ({ revision }: BaseHead) => revision,
  permission: "knowledge:write",
  load: (ctx, { base }) => findBase(ctx, base),
  narrowing: byObject("the agents that name the base, in their draft or a version", ofOwnBase),
  gate: exempt("deletes a base; nothing acts"),
  decides: exempt("takes text away, adds none"),
  compliance: governs("knowledge.delete"),
  audit: ({ params, loaded }) => `base:${loaded?.id ?? params.base}`,
  emits: [baseDeleted],
  errors: [knowledgeBaseInUse],
  async handle(ctx, { query, loaded: { id, name, revision } }) {
    const agents = agentsLiveWith(ctx, name).sort();
    if (agents.length > 0 && query.force !== true)
      throw refuse(
        knowledgeBaseInUse,
        `Deployed agents use the base ${name}: ${agents.join(", ")}. Deploy them without it, or repeat the call with force=true (on the command line --force).`,
        { members: { agents } },
      );
    const locked = await lockBase(ctx, id);
    const base = locked && (await readBaseRow(ctx, id));
    if (!base) throw refuse(notFound, "The base was just deleted.");
    if (ctx.basedOnLoaded && base.revision !== revision) throw changedMeanwhile();
    const { documents, chunks } = (await readBaseRow(ctx, id, [readerTokens(ctx.principal)])) as BaseRow;
    await deleteBaseRow(ctx, base, { author: ctx.principal.id, at: new Date(ctx.now) });
    await stopConnectorsOf(ctx, id, new Date(ctx.now));
    ctx.emit(baseDeleted, { base_id: id, base: name, deleted_by: ctx.principal.id });
    const deleted = { base_id: id, name, deleted: true as const, documents, chunks, agents };
    return { ...deleted, deleted_at: new Date(ctx.now).toISOString(), audit_ref: ctx.auditRef };
  },
});
