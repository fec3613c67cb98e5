import type {
  WorkflowFinding as Finding,
  WorkflowRelease,
  WorkflowVersion,
  WorkflowVersionSummary,
} from "../definitions/schemas.ts";
import type { ReleaseRow, VersionRow } from "./store.ts";

export const versionSummary = (row: VersionRow): WorkflowVersionSummary => ({
  workflow: row.workflow,
  number: row.number,
  version_id: row.id,
  digest: row.digest,
  note: row.note,
  author: row.author,
  created_at: row.created_at.toISOString(),
  live: row.live,
});

export const versionView = (row: VersionRow): Omit<WorkflowVersion, "diff"> => ({
  ...versionSummary(row),
  definition: row.definition,
  ...(row.source !== null && { source: row.source }),
  pinned: { ...row.pinned },
});

interface Release {
  readonly id: string;
  readonly kind: "publish" | "rollback";
  readonly previous: number | null;
  readonly findings: readonly Finding[];
}

export const releaseView = (row: VersionRow, { id, kind, previous, findings }: Release): WorkflowRelease => ({
  ...versionView(row),
  live: true,
  release_id: id,
  kind,
  previous_version: previous,
  findings: [...findings],
});

/**
 * The version to which a rollback goes back: the one that was live before, passing over those that earlier rollbacks left. Releases newest first, the present one
 * at their head; undefined where there is none.
 */
export function rollbackTarget(releases: readonly Pick<ReleaseRow, "version_number" | "kind">[]): number | undefined {
  const stack: number[] = [];
  for (const { version_number: version, kind } of releases.toReversed()) {
    if (kind === "rollback" && stack.includes(version)) stack.length = stack.lastIndexOf(version) + 1;
    else if (stack.at(-1) !== version) stack.push(version);
  }
  return stack.at(-2);
}
