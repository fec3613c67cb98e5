import type { BatchContext } from "../../../kernel/context.ts";
import { refuse } from "../../../kernel/errors.ts";
import { agentsNaming } from "../../agents/public.ts";
import { installState } from "../errors.ts";
import { finish, makeCalls } from "./install.ts";
import { recordInstall } from "./operations/record-install.ts";
import { type PlannedCall, partKey } from "./plan/calls.ts";
import { permissionFaults } from "./prepare.ts";
import { refuseHeld } from "./rules.ts";
import type { InstallResult } from "./schemas.ts";
import { type InstallRow, listPartsElsewhere, partsOf, type StoredPart } from "./store.ts";
import { readInstallState, stays, writtenOf } from "./update/update.ts";

/** A call, or the reason why the part stays. */
type Removal = { readonly call: PlannedCall } | { readonly note: string } | null;

interface Around {
  readonly agent: string | null;
  /** Whether the part still exists. */
  readonly isThere: (part: StoredPart) => boolean;
  /** Keys of parts that an install in another environment has too. */
  readonly shared: ReadonlySet<string>;
  /** Other agents that use a base. */
  readonly named: ReadonlyMap<string, readonly string[]>;
}

const reason = "The install that brought it was removed.";

/** Archives, retires or deletes each part by a call of its own. */
export async function remove(ctx: BatchContext, row: InstallRow): Promise<InstallResult> {
  if (row.state === "removed") throw refuse(installState, "The install was removed already.");
  refuseHeld(ctx.now, row, ctx.id);
  const around = await readAround(ctx, row);
  const parts = partsOf(row).toReversed();
  const removals = parts.map((part) => [part, removalOf(part, around)] as const);
  const plan = inOrder(removals.flatMap(([, removal]) => (removal && "call" in removal ? [removal.call] : [])));
  const [fault] = permissionFaults(ctx, plan);
  if (fault) throw fault;
  const begun = { ...writtenOf(row), state: "installing" as const };
  const step = { step: "begin", based: row.revision, approvedOnly: false, accepts: null } as const;
  const recorded = (await ctx.record(recordInstall, { install: begun, ...step })) !== null;
  const carriedOut = await makeCalls(ctx, recorded ? plan : plan.filter((call) => !waitsForAgent(call, plan)));
  const results = [...carriedOut.results, ...saidOf(removals, plan, recorded)];
  const after = partsAfter(partsOf(row), carriedOut.parts, removals);
  const state = carriedOut.failed === 0 ? "removed" : "incomplete";
  return finish(ctx, writtenOf(row), { ...carriedOut, results, parts: after }, recorded, state);
}

/** A base of a deployed agent can be deleted only after that is archived, which a dry run does not do. */
const waitsForAgent = ({ kind }: PlannedCall, plan: readonly PlannedCall[]): boolean =>
  kind === "knowledge_base" && plan.some((call) => call.kind === "agent");

/** Notes on parts without a call. `recorded`: not a dry run. */
function saidOf(
  removals: readonly (readonly [StoredPart, Removal])[],
  plan: readonly PlannedCall[],
  recorded: boolean,
): InstallResult["results"] {
  const bases = new Set(plan.flatMap(({ kind, name }) => (kind === "knowledge_base" ? [name] : [])));
  const notes = removals.flatMap(([part, removal]) => {
    if (!removal || "call" in removal) return [];
    return [part.kind === "documents" && bases.has(part.name) ? goes(part, removal.note) : stays(part, removal.note)];
  });
  const waiting = recorded ? [] : plan.filter((call) => waitsForAgent(call, plan));
  return [...waiting.map((call) => goes(call, "It goes once the agent is archived.")), ...notes];
}

const goes = (part: Pick<PlannedCall, "kind" | "name">, note: string): InstallResult["results"][number] => ({
  ...stays(part, note),
  action: "remove",
});

