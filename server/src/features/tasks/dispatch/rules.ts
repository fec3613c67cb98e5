import { pointerOf } from "@aos/strict-json";
import { editDistance, hasAtMost, nearestName } from "@aos/text";
import type { CallContext } from "../../../kernel/context.ts";
import { type Fault, refuse } from "../../../kernel/errors.ts";
import type { FactsReader } from "../../../kernel/facts.ts";
import { momentOf } from "../../../kernel/moment.ts";
import type { Scope } from "../../../kernel/principal.ts";
import { invalidBody } from "../../../kernel/problems.ts";
import { approvalDemand, assessRisk, dataClasses, type Risk, type RiskInputs } from "../../../kernel/risk.ts";
import { scoreTrust, startTrustConfig, type TrustCase, type TrustScore } from "../../../kernel/trust/index.ts";
import { type ApprovalDemand, stricter } from "../../../kernel/verdict.ts";
import { decidesStrictly, settingsOf } from "../../admin/public.ts";
import { findKnownAgent, fitsOf, type KnownAgent, type LiveSkill, type SkillFits } from "../../agents/public.ts";
import type { ImpactDefinition, RunnableTool, ToolDefinition } from "../../agents/schemas.ts";
import { type DispatchBody, reservedNames } from "../schemas.ts";
import { taskJson } from "../tasks/row.ts";

const reserved: ReadonlySet<string> = new Set(reservedNames);

/** The skill's input: the top-level fields that are not reserved, and those of `input`. */
export function inputOf(body: DispatchBody): Record<string, unknown> {
  return { ...Object.fromEntries(Object.entries(body).filter(([name]) => !reserved.has(name))), ...body.input };
}

/** Faults of a dispatch body that only the deployed version can find: the task's name and the skill's input. */
export function dispatchFaults(agent: KnownAgent, body: DispatchBody): Fault[] {
  if (!agent.live || typeof body.task !== "string") return [];
  const skill = agent.live.skills.get(body.task);
  const nested = typeof body.input === "object" && body.input !== null ? body.input : {};
  const doubled = Object.keys(nested).filter((name) => !reserved.has(name) && Object.hasOwn(body, name));
  const faults: Fault[] = doubled.map((name) => ({
    pointer: pointerOf(["input", name]),
    code: "given_twice",
    detail: `${name} stands at the top and in input; give it once`,
  }));
  if (!skill) return [...faults, unknownSkill(agent, body.task)];
  const misspelt = misspeltControls(skill, body);
  const atTop = (pointer: string): string =>
    Object.hasOwn(nested, pointerHead(pointer)) ? `/input${pointer}` : pointer;
  const ofInput = skill.validate(inputOf(body)).map((fault) => ({ ...fault, pointer: atTop(fault.pointer ?? "") }));
  return [
    ...faults,
    ...misspelt,
    ...ofInput.filter(({ pointer }) => !misspelt.some((other) => other.pointer === pointer)),
  ];
}

/** The most edits at which a field counts as a misspelt reserved name. */
const misspeltWithin = 2;

/** Undeclared top-level fields that are nearly a reserved name: a misspelt `require_approval` must never run unapproved. */
function misspeltControls({ definition }: LiveSkill, body: DispatchBody): Fault[] {
  const { properties = {} } = (definition.input ?? {}) as { properties?: object };
  return Object.keys(body).flatMap((name) => {
    if (reserved.has(name) || Object.hasOwn(properties, name) || name.length > 30) return [];
    const meant = reservedNames.find((control) => editDistance(name.toLowerCase(), control) <= misspeltWithin);
    if (meant === undefined) return [];
    const detail = `is not known here; did you mean \`${meant}\`? If it is a field of the skill's input, send it inside \`input\``;
    return [{ pointer: pointerOf([name]), code: "misspelt_field", detail }];
  });
}

function unknownSkill(agent: KnownAgent, name: string): Fault {
  const names = [...(agent.live?.skills.keys() ?? [])];
  const close = nearestName(name, names);
  const hint = close ? `did you mean ${close}?` : `it has ${names.join(", ")}`;
  return { pointer: "/task", code: "unknown_task", detail: `${agent.agent} has no skill ${name}; ${hint}` };
}

const pointerHead = (pointer: string): string =>
  (pointer.split("/")[1] ?? "").replaceAll("~1", "/").replaceAll("~0", "~");

const hourMs = 3_600_000;
const startScores = new WeakMap<SkillFits, { hour: number; trust: TrustScore }>();

/** The trust score of work by a version's skill, by what is known of the case. */
export function trustOf(ctx: CallContext, versionId: string, skill: string, known: TrustCase): TrustScore {
  return scoreTrust(fitsOf(ctx, versionId, skill).forCase(known), known, ctx.now, startTrustConfig);
}

