import { Type } from "typebox";
import { changedMeanwhile } from "../../../../kernel/changed-meanwhile.ts";
import { refuse } from "../../../../kernel/errors.ts";
import { defineOperation, exempt } from "../../../../kernel/operation.ts";
import { notFound } from "../../../../kernel/problems.ts";
import { agentsLiveWith } from "../../../agents/public.ts";
import { stopConnectorsOf } from "../../connectors/store.ts";
import { knowledgeBaseInUse } from "../../errors.ts";
import { baseDeleted } from "../../events.ts";
import { exampleBase } from "../../example.ts";
import { DeletedBase } from "../../schemas.ts";
import { byOwnBase } from "../narrowing.ts";
import { bases } from "../operation-parts.ts";
import type { BaseRow, CountedBase } from "../resource.ts";
import { countBases, deleteBaseRow } from "../store.ts";

export const deleteBase = defineOperation({
  ...bases.changeOfOne("knowledge.delete"),
  id: "knowledge.deleteBase",
  method: "DELETE",
  listed: true,
  summary: "Delete a knowledge base",
  description:
    "Refused while a deployed agent names it, unless `force` is true. From this answer on nothing of it is found, its name is free, and its citations answer 410. Its " +
    "documents, files and index entries are removed in the background, some hundreds at a time: all of them, though the answer counts those that you may read.",
  query: Type.Object(
    {
      force: Type.Optional(
        Type.Boolean({ description: "Delete it even if deployed agents name it. They find nothing in it afterwards." }),
      ),
    },
    { additionalProperties: false },
  ),
  output: DeletedBase,
  example: {
    params: { base: exampleBase.name },
    output: {
      base_id: exampleBase.base_id,
      name: exampleBase.name,
      deleted: true,
      documents: 200,
      chunks: 200,
      agents: [],
      deleted_at: "2026-11-22T09:30:00.000Z",
      audit_ref: "aud_01jd8x0000000000000000000f",
    },
  },
  mayMatch: ({ revision }: BaseRow) => revision,
  narrowing: byOwnBase,
  gate: exempt("deletes a base; nothing acts"),
  decides: exempt("takes text away, adds none"),
  emits: [baseDeleted],
  errors: [knowledgeBaseInUse],
  async handle(ctx, { query, loaded }) {
    const { id, name } = loaded;
    const agents = agentsLiveWith(ctx, name).sort();
    if (agents.length > 0 && query.force !== true)
      throw refuse(
        knowledgeBaseInUse,
        `Deployed agents use the base ${name}: ${agents.join(", ")}. Deploy them without it, or repeat the call with force=true (on the command line --force).`,
        { members: { agents } },
      );
    const locked = await bases.rows.lock(ctx, id);
    if (!locked) throw refuse(notFound, "The base was just deleted.");
    if (ctx.basedOnLoaded && locked.revision !== loaded.revision) throw changedMeanwhile();
    const base = { ...loaded, ...locked };
    const [whole] = (await countBases(ctx, [base], [])) as [CountedBase];
    const [{ documents, chunks }] = (await bases.complete(ctx, [base])) as [CountedBase];
    await deleteBaseRow(ctx, whole, { author: ctx.principal.id, at: new Date(ctx.now) });
    await stopConnectorsOf(ctx, id, new Date(ctx.now));
    ctx.emit(baseDeleted, { base_id: id, base: name, deleted_by: ctx.principal.id });
    const deleted = { base_id: id, name, deleted: true as const, documents, chunks, agents };
    return { ...deleted, deleted_at: new Date(ctx.now).toISOString(), audit_ref: ctx.auditRef };
  },
});
