import type { CallContext } from "../../../kernel/context.ts";
import type { Reader } from "../../../kernel/db.ts";
import { refuse } from "../../../kernel/errors.ts";
import type { GateConsequence } from "../../../kernel/gate-table.ts";
import type { ReplyOptions } from "../../../kernel/reply-options.ts";
import {
  type AgentDefinition,
  chatSkill,
  findChat,
  findKnownAgent,
  findVersion,
  type LiveSkill,
  wasAbandoned,
} from "../../agents/public.ts";
import { gateOf } from "../../evaluations/public.ts";
import { holdOn } from "../../governance/public.ts";
import { agentNotDeployed, type PinnedWork, riskOf, startingTrust } from "../../tasks/public.ts";
import type { ConversationRow } from "../conversations/store.ts";

type VersionContext = CallContext & { readonly db: Reader };
type Version = { readonly id: string; readonly number: number };

export interface Answering {
  readonly agent: { readonly name: string; readonly labels: readonly string[] };
  readonly version: Version;
  readonly definition: AgentDefinition;
  readonly skill: LiveSkill;
  /** Why the version changed, for the audit record; null: it did not, or the conversation was idle. */
  readonly moved: string | null;
}

type Pinned = Pick<ConversationRow, "agent" | "version_id" | "version_number" | "repin_seconds" | "last_message_at">;

/** The pinned version if it may still answer, else the live one. Undefined: not deployed here. */
export async function answeringVersion(ctx: VersionContext, row: Pinned): Promise<Answering | undefined> {
  const known = findKnownAgent(ctx, row.agent);
  if (!known?.live || known.archived) return undefined;
  const agent = { name: known.agent, labels: known.labels };
  const { definition } = known.live;
  const live = { agent, version: known.live, definition, skill: findChat(definition) };
  const { version_id: id, version_number: number } = row;
  if (id === null || number === null || id === known.live.id || isIdle(ctx, row)) return { ...live, moved: null };
  const moved = await whyMoved(ctx, agent.name, { id, number }, known.live);
  const pinned = moved === null ? await findVersion(ctx, id) : undefined;
  if (!pinned) return { ...live, moved };
  return { agent, version: pinned, definition: pinned.definition, skill: findChat(pinned.definition), moved: null };
}

export function answeringOf(ctx: CallContext, agent: string, answering: Answering | null): Answering {
  if (answering) return answering;
  throw refuse(agentNotDeployed, `${agent} is not deployed in ${ctx.scope.environment}.`);
}

const isIdle = (ctx: CallContext, { last_message_at: last, repin_seconds: seconds }: Pinned): boolean =>
  last !== null && last.getTime() + seconds * 1_000 <= ctx.now;

const strictness: readonly GateConsequence[] = ["go", "tag", "approve", "refuse"];

/** Null: it may go on. */
async function whyMoved(ctx: VersionContext, agent: string, pinned: Version, live: Version): Promise<string | null> {
  const isHeld = ({ id }: Version) => holdOn(ctx, "chat.message", { agent, versionId: id, skill: chatSkill }) !== null;
  const gate = ({ id }: Version) => strictness.indexOf(gateOf(ctx, agent, id));
  if (isHeld(pinned) && !isHeld(live)) return `Version ${pinned.number} was stopped`;
  if (gate(pinned) >= strictness.indexOf("approve") && gate(live) < gate(pinned))
    return `Version ${pinned.number} is no longer let through by its evaluation`;
  return (await wasAbandoned(ctx, agent, pinned.number)) ? `Version ${pinned.number} was rolled back` : null;
}

/** `after`: number of the last message that the agent sees before this one. */
export interface TurnInput extends Record<string, unknown> {
  readonly message: string;
  readonly conversation: string;
  readonly after: number;
  readonly files?: readonly string[];
  readonly options?: ReplyOptions;
}

const readings = new WeakMap<LiveSkill, LiveSkill>();

/** Without the tools that write, each of whose calls is judged by itself. */
function readingOf(skill: LiveSkill): LiveSkill {
  const known = readings.get(skill) ?? { ...skill, tools: skill.tools.filter(({ effect }) => effect === "read") };
  readings.set(skill, known);
  return known;
}

export function turnFacts(ctx: CallContext, { agent, version, skill }: Answering, input: TurnInput) {
  const trust = startingTrust(ctx, version.id, chatSkill);
  const risk = riskOf(readingOf(skill), trust.low);
  const { level, score, impact, likelihood } = risk;
  return {
    agent,
    version: { number: version.number, id: version.id },
    skill: { name: chatSkill },
    input,
    risk: { level, score, impact, likelihood },
    trust: { score: trust.score, low: trust.low, high: trust.high },
    work: { version, skill, input, trust, risk } satisfies PinnedWork,
  };
}
