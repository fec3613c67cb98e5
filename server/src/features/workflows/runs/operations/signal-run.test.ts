import { expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { published } from "../../triggers/triggers.fixture.ts";

const app = useSharedApp();

async function started() {
  const steps = [{ id: "hold", wait: { event: "bank.settled", at_most: "1d" } }];
  const name = await published(app, { steps });
  const run = (await app.call("POST", `/v1/workflows/${name}/runs`, { body: {} })).body.run_id as string;
  const signal = (body: object) => app.call("POST", `/v1/workflows/${name}/runs/${run}/signal`, { body });
  return { run, signal };
}

it("keeps an event that no step waits for yet, and names what the workflow waits for where it is another", async () => {
  const { signal } = await started();
  expect((await signal({ event: "bank.settled" })).body.awaited).toBe(false);
  const { status, body } = await signal({ event: "bank.lost" });
  expect([status, body.errors[0]]).toMatchObject([
    422,
    { pointer: "/event", code: "not_awaited", detail: expect.stringContaining("bank.settled") },
  ]);
});

it("gives nothing that only the service publishes, and wrong_state where the run is over", async () => {
  const { run, signal } = await started();
  expect((await signal({ event: "task.completed" })).body.errors[0].code).toBe("reserved");
  await app.pool.query("update workflow_runs set status = 'cancelled' where id = $1", [run]);
  const { status, body } = await signal({ event: "bank.settled" });
  expect([status, body.code]).toEqual([409, "wrong_state"]);
});
