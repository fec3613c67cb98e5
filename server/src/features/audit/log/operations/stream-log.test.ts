import { expect, it } from "vitest";
import { useApp } from "../../../../testing/app.ts";
import { openEvents } from "../../../../testing/sse.ts";
import { untilSequenced } from "../../testing.ts";

const app = useApp();
const at = "/v1/audit/stream?action=agents.dispatchTask";

it("tells records as they come into the log, and goes on after Last-Event-ID without loss", async () => {
  await untilSequenced(app, (await app.dispatch()).audit_ref);
  const stream = await openEvents(app.url + at, app.key("auditor"));
  const parts = stream[Symbol.asyncIterator]();
  await parts.next();
  const made = [await app.dispatch(), await app.dispatch()];
  const heard = [(await parts.next()).value, (await parts.next()).value];
  stream.leave();
  expect(heard.map((part) => JSON.parse(part?.data ?? "").audit_ref)).toEqual(made.map(({ audit_ref }) => audit_ref));
  expect(heard.map((part) => part?.event)).toEqual(["record", "record"]);
  const back = await openEvents(app.url + at, app.key("auditor"), { lastEventId: heard[0]?.id as string });
  const again = back[Symbol.asyncIterator]();
  await again.next();
  expect((await again.next()).value?.id).toBe(heard[1]?.id);
  back.leave();
  const pages = (await app.call("GET", `${at}&after=${heard[0]?.id}`)).body.data;
  expect(pages.map(({ audit_ref }: { audit_ref: string }) => audit_ref)).toEqual([made[1]?.audit_ref]);
});

it("tells a narrowed key nothing of other agents", async () => {
  const body = { name: "narrow", role: "auditor", agents: ["support"] };
  const { key } = (await app.call("POST", "/v1/admin/keys", { body })).body;
  await untilSequenced(app, (await app.dispatch()).audit_ref);
  expect((await app.call("GET", `${at}&after=-1`, { key })).body.data).toEqual([]);
});

it("keeps no place for callers that never read it", async () => {
  const headers = { accept: "text/event-stream", authorization: `Bearer ${app.key("auditor")}` };
  for (let n = 0; n < 51; n++) await fetch(app.url + at, { method: "HEAD", headers });
  const stream = await openEvents(app.url + at, app.key("auditor"));
  expect(stream.status).toBe(200);
  stream.leave();
});
