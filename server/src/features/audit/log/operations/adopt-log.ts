import { refuse } from "../../../../kernel/errors.ts";
import { defineInside, exempt } from "../../../../kernel/operation.ts";
import { notStopped } from "../../errors.ts";
import { auditPort, type LogAdoption } from "../../ports.ts";

/** Closes the origin of a stopped log and opens another, on the host. Its record is the first leaf of the new origin, and names both heads. */
export const adoptLog = defineInside({
  id: "audit.adoptLog",
  summary: "Close a stopped audit log and open another",
  permission: exempt("the host's own command line"),
  load: exempt("names no object; the log is that of the environment"),
  gate: exempt("makes no agent act"),
  compliance: exempt("the way out for whoever has the host"),
  audit: ({ output }: { output: LogAdoption | undefined }) => (output ? `log:${output.opened}` : "audit"),
  errors: [notStopped],
  async handle(ctx, { params }: { params: { readonly reason: string } }) {
    const adoption = await ctx.port(auditPort).adopt(ctx.db, ctx.scope, { id: ctx.auditRef, now: ctx.now });
    if (!adoption) throw refuse(notStopped, "This log is signed, so there is nothing to adopt.");
    const { reason, found, pinned, opened, refused } = adoption;
    ctx.note(`reason given: ${params.reason}`);
    ctx.note(`stopped: ${reason}`);
    ctx.note(`closed head, as pinned: ${pinned}`);
    ctx.note(`closed head, as found: ${found}`);
    ctx.note(`opened: ${opened}`);
    for (const id of refused) ctx.note(`refused row: ${id}`);
    return adoption;
  },
});
