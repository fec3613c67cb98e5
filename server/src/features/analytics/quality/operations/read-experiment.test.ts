import { expect, it } from "vitest";
import { useApp } from "../../../../testing/app.ts";
import { useWorkerProcess } from "../../../../testing/worker.ts";
import { judgeTasks, runningCanary } from "../../../agents/deployments/canaries/canaries.fixture.ts";
import { canarySweep } from "../../../agents/deployments/operations/decide-canary.ts";
import { underKillSwitch } from "../../../tasks/runs/testing.ts";

const app = useApp();
const worker = useWorkerProcess(app);
const read = async (path: string, options = {}) =>
  app.call("GET", `/v1/analytics/experiments/${path.split("/").at(-1)}`, options);

it("shows both sides, the looks with their bounds, and where it is heading", async () => {
  const path = await runningCanary(app, "compared", { share: 50, rule: { tolerance: 0.1 } });
  await judgeTasks(app, "compared", 100, (_version, n) => n % 10 > 0);
  await worker.sweeperWith([canarySweep]).sweep();
  expect(worker.faults).toEqual([]);
  const { status, body } = await read(path);
  expect(status).toBe(200);
  const { canary, stable } = body.arms;
  expect([canary.version, stable.version, canary.tasks + stable.tasks, canary.judged + stable.judged]).toEqual([
    2, 1, 100, 100,
  ]);
  expect(canary.accepted.n).toBe(canary.judged);
  expect(canary.accepted.low).toBeLessThan(canary.accepted.value);
  expect(body.looks).toHaveLength(1);
  const [{ quality, failures, verdict }] = body.looks;
  expect(verdict).toBe("undecided");
  expect(quality.difference).toBeCloseTo(canary.accepted.value - stable.accepted.value, 9);
  expect(quality.abort_at).toBeLessThan(quality.promote_at);
  expect(failures.difference).toBe(0);
  expect(body.outlook).toMatchObject({ verdict: "no_worse", leads_to: "promotion" });
  expect(body.outlook.needed).toBeGreaterThan(0);
});

it("is shown to keys of its agent only, and of canaries only", async () => {
  const path = await runningCanary(app, "hidden");
  const issued = await app.call("POST", "/v1/admin/keys", {
    body: { name: "narrow", role: "viewer", scopes: ["analytics:read"], agents: ["compared"] },
  });
  expect(issued.status, issued.text).toBe(201);
  expect((await read(path, { key: issued.body.key })).status).toBe(403);
  const { data } = (await app.call("GET", "/v1/agents/hidden/deployments?state=live")).body;
  expect((await read(data[0].deployment_id)).status).toBe(404);
});

it("is left out of the draw while a kill switch stands against its version alone, and says so", async () => {
  const path = await runningCanary(app, "killed", { share: 99 });
  const ask = async (of: number) => {
    const body = { task: "answer", question: "when?", options: { sticky_key: `customer ${of}` } };
    const { status, body: task } = await app.call("POST", "/v1/agents/killed/tasks", { body });
    return [status, (await app.call("GET", `/v1/tasks/${task.task_id}`)).body.version];
  };
  let customer = 0; // whom the canary serves
  while ((await ask(customer))[1] !== 2) customer++;
  const target = (await read(path)).body.arms.canary.version_id;
  for (const mode of ["drain", "pause", "stop"])
    await underKillSwitch(app, worker, { kind: "version", target, mode }, async (id) => {
      expect(await ask(customer)).toEqual([202, 1]);
      expect((await read(path)).body.held).toContain(`by the kill switch ${id}: it harms`);
    });
  expect(await ask(customer)).toEqual([202, 2]);
  expect((await read(path)).body.held).toBeNull();
});
