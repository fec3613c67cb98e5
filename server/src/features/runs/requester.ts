import { type Decider, storedDeciders, unite } from "../../kernel/actor.ts";
import type { WriteContext } from "../../kernel/context.ts";
import { keyDeciders } from "../admin/public.ts";
import type { Requester } from "../approvals/requests/public.ts";
import { contentDeciders } from "../tasks/public.ts";
import type { Work } from "./model.ts";

/**
 * Who asks for a task and its calls: whoever dispatched it or decided its input, answered its questions, edited its calls or sent them back with a note, and whoever
 * decided its version and connections, where nobody else has looked at these. `passages`: who decided the texts from which a call's arguments come.
 */
export async function requesterOf(
  ctx: WriteContext,
  { row, skill }: Work,
  passages: readonly Decider[] = [],
): Promise<Requester> {
  const asking = await keyDeciders(ctx, row.principal, row.key_id);
  const persons = unite(asking, storedDeciders(row.deciders), await contentDeciders(ctx, row, skill), passages);
  return { id: row.principal, persons };
}
