import { nearestName } from "@aos/text";
import type { CallContext, ReadContext, WriteContext } from "../../../kernel/context.ts";
import { type Fault, refuse } from "../../../kernel/errors.ts";
import { isId } from "../../../kernel/ids.ts";
import type { Concerned } from "../../../kernel/narrowing.ts";
import { environments } from "../../../kernel/principal.ts";
import { invalidBody } from "../../../kernel/problems.ts";
import { agentsSeen, findKnownAgent } from "../../agents/public.ts";
import { allEnvironmentsAdminRequired } from "./errors.ts";
import type { KillSwitchKind } from "./rules.ts";
import type { EngageKillSwitchBody } from "./schemas.ts";
import { agentOfVersion, namesInUse, rolesOfPerson, skillsOf } from "./store.ts";

// What the schema cannot check: what a kind requires of its target, and whether the target exists.

const everything: ReadonlySet<KillSwitchKind> = new Set(["all", "environment"]);
const ofCalls: ReadonlySet<KillSwitchKind> = new Set(["tool", "model"]);

export function engageFaults(ctx: CallContext, body: EngageKillSwitchBody): Fault[] {
  const { kind, target, mode, critical, allow_unknown } = body;
  const checks: [unknown, string, string, string][] = [
    [everything.has(kind) && target !== undefined, "/target", "not_allowed", "must be left out: everything is stopped"],
    [
      everything.has(kind) && critical === false,
      "/critical",
      "not_allowed",
      `cannot be false: a kill switch of the kind ${kind} always takes two persons to release`,
    ],
    [
      kind !== undefined && !everything.has(kind) && target === undefined,
      "/target",
      "required",
      `is required: name the ${kind} to stop`,
    ],
    [
      allow_unknown !== undefined && kind !== undefined && !ofCalls.has(kind),
      "/allow_unknown",
      "not_allowed",
      "applies to tools and models; leave it out",
    ],
    [
      ofCalls.has(kind) && mode === "drain",
      "/mode",
      "not_allowed",
      `cannot be drain: a ${kind} takes no new work that could be refused; choose pause or stop`,
    ],
  ];
  return [
    ...checks.flatMap(([fails, pointer, code, detail]) => (fails ? [{ pointer, code, detail }] : [])),
    ...(typeof target === "string" ? agentFaults(ctx, kind, target) : []),
  ];
}

/** The agent must exist, but need not be deployed. */
function agentFaults(ctx: CallContext, kind: KillSwitchKind, target: string): Fault[] {
  const unknown = (agent: string): Fault[] => {
    if (findKnownAgent(ctx, agent)) return [];
    const seen = agentsSeen(ctx);
    const close = nearestName(agent, seen);
    const remedy = close ? `did you mean ${close}?` : `there are: ${seen.slice(0, 20).join(", ") || "none"}`;
    const detail = `${agent} is not an agent of this organization; ${remedy}`;
    return [{ pointer: "/target", code: "unknown_agent", detail }];
  };
  if (kind === "agent") return unknown(target);
  if (kind !== "skill") return [];
  const [agent = "", skill, ...more] = target.split(".");
  if (!skill || more.length > 0)
    return [{ pointer: "/target", code: "form", detail: "must be `<agent>.<skill>`, such as sales.qualify_lead" }];
  return unknown(agent);
}

export async function permitKillSwitch(
  ctx: WriteContext,
  { kind, target, allow_unknown }: EngageKillSwitchBody,
): Promise<void> {
  if (kind === "all") await permitEverywhere(ctx);
  if (kind === "workflow" || (ofCalls.has(kind) && allow_unknown !== true))
    await refuseUnused(ctx, kind as "tool" | "model" | "workflow", target ?? "");
  await agentOfTarget(ctx, kind, target ?? "");
}

/** The agent that is stopped, for keys that are narrowed to agents; null if more than one. */
export async function agentToStop(ctx: ReadContext, { kind, target }: EngageKillSwitchBody): Promise<Concerned> {
  const agent = await agentOfTarget(ctx, kind, target ?? "");
  return agent === undefined ? null : [agent];
}

async function permitEverywhere(ctx: WriteContext): Promise<void> {
  const roles = await rolesOfPerson(ctx);
  const lacking = environments.filter((environment) => roles?.[environment] !== "admin");
  if (lacking.length === 0) return;
  const why = roles ? `the member is not admin in ${lacking.join(" and ")}` : "the key does not act for a member";
  const detail = `A kill switch of the kind all acts in every environment; ${why}.`;
  throw refuse(allEnvironmentsAdminRequired, detail, { stage: "permissions" });
}

async function agentOfTarget(
  ctx: ReadContext | WriteContext,
  kind: KillSwitchKind,
  target: string,
): Promise<string | undefined> {
  if (kind === "agent") return target;
  if (kind === "version") {
    const agent = isId(target, "ver") ? await agentOfVersion(ctx, target) : undefined;
    if (agent === undefined)
      throw invalid("unknown_version", `${target} is not a version of an agent; give its id, \`ver_…\``);
    return agent;
  }
  if (kind !== "skill") return undefined;
  const [agent = "", skill = ""] = target.split(".", 2);
  const skills = await skillsOf(ctx, agent);
  if (skills.includes(skill)) return agent;
  const close = nearestName(skill, skills);
  throw invalid(
    "unknown_skill",
    `${agent} has no skill ${skill}; ${close ? `did you mean ${agent}.${close}?` : `it has ${skills.join(", ") || "none"}`}`,
  );
}

/** A misspelt name would stop nothing. */
async function refuseUnused(ctx: WriteContext, kind: "tool" | "model" | "workflow", target: string): Promise<void> {
  const names = await namesInUse(ctx, kind);
  if (names.includes(target)) return;
  const close = nearestName(target, names);
  const remedy = close ? `did you mean ${close}?` : `in use: ${names.slice(0, 20).join(", ") || "none"}.`;
  if (kind === "workflow") throw invalid("unknown_workflow", `there is no workflow named ${target}; ${remedy}`);
  throw invalid(
    `unknown_${kind}`,
    `no agent uses a ${kind} named ${target}; ${remedy} To stop it before its first use, send allow_unknown: true`,
  );
}

function invalid(code: string, detail: string): Error {
  return refuse(invalidBody, `/target: ${detail}`, { errors: [{ pointer: "/target", code, detail }] });
}
