import { hash } from "node:crypto";
import { canonicalJson } from "@aos/strict-json";
import type { CallContext } from "../../kernel/context.ts";
import { refuse } from "../../kernel/errors.ts";
import { resultNotIntact } from "../../kernel/problems.ts";
import { isFinal } from "./states.ts";
import type { TaskRow } from "./task-row.ts";

// What a task ended with. The record of its end commits to it, for whoever checks it offline; its row carries a seal, for whoever reads it here.

type Sealing = Pick<CallContext, "seals" | "scope">;

/** SHA-256, in hexadecimal, of the canonical JSON of a value. */
export const digestOf = (value: unknown): string => hash("sha256", canonicalJson(value), "hex");
const json = (text: string | null): unknown => (text === null ? null : JSON.parse(text));

/** What the record of a task's end commits to: SHA-256, in hexadecimal, of the canonical JSON of its input, and of what it ended with. */
export interface EndDigests {
  readonly given: string;
  readonly result: string;
}

/** The digests of a task that has ended; `verifyResult` of the package proof makes the same of what the service answers. Predictions are part of it where there are any. */
export function endDigests({ id, input, status, output, predictions, failure, trust_score }: TaskRow): EndDigests {
  const predicted = predictions === null ? {} : { predictions: json(predictions) };
  const result = { task_id: id, status, output: json(output), ...predicted, failure: json(failure), trust_score };
  return { given: digestOf(json(input)), result: digestOf(result) };
}

const use = "task end";

const sealed = [
  "id",
  "status",
  "agent",
  "version_id",
  "skill",
  "input",
  "output",
  "predictions",
  "failure",
  "trust_score",
  "trust",
  "result_ref",
  "result_seal",
] as const;

/** Of a task, what it takes to tell whether what it ended with is what the service wrote. */
export type SealedTask = Pick<TaskRow, (typeof sealed)[number]>;

/** The columns of a {@link SealedTask}, of the table that is named so in the statement. */
export const sealedColumns = (table: string): string => sealed.map((column) => `${table}.${column}`).join(", ");

/** What the seal is over. All of it is settled once a task has ended. */
const sealedValues = (row: SealedTask, ref: string | null) => [
  ...[row.id, row.status, row.agent, row.version_id, row.skill, row.input, row.output, row.failure],
  ...[String(row.trust_score), row.trust, ref],
  ...(row.predictions === null ? [] : [row.predictions]), // without any the seal is what it was before there were predictions
];

/** The seal of a task as it ends by this call. */
export function endSeal(
  ctx: Sealing & Pick<CallContext, "auditRef">,
  row: TaskRow,
): { result_ref: string; result_seal: string } {
  return { result_ref: ctx.auditRef, result_seal: resultSeal(ctx, row, ctx.auditRef) };
}

/** The seal of what a task ended with. `ref`: the record of its end; null where none commits to it. */
export function resultSeal({ seals, scope }: Sealing, row: TaskRow, ref: string | null): string {
  return seals.seal(use, scope, sealedValues(row, ref));
}

/** Whether what a task ended with is what the service wrote. One that has not ended has no result yet. */
export function isIntact({ seals, scope }: Sealing, row: SealedTask): boolean {
  return !isFinal(row.status) || seals.holds(row.result_seal, use, scope, sealedValues(row, row.result_ref));
}

/** The task, if what it ended with is what the service wrote. Throws `result_not_intact`. */
export function intact<Row extends SealedTask>(ctx: Sealing, row: Row): Row {
  if (isIntact(ctx, row)) return row;
  const refusal = refuse(resultNotIntact, notIntact(row), { members: { task_id: row.id, result_ref: row.result_ref } });
  throw Object.assign(refusal, { cause: new Error(refusal.message) }); // so that it is reported as well
}

const notIntact = ({ id, result_ref }: SealedTask): string =>
  `What ${id} ended with is not what was recorded${result_ref === null ? "" : ` as ${result_ref}`}: its row was changed in the database. Restore it from a backup.`;

/** A task as a list shows it whose result is not what the service wrote: without what could be forged, and with why. */
export function withheld(row: TaskRow): TaskRow {
  return {
    ...row,
    input: "{}",
    output: null,
    predictions: null,
    failure: JSON.stringify({ code: resultNotIntact.code, detail: notIntact(row) }),
  };
}