/**
 * The score that a task starts with, before anything is known of its case: that of the skill's typical judged case. It changes with labels and, as its interval
 * widens, by the hour at most, so that all tasks of an hour share it.
 */
export function startingTrust(ctx: CallContext, versionId: string, skill: string): TrustScore {
  const fits = fitsOf(ctx, versionId, skill);
  const hour = Math.floor(ctx.now / hourMs);
  let known = startScores.get(fits);
  if (known?.hour !== hour) {
    known = { hour, trust: scoreTrust(fits.main, fits.main.typical, ctx.now, startTrustConfig) };
    startScores.set(fits, known);
  }
  return known.trust;
}

const riskTexts = new WeakMap<Risk, string>();

/** The stored form of a risk. */
export function riskText(risk: Risk): string {
  let text = riskTexts.get(risk);
  if (text === undefined) {
    text = JSON.stringify(risk);
    riskTexts.set(risk, text);
  }
  return text;
}

const trustTexts = new WeakMap<TrustScore, string>();

/** The stored and shown form of a score. Made once for a score that many tasks share. */
export function trustText(trust: TrustScore): string {
  let text = trustTexts.get(trust);
  if (text === undefined) {
    text = textOf(trust);
    trustTexts.set(trust, text);
  }
  return text;
}

function textOf({ score, low, high, parts, inputs, digest }: TrustScore): string {
  return JSON.stringify({
    score,
    low,
    high,
    parts: Object.fromEntries(parts.map(({ name, value }) => [name, value])),
    ...inputs,
    digest,
  });
}

const assessed = new WeakMap<LiveSkill, Map<number, Risk>>();

/**
 * The risk of a task: the worst of what its skill and the skill's tools declare, at the trust that it starts with. The same inputs give
 * the same risk, so it is computed once for each: trust moves in steps of evidence, not with each call. It is always that of an action
 * that nobody looks at: what the caller asks for can only add to what follows from it.
 */
export function riskOf(skill: LiveSkill, trustLow: number): Risk {
  let known = assessed.get(skill);
  if (!known) {
    known = new Map();
    assessed.set(skill, known);
  }
  let risk = known.get(trustLow);
  if (!risk) {
    const impacts = [skill.definition.impact, ...skill.tools.map((tool) => tool.impact)].filter(
      (impact) => impact !== undefined,
    );
    risk = assessRisk({
      ...declaredImpact(impacts),
      unattended: true,
      trust_low: trustLow,
      critical_finding: false,
      mitigation: 0,
    });
    if (known.size > 1000) known.clear();
    known.set(trustLow, risk);
  }
  return risk;
}

/** The risk at the present trust, unattended as always; all else as assessed at dispatch. */
export function riskNow(row: { readonly risk: string }, trustLow: number): Risk {
  return assessRisk({ ...taskJson(row, "risk").inputs, unattended: true, trust_low: trustLow });
}

/** The risk of one tool call by itself, at its task's trust: its declared impact, unattended. */
export function riskOfCall(tool: { readonly impact?: ImpactDefinition }, trustLow: number): Risk {
  const impacts = tool.impact === undefined ? [] : [tool.impact];
  return assessRisk({
    ...declaredImpact(impacts),
    unattended: true,
    trust_low: trustLow,
    critical_finding: false,
    mitigation: 0,
  });
}

/** The worst of several declared impacts that act together. */
export function declaredImpact(
  impacts: readonly ImpactDefinition[],
): Pick<RiskInputs, "data" | "reversible" | "external" | "money" | "persons"> {
  const classes = impacts.map((impact) => dataClasses.indexOf(impact.data ?? "public"));
  return {
    data: dataClasses[Math.max(0, ...classes)] ?? "public",
    reversible: impacts.every((impact) => impact.reversible !== false),
    external: impacts.some((impact) => impact.external === true),
    money: Math.max(0, ...impacts.map((impact) => impact.money ?? 0)),
    persons: Math.max(0, ...impacts.map((impact) => impact.persons ?? 0)),
  };
}

/** The strictest approval that gate, policies, risk and caller require, if any. */
export function approvalFor(
  ctx: CallContext,
  risk: Risk,
  asked: ApprovalDemand | null,
  byCaller: boolean,
): ApprovalDemand | null {
  const byRisk = approvalDemand(risk.level, decidesStrictly(ctx) ? "production" : ctx.scope.environment);
  const caller: ApprovalDemand | null = byCaller
    ? { approvers: 1, requester_allowed: true, reasons: ["The caller asked for approval."] }
    : null;
  const own: ApprovalDemand | null = byRisk.asked
    ? { approvers: 1, requester_allowed: true, reasons: [`Its risk is ${risk.level}.`] }
    : null;
  const demand = stricter(stricter(asked, own), caller);
  if (!demand) return null;
  return {
    ...demand,
    approvers: Math.max(demand.approvers, byRisk.approvers),
    requester_allowed: demand.requester_allowed && byRisk.requester_allowed,
  };
}

