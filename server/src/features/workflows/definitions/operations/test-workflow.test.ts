import { expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { savedDraft } from "../checks.fixture.ts";

const app = useSharedApp();
const steps = [
  { id: "judge", agent: { name: "sales", skill: "qualify_lead", input: { lead_id: "input.lead" } } },
  { id: "look", tool: { agent: "sales", name: "get_lead", arguments: { lead_id: "input.lead + '!'" } } },
];
const draft = { steps, input: { type: "object", required: ["lead"], properties: { lead: { type: "string" } } } };
const trial = async (workflow: string, body: unknown) =>
  (await app.call("POST", `/v1/workflows/${workflow}/test`, { key: "viewer", body })).body;

it("runs the draft with what is given, and says where something is missing", async () => {
  const workflow = await savedDraft(app, { workflow: "tried", ...draft });
  const input = { lead: "ld_1001" };
  expect(await trial(workflow, { input, outputs: { judge: { fit: true } } })).toMatchObject({
    status: "stopped",
    missing: ["look"],
    path: [
      { step: "judge", status: "running", action: { input: { lead_id: "ld_1001" } } },
      { step: "judge", status: "completed" },
      { step: "look", action: { arguments: { lead_id: "ld_1001!" } } },
    ],
    findings: [],
  });
  const runs = "select count(*)::int as n from workflow_runs where workflow = $1";
  expect((await app.pool.query(runs, [workflow])).rows[0].n).toBe(0);
});

it("tries one step alone, behind the answers of the others", async () => {
  const workflow = await savedDraft(app, {
    workflow: "alone",
    steps: [...draft.steps, { id: "sum", when: "steps.judge.output.fit", set: { x: "steps.look.output.a + 1.0" } }],
    input: draft.input,
  });
  const outputs = { judge: { fit: true }, look: { a: 1 } };
  expect(await trial(workflow, { step: "sum", outputs })).toMatchObject({ status: "completed", output: { x: 2 } });
});

it("tells a workflow that cannot begin, and refuses two things at once and versions that are not there", async () => {
  const workflow = await savedDraft(app, { workflow: "broken", steps: [{ id: "a", needs: ["b"], set: {} }] });
  expect(await trial(workflow, {})).toMatchObject({ status: "invalid", findings: [{ code: "unknown_step" }] });
  expect(await trial(workflow, { source: "x: 1", version: 1 })).toMatchObject({ status: 422 });
  expect(await trial(workflow, { version: 3 })).toMatchObject({ status: 404 });
  const tried = await savedDraft(app, { workflow: "whole" });
  expect(await trial(tried, { step: "nothing" })).toMatchObject({ status: 422, errors: [{ code: "unknown_step" }] });
});
