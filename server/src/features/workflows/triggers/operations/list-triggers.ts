import { triggers } from "../resource.ts";

export const listTriggers = triggers.listOperation({
  id: "workflows.listTriggers",
  summary: "List what starts runs of a workflow",
  description:
    "Schedules, events and inbound hooks in the environment of the key, newest first: those of the live version, and those that were added. " +
    "`last_error` says why one last failed to start a run.",
  narrow: (query, { loaded: { name } }) => query.where("r.workflow", "=", name),
});
