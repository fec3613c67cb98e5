import { all, sql, update } from "../../../db/scoped.ts";
import { type EraseWork, erasedWithRow, erasedWithWork, evidence, ownTables } from "../../../resources/tables.ts";

/** What was asked stays as a skeleton: who decided, when and how, and the digest that they decided on. */
export const eraseApprovals: EraseWork = async (ctx, { tasks }) => {
  const changes = {
    arguments: sql<string | null>`case when arguments is null then null else '{}' end`,
    summary: "Erased on request.",
    title: null,
    reason: null,
    reasons: "[]",
  };
  const approvals = await all(ctx, update(ctx, "approvals").set(changes).where("task_id", "in", tasks).returning("id"));
  const ids = approvals.map(({ id }) => id);
  if (ids.length === 0) return;
  for (const table of ["approval_votes", "approval_activity"] as const)
    await all(ctx, update(ctx, table).set({ reason: null }).where("approval_id", "in", ids));
  await all(ctx, update(ctx, "approval_comments").set({ text: "Erased on request." }).where("approval_id", "in", ids));
};

const keeps = evidence("The vote of people on a call is proved by it.");

export const owned = ownTables({
  approvals: {
    keeps,
    personal: {
      columns: ["arguments", "summary", "title", "reason", "reasons"],
      erased: erasedWithWork(eraseApprovals),
    },
  },
  approval_votes: { keeps, personal: { columns: ["reason"], erased: erasedWithWork(eraseApprovals) } },
  approval_activity: {
    keeps,
    personal: { columns: ["reason"], erased: erasedWithWork(eraseApprovals) },
  },
  approval_comments: {
    keeps: evidence("It is what people told each other before they voted."),
    personal: { columns: ["text"], erased: erasedWithWork(eraseApprovals) },
  },
  approval_delegations: {
    keeps,
    personal: {
      columns: ["from_member", "to_member", "reason", "accountable"],
      erased: erasedWithRow("It says who handed the decision to whom, and why."),
    },
  },
});