/** An agent as policies see it. */
export function agentSeen(ctx: CallContext, name: string): { name: string; labels: readonly string[] } {
  return { name, labels: findKnownAgent(ctx, name)?.labels ?? [] };
}

/** Throws for a deadline that has passed. Depends on the time of the call, so a repetition is answered before it. */
export function checkDeadline(now: number, deadline: string | null | undefined): void {
  if (typeof deadline !== "string" || !(momentOf(deadline) <= now)) return;
  const detail = "has passed already; give a time to come, or leave it out";
  throw refuse(invalidBody, `/deadline: ${detail}`, { errors: [{ pointer: "/deadline", code: "past", detail }] });
}

/** A task must be able to run before its deadline. `pointer`: the place of the beginning. */
export function startFaults(pointer: string, notBefore: unknown, deadline: unknown): Fault[] {
  if (typeof notBefore !== "string" || typeof deadline !== "string" || !(momentOf(notBefore) >= momentOf(deadline)))
    return [];
  return [
    { pointer, code: "after_deadline", detail: `is not before the deadline, ${deadline}; the task could never run` },
  ];
}

/** Checks both times together, whichever of them is changed. */
export function checkTimes(
  now: number,
  task: { readonly deadline: Date | null; readonly not_before: Date | null },
  { deadline, not_before }: { readonly deadline?: string | null; readonly not_before?: string | null },
): void {
  checkDeadline(now, deadline);
  const end = deadline === undefined ? task.deadline?.toISOString() : deadline;
  const begin = not_before === undefined ? task.not_before?.toISOString() : not_before;
  const [fault] = startFaults(not_before === undefined ? "/deadline" : "/not_before", begin, end);
  if (!fault || (deadline === undefined && not_before === undefined)) return;
  const detail =
    not_before === undefined
      ? `is not after the time before which the task may not begin, ${begin}; it could never run`
      : fault.detail;
  throw refuse(invalidBody, `${fault.pointer}: ${detail}`, { errors: [{ ...fault, detail }] });
}

/** Whose data a task carries: the field that the skill names as its subject, else the task itself. */
export function subjectOf(skill: LiveSkill, input: Readonly<Record<string, unknown>>, taskId: string): string {
  const field = skill.definition.subject;
  const value = field === undefined ? undefined : input[field];
  return typeof value === "string" && value.length > 0 && hasAtMost(200, value) ? value : taskId;
}

// A request by a method that may change its target (RFC 9110, section 9.2.1) is a write, whatever the tool says of itself, unless an admin
// has marked it as a read in the environment's settings (`tools.reads`).

/** The method of an OpenAPI operation is known only at the call, so the marks travel with it. */
type WithMarks<T> = T & { readonly markedReads?: readonly string[] };

interface Here {
  readonly facts: FactsReader;
  readonly scope: Scope;
}

/** Tools with the effect that counts here: one that claims to read and may not is a write. */
export function toolsAsMarked<T extends ToolDefinition>(here: Here, tools: readonly T[]): readonly WithMarks<T>[] {
  return tools.some(mayWrite) ? tools.map((tool) => toolAsMarked(here, tool)) : tools;
}

export function toolAsMarked<T extends Pick<ToolDefinition, "effect">>(here: Here, tool: T): WithMarks<T> {
  if (!mayWrite(tool)) return tool;
  const { reads } = settingsOf(here).tools;
  const request = requestOf(tool);
  if (request === null) return { ...tool, markedReads: reads };
  return reads.includes(request) ? tool : { ...tool, effect: "write" };
}

/** Whether a tool claims to read and calls something that may write. */
function mayWrite(tool: Pick<ToolDefinition, "effect">): boolean {
  if (tool.effect !== "read" || !("kind" in tool) || tool.kind !== "http") return false;
  const request = requestOf(tool);
  return request === null || !/^(?:GET|HEAD) /.test(request);
}

/** `POST https://api.example.com/search`, as an admin marks it; null if an API description names it. */
function requestOf(tool: Pick<ToolDefinition, "effect">): string | null {
  const { request } = tool as { request?: { method: string; url: string } };
  return request ? `${request.method} ${request.url.replace(/[?#].*$/s, "")}` : null;
}

/** Whether a call with an unknown outcome may be repeated: it only reads, or its receiver recognizes the key. */
export function isRepeatable(tool: ToolDefinition | RunnableTool): boolean {
  return tool.effect === "read" || ("idempotency" in tool && tool.idempotency !== undefined);
}
