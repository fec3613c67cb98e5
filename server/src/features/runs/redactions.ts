import { type Replaced, restore } from "@aos/data-classes";
import type { Statements } from "../../kernel/machines.ts";
import type { RedactDemand } from "../../kernel/verdict.ts";
import { hideKnown, redactForTask } from "./redact-task.ts";
import { keepRedactions, loadRedactions } from "./redaction-store.ts";
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
