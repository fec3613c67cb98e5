import { type DataKind, dataKinds, type Replaced, redact, restore } from "@aos/data-classes";
import { all, remove } from "../../../db/scoped.ts";
import { seal, unseal } from "../../../db/secrets.ts";
import type { Reader } from "../../../kernel/db.ts";
import type { Statements } from "../../../kernel/machines.ts";
import type { Seals } from "../../../kernel/seals.ts";
import { storedJson } from "../../../kernel/stored-json.ts";
import { type RedactDemand, united } from "../../../kernel/verdict.ts";
import type { EraseWork } from "../../../resources/tables.ts";
import { argumentsOfCalls } from "../../approvals/requests/public.ts";
import type { Failure } from "../schemas.ts";
import { stepNotIntact } from "./seal.ts";
import { type LeaseKey, listRunSteps, type StepEnding, type StoredStep } from "./store.ts";

/** Placeholders of running tasks: the loop, its models and the journal see them, callers and tools the values. */
interface Redactions {
  /** Begins a run. A resumed one goes on with its earlier placeholders. */
  begin(lease: LeaseKey, resumed: boolean): Promise<void>;
  /**
   * Replaces what the demand names, and keeps what stands behind it, durable before it answers. Null where the lease is lost. Of one lease one value after
   * the other, so that no two new ones get the same placeholder.
   */
  redact(lease: LeaseKey, demand: RedactDemand, value: unknown): Promise<{ readonly value: unknown } | null>;
  /** Replaces the task's placeholders by their values. */
  restore<T>(lease: LeaseKey, value: T): T;
  /** Replaces what already has a placeholder in the task. */
  hide(lease: LeaseKey, text: string): string;
}

/** Keeps the placeholders of this process's runs in memory, by their leases, and sealed by the credential key in the database. */
export function createRedactions(db: Statements, key: Buffer): Redactions {
  const known = new WeakMap<LeaseKey, Replaced>();
  /** Settles with each lease's latest redaction, whatever its result. */
  const latest = new WeakMap<LeaseKey, Promise<unknown>>();
  const load = async (lease: LeaseKey): Promise<Replaced> => {
    const loaded = known.get(lease) ?? (await loadRedactions(db, key, lease));
    known.set(lease, loaded);
    return loaded;
  };
  const redactNow = async (lease: LeaseKey, demand: RedactDemand, value: unknown) => {
    const before = await load(lease);
    const { value: redacted, added } = redactForTask(value, demand, before);
    if (!(await keepRedactions(db, key, lease, added))) return null;
    known.set(lease, { ...before, ...added });
    return { value: redacted };
  };
  return {
    async begin(lease, resumed) {
      if (resumed) await load(lease);
    },
    redact(lease, demand, value) {
      const work = () => redactNow(lease, demand, value);
      const redacted = latest.get(lease)?.then(work) ?? work();
      latest.set(
        lease,
        redacted.catch(() => undefined),
      );
      return redacted;
    },
    restore<T>(lease: LeaseKey, value: T): T {
      const replaced = known.get(lease);
      return replaced === undefined ? value : (restore(value, replaced) as T);
    },
    hide(lease, text) {
      const replaced = known.get(lease);
      return replaced === undefined ? text : hideKnown(text, replaced);
    },
  };
}

// Values of a task's placeholders, sealed for their task and placeholder: elsewhere they do not open.

const contextOf = (task: string, placeholder: string): string => `task-redaction ${task} ${placeholder}`;

const redactedJson = storedJson<{ value: string | number }>();

export async function loadRedactions(db: Statements, key: Buffer, { scope, task }: LeaseKey): Promise<Replaced> {
  const rows = await db.query<{ placeholder: string; value: Buffer }>(
    "select placeholder, value from task_redactions where organization = $1 and environment = $2 and task_id = $3",
    [scope.organization, scope.environment, task],
  );
  return Object.fromEntries(
    rows.map(({ placeholder, value }) => {
      const opened = unseal(key, value, contextOf(task, placeholder));
      if (!opened) throw new Error(`a redaction of ${task} does not open under the credential key`);
      return [placeholder, redactedJson({ value: opened.toString() }, "value")];
    }),
  );
}

/** Stores new placeholders. False if the lease is lost. */
export async function keepRedactions(db: Statements, key: Buffer, lease: LeaseKey, added: Replaced): Promise<boolean> {
  const entries = Object.entries(added);
  if (entries.length === 0) return true;
  const { scope, task, owner } = lease;
  const sealed = entries.map(([placeholder, original]) =>
    seal(key, Buffer.from(JSON.stringify(original)), contextOf(task, placeholder)),
  );
  const rows = await db.query(
    `with held as (select from tasks where organization = $1 and environment = $2 and id = $3 and lease_owner = $4 and status = 'running' for share)
     insert into task_redactions (organization, environment, task_id, placeholder, value)
     select $1, $2, $3, n.placeholder, n.value from held, unnest($5::text[], $6::bytea[]) as n(placeholder, value)
     on conflict do nothing returning placeholder`,
    [scope.organization, scope.environment, task, owner, entries.map(([placeholder]) => placeholder), sealed],
  );
  return rows.length === entries.length;
}

/** A value with placeholders, and the new ones among them. */
interface RedactedForTask {
  readonly value: unknown;
  readonly added: Replaced;
}

/**
 * Replaces personal data by placeholders that are a task's own: what has one keeps it, whichever call it turns up in, so that a resumed run goes on with
 * the same ones. `known` are those of the task so far. Placeholders that merely stand in the value are not given out.
 */
