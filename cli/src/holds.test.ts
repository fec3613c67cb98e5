import { beforeAll, describe, expect, it } from "vitest";
import { useApp } from "../../server/src/testing/app.ts";
import { approve, eventually } from "../../server/src/testing/tasks.ts";
import { type Ran, runAos, startAos, useFolder } from "./process.fixture.ts";

const app = useApp({ role: "all" });
const folder = useFolder();
const env = () => ({ AOS_URL: app.url, AOS_KEY: app.key("admin"), XDG_CONFIG_HOME: folder.path });
const aos = (args: readonly string[]): Promise<Ran> => runAos(args, env());
const dispatch = ["tasks", "dispatch", "sales", "summarize_lead", "--lead-id", "ld_1001", "--require-approval"];

const source = `workflow: sign_off
steps:
  - id: ask
    approval: { title: "'Send the offer?'", agent: sales }
`;
beforeAll(async () => {
  await app.call("POST", "/v1/workflows", { body: { source } });
  const published = await app.call("POST", "/v1/workflows/sign_off/publish", { body: {} });
  expect(published.status, published.text).toBeLessThan(300);
});

describe("aos tasks dispatch --wait", () => {
  it("shows what is asked and where, and goes on waiting", async () => {
    const running = startAos([...dispatch, "--wait", "--json"], env());
    await eventually(() => expect(running.err()).toMatch(/held {2}Waits for approval\. .*\n.*\/approvals\/tsk_/));
    await approve(app, /tsk_\w+/.exec(running.err())?.[0] as string);
    const { status, out, err } = await running.ended;
    expect([status, JSON.parse(out).status]).toEqual([0, "completed"]);
    expect(err).toContain("approvals:decide");
  });

  it("exits with 3 by --on-question exit, with the task as it stands", async () => {
    const { status, out, err } = await aos([...dispatch, "--wait", "--on-question", "exit", "--json"]);
    expect([status, JSON.parse(out)]).toEqual([
      3,
      expect.objectContaining({ status: "awaiting_approval", final: false }),
    ]);
    expect(err).toContain("Waits for approval.");
  });

  it("takes --question for a field of the skill", async () => {
    const { err } = await aos(["tasks", "dispatch", "sales", "qualify_lead", "--question", "How long?"]);
    expect(err).not.toContain("unknown option");
    expect(err).toContain("question");
  });

  it("says what --on-question takes", async () => {
    const { status, err } = await aos([...dispatch, "--wait", "--on-question", "leave"]);
    expect([status, err]).toEqual([1, expect.stringContaining("Allowed choices are wait, exit.")]);
  });
});

describe("aos workflows run --wait", () => {
  it("exits with 3 by --on-question exit, with the step that asks", async () => {
    const { status, out, err } = await aos([
      "workflows",
      "run",
      "sign_off",
      "--wait",
      "--on-question",
      "exit",
      "--json",
    ]);
    expect(status, err).toBe(3);
    expect(JSON.parse(out)).toMatchObject({ status: "waiting", held_by: { kind: "approval" } });
    expect(err).toContain("Step ask: Waits for approval. Send the offer?");
  });
});

describe("aos workflows watch", () => {
  it("shows what holds the run, and exits with 3 where it does not wait for people", async () => {
    const { body } = await app.call("POST", "/v1/workflows/sign_off/runs", { body: {} });
    const watched = ["workflows", "watch", "sign_off", body.run_id];
    const { status, out } = await aos([...watched, "--on-question", "exit"]);
    expect([status, out]).toEqual([3, expect.stringMatching(/held {2}Step ask: .*\n +http:.*\/approvals\/tsk_/)]);
    const json = startAos([...watched, "--json"], env());
    await eventually(() => expect(json.out()).toContain('"type":"held","data":{"kind":"approval"'));
    await app.call("POST", `/v1/workflows/sign_off/runs/${body.run_id}/control`, { body: { action: "cancel" } });
    expect((await json.ended).status).toBe(2);
  });
});

it("aos tasks get --wait exits with 3 where people are asked and it does not wait for them", async () => {
  const { task_id } = await app.dispatch();
  const { status, err } = await aos(["tasks", "get", task_id, "--wait", "--on-question", "exit"]);
  expect([status, err]).toEqual([3, expect.stringContaining("Waits for approval.")]);
});

it("aos approvals inbox lists all that waits for people in a table", async () => {
  const { status, out } = await aos(["approvals", "inbox"]);
  expect(status).toBe(0);
  expect(out).toMatch(/^KIND +TITLE.*\n(approval .*\n)+/);
});
