import type { WriteContext } from "../../../kernel/context.ts";
import { refuse } from "../../../kernel/errors.ts";
import { invalidBody, staleRevision } from "../../../kernel/problems.ts";
import { agentArchived } from "../errors.ts";
import { agentFacts } from "../facts.ts";
import type { Agent, ChangeDraftBody } from "../schemas.ts";
import { changedParts, type DraftParts, sameParts } from "./rules.ts";
import { type AgentRow, findAgent, isMember, updateDraft, updateLabels } from "./store.ts";
import { agentView } from "./view.ts";

export const partsOf = ({ labels, draft }: AgentRow): DraftParts => ({ labels, definition: draft });

/** Stores a validated change. One that changes nothing leaves the revision. Throws `agent_archived` and `stale_revision`. */
export async function storeChange(ctx: WriteContext, loaded: AgentRow, change: ChangeDraftBody): Promise<Agent> {
  const { name, revision } = loaded;
  const [present, parts] = [partsOf(loaded), changedParts(name, partsOf(loaded), change)];
  const owner = change.owner ?? loaded.owner;
  if (loaded.archived_at === null && owner === loaded.owner && sameParts(parts, present)) return agentView(loaded);
  if (change.owner !== undefined && !(await isMember(ctx, change.owner))) throw unknownOwner(change.owner);
  const row = sameParts({ ...parts, labels: present.labels }, present)
    ? await updateLabels(ctx, { name, owner, labels: parts.labels }, revision)
    : await updateDraft(ctx, { name, owner, ...parts }, loaded);
  if (!row) throw await whyUnchanged(ctx, name);
  // Labels are all that facts hold of a draft.
  if (JSON.stringify(parts.labels) !== JSON.stringify(present.labels)) ctx.touch(agentFacts);
  return agentView(row);
}

async function whyUnchanged(ctx: WriteContext, name: string): Promise<Error> {
  if (((await findAgent(ctx, name))?.archived_at ?? null) !== null)
    return refuse(agentArchived, `${name} is archived, so its draft cannot change.`);
  const detail = "It was changed since you read it; read it again and repeat the change on what is there now.";
  return refuse(staleRevision, detail);
}

function unknownOwner(id: string): Error {
  const detail = `is no member; ${id} was not found. Use the id of one, mbr_…`;
  return refuse(invalidBody, `/owner: ${detail}`, { errors: [{ pointer: "/owner", code: "unknown_member", detail }] });
}
