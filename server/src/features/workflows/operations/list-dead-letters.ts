import { Type } from "typebox";
import { defineList } from "../../../kernel/listing.ts";
import { whole } from "../../../kernel/narrowing.ts";
import { governs } from "../../../kernel/operation.ts";
import { commaList } from "../../../kernel/schema-words.ts";
import { letterView, listDeadLetters as readPage } from "../dead-letters.ts";
import { exampleLetter } from "../example.ts";
import { WorkflowDeadLetter } from "../schemas.ts";

export const listDeadLetters = defineList({
  id: "workflows.listDeadLetters",
  path: "/v1/workflows/dead-letters",
  summary: "List runs that gave up",
  description:
    "Runs that failed or could not be undone and that nobody has seen to, the latest first. Retrying, skipping, undoing, replaying or settling one takes it off the list.",
  filters: {
    workflow: commaList(Type.String(), "Workflows by name"),
    settled: Type.Optional(Type.Boolean({ description: "Those that somebody has seen to instead." })),
  },
  item: WorkflowDeadLetter,
  example: { item: exampleLetter },
  permission: "workflows:read",
  narrowing: whole("lists runs of all workflows, whatever agents they use"),
  compliance: governs("workflow.read"),
  audit: "runs",
  sort: "-at",
  read: readPage,
  position: ({ at, run_id }) => ({ keys: [at.toISOString()], id: run_id }),
  view: letterView,
});
