import { type Replaced, restore } from "@aos/data-classes";
import { seal, unseal } from "../../db/secrets.ts";
import type { Statements } from "../../kernel/machines.ts";
import type { RedactDemand } from "../../kernel/verdict.ts";
import { hideKnown, redactForTask } from "./redact-task.ts";
import type { LeaseKey } from "./step-store.ts";

/** The placeholders of running tasks: the loop, its models and the journal see them, who asked and the tools get what stands behind them. */
export interface Redactions {
  /** A run begins. One that goes on with an earlier one's journal goes on with its placeholders. */
  begin(lease: LeaseKey, resumed: boolean): Promise<void>;
  /**
   * Replaces what the demand names, and keeps what stands behind it, durable before it answers. Null where the lease is lost. Of one lease one value after
   * the other, so that no two new ones get the same placeholder.
   */
  redact(lease: LeaseKey, demand: RedactDemand, value: unknown): Promise<{ readonly value: unknown } | null>;
  /** Puts back what stands behind the task's placeholders. */
  restore<T>(lease: LeaseKey, value: T): T;
  /** Replaces whatever of a text has a placeholder in the task already. */
  hide(lease: LeaseKey, text: string): string;
}

/** Keeps the placeholders of this process's runs in memory, by their leases, and durably under the credential key. */
export function createRedactions(db: Statements, key: Buffer): Redactions {
  const known = new WeakMap<LeaseKey, Replaced>();
  /** What each lease's latest redaction is over with, whatever came of it. */
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

// What stands behind the placeholders of a task. Encrypted, and bound to its task and placeholder: moved elsewhere it does not open.

const contextOf = (task: string, placeholder: string): string => `task-redaction ${task} ${placeholder}`;

/** What stands behind the placeholders that the task has. */
export async function loadRedactions(db: Statements, key: Buffer, { scope, task }: LeaseKey): Promise<Replaced> {
  const rows = await db.query<{ placeholder: string; value: Buffer }>(
    "select placeholder, value from task_redactions where organization = $1 and environment = $2 and task_id = $3",
    [scope.organization, scope.environment, task],
  );
  return Object.fromEntries(
    rows.map(({ placeholder, value }) => {
      const opened = unseal(key, value, contextOf(task, placeholder));
      if (!opened) throw new Error(`a redaction of ${task} does not open under the credential key`);
      return [placeholder, JSON.parse(opened.toString()) as string | number];
    }),
  );
}

/** Keeps what stands behind new placeholders, as long as the lease holds. False where it is lost. */
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
