import { exempt } from "../../../kernel/operation.ts";
import { erasedBy, erasedWithRow, evidence, ownTables, untilRemoved } from "../../../resources/tables.ts";

export const owned = ownTables({
  deployments: {
    keeps: evidence("Which version was live when, and who decided that."),
    personal: {
      columns: ["author", "note", "ended_by", "ended_for", "reason", "actor", "deciders", "stopped_reason"],
      erased: erasedWithRow("It names the members who decided which version is live."),
    },
  },
  deployment_looks: {
    keeps: evidence("The verdict on a canary rests on each look at it."),
    personal: exempt("counts and shares of tasks"),
  },
  agent_pauses: {
    keeps: untilRemoved("Resuming or restoring the agent deletes its pause."),
    personal: { columns: ["reason", "author"], erased: erasedBy("agents.resumeAgent") },
  },
});