export function redactForTask(value: unknown, { kinds }: RedactDemand, known: Replaced): RedactedForTask {
  const chosen = kinds === "all" ? dataKinds : dataKinds.filter((kind) => kinds.includes(kind));
  const { value: local, replaced } = redact(value, chosen satisfies readonly DataKind[]);
  const text = JSON.stringify(local) ?? "";
  const placeholders = new Map(Object.entries(known).map(([placeholder, original]) => [keyOf(original), placeholder]));
  const added: Record<string, string | number> = {};
  const names: Record<string, string> = {};
  for (const [placeholder, original] of Object.entries(replaced)) {
    let name = placeholders.get(keyOf(original));
    if (name === undefined) {
      // A new placeholder must not be part of the value, nor taken in the task.
      name =
        placeholder in known || placeholder in added
          ? free(placeholder, (one) => one in known || one in added || (!(one in replaced) && text.includes(one)))
          : placeholder;
      added[name] = original;
    }
    names[placeholder] = name;
  }
  return { value: restore(local, names), added };
}

/** Texts and numbers that look alike are different. */
const keyOf = (original: string | number): string => JSON.stringify(original);

/** The first free placeholder of the same label. */
function free(placeholder: string, taken: (name: string) => boolean): string {
  const label = placeholder.slice(0, placeholder.lastIndexOf("_"));
  for (let count = 1; ; count++) {
    const name = `${label}_${count}]`;
    if (!taken(name)) return name;
  }
}

/** Replaces values with known placeholders anywhere in a text, the longest first: detectors would miss them there. */
export function hideKnown(text: string, known: Replaced): string {
  const longestFirst = Object.entries(known).sort(([, a], [, b]) => String(b).length - String(a).length);
  return longestFirst.reduce(
    (hidden, [placeholder, original]) => hidden.replaceAll(String(original), () => placeholder),
    text,
  );
}

// What a run and its journal see: placeholders for the personal data that policies redact.

type Arguments = Readonly<Record<string, unknown>>;

export interface Showing {
  readonly redactions: Redactions;
  readonly seals: Seals;
  /** What to redact in the input of runs. */
  readonly atStart: WeakMap<LeaseKey, RedactDemand>;
}

/** The journal for the loop: answers and edits of people, and results of `brought` tools of callers, are input too. Null if the lease is lost. */
export async function shownJournal(
  showing: Showing,
  db: Reader,
  lease: LeaseKey,
  brought: ReadonlySet<string> = new Set(),
): Promise<Shown[] | null> {
  const steps = (await listRunSteps(db, lease, showing.seals)).map(asItHolds);
  const ids = steps.flatMap(({ edit_approval_id }) => edit_approval_id ?? []);
  const edits = ids.length === 0 ? null : await argumentsOfCalls(db, lease.scope, ids);
  const shown: Shown[] = [];
  for (const step of steps) {
    const edited = step.edit_approval_id === null ? undefined : edits?.get(step.edit_approval_id);
    const answer = (step.name === "ask" || brought.has(step.name)) && step.output !== null ? step.output : undefined;
    const seen =
      edited === undefined && answer === undefined ? {} : await shownInput(showing, lease, { edited, output: answer });
    if (seen === null) return null;
    shown.push({ ...step, ...Object.fromEntries(Object.entries(seen).filter(([, value]) => value !== undefined)) });
  }
  return shown;
}

/** A step whose output was altered in the database has an unknown outcome: people are asked about a write, anything else is repeated. */
const asItHolds = ({ intact, ...step }: StoredStep): Shown =>
  intact
    ? step
    : { ...step, state: step.kind === "tool" ? "unknown" : "started", output: null, failure: stepNotIntact };
type Shown = Omit<StoredStep, "intact"> & { readonly edited?: Arguments };

/** Input of people as the run gets it, redacted. Null if the lease is lost. */
export async function shownInput<T>({ redactions, atStart }: Showing, lease: LeaseKey, input: T): Promise<T | null> {
  const demand = atStart.get(lease);
  if (!demand) return input;
  const redacted = await redactions.redact(lease, demand, input);
  return redacted && (redacted.value as T);
}

/**
 * How a step ended, as the run and the journal may see it: `demand` says it of what was found; of a failure also what says it of the run's input, since it
 * may repeat what the call was made with. Null where the lease is lost.
 */
export async function shownEnd(
  showing: Showing,
  lease: LeaseKey,
  demand: RedactDemand | undefined,
  end: StepEnding,
): Promise<StepEnding | null> {
  const { redactions, atStart } = showing;
  if (end.failure) {
    const failure = await shownFailure(redactions, lease, [demand, atStart.get(lease)], end.failure);
    return failure && { ...end, failure };
  }
  if (!demand || end.output === undefined) return end;
  const redacted = await redactions.redact(lease, demand, end.output);
  return redacted && { ...end, output: redacted.value };
}

/** A failure, redacted, also of values with placeholders. Null if the lease is lost. */
export async function shownFailure(
  redactions: Redactions,
  lease: LeaseKey,
  demands: readonly (RedactDemand | undefined)[],
  { code, detail }: Failure,
): Promise<Failure | null> {
  const hidden = redactions.hide(lease, detail);
  const demand = demands.reduce<RedactDemand | null>((all, one) => (one ? united(all, one) : all), null);
  if (demand === null) return { code, detail: hidden };
  const redacted = await redactions.redact(lease, demand, hidden);
  return redacted && { code, detail: String(redacted.value) };
}

export const eraseRedactions: EraseWork = async (ctx, { tasks }) => {
  await all(ctx, remove(ctx, "task_redactions").where("task_id", "in", tasks));
};
