import { Type } from "typebox";
import { isoTime } from "../../../kernel/clock.ts";
import { isId } from "../../../kernel/ids.ts";
import { whole } from "../../../kernel/narrowing.ts";
import { exempt } from "../../../kernel/operation.ts";
import { defineResource } from "../../../resources/resource.ts";
import { erasedBy, ownTables, untilRemoved } from "../../../resources/tables.ts";
import { party } from "../party.ts";
import { decidePermission } from "../requests/persons.ts";
import { exampleDelegation } from "./example.ts";
import { type Known, stateOf } from "./rules.ts";
import { Delegation, DelegationId } from "./schemas.ts";
import { knownMembers, tooManyDelegations } from "./store.ts";

export const owned = ownTables({
  approval_absences: {
    keeps: untilRemoved("A delegation is deleted by people; the votes that were cast by it keep both names."),
    personal: {
      columns: ["from_member", "to_member", "reason", "author", "accountable"],
      erased: erasedBy("approvals.removeDelegation"),
    },
  },
});

const ofAllAgents = whole("delegations concern the approvals of all agents");
const named = (known: ReadonlyMap<string, Known>, id: string) =>
  party(id, known.get(id)?.name ?? null, known.get(id)?.kind ?? null);

export const delegations = defineResource({
  table: owned.approval_absences,
  key: "id",
  isKey: (text) => isId(text, "dlg"),
  limit: {
    most: 50,
    lock: "approval delegations",
    per: ["from_member"],
    counts: "r.ends_at > now()",
    refuse: tooManyDelegations,
  },
  path: "/v1/approvals/settings/delegations",
  member: Type.Object({ delegation: DelegationId }),
  item: Delegation,
  identity: "delegation_id",
  example: { params: { delegation: exampleDelegation.delegation_id }, item: exampleDelegation },
  async complete(ctx, rows) {
    const known = await knownMembers(
      ctx,
      rows.flatMap(({ from_member, to_member, author }) => [from_member, to_member, author]),
    );
    return rows.map((row) => ({ row, known }));
  },
  view: ({ row, known }, { now, scope: { environment } }) => ({
    delegation_id: row.id,
    from: named(known, row.from_member),
    to: named(known, row.to_member),
    starts_at: isoTime(row.starts_at),
    ends_at: isoTime(row.ends_at),
    reason: row.reason,
    ...stateOf(row, [known.get(row.from_member), known.get(row.to_member)], { now, environment }),
    created_by: named(known, row.author),
    created_at: isoTime(row.created_at),
  }),
  object: "delegation",
  objects: "delegations",
  permission: { read: "approvals:read", change: decidePermission },
  governs: { read: "delegation.read", change: "delegation.change" },
  narrowing: { one: ofAllAgents, all: ofAllAgents },
  decides: exempt("says who decides, and gives no agent anything to read"),
});
