import { refuse } from "../../../../kernel/errors.ts";
import { exempt } from "../../../../kernel/operation.ts";
import { conflict } from "../../../../kernel/problems.ts";
import { triggers } from "../resource.ts";
import { RemovedWorkflowTrigger } from "../schemas.ts";
import { removeTriggers } from "../store.ts";

const inVersion = "The trigger stands in the live version: publish a version without it, or pause the workflow.";

export const removeTrigger = triggers.removeOperation({
  id: "workflows.removeTrigger",
  summary: "Remove a trigger that was added",
  description:
    "It starts no further run; runs that it has started go on. A trigger of the live version is removed by publishing a version without it.",
  output: RemovedWorkflowTrigger,
  decides: exempt("removes a trigger; starts nothing"),
  errors: [conflict],
  async remove(ctx, { id, origin }) {
    if (origin === "version") throw refuse(conflict, inVersion);
    await removeTriggers(ctx, [id]);
  },
});
