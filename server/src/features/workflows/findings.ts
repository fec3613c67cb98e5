import type { CallContext } from "../../kernel/context.ts";
import type { Reader } from "../../kernel/db.ts";
import { findingsOfDraft } from "./checks.ts";
import type { Finding } from "./checks-schemas.ts";
import type { WorkflowRow } from "./definition-store.ts";

/** What is wrong with a draft as the call's environment stands, with places in its text where it has one. */
export async function findingsOfRow(
  ctx: CallContext & { readonly db: Reader },
  { draft, source }: Pick<WorkflowRow, "draft" | "source">,
): Promise<readonly Finding[]> {
  return (await findingsOfDraft(ctx, source ?? draft)).findings;
}
