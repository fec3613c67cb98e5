import { all, sql } from "../../../../db/scoped.ts";
import { defineList } from "../../../../kernel/listing.ts";
import { openToAll } from "../../../../kernel/narrowing.ts";
import { governs } from "../../../../kernel/operation.ts";
import { exampleApproval } from "../../example.ts";
import { Party, party } from "../../party.ts";
import { decidePermission } from "../../requests/persons.ts";
import { personsWith, rolesWith } from "../accountability.ts";

export const listDeciders = defineList({
  id: "approvals.listDeciders",
  path: "/v1/approvals/deciders",
  summary: "List who decides on approvals",
  description:
    "The persons whose role here decides on approvals, by id: who can stand in for somebody, be handed a decision, or be mentioned in a comment. Of one approval, `could_decide` says who is left.",
  item: Party,
  example: { item: exampleApproval.requester },
  permission: "approvals:read",
  narrowing: openToAll("names persons, whichever agents they decide about"),
  compliance: governs("approval.read"),
  audit: "approvals",
  sort: "-id",
  read: (ctx, _filter, { after, take }) =>
    all(
      ctx,
      personsWith(ctx, rolesWith(decidePermission))
        .$if(after !== undefined, (q) => q.where(sql<boolean>`m.id < ${after?.id ?? ""}`))
        .select(["m.id", "m.name"])
        .orderBy("m.id", "desc")
        .limit(take),
    ),
  position: ({ id }) => id,
  view: ({ id, name }) => party(id, name, "person"),
});
