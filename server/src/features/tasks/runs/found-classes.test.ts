import { beforeAll, describe, expect, it } from "vitest";
import type { TaskRunnerPort } from "../../../runtime/index.ts";
import { useApp } from "../../../testing/app.ts";
import { leaseOn } from "../../../testing/tasks.ts";
import { useWorkerProcess } from "../../../testing/worker.ts";
import { noteFound } from "./find-data.ts";
import type { HeldRun } from "./holds.ts";
import { changeFacts, underPolicy } from "./testing.ts";

const app = useApp();
const process = useWorkerProcess(app);
type Lease = Parameters<TaskRunnerPort["beginModel"]>[0];

beforeAll(async () => {
  await app.call("POST", "/v1/knowledge/bases", { body: { name: "handbook" } });
  for (const text of ["Refunds take five days.", "Complaints go to ann@example.com."])
    await app.call("POST", "/v1/knowledge/bases/handbook/documents", { body: { text } });
  await changeFacts(
    app,
    process,
    "agents",
    `update agent_versions set definition = definition || jsonb_build_object('knowledge', '["handbook"]'::jsonb,
       'tools', jsonb_build_array($1::jsonb), 'skills', jsonb_build_array((definition -> 'skills' -> 0) || '{"tools":["look_up"]}')) where agent = 'sales'`,
    [JSON.stringify({ name: "look_up", kind: "search", effect: "read" })],
  );
});

const running = async (): Promise<Lease> => {
  const { task_id: task } = await app.dispatch({ require_approval: false });
  const lease = leaseOn(app, task);
  expect(await process.port.start(lease)).toMatchObject({ claimed: true });
  return lease;
};
const search = (lease: Lease, number: number, query: string) =>
  process.port.callTool(lease, { number, tool: "look_up", arguments: { query } });
const ask = (lease: Lease, number: number) =>
  process.port.beginModel(
    lease,
    { number, kind: "model", name: "sample-model", input: { prompt: "sha256:0", messages: number } },
    { steps: 1, tokens: 600 },
  );
const reads = 'data.classes.exists(one, one == "personal")';

describe("data that a run reads by searching knowledge", () => {
  it("is seen by policies of the model's next turn", async () => {
    const policy = { scope: { actions: ["model.call"] }, when: reads, effect: "deny", message: "No personal data." };
    await underPolicy(app, process, policy, async () => {
      const lease = await running();
      expect(await search(lease, 1, "refunds")).toMatchObject({ kind: "output" });
      expect(await ask(lease, 2)).toMatchObject({ kind: "begun" });
      expect(await search(lease, 3, "complaints")).toMatchObject({ kind: "output" });
      expect(await ask(lease, 4)).toMatchObject({ kind: "refused", failure: { code: "policy_blocked" } });
    });
  });

  it("reaches the model as placeholders where a policy wants so of such data", async () => {
    await underPolicy(app, process, { scope: { actions: ["model.call"] }, when: reads, effect: "redact" }, async () => {
      const lease = await running();
      const found = await search(lease, 1, "complaints");
      const turn = await ask(lease, 2);
      if (turn.kind !== "begun" || found.kind !== "output") throw new Error("not begun");
      const prompt = JSON.stringify(await turn.shown(found.output));
      expect(prompt).toContain("[email_1]");
      expect(prompt).not.toContain("ann@example.com");
    });
  });

  it("is none where the run gets it as placeholders", async () => {
    const redact = { scope: { actions: ["tool.call"] }, effect: "redact" };
    const deny = { scope: { actions: ["model.call"] }, when: reads, effect: "deny", message: "No personal data." };
    await underPolicy(app, process, redact, () =>
      underPolicy(app, process, deny, async () => {
        const lease = await running();
        await search(lease, 1, "complaints");
        expect(await ask(lease, 2)).toMatchObject({ kind: "begun" });
      }),
    );
  });
});

it("counts the classes that chunks were given, and what is too long to be looked at as restricted", () => {
  const held = { work: { tools: [{ name: "look_up", kind: "search" }] } } as unknown as HeldRun;
  noteFound(held, { name: "look_up", output: { chunks: [{ text: "salaries", data_classes: ["confidential"] }] } });
  expect(held.found).toEqual(["confidential"]);
  noteFound(held, { name: "look_up", output: { chunks: [{ text: "a".repeat(70_000) }] } });
  expect(held.found).toEqual(["confidential", "restricted"]);
});
