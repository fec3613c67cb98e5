import { Type } from "typebox";
import { defineList } from "../../../../kernel/listing.ts";
import { whole } from "../../../../kernel/narrowing.ts";
import { governs } from "../../../../kernel/operation.ts";
import { commaList } from "../../../../kernel/schema-words.ts";
import { WorkflowRun } from "../../schemas.ts";
import { exampleRun } from "../example.ts";
import { listRuns, runFilters } from "../list-store.ts";

export const listAllRuns = defineList({
  id: "workflows.listAllRuns",
  path: "/v1/workflows/runs",
  summary: "List runs of all workflows",
  description: "Newest first, without their steps. Filters narrow together.",
  filters: { workflow: commaList(Type.String(), "Workflows by name"), ...runFilters },
  item: WorkflowRun,
  example: { item: exampleRun },
  permission: "workflows:read",
  narrowing: whole("lists runs of all workflows, whatever agents they use"),
  compliance: governs("workflow.read"),
  audit: "runs",
  read: listRuns,
  position: ({ id }) => id,
  view: ({ view }) => view,
});
