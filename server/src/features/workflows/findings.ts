import { hash } from "node:crypto";
import type { CallContext } from "../../kernel/context.ts";
import type { Reader } from "../../kernel/db.ts";
import { liveVersions } from "../agents/public.ts";
import { findingsOfDraft } from "./checks.ts";
import type { WorkflowRow } from "./definition-store.ts";
import type { WorkflowFinding as Finding } from "./definitions-schemas.ts";

interface Kept {
  /** All agents' versions that were live then: another list since one of them changed. */
  readonly live: unknown;
  readonly findings: readonly Finding[];
}

const mostKept = 500;
/** By environment and what was checked. */
const kept = new Map<string, Kept>();

/** What is wrong with a draft as the call's environment stands, with places in its text where it has one. Kept while no agent changes. */
export async function findingsOfRow(
  ctx: CallContext & { readonly db: Reader },
  { draft, source }: Pick<WorkflowRow, "draft" | "source">,
): Promise<readonly Finding[]> {
  const check = async () => (await findingsOfDraft(ctx, source ?? draft)).findings;
  const text = JSON.stringify([draft, source]);
  // A narrowed key is told less of other agents, and workflows that a step starts change without notice.
  if (ctx.principal.agents !== null || text.includes('"workflow":{')) return check();
  const live = liveVersions(ctx.facts);
  const key = `${ctx.scope.organization} ${ctx.scope.environment} ${hash("sha256", text)}`;
  const known = kept.get(key);
  if (known?.live === live) return known.findings;
  const findings = await check();
  if (kept.size >= mostKept) kept.delete(kept.keys().next().value as string);
  kept.set(key, { live, findings });
  return findings;
}
