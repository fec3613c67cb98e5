import { beforeAll, expect, it } from "vitest";
import { useApp } from "../../../testing/app.ts";
import { useWorkerProcess } from "../../../testing/worker.ts";
import { endOf, startedRun, stepOf } from "../steps/steps.fixture.ts";

const app = useApp();
const process = useWorkerProcess(app, { trained: true });
beforeAll(async () => {
  await process.worker();
});

it("has ints in its expressions where its input and the outputs of its agents declare integers", async () => {
  const record = { external_id: "ld_0007", fields: { company: "Birch Lamps", employees: 17 } };
  expect((await app.call("POST", "/v1/knowledge/bases/leads/documents", { body: record })).status).toBe(202);
  const given = { count: 7, leads: ["ld_0007"], ids: [2, 3] };
  const integer = { type: "integer" };
  const run = await startedRun(app, {
    given,
    input: { type: "object", properties: { count: integer, ids: { type: "array", items: integer } } },
    steps: [
      { id: "look", agent: { name: "sales", skill: "summarize_lead", input: { lead_id: "input.leads[0]" } } },
      {
        id: "each",
        agent: { name: "sales", skill: "summarize_lead", input: { lead_id: "input.leads[item_index]" } },
        for_each: { in: "input.leads", at_most: 1 },
      },
      {
        id: "use",
        when: "steps.each.output.total % 2 == 1 && input.count % 2 == 1",
        set: {
          half: "input.count / 2",
          exact: "input.count / 2.0",
          text: "string(input.count)",
          rest: "steps.look.output.employees % 10",
          of_item: "steps.each.output.outputs[0].employees % 10",
          at: "input.ids[input.ids[0] - 1]",
        },
      },
    ],
  });
  expect(await endOf(app, run)).toEqual({ status: "completed", failure: null });
  const output = { half: 3, exact: 3.5, text: "7", rest: 7, of_item: 7, at: 3 };
  expect((await stepOf(app, run, "use"))?.output).toEqual(output);
});
