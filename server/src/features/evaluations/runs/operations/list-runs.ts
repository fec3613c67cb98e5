import { Type } from "typebox";
import { defineList } from "../../../../kernel/listing.ts";
import { limitedTo } from "../../../../kernel/narrowing.ts";
import { governs } from "../../../../kernel/operation.ts";
import { commaList } from "../../../../kernel/schema-words.ts";
import { exampleRun } from "../../example.ts";
import { EvaluationRun, RunState } from "../../schemas.ts";
import { runView } from "../rules.ts";
import { listRuns as readPage } from "../store.ts";

const filters = {
  agent: Type.Optional(Type.String({ description: "Runs of this agent's versions." })),
  version: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: "Runs of the version of this number." }),
  ),
  dataset: Type.Optional(Type.String({ description: "Runs of this dataset, by id or name." })),
  verdict: Type.Optional(
    Type.Array(Type.Enum(["open", "failed", "inconclusive", "none"]), {
      description: "Verdicts of the gate, separated by commas; `none`: without a verdict.",
    }),
  ),
  state: commaList(RunState, "States"),
};

export const listRuns = defineList({
  id: "evaluations.listRuns",
  path: "/v1/evaluations/runs",
  listed: true,
  summary: "List runs of datasets",
  description:
    "Runs in the environment of the key, newest first. A key that is narrowed to agents sees theirs. Filters combine.",
  filters,
  item: EvaluationRun,
  example: { item: exampleRun },
  permission: "evaluations:read",
  narrowing: limitedTo("lists runs of the key's agents"),
  compliance: governs("evaluation.read"),
  audit: "runs",
  read: readPage,
  position: ({ id }) => id,
  view: runView,
});
