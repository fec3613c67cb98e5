import { isoTime } from "../../../kernel/clock.ts";
import type { ProblemType, RefusalDetails } from "../../../kernel/errors.ts";
import type { FactsReader } from "../../../kernel/facts.ts";
import type { HoldSource } from "../../../kernel/hold.ts";
import type { Scope } from "../../../kernel/principal.ts";
import { agentPaused, killSwitchEngaged } from "../../../kernel/problems.ts";
import { findKnownAgent, type KnownAgent } from "../../agents/public.ts";
import { killSwitchFacts } from "./facts.ts";
import {
  holdOf,
  holdsAction,
  type KillSwitch,
  type KillSwitchKind,
  type KillSwitchMode,
  type KillSwitchSubject,
} from "./rules.ts";

/** Where to look, from memory: any call's context, or a machine's own. */
export interface HoldView {
  readonly facts: FactsReader;
  readonly scope: Scope;
}

type Paused = NonNullable<KnownAgent["paused"]>;

export interface Held {
  /** `ksw_…`, or `pause`. */
  readonly source: string;
  readonly killSwitchId: string | null;
  /** Of a stop its mode, of a pause its own: `cancel` ends work as `stop` does. */
  readonly mode: KillSwitchMode | Paused["mode"];
  /** Whether it is about work as a whole, or only about calls of one tool or model. */
  readonly reach: "work" | "call";
  readonly type: ProblemType;
  readonly detail: string;
  readonly since: Date;
  readonly members: NonNullable<RefusalDetails["members"]>;
}

/** The strictest stop or pause that stands against an action of agents; null: none. What ends work goes before what lets it wait. */
export function holdOn({ facts, scope }: HoldView, action: string, of: KillSwitchSubject): Held | null {
  const stop = holdOf(facts.get(killSwitchFacts).of(scope), action, of);
  if (stop?.mode === "stop") return heldByKillSwitch(stop, scope);
  const paused = of.agent === undefined ? null : (findKnownAgent({ facts, scope }, of.agent)?.paused ?? null);
  if (paused && holdsAction(paused.mode === "cancel" ? "stop" : "drain", action))
    return heldByPause(of.agent as string, paused);
  return stop && heldByKillSwitch(stop, scope);
}

export function sourceOfHeld({ killSwitchId: id, detail, since }: Held, agent: string): HoldSource {
  if (id === null) return { of: "agent_pause", id: agent, text: detail, since };
  // Which one stands beside it.
  return { of: "kill_switch", id, agent, text: detail.replace(` by the kill switch ${id}`, ""), since };
}

/** The stops in force that let work wait for which a tool or a model is needed. */
export function pausesOfCalls({ facts, scope }: HoldView): readonly KillSwitch[] {
  return facts
    .get(killSwitchFacts)
    .of(scope)
    .filter(({ kind, mode }) => mode === "pause" && reachOf(kind) === "call");
}

const reachOf = (kind: KillSwitchKind): Held["reach"] => (kind === "tool" || kind === "model" ? "call" : "work");

const doneBy: Readonly<Record<KillSwitchMode, string>> = {
  stop: "stopped",
  pause: "paused",
  drain: "closed to new work",
};

function heldByKillSwitch({ id, kind, target, mode, reason, engagedAt }: KillSwitch, scope: Scope): Held {
  return {
    source: id,
    killSwitchId: id,
    mode,
    reach: reachOf(kind),
    type: killSwitchEngaged,
    detail: `${nameOf(kind, target, scope)} is ${doneBy[mode]} by the kill switch ${id}: ${reason}`,
    since: new Date(engagedAt),
    members: { kill_switch: { kill_switch_id: id, kind, target, mode, reason } },
  };
}

function nameOf(kind: KillSwitchKind, target: string | null, { environment }: Scope): string {
  if (kind === "all") return "All work, in every environment,";
  return kind === "environment" ? `All work in ${environment}` : `The ${kind} ${target}`;
}

function heldByPause(agent: string, { mode, reason, since }: Paused): Held {
  const at = isoTime(since);
  return {
    source: "pause",
    killSwitchId: null,
    mode,
    reach: "work",
    type: agentPaused,
    detail: `${agent} is paused since ${at} and takes no work: ${reason}`,
    since,
    members: { pause: { mode, reason, since: at } },
  };
}
