import { commonMembers, stepTypes } from "@aos/workflow";
import { openToAll } from "../../../../kernel/narrowing.ts";
import { defineRead, exempt, governs } from "../../../../kernel/operation.ts";
import { StepTypes } from "../schemas.ts";

const schema_url = "/workflow.schema.json";
const catalogue = () => ({
  data: stepTypes().map(({ takes, example, ...type }) => ({ ...type, takes: [...takes], yaml: example })),
  common: { ...commonMembers() },
  schema_url,
});
const example = () => {
  const { data } = catalogue();
  return { schema_url, data: data.filter(({ kind }) => kind === "set"), common: { type: "object", required: ["id"] } };
};

export const listStepTypes = defineRead({
  id: "workflows.listStepTypes",
  path: "/v1/workflows/step-types",
  summary: "List the kinds of steps",
  description:
    "What each kind does, the JSON Schema of its member, what else it takes, what it answers, and an example. The schema of a whole file is at `/workflow.schema.json`.",
  output: StepTypes,
  example: { output: example() },
  permission: "workflows:read",
  load: exempt("names nothing that is stored"),
  narrowing: openToAll("says nothing of any agent"),
  compliance: governs("workflow.read"),
  audit: "step types",
  handle: catalogue,
});
