import { describe, expect, it } from "vitest";
import { useApp } from "../../../../testing/app.ts";
import { type Heard, openEvents } from "../../../../testing/sse.ts";
import { eventually } from "../../../../testing/tasks.ts";
import { useWorkerProcess } from "../../../../testing/worker.ts";
import { begin, publish, waiting } from "../control.fixture.ts";

const app = useApp();
const process = useWorkerProcess(app);

const pathOf = (run: string) => `/v1/workflows/-/runs/${run}/events`;
const follow = (run: string, options: { lastEventId?: string; query?: string } = {}) =>
  openEvents(app.url + pathOf(run) + (options.query ?? ""), app.key("viewer"), options);
const cancel = (run: string) => app.call("POST", `/v1/workflows/-/runs/${run}/control`, { body: { action: "cancel" } });
const steps = [{ id: "one", set: { n: 1 } }, waiting];
const untilWaiting = (run: string) =>
  eventually(async () => expect((await app.call("GET", `/v1/workflows/-/runs/${run}`)).body.status).toBe("waiting"));
const told = ({ event, data }: Heard) => {
  const { step, status } = JSON.parse(data ?? "{}");
  return [event, step, status].filter((one) => one !== undefined).join(" ");
};

describe("GET /v1/workflows/{workflow}/runs/{run}/events", () => {
  it("tells what was, then what happens, and ends with the run", async () => {
    await process.worker();
    const { run_id } = await begin(app, await publish(app, { steps }));
    await untilWaiting(run_id);
    const heard: string[] = [];
    const ids: number[] = [];
    for await (const part of await follow(run_id)) {
      if (part.event !== undefined) heard.push(told(part));
      if (part.id !== undefined) ids.push(Number(part.id));
      if (told(part) === "run waiting") await cancel(run_id);
    }
    expect(heard.slice(0, 3)).toEqual(["step one completed", "step hold waiting", "run waiting"]);
    expect(heard.slice(-3)).toEqual(["step hold cancelled", "run cancelled", "end"]);
    expect(ids).toEqual([...ids].sort((a, b) => a - b));
  });

  it("goes on above the event that a client had, and in pages", async () => {
    await process.worker();
    const { run_id } = await begin(app, await publish(app, { steps }));
    await untilWaiting(run_id);
    await cancel(run_id);
    await eventually(async () =>
      expect((await app.call("GET", `/v1/workflows/-/runs/${run_id}`)).body.status).toBe("cancelled"),
    );
    const { body } = await app.call("GET", `${pathOf(run_id)}?limit=1`);
    expect([body.data[0].data.step, body.has_more]).toEqual(["one", true]);
    const next = await app.call("GET", `${pathOf(run_id)}?limit=1&cursor=${body.next_cursor}`);
    expect(next.body.data[0].data.step).toBe("hold");
    const heard: string[] = [];
    for await (const part of await follow(run_id, { lastEventId: String(body.data[0].sequence) }))
      if (part.event !== undefined) heard.push(told(part));
    expect(heard).toEqual(["step hold cancelled", "run cancelled", "end"]);
  });

  it("refuses a cursor of pages and an id that is no number for a stream", async () => {
    const { run_id } = await begin(app, await publish(app, { steps }));
    const refused = await follow(run_id, { query: "?cursor=abc" });
    expect([refused.status, JSON.parse(await refused.text()).errors[0].parameter]).toEqual([400, "cursor"]);
    expect((await follow(run_id, { lastEventId: "two" })).status).toBe(400);
  });
});
