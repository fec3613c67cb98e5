import type { WorkflowDefinition } from "@aos/workflow";
import type { CallContext } from "../../kernel/context.ts";
import type { Reader } from "../../kernel/db.ts";
import { liveVersions } from "../agents/public.ts";
import { findingsOfDraft } from "./checks.ts";
import type { Finding } from "./checks-schemas.ts";

/** What is checked: a draft as of a revision, or a version. */
export interface Checkable {
  readonly name: string;
  readonly draft: WorkflowDefinition;
  readonly source: string | null;
  /** The version's number, if it is one. */
  readonly version?: number;
  readonly revision: number;
}

interface Kept {
  /** All agents' versions that were live then: another list since one of them changed. */
  readonly live: unknown;
  readonly findings: readonly Finding[];
}

const mostKept = 500;
const kept = new Map<string, Kept>();

/** What is wrong with a draft as the call's environment stands, with places in its text where it has one. Kept while neither it nor any agent changes. */
export async function findingsOfRow(
  ctx: CallContext & { readonly db: Reader },
  row: Checkable,
): Promise<readonly Finding[]> {
  const live = liveVersions(ctx.facts);
  const { organization, environment } = ctx.scope;
  const state = row.version === undefined ? `r${row.revision}` : `v${row.version}`;
  const key = [organization, environment, row.name, state].join(" ");
  const known = isKeepable(ctx, row) ? kept.get(key) : undefined;
  if (known?.live === live) return known.findings;
  const { findings } = await findingsOfDraft(ctx, row.source ?? row.draft);
  if (!isKeepable(ctx, row)) return findings;
  if (kept.size >= mostKept) kept.delete(kept.keys().next().value as string);
  kept.set(key, { live, findings });
  return findings;
}

/** A narrowed key is told less of other agents, and workflows that it starts change without notice. */
const isKeepable = ({ principal }: CallContext, { draft }: Checkable): boolean =>
  principal.agents === null && !JSON.stringify(draft).includes('"workflow":{');
