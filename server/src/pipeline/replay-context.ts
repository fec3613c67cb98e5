import { scanJson } from "@aos/data-classes";
import { presentName } from "../kernel/former-actions.ts";
import type { AuditObject, PolicyFacts } from "../kernel/operation.ts";
import type { Environment, Principal } from "../kernel/principal.ts";
import { storedJson } from "../kernel/stored-json.ts";
import type { RedactDemand } from "../kernel/verdict.ts";
import type { PolicyContext } from "./compliance/context.ts";
import type { Reached } from "./stages.ts";

// What policies saw of a call stands beside its record, so that a later policy can be asked about it. What the record itself says (who, by which
// key, where, when), and what a task's row says of its own dispatch, is not stored a second time: `restoreContext` puts all of it together again.

/** The largest input that is kept with a record, as JSON in UTF-8 (bytes). */
export const largestInput = 16 * 1024;

/**
 * The text to store: JSON that begins with `{"action":"…"`, then, where the input stands in the task that the record names,
 * `,"input_of":"tsk_…"`. An input that stands nowhere else is left out, with
 * `"input_dropped":true`, where it is too large, where it holds what policies of the call want replaced, and where the operation says so. Null where policies saw
 * nothing (compliance is exempt, the call ended before it, an earlier answer was given again), and for a dry run, which is no call that a policy
 * could have changed. `allowed`: the call was not refused, so that what it names exists.
 */
export function recordedContext(reached: Reached, named: AuditObject, allowed: boolean): string | null {
  const { policyContext: context, facts, spec, principal, call } = reached;
  if (!context || !facts || !principal || reached.replayed || reached.dryRun) return null;
  const inTask = "action" in spec.compliance && spec.compliance.inputOf === "task";
  const task = inTask && allowed ? (named.task ?? null) : null;
  const from = task === null ? "" : `,"input_of":"${task}"`;
  const own = task === null ? standing(context, reached) : "";
  const spend = context.spend ? member("spend", context.spend) : "";
  return `{"action":"${context.action}"${from}${callerText(principal, call.address)}${workText(facts)}${own}${spend}}`;
}

const member = (name: string, value: unknown): string =>
  value === undefined ? "" : `,"${name}":${JSON.stringify(value)}`;

/** What else would stand in a task. */
function standing({ input, found, trust, risk }: PolicyContext, reached: Reached): string {
  const kept = input === undefined ? "" : (keptInput(input, reached) ?? ',"input_dropped":true');
  return `${member("risk", risk)}${member("trust", trust)}${member("found", found)}${kept}`;
}

/** The input as it is stored; null: it is left out. */
function keptInput(input: object, { spec, redact, input: given }: Reached): string | null {
  const keeps =
    "action" in spec.compliance ? (spec.compliance.keepsInput as ((given: object) => boolean) | undefined) : undefined;
  if (given && keeps?.(given) === false) return null;
  const text = JSON.stringify(input);
  if (Buffer.byteLength(text) > largestInput) return null;
  return redact && holds(input, redact) ? null : `,"input":${text}`;
}

/** Whether detectors find in an input what is to be replaced. */
function holds(input: object, { kinds: wanted }: RedactDemand): boolean {
  const { kinds, complete } = scanJson(input, { findings: 0 });
  return !complete || kinds.some((kind) => wanted === "all" || wanted.includes(kind));
}

const callers = new WeakMap<Principal, { readonly address: string | null; readonly text: string }>();

/** Of the caller what the record does not say. Keys keep their principal object while nothing is reloaded, so its text is made once for each address. */
function callerText(principal: Principal, address: string | null): string {
  if (principal.keyId === null) return composeCaller(principal, address);
  let known = callers.get(principal);
  if (known?.address !== address) {
    known = { address, text: composeCaller(principal, address) };
    callers.set(principal, known);
  }
  return known.text;
}

