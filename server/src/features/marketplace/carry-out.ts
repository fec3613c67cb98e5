import type { BatchContext, ItemOutcome } from "../../kernel/context.ts";
import type { SlicePorts } from "../../kernel/slice.ts";
import { type InstallCallId, installCalls } from "./install-calls.ts";
import type { InstallResult } from "./install-schemas.ts";
import type { StoredPart } from "./install-store.ts";
import { type PlannedCall, partKey } from "./plan.ts";

type Result = InstallResult["results"][number];

/** What the calls of a plan came to. */
export interface CarriedOut {
  /** One for each call, in the plan's order; none for what is kept. */
  readonly results: readonly Result[];
  /** The parts of the plan, as they stand now. */
  readonly parts: readonly StoredPart[];
  readonly succeeded: number;
  readonly failed: number;
}

/**
 * Makes the calls of a plan, one after the other. A call that needs a part which failed, or an earlier call of its own part which did, is not tried:
 * its status is 424. `rehearse` (a dry run): calls that need other parts of the plan are left out, because nothing was made that they could find.
 */
export async function carryOut(
  ctx: BatchContext,
  ports: SlicePorts,
  plan: readonly PlannedCall[],
  rehearse = false,
): Promise<CarriedOut> {
  const planned = new Set(plan.filter(({ action }) => action !== "keep").map(partKey));
  const failed = new Set<string>();
  const made: { readonly call: PlannedCall; readonly result: Result | null; readonly id: string | null }[] = [];
  for (const [index, call] of plan.entries()) {
    const key = partKey(call);
    const kept = { call, result: null, id: call.id ?? null };
    if (call.action === "keep" || (rehearse && call.needs.some((need) => planned.has(need)))) {
      made.push(kept);
      continue;
    }
    const missing = [...call.needs, key].find((need) => failed.has(need));
    const outcome = missing === undefined ? await callOf(ctx, ports, call, index) : null;
    const result = outcome ? resultOf(call, outcome) : notTried(call, missing as string);
    if (result.problem) failed.add(key);
    made.push({ call, result, id: (outcome && !result.problem ? idOf(outcome.body) : null) ?? call.id ?? null });
  }
  const results = made.flatMap(({ result }) => result ?? []);
  const failures = results.filter(({ problem }) => problem !== null).length;
  return { results, parts: partsOf(made), succeeded: results.length - failures, failed: failures };
}

const callOf = (ctx: BatchContext, ports: SlicePorts, call: PlannedCall, index: number): Promise<ItemOutcome> =>
  ctx.call(installCalls()(ports, call.operation), {
    ...{ params: call.params, body: call.body, index },
    ...(call.ifMatch !== undefined && { ifMatch: call.ifMatch }),
  });

function resultOf({ kind, name, action, operation }: PlannedCall, { status, body, auditRef }: ItemOutcome): Result {
  const problem = status < 300 ? withinResult(operation, body) : (body as Record<string, unknown>);
  // Its draft says what the newest version says: that version is the part, and the problem names it.
  if (operation === "agents.freezeVersion" && problem?.code === "nothing_changed")
    return { kind, name, action, status: null, audit_ref: auditRef, note: "It is there already.", problem: null };
  return { kind, name, action, status, audit_ref: auditRef, note: null, problem };
}

/** What is wrong inside an answer that says 207. */
function withinResult(operation: InstallCallId, body: unknown): Record<string, unknown> | null {
  if (operation !== "knowledge.addDocuments") return null;
  const { failed, results } = body as { failed: number; results: { index: number; errors: { detail: string }[] }[] };
  const first = results.find(({ errors }) => errors.length > 0);
  if (failed === 0 || !first) return null;
  const detail = `${failed} of ${results.length} documents were refused; document ${first.index} ${first.errors[0]?.detail}.`;
  return { code: "documents_refused", title: "Documents were refused", detail };
}

function notTried({ kind, name, action }: PlannedCall, missing: string): Result {
  const detail = `It needs ${missing.replace(":", " ").replaceAll("_", " ")}, which was not made.`;
  const problem = { code: "part_missing", title: "Not tried", detail };
  return { kind, name, action, status: 424, audit_ref: null, note: null, problem };
}

/** The id of what a call made, where such things have one besides their name. */
function idOf(body: unknown): string | null {
  const found = body as Record<string, unknown>;
  const id = found.base_id ?? found.dataset_id ?? found.policy_id ?? found.version_id;
  return typeof id === "string" ? id : null;
}

/** The calls of each part together. */
function partsOf(
  made: readonly { readonly call: PlannedCall; readonly result: Result | null; readonly id: string | null }[],
): StoredPart[] {
  return [...Map.groupBy(made, ({ call }) => partKey(call)).values()].map((calls) => {
    const [first] = calls as [(typeof calls)[number]];
    const { kind, name, file, digest, action } = first.call;
    const problem = calls.find(({ result }) => result?.problem)?.result?.problem ?? null;
    const last = calls.findLast(({ result }) => result !== null)?.result;
    return {
      ...{ kind, name, file, digest, stands: null, id: calls.findLast(({ id }) => id !== null)?.id ?? null },
      state: problem ? "failed" : action === "remove" ? "removed" : last ? "made" : "kept",
      problem: problem && { code: String(problem.code), detail: String(problem.detail ?? problem.title) },
      audit_ref: last?.audit_ref ?? null,
    } satisfies StoredPart;
  });
}
