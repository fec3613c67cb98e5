import type { CallContext } from "../../../../kernel/context.ts";
import type { Reader } from "../../../../kernel/db.ts";
import { findAgent, findKnownAgent } from "../../../agents/public.ts";
import { findScorers, findTrainingSet } from "../../../evaluations/public.ts";
import { takenBases } from "../../../knowledge/public.ts";
import { findWorkflowName } from "../../../workflows/public.ts";
import type { PartKind } from "../schemas.ts";
import type { StoredPart } from "../store.ts";
import { type PlannedCall, partKey } from "./calls.ts";

export type Looking = CallContext & { readonly db: Reader };

/** What has a part's name already: its id, and whether another install's part can stand for it. */
interface Present {
  readonly id: string | null;
  readonly usable: boolean;
}

const present: Present = { id: null, usable: true };

/** Shared by all environments: an install in a second one keeps it. */
const ofOrganization = new Set<PartKind>(["agent", "agent_version", "tool", "dataset", "scorer", "workflow"]);

/** Parts whose names are taken, by key. Policies and gates do not take names. */
async function findPresent(ctx: Looking, plan: readonly PlannedCall[]): Promise<ReadonlyMap<string, Present>> {
  const found = new Map<string, Present>();
  const ofKind = (kind: PartKind) => [...new Set(plan.filter((call) => call.kind === kind).map(({ name }) => name))];
  for (const name of await takenBases(ctx, ofKind("knowledge_base"))) found.set(`knowledge_base:${name}`, present);
  for (const { name } of await findScorers(ctx, ofKind("scorer"))) found.set(`scorer:${name}`, present);
  for (const name of ofKind("agent")) {
    const known = findKnownAgent(ctx, name);
    if (known) found.set(`agent:${name}`, { id: null, usable: !known.archived });
  }
  for (const name of ofKind("dataset")) {
    const set = await findTrainingSet(ctx, name);
    if (set?.name === name) found.set(`dataset:${name}`, { id: set.dataset_id, usable: true });
  }
  for (const name of ofKind("workflow")) if (await findWorkflowName(ctx, name)) found.set(`workflow:${name}`, present);
  for (const { params, name } of plan.filter(({ kind }) => kind === "tool")) {
    const agent = await findAgent(ctx, params.agent as string);
    if (agent?.draft.tools.some((tool) => tool.name === name)) found.set(`tool:${name}`, present);
  }
  return found;
}

/** A plan that keeps what an install of the same bundle in another environment made. */
export interface SettledPlan {
  readonly plan: readonly PlannedCall[];
  /** Keys of parts whose names are taken by something else. */
  readonly taken: ReadonlySet<string>;
}

/** `others`: parts of installs of the same bundle under the same names in other environments. */
export async function settlePlan(
  ctx: Looking,
  plan: readonly PlannedCall[],
  others: readonly StoredPart[],
): Promise<SettledPlan> {
  const found = await findPresent(ctx, plan);
  const made = new Map(
    others.filter(({ kind, state }) => ofOrganization.has(kind) && isThere(state)).map((part) => [partKey(part), part]),
  );
  const keeps = (key: string): boolean => {
    const [part, now] = [made.get(key), found.get(key)];
    return part !== undefined && now?.usable === true && (part.id === null || now.id === null || part.id === now.id);
  };
  const settled = plan.map((call): PlannedCall => {
    const key = partKey(call);
    const kept = call.kind === "agent_version" ? made.has(key) && keeps(`agent:${call.name}`) : keeps(key);
    return kept ? { ...call, action: "keep", id: made.get(key)?.id ?? null } : call;
  });
  const taken = settled.filter(({ action }) => action === "create").map(partKey);
  return { plan: settled, taken: new Set(taken.filter((key) => found.has(key))) };
}

const isThere = (state: StoredPart["state"]): boolean => state === "made" || state === "kept";
