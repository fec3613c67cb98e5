import { isoTime } from "../../../kernel/clock.ts";
import type { ReadContext, WriteContext } from "../../../kernel/context.ts";
import { storedJson } from "../../../kernel/stored-json.ts";
import type { Policy, PolicyParams, PolicyScope, PolicySummary, ReplayReport } from "./schemas.ts";
import { type CountedViolations, findPolicy, listVersions, type PolicyRow, type VersionLine } from "./store.ts";

const timeOf = (at: Date | null): string | null => isoTime(at);

function shown(row: PolicyRow) {
  const { scope, when, effect, params, reason_code, message, controls } = row.definition;
  return {
    policy_id: row.id,
    version: row.version,
    state: row.state,
    name: row.name,
    scope: scope as PolicyScope,
    when,
    effect,
    params: (params ?? {}) as PolicyParams,
    reason_code,
    message,
    controls: [...controls],
    effective_from: timeOf(row.effective_from),
    effective_until: timeOf(row.effective_until),
    note: row.note,
    author: row.author,
    created_at: isoTime(row.created_at),
    activated_at: timeOf(row.activated_at),
    retired_at: timeOf(row.retired_at),
    retired_by: row.retired_by,
    in_force: { active: row.active, shadow: row.shadow },
  };
}

const noViolations: CountedViolations = { waited: 0, blocked: 0, would_block: 0, would_wait: 0, warned: 0 };

export function policySummary(row: PolicyRow, counts: CountedViolations | undefined): PolicySummary {
  return { ...shown(row), violations_30d: counts ?? noViolations };
}

const policyJson = storedJson<{ report: ReplayReport }>();

export async function readPolicyView(
  ctx: ReadContext | WriteContext,
  id: string,
  version?: number,
): Promise<Policy | undefined> {
  const row = await findPolicy(ctx, id, version);
  if (!row) return undefined;
  return policyView(row, await listVersions(ctx, id));
}

/** `lines`: of its newest versions, the newest first. */
export function policyView(row: PolicyRow, lines: readonly VersionLine[]): Policy {
  return {
    ...shown(row),
    report: policyJson(row, "report"),
    versions: lines.map(({ version, state, note, author, created_at, activated_at, retired_at }) => ({
      version,
      state,
      note,
      author,
      created_at: isoTime(created_at),
      activated_at: timeOf(activated_at),
      retired_at: timeOf(retired_at),
    })),
  };
}

/** The revision that a change has to be based on: the newest version, and whether it is over. What is read of an older version is no revision. */
export function policyRevision({ version, versions, state }: Pick<Policy, "version" | "versions" | "state">): string {
  const newest = versions[0]?.version ?? version;
  if (version !== newest) return `${newest}.v${version}`;
  return state === "retired" ? `${newest}.retired` : `${newest}`;
}

export const rowRevision = ({ version, state }: Pick<PolicyRow, "version" | "state">): string =>
  state === "retired" ? `${version}.retired` : `${version}`;
