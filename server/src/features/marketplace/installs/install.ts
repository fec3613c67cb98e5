import type { BatchContext, ItemOutcome } from "../../../kernel/context.ts";
import type { ListingRow } from "../listings/resource.ts";
import { recordInstall } from "./operations/record-install.ts";
import { type InstallCallId, installCalls, type PlannedCall, partKey } from "./plan/calls.ts";
import { agentOf, planInstall } from "./plan/plan.ts";
import { planFaults, planNew, readTarget, type Target, versionFaults, type Wanted } from "./prepare.ts";
import { consentedVersion, interrupted, storedConsent } from "./rules.ts";
import type { Install, InstallListingBody, InstallResult } from "./schemas.ts";
import { findInstall, type InstallRow, partsOf, type StoredPart, type WrittenInstall } from "./store.ts";
import { installView } from "./view.ts";

type Result = InstallResult["results"][number];

interface CallsMade {
  /** One for each call, in the plan's order; none for kept parts. */
  readonly results: readonly Result[];
  /** The parts as they are now. */
  readonly parts: readonly StoredPart[];
  readonly succeeded: number;
  readonly failed: number;
}

/**
 * Makes the calls of a plan, one after the other. A call that needs a part which failed, or an earlier call of its own part which did, is not tried:
 * its status is 424. `rehearse` (a dry run): calls that need other parts of the plan are left out, because nothing was made that they could find.
 */
export async function makeCalls(ctx: BatchContext, plan: readonly PlannedCall[], rehearse = false): Promise<CallsMade> {
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
    const outcome = missing === undefined ? await callOf(ctx, call, index) : null;
    const result = outcome ? resultOf(call, outcome) : notTried(call, missing as string);
    if (result.problem) failed.add(key);
    made.push({ call, result, id: (outcome && !result.problem ? idOf(outcome.body) : null) ?? call.id ?? null });
  }
  const results = made.flatMap(({ result }) => result ?? []);
  const failures = results.filter(({ problem }) => problem !== null).length;
  return { results, parts: partsMade(made), succeeded: results.length - failures, failed: failures };
}

const callOf = (ctx: BatchContext, call: PlannedCall, index: number): Promise<ItemOutcome> =>
  ctx.call(ctx.port(installCalls)[call.operation], {
    params: call.params,
    body: call.body,
    index,
    ...(call.ifMatch !== undefined && { ifMatch: call.ifMatch }),
  });

function resultOf({ kind, name, action, operation }: PlannedCall, { status, body, auditRef }: ItemOutcome): Result {
  const problem = status < 300 ? withinResult(operation, body) : (body as Record<string, unknown>);
  // The draft equals the newest version: that version is the part, and the problem names it.
  if (operation === "agents.freezeVersion" && problem?.code === "nothing_changed")
    return { kind, name, action, status: null, audit_ref: auditRef, note: "It is there already.", problem: null };
  return { kind, name, action, status, audit_ref: auditRef, note: null, problem };
}

/** The problem inside a 207 response. */
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

/** Null for what is known by its name alone. */
function idOf(body: unknown): string | null {
  const found = body as Record<string, unknown>;
  const id = found.base_id ?? found.dataset_id ?? found.policy_id ?? found.version_id;
  return typeof id === "string" ? id : null;
}

function partsMade(
  made: readonly { readonly call: PlannedCall; readonly result: Result | null; readonly id: string | null }[],
): StoredPart[] {
  return [...Map.groupBy(made, ({ call }) => partKey(call)).values()].map((calls) => {
    const [first] = calls as [(typeof calls)[number]];
    const { kind, name, file, digest, action } = first.call;
    const problem = calls.find(({ result }) => result?.problem)?.result?.problem ?? null;
    const last = calls.findLast(({ result }) => result !== null)?.result;
    return {
      kind,
      name,
      file,
      digest,
      stands: null,
      id: calls.findLast(({ id }) => id !== null)?.id ?? null,
      state: problem ? "failed" : action === "remove" ? "removed" : last ? "made" : "kept",
      problem: problem && { code: String(problem.code), detail: String(problem.detail ?? problem.title) },
      audit_ref: last?.audit_ref ?? null,
    } satisfies StoredPart;
  });
}

