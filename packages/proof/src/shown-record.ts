import { membersIn } from "./canonical.ts";
import type { AuditRecord } from "./record.ts";

type Members = Readonly<Record<string, unknown>>;

/** What holds of what is shown of a record. */
export interface ShownVerdict {
  /** The first member that says something else than the leaf; null where none does. */
  readonly differing: string | null;
  /** Members of which the leaf says nothing, so that they are not proved. */
  readonly unproved: readonly string[];
}

export interface ShownOptions {
  /** The place of the leaf in the log, as its proof proves it. */
  readonly index: number;
  /** The verifier key under which the proof was verified. */
  readonly key: string;
  /** Whether a member that is missing differs as well: where all of them are shown. */
  readonly complete?: boolean;
}

/**
 * Compares a record as the service shows it (`GET /v1/audit/events/{audit_ref}`) with its leaf, a canonical JSON that was verified: the proof is of the leaf alone, and
 * what a person reads stands beside it. A member that has the name of one of the leaf's own is held to that.
 */
export function compareShown(
  shown: Members,
  leafData: string,
  { index, key, complete = false }: ShownOptions,
): ShownVerdict {
  const leaf = membersOf(leafData);
  const expected: Members = { ...leaf, ...viewOf(leaf, index), leaf_data: leafData, log_key: key };
  const unproved = Object.keys(shown).filter((name) => !Object.hasOwn(expected, name));
  const compared = complete ? Object.keys({ ...viewOf(leaf, index), ...shown }) : Object.keys(shown);
  const differing = compared.find(
    (name) => Object.hasOwn(expected, name) && ordered(own(shown, name)) !== ordered(own(expected, name)),
  );
  return { differing: differing ?? null, unproved };
}

/** What the service shows of a leaf, as far as it follows from the leaf and its place. */
function viewOf(leaf: Partial<AuditRecord>, index: number): Members {
  const { address, request, response } = leaf;
  const stages = Array.isArray(leaf.stages) ? (leaf.stages as AuditRecord["stages"]) : [];
  const refusing = leaf.outcome === "allowed" ? undefined : stages.find(({ verdict }) => verdict === "deny");
  return {
    audit_ref: leaf.id,
    time: leaf.time,
    actor: leaf.principal,
    key_id: leaf.key_id,
    action: leaf.operation,
    object: leaf.object,
    task_id: leaf.task_id,
    approval_id: leaf.approval_id,
    decision: leaf.outcome,
    stage: refusing?.stage ?? null,
    stages: leaf.stages,
    status: leaf.status,
    code: leaf.code,
    trust_score: leaf.trust_score,
    request_id: leaf.request_id,
    commitments: { address, request, response },
    leaf: { index, key_seq: leaf.key_seq },
  };
}

/** The members of a leaf; of one that is no JSON object none, so that nothing holds of what is shown of it. */
function membersOf(leafData: string): Members & Partial<AuditRecord> {
  try {
    return membersIn(leafData);
  } catch {
    return {};
  }
}

const own = (members: Members, name: string): unknown => (Object.hasOwn(members, name) ? members[name] : undefined);

/** A value as text in which the order of members says nothing. */
const ordered = (value: unknown): string =>
  JSON.stringify(value, (_name, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort())
      : part,
  ) ?? "undefined";
