import { Type } from "typebox";
import { defineList } from "../../../../kernel/listing.ts";
import { limitedTo } from "../../../../kernel/narrowing.ts";
import { governs } from "../../../../kernel/operation.ts";
import { commaList } from "../../../../kernel/schema-words.ts";
import { WorkflowStatus, WorkflowSummary } from "../../schemas.ts";
import { exampleSummary } from "../example.ts";
import { summaryView } from "../rules.ts";
import { listWorkflows as readPage } from "../store.ts";

const filters = {
  status: commaList(WorkflowStatus, "States in the environment of the key"),
  owner: Type.Optional(Type.String({ description: "Workflows of this member, `mbr_…`." })),
  agent: Type.Optional(Type.String({ description: "Workflows whose draft names this agent." })),
  search: Type.Optional(Type.String({ maxLength: 100, description: "Part of the name or the description." })),
};

export const listWorkflows = defineList({
  id: "workflows.listWorkflows",
  path: "/v1/workflows",
  listed: true,
  summary: "List workflows",
  description:
    "Newest first, with the version that is live there and the share of runs that completed. Filters narrow together.",
  filters,
  item: WorkflowSummary,
  example: { item: exampleSummary },
  permission: "workflows:read",
  narrowing: limitedTo("lists workflows whose steps name the key's agents and no others"),
  compliance: governs("workflow.read"),
  audit: "workflows",
  read: readPage,
  position: (row) => ({ keys: [row.created_us], id: row.name }),
  view: summaryView,
});