/** Derived from the batch's id, so that a repetition continues with the same install. */
const installIdOf = ({ id }: Pick<BatchContext, "id">): string => `ins_${id.slice("bat_".length)}`;

/** Refuses as a whole before the first call, then makes each part by a call of its own. */
export async function install(
  ctx: BatchContext,
  listing: ListingRow,
  body: InstallListingBody,
): Promise<InstallResult> {
  const wanted = { suffix: body.suffix ?? "", agent: body.agent ?? null };
  const target = await readTarget(ctx, listing, await consentedVersion(ctx, listing, body));
  const begun = await findInstall(ctx, installIdOf(ctx));
  const plan = await planOf(ctx, target, wanted, begun);
  const written: WrittenInstall = {
    id: installIdOf(ctx),
    listing_id: listing.id,
    version: target.version.version,
    digest: target.version.digest,
    suffix: wanted.suffix,
    agent: agentOf(target.contents, wanted),
    consent: storedConsent(ctx, target.version),
    state: "installing",
    parts: partsBefore(plan),
  };
  const recorded = await begin(ctx, written, target, begun?.revision ?? null);
  const carriedOut = await makeCalls(ctx, plan, !recorded);
  return finish(ctx, written, carriedOut, recorded);
}

/** A repetition after a crash uses what the first call found, since that made some of the parts. */
async function planOf(
  ctx: BatchContext,
  target: Target,
  wanted: Wanted,
  begun: InstallRow | undefined,
): Promise<readonly PlannedCall[]> {
  const [fault] = versionFaults(ctx, target);
  if (fault) throw fault;
  if (begun) return planAsBegun(planInstall(target.contents, wanted), begun);
  const settled = await planNew(ctx, target, wanted);
  const [refusal] = planFaults(ctx, target, wanted, settled);
  if (refusal) throw refusal;
  return settled.plan;
}

function planAsBegun(plan: readonly PlannedCall[], begun: InstallRow): PlannedCall[] {
  const kept = new Map(partsOf(begun).flatMap((part) => (part.state === "kept" ? [[partKey(part), part.id]] : [])));
  return plan.map((call) => {
    const id = kept.get(partKey(call));
    return id === undefined ? call : { ...call, action: "keep", id };
  });
}

/** As recorded before the calls, and left if the process dies. */
function partsBefore(plan: readonly PlannedCall[]): StoredPart[] {
  return [...Map.groupBy(plan, partKey).values()].map((calls) => {
    const { kind, name, file, digest, action, id = null } = calls[0] as PlannedCall;
    const part = { kind, name, file, digest, stands: null, id, audit_ref: null };
    return action === "keep"
      ? { ...part, state: "kept" as const, problem: null }
      : { ...part, state: "failed" as const, problem: interrupted };
  });
}

/** Records that parts are about to be made, and accepts the publisher's key. False on a dry run, which writes nothing. */
export async function begin(
  ctx: BatchContext,
  install: WrittenInstall,
  { bundle, listing, version }: Target,
  based: number | null,
): Promise<boolean> {
  const accepts = { publisher_id: listing.publisher_id, key_id: version.key_id, publisher: bundle.publisher };
  return (await ctx.record(recordInstall, { install, step: "begin", based, approvedOnly: true, accepts })) !== null;
}

/** `recorded` is false on a dry run. */
export async function finish(
  ctx: BatchContext,
  install: WrittenInstall,
  { results, parts, succeeded, failed }: CallsMade,
  recorded: boolean,
  state: InstallRow["state"] = parts.some((part) => part.state === "failed") ? "incomplete" : "installed",
): Promise<InstallResult> {
  const ended: WrittenInstall = { ...install, state, parts };
  const step = { step: "finish", based: null, approvedOnly: false, accepts: null } as const;
  if (recorded) await ctx.record(recordInstall, { install: ended, ...step });
  return { install: recorded ? await viewOf(ctx, install.id) : null, results: [...results], succeeded, failed };
}

async function viewOf(ctx: BatchContext, id: string): Promise<Install> {
  return installView(ctx, (await findInstall(ctx, id)) as InstallRow);
}
