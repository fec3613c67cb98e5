import { hash } from "node:crypto";
import { canonicalJson } from "@aos/strict-json";
import type { CallContext } from "../../../kernel/context.ts";
import { refuse } from "../../../kernel/errors.ts";
import { resultNotIntact } from "../../../kernel/problems.ts";
import { isFinal, type TaskRow, taskJson } from "./row.ts";

// A task's result. The audit record of its end commits to it, for checks offline; its row has a seal, for readers here.

type Sealing = Pick<CallContext, "seals" | "scope">;

/** SHA-256 (hex) of a value's canonical JSON. */
export const digestOf = (value: unknown): string => hash("sha256", canonicalJson(value), "hex");

/** What the record of a task's end commits to: SHA-256 (hex) of the canonical JSON of its input and its result. */
export interface EndDigests {
  readonly given: string;
  readonly result: string;
}

/** The digests of an ended task; `verifyResult` of the package proof computes the same from the response. Includes predictions, if there are any. */
export function endDigests(row: TaskRow): EndDigests {
  const predictions = taskJson(row, "predictions");
  const result = {
    task_id: row.id,
    status: row.status,
    output: taskJson(row, "output"),
    ...(predictions === null ? {} : { predictions }),
    failure: taskJson(row, "failure"),
    trust_score: row.trust_score,
  };
  return { given: digestOf(taskJson(row, "input")), result: digestOf(result) };
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

/** The columns that a result's seal is computed from. */
export type SealedTask = Pick<TaskRow, (typeof sealed)[number]>;

export const sealedColumns = (table: string): string => sealed.map((column) => `${table}.${column}`).join(", ");

/** All of it is final once a task has ended. */
const sealedValues = (row: SealedTask, ref: string | null) => [
  row.id,
  row.status,
  row.agent,
  row.version_id,
  row.skill,
  row.input,
  row.output,
  row.failure,
  String(row.trust_score),
  row.trust,
  ref,
  ...(row.predictions === null ? [] : [row.predictions]), // without any the seal is what it was before there were predictions
];

/** The seal of a task that this call ends. */
export function endSeal(
  ctx: Sealing & Pick<CallContext, "auditRef">,
  row: TaskRow,
): { result_ref: string; result_seal: string } {
  return { result_ref: ctx.auditRef, result_seal: resultSeal(ctx, row, ctx.auditRef) };
}

/** `ref`: the record of the task's end, if one commits to it. */
export function resultSeal({ seals, scope }: Sealing, row: TaskRow, ref: string | null): string {
  return seals.seal(use, scope, sealedValues(row, ref));
}

/** Whether a result is what the service wrote. An open task has no result yet. */
export function isIntact({ seals, scope }: Sealing, row: SealedTask): boolean {
  return !isFinal(row.status) || seals.holds(row.result_seal, use, scope, sealedValues(row, row.result_ref));
}

/** The task, if its result is what the service wrote. Throws `result_not_intact`. */
export function intact<Row extends SealedTask>(ctx: Sealing, row: Row): Row {
  if (isIntact(ctx, row)) return row;
  const refusal = refuse(resultNotIntact, notIntact(row), { members: { task_id: row.id, result_ref: row.result_ref } });
  throw Object.assign(refusal, { cause: new Error(refusal.message) }); // so that it is reported as well
}

const notIntact = ({ id, result_ref }: SealedTask): string =>
  `What ${id} ended with is not what was recorded${result_ref === null ? "" : ` as ${result_ref}`}: its row was changed in the database. Restore it from a backup.`;

/** A listed task with an altered result: without what could be forged, and with why. */
export function withheld(row: TaskRow): TaskRow {
  return {
    ...row,
    input: "{}",
    output: null,
    predictions: null,
    failure: JSON.stringify({ code: resultNotIntact.code, detail: notIntact(row) }),
  };
}
