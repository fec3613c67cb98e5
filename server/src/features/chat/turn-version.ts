import type { CallContext } from "../../kernel/context.ts";
import type { Reader } from "../../kernel/db.ts";
import { refuse } from "../../kernel/errors.ts";
import type { GateConsequence } from "../../kernel/gate-table.ts";
import { chatSkill, findChat, findKnownAgent, findVersion, type LiveSkill, wasAbandoned } from "../agents/public.ts";
import { gateOf } from "../evaluations/public.ts";
import { holdOn } from "../governance/public.ts";
import { agentNotDeployed } from "../tasks/public.ts";
import type { ConversationRow } from "./conversation-store.ts";

type Looking = CallContext & { readonly db: Reader };
type Version = { readonly id: string; readonly number: number };

/** The version that answers in a conversation now. */
export interface Answering {
  readonly agent: { readonly name: string; readonly labels: readonly string[] };
  readonly version: Version;
  readonly skill: LiveSkill;
  /** Why another version answers than the one that the conversation was pinned to, for the user; null: none did, or it was idle. */
  readonly moved: string | null;
}

type Pinned = Pick<ConversationRow, "agent" | "version_id" | "version_number" | "repin_seconds" | "last_message_at">;

/** The version that a conversation is pinned to, if that may still answer; else the one that is live. Undefined: the agent is not deployed here. */
export async function answeringVersion(ctx: Looking, row: Pinned): Promise<Answering | undefined> {
  const known = findKnownAgent(ctx, row.agent);
  if (!known?.live || known.archived) return undefined;
  const agent = { name: known.agent, labels: known.labels };
  const live = { agent, version: known.live, skill: findChat(known.live.definition) };
  const { version_id: id, version_number: number } = row;
  if (id === null || number === null || id === known.live.id || isIdle(ctx, row)) return { ...live, moved: null };
  const moved = await whyMoved(ctx, agent.name, { id, number }, known.live);
  const pinned = moved === null ? await findVersion(ctx, id) : undefined;
  return pinned ? { agent, version: pinned, skill: findChat(pinned.definition), moved: null } : { ...live, moved };
}

/** As {@link answeringVersion}; refuses where the agent is not deployed. */
export function answeringOf(ctx: CallContext, agent: string, answering: Answering | null): Answering {
  if (answering) return answering;
  throw refuse(agentNotDeployed, `${agent} is not deployed in ${ctx.scope.environment}.`);
}

const isIdle = (ctx: CallContext, { last_message_at: last, repin_seconds: seconds }: Pinned): boolean =>
  last !== null && last.getTime() + seconds * 1_000 <= ctx.now;

const strictness: readonly GateConsequence[] = ["go", "tag", "approve", "refuse"];

/** Why a pinned version may not go on answering; null: it may. */
async function whyMoved(ctx: Looking, agent: string, pinned: Version, live: Version): Promise<string | null> {
  const isHeld = ({ id }: Version) => holdOn(ctx, "chat.message", { agent, versionId: id, skill: chatSkill }) !== null;
  const gate = ({ id }: Version) => strictness.indexOf(gateOf(ctx, agent, id));
  if (isHeld(pinned) && !isHeld(live)) return `Version ${pinned.number} was stopped`;
  if (gate(pinned) >= strictness.indexOf("approve") && gate(live) < gate(pinned))
    return `Version ${pinned.number} is no longer let through by its evaluation`;
  return (await wasAbandoned(ctx, agent, pinned.number)) ? `Version ${pinned.number} was rolled back` : null;
}
