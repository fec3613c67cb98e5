import { columnsOf, defineAppendTable, type RowOf } from "./append.ts";
import type { Demand, Reservation, Spending } from "./budget.ts";

const microsPerUsd = 1_000_000;

/** US dollars in whole millionths, rounded up, so that nothing costs nothing because it is little. Sums of prices are not exact beyond a billionth. */
export const microsOf = (usd: number): number => Math.ceil(Math.round(usd * microsPerUsd * 1_000) / 1_000);
/** Millionths in US dollars. */
export const usdOfMicros = (micros: number): number => micros / microsPerUsd;
/** US dollars as the ledger charges them: whole millionths. */
export const chargedUsd = (usd: number): number => usdOfMicros(microsOf(usd));
/** A sum of charges in US dollars without what binary fractions add to it. */
export const summedUsd = (usd: number): number => usdOfMicros(Math.round(usd * microsPerUsd));

/** What was charged for. */
export interface Charged {
  /** Of the audit record of the call that was allowed to spend. */
  readonly id: string;
  /** When it was reserved, in milliseconds since the epoch. */
  readonly at: number;
  readonly operation: string;
  /** As the record names it: `model:<name>`, `tool:<name>`, …; null: nothing. */
  readonly object: string | null;
  readonly task: string | null;
  /** The step of a model's turn. */
  readonly step: string | null;
}

const columns = [
  "id text, at timestamptz, operation text, object text?, agent text?, principal text, key_id text?, task_id text?, step_id text?",
  "reserved bigint, spent bigint, released bigint, tokens bigint, price text?",
] as const;
export type LedgerRow = RowOf<typeof columns> & Record<string, unknown>;

/** The one table of what was charged. Every figure of money and every budget of money is a sum over it (decision 0073). */
export const ledgerTable = defineAppendTable<LedgerRow>({ table: "ledger_entries", columns: columnsOf(columns) });

declare const made: unique symbol;
/** What one call held, spent and gave back. Only {@link charge} makes one. */
export type LedgerEntry = LedgerRow & { readonly [made]: true };

/**
 * Charges a call. `used`: what it used; a unit that it does not name, and all without it, counts as reserved. Null: neither money nor tokens were held or used.
 */
export function charge(charged: Charged, { demand, ...payer }: Spending, used: Demand = demand): LedgerEntry | null {
  const reserved = microsOf(Math.max(0, demand.usd ?? 0));
  const spent = used.usd === undefined ? reserved : microsOf(Math.max(0, used.usd));
  const tokens = Math.ceil(used.tokens ?? demand.tokens ?? 0);
  if (reserved === 0 && spent === 0 && tokens === 0 && (demand.tokens ?? 0) === 0) return null;
  const { at, task, step, ...named } = charged;
  const row: LedgerRow = {
    ...named,
    at: new Date(at).toISOString(),
    agent: payer.agent === "" ? null : payer.agent,
    principal: payer.principal,
    key_id: payer.keyId,
    task_id: task,
    step_id: step,
    reserved,
    spent,
    released: Math.max(0, reserved - spent),
    tokens,
    price: used.price ?? demand.price ?? null,
  };
  return row as LedgerEntry;
}

/** What a call holds until it is over: its part of budgets, and its entry in the ledger. It ends once. */
export interface Charge {
  /** Writes what was used down, for whoever pays and on the task and step that it names; then budgets get back what was not used. As `charge` takes it. */
  settle(used?: Demand): Promise<void>;
}

/** A charge as the pipeline handles it: its entry is written with the call's effect, or, where a handler keeps it, when that is over. */
export interface HeldCharge extends Charge {
  /** A budget is used up and the call goes on all the same, holding nothing. */
  readonly unpaid: boolean;
  /** What the call's record names. */
  about(object: string | null, task: string | null): void;
  /** The step that costs it. */
  of(step: string | null): this;
  /** Null: neither money nor tokens were held or used. */
  entry(used?: Demand): LedgerEntry | null;
  /** The entry is written: budgets get back what was not used. */
  end(used?: Demand): void;
  /** Nothing was used, and no entry is written. */
  release(): void;
}

/** When a reservation was made decides in which windows it counts. */
export const reservedAt = (reservation: Reservation | null, now: number): number => Math.floor(reservation?.at ?? now);
