import { Type } from "typebox";
import { delegations } from "../resource.ts";

export const listDelegations = delegations.listOperation({
  id: "approvals.listDelegations",
  summary: "List who stands in for whom",
  description: "Delegations for a time, the newest first.",
  filters: {
    from: Type.Optional(Type.String({ description: "Who is away, `mbr_…`." })),
    to: Type.Optional(Type.String({ description: "Who stands in, `mbr_…`." })),
  },
  narrow: (query, { filter: { from, to } }) =>
    query
      .$if(from !== undefined, (q) => q.where("r.from_member", "=", from as string))
      .$if(to !== undefined, (q) => q.where("r.to_member", "=", to as string)),
});