async function readAround(ctx: BatchContext, row: InstallRow): Promise<Around> {
  const { presentDigests, agent } = await readInstallState(ctx, row);
  const elsewhere = await listPartsElsewhere(ctx, row);
  const shared = elsewhere.filter(({ state }) => state === "made" || state === "kept").map(partKey);
  const bases = partsOf(row).flatMap(({ kind, name }) => (kind === "knowledge_base" ? [name] : []));
  const named = new Map<string, readonly string[]>();
  for (const base of bases)
    named.set(
      base,
      (await agentsNaming(ctx, base)).filter((name) => name !== agent),
    );
  return { agent, named, shared: new Set(shared), isThere: (part) => presentDigests({ ...part, agent }) !== null };
}

const neverRemoved = "Datasets and scorers are never removed: runs and gates refer to them.";

function removalOf(part: StoredPart, { agent, isThere, shared, named }: Around): Removal {
  const { kind, name, id, state, stands } = part;
  if (state === "removed" || !isThere(part) || (state === "failed" && stands === null)) return null;
  if (kind === "dataset" || kind === "scorer") return { note: neverRemoved };
  if (kind === "agent_version") return { note: "Versions stay with their agent." };
  if (kind === "gate") return { note: "Its gate stays with the agent." };
  if (kind === "documents") return { note: "They go with their base." };
  if (shared.has(partKey(part))) return { note: "An install in another environment has it, too." };
  const call = (operation: PlannedCall["operation"], params: PlannedCall["params"], body: unknown, more = {}) => ({
    call: {
      kind,
      name,
      id,
      file: part.file,
      digest: part.digest,
      action: "remove" as const,
      needs: [],
      operation,
      params,
      body,
      ...more,
    },
  });
  const any = { ifMatch: "*" };
  if (kind === "policy") return call("governance.retirePolicy", { policy: id ?? "" }, {}, any);
  if (kind === "workflow") return call("workflows.archiveWorkflow", { workflow: name }, { reason });
  if (kind === "tool") return call("agents.unbindTool", { agent: agent ?? "", tool: name }, { from_skills: true }, any);
  if (kind === "agent") return call("agents.archiveAgent", { agent: name }, { reason });
  const others = named.get(name) ?? [];
  if (others.length > 0) return { note: `The base stays, because other agents name it: ${others.join(", ")}.` };
  return call("knowledge.deleteBase", { base: name }, {});
}

const order: Partial<Record<PlannedCall["kind"], number>> = { workflow: 0, agent: 1, tool: 1, policy: 2 };

/** Workflows before their agents, agents before their bases. Policies apply until their agent is gone. */
function inOrder(calls: readonly PlannedCall[]): PlannedCall[] {
  const sorted = calls.toSorted((a, b) => (order[a.kind] ?? 3) - (order[b.kind] ?? 3));
  const agents = sorted.filter(({ kind }) => kind === "agent").map(partKey);
  return sorted.map((call) =>
    order[call.kind] === undefined || call.kind === "policy" ? { ...call, needs: agents } : call,
  );
}

/** What could not be removed stays, with the reason. */
function partsAfter(
  before: readonly StoredPart[],
  tried: readonly StoredPart[],
  removals: readonly (readonly [StoredPart, Removal])[],
): StoredPart[] {
  const results = new Map(tried.map((part) => [partKey(part), part]));
  const gone = new Set(removals.flatMap(([part, removal]) => (removal === null ? [partKey(part)] : [])));
  return before.map((part): StoredPart => {
    const result = results.get(partKey(part));
    const base = part.kind === "documents" ? results.get(`knowledge_base:${part.name}`) : undefined;
    if (gone.has(partKey(part)) || result?.state === "removed" || base?.state === "removed")
      return { ...part, state: "removed", problem: null, audit_ref: result?.audit_ref ?? part.audit_ref };
    return result ? { ...part, problem: result.problem } : part;
  });
}