function composeCaller({ kind, role, keyId, scopes }: Principal, address: string | null): string {
  const key =
    keyId === null ? {} : { ...(scopes === null ? {} : { scopes }), ...(address === null ? {} : { address }) };
  return `${member("principal", { kind, role: role ?? "none" })}${Object.keys(key).length === 0 ? "" : member("key", key)}`;
}

interface WorkText {
  readonly agent: string;
  readonly id: string;
  readonly number: number;
  readonly text: string;
}

/** Texts by the agent's labels, an object that lives as long as the facts that were loaded, and by skill. */
const works = new WeakMap<readonly string[], Map<string, WorkText>>();
const mostSkills = 1000;

/** What acts. Agent, version and skill are the same for very many calls, so their text is made once. */
function workText({ agent, version, skill, tool, model, workflow }: PolicyFacts): string {
  const rest = `${member("tool", tool)}${member("model", model)}${member("workflow", workflow)}`;
  if (!agent || !version || !skill)
    return `${member("agent", agent)}${member("version", version)}${member("skill", skill)}${rest}`;
  let bySkill = works.get(agent.labels);
  if (!bySkill) {
    bySkill = new Map();
    works.set(agent.labels, bySkill);
  }
  let known = bySkill.get(skill.name);
  if (!known || known.agent !== agent.name || known.id !== version.id || known.number !== version.number) {
    const text = `${member("agent", agent)}${member("version", version)}${member("skill", skill)}`;
    known = { agent: agent.name, id: version.id, number: version.number, text };
    if (bySkill.size >= mostSkills) bySkill.clear();
    bySkill.set(skill.name, known);
  }
  return `${known.text}${rest}`;
}

/** What of a record's text a context is put together with. */
export interface RecordFacts {
  readonly environment: string;
  readonly principal: string;
  readonly key_id: string | null;
  /** RFC 3339. */
  readonly time: string;
}

/** Columns of the task that `input_of` names: JSON texts. */
export interface TaskTexts {
  readonly input: string;
  readonly trust: string;
  readonly risk: string;
}

type Stored = Omit<Partial<PolicyContext>, "principal"> & {
  readonly action: string;
  readonly principal: {
    readonly kind: PolicyContext["principal"]["kind"];
    readonly role: PolicyContext["principal"]["role"];
  };
  readonly input_of?: string;
  readonly input_dropped?: true;
};

const contextJson = storedJson<{ stored: Stored }>();
const taskJson = storedJson<{
  input: Record<string, unknown>;
  trust: NonNullable<PolicyFacts["trust"]>;
  risk: NonNullable<PolicyFacts["risk"]>;
}>();

/** Whether the input was left out of what `recordedContext` stored. */
export function lacksInput(stored: string): boolean {
  return stored.includes('"input_dropped":true') && contextJson({ stored }, "stored").input_dropped === true;
}

/**
 * The context that policies saw, exactly but for an input that was left out, out of what `recordedContext` stored, the record's text, and the task's row where `input_of` names one.
 * Null where it cannot be put together: the task is gone. Throws where a text is no JSON.
 */
export function restoreContext(stored: string, record: RecordFacts, task: TaskTexts | null): PolicyContext | null {
  const { input_of, input_dropped: _dropped, principal, key, action, ...kept } = contextJson({ stored }, "stored");
  if (input_of !== undefined && task === null) return null;
  return {
    ...kept,
    action: presentName(action),
    ...(input_of === undefined || task === null ? {} : partsOfTask(task)),
    environment: record.environment as Environment,
    now: Date.parse(record.time),
    principal: { ...principal, id: record.principal },
    ...(record.key_id === null ? {} : { key: { ...key, id: record.key_id } }),
  };
}

function partsOfTask(task: TaskTexts): Pick<PolicyContext, "input" | "trust" | "risk"> {
  const trust = taskJson(task, "trust");
  const risk = taskJson(task, "risk");
  return {
    input: taskJson(task, "input"),
    trust: { score: trust.score, low: trust.low, high: trust.high },
    risk: { level: risk.level, score: risk.score, impact: risk.impact, likelihood: risk.likelihood },
  };
}
