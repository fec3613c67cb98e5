import { afterAll, beforeAll, expect, it } from "vitest";
import { startWireServer, type WireServer } from "../../../../runtime/models/providers/testing.ts";
import { useSharedApp } from "../../../../testing/shared-app.ts";

const app = useSharedApp();
let server: WireServer;
let answers: string[] = [];
const asked: string[] = [];

beforeAll(async () => {
  server = await startWireServer(({ body }) => {
    asked.push(JSON.stringify(body));
    const content = answers.shift() ?? "";
    return {
      json: {
        id: "1",
        created: 1,
        model: "any",
        choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }],
        usage: { prompt_tokens: 90, completion_tokens: 10, total_tokens: 100 },
      },
    };
  });
  await app.call("POST", "/v1/admin/connections", {
    body: { name: "writer", kind: "openai-compatible", base_url: server.url, secret: "sk-test-0123456789abcdef" },
  });
});
afterAll(() => server.close());

const generate = async (body: object) => (await app.call("POST", "/v1/workflows/generate", { body })).body;
const model = { connection: "writer", name: "llama" };

it.each([
  ["Qualify a lead and act once a manager approves the payment", "act_with_approval"],
  ["Triage and route incoming tickets", "triage"],
  ["Send me a report every monday at 8", "scheduled_report"],
  ["Qualify each row of a list of leads", "loop_over_list"],
  ["Remind the customer if there is no answer, wait three days", "wait_and_remind"],
  ["Ask two models side by side for a second opinion", "side_by_side"],
  ["Do something", "one_task"],
])(
  "fills a template where no provider is connected, says so, and nothing of it is wrong here: %s",
  async (description, template) => {
    const { made_by, note, findings, source, ...made } = await generate({ description });
    expect([made_by, made.template, findings]).toEqual(["template", template, []]);
    expect([note, source]).toEqual([expect.stringContaining("No provider"), expect.stringMatching(/^# Made from/)]);
    expect(JSON.stringify(made.definition)).toContain('"sales"');
  },
);

it("asks a connected model, tells it what is deployed, and has it correct what the check finds", async () => {
  const file = (operation: string) => `workflow: double
input: { type: object, required: [amount], properties: { amount: { type: number } } }
steps:
  - id: twice
    set: { amount: input.amount ${operation} }
`;
  answers = [`\`\`\`yaml\n${file("% 2")}\`\`\``, file("* 2.0")];
  const made = await generate({ description: "Double the amount", name: "double", model });
  expect(made).toMatchObject({ made_by: "model", model: "llama", findings: [], source: file("* 2.0") });
  expect(asked[0]).toContain("qualify_lead");
  expect(asked[1]).toContain("line 5: ");
  expect(asked[1]).toContain("declare it type: integer");
});

it("answers what the model wrote with its findings, where it cannot correct it", async () => {
  answers = ["Sorry, no.", "Sorry, no."];
  expect(await generate({ description: "Double the amount", model })).toMatchObject({
    made_by: "model",
    definition: null,
    findings: [{ severity: "error" }],
  });
});

it("refuses a connection that is not there", async () => {
  expect(await generate({ description: "Double it", model: { ...model, connection: "nobody" } })).toMatchObject({
    status: 422,
    errors: [{ code: "unknown_connection" }],
  });
});
