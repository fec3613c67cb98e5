import { Type } from "typebox";
import { defineList } from "../../../../kernel/listing.ts";
import { madeAt } from "../../../../kernel/moment.ts";
import { limitedTo } from "../../../../kernel/narrowing.ts";
import { governs } from "../../../../kernel/operation.ts";
import { commaList, createdRange } from "../../../../kernel/schema-words.ts";
import { exampleViolation } from "../example.ts";
import { Violation, ViolationKind, ViolationStatus } from "../schemas.ts";
import { listViolations as readPage, type ViolationRow } from "../store.ts";

const filters = {
  kind: commaList(ViolationKind, "Kinds"),
  source: Type.Optional(
    Type.String({
      description: "What found it: a policy, `pol_…`, a kill switch, `ksw_…`, `gate`, `pause`, or a budget.",
    }),
  ),
  agent: commaList(Type.String(), "Agents"),
  status: commaList(ViolationStatus, "States"),
  ...createdRange,
};

export const listViolations = defineList({
  id: "governance.listViolations",
  path: "/v1/governance/violations",
  listed: true,
  summary: "List violations",
  description:
    "Calls that a policy, a kill switch, a pause, the evaluation gate or a budget refused, and those that a policy in shadow would have refused or that one wanted noticed. " +
    "The newest first; one entry for each source that found something in a call.",
  filters,
  item: Violation,
  example: { item: exampleViolation },
  permission: "governance:read",
  narrowing: limitedTo("lists violations by calls of the key's agents"),
  compliance: governs("violation.read"),
  audit: "violations",
  sort: "-at",
  read: readPage,
  position: ({ id, source }) => ({ keys: [source], id }),
  view: violationView,
});

function violationView({ id, source_version, ...row }: ViolationRow): Violation {
  return { audit_ref: id, version: source_version, at: madeAt(id), ...row };
}
