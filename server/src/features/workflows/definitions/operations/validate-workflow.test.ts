import { expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { savedDraft } from "../checks.fixture.ts";

const app = useSharedApp();
const validate = async (workflow: string, body: unknown, headers = {}) => {
  const answered = await app.call("POST", `/v1/workflows/${workflow}/validate`, { key: "viewer", body, headers });
  expect(answered.status, answered.text).toBe(200);
  return answered.body as { publishable: boolean; findings: { code: string; detail: string; line?: number }[] };
};

const file = `workflow: qualify
input: { type: object, required: [lead, amount], properties: { lead: { type: string }, amount: { type: number } } }
steps:
  - id: judge
    agent: { name: sales, skill: qualify_lead, input: { lead_id: input.lead } }
  - id: sum
    set: { double: input.amount % 2 }
  - id: look
    tool: { agent: sales, name: get_led, arguments: { lead_id: input.lead } }
`;

it("says of a text what the environment's agents have not, and what does not fit, with line and column", async () => {
  const workflow = await savedDraft(app, { workflow: "qualify" });
  const { publishable, findings } = await validate(workflow, { source: file });
  expect(publishable).toBe(false);
  expect(findings).toMatchObject([
    { code: "type_mismatch", detail: expect.stringContaining("declare it type: integer"), line: 7, column: 20 },
    { code: "not_there", detail: expect.stringContaining("Did you mean get_lead?"), line: 9, column: 11 },
  ]);
  const corrected = file.replace("% 2", "* 2.0").replace("get_led", "get_lead");
  expect(await validate(workflow, corrected, { "content-type": "application/yaml" })).toMatchObject({
    publishable: true,
    findings: [],
  });
});

it("checks the saved draft where nothing is sent, and a definition that leaves out its name", async () => {
  const steps = [{ id: "ask", agent: { name: "nobody", skill: "x" } }];
  const workflow = await savedDraft(app, { workflow: "saved", steps });
  expect(await validate(workflow, {})).toMatchObject({ findings: [{ pointer: "/steps/0/agent", code: "not_there" }] });
  expect((await validate(workflow, { steps: [{ id: "a", set: {} }] })).findings).toEqual([]);
});

it("tells what has not the form of a workflow, is no YAML, or has another name as findings too", async () => {
  const workflow = await savedDraft(app, { workflow: "formless" });
  const codes = async (source: string) => (await validate(workflow, { source })).findings.map(({ code }) => code);
  expect(await codes("workflow: formless\nsteps: [{ id: a, sett: {} }]")).toEqual(["unknown_field"]);
  expect(await codes("workflow: formless\nsteps: [")).toEqual(["syntax"]);
  expect(await codes("workflow: generate\nsteps: [{ id: a, set: {} }]")).toEqual(["reserved_name"]);
  expect(await codes("workflow: other\nsteps: [{ id: a, set: {} }]")).toEqual(["another_workflow"]);
  expect(await codes("workflow: formless\ntriggers: [{ evnt: x }]\nsteps: [{ id: a, set: {} }]")).toEqual(["one_of"]);
});

it("reads a large text in a thread, with the same findings", async () => {
  const workflow = await savedDraft(app, { workflow: "large" });
  const steps = Array.from({ length: 400 }, (_, at) => `  - { id: s${at}, set: { x: "'${"x".repeat(40)}'" } }`);
  const source = `workflow: large\nsteps:\n${steps.join("\n")}\n  - { id: last, set: { x: steps.no.output } }\n`;
  expect((await validate(workflow, { source })).findings).toMatchObject([{ code: "unknown_step", line: 403 }]);
});
