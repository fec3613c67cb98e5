import { describe, expect, it } from "vitest";
import type { Mail } from "../../../kernel/identity.ts";
import { createPorts, join } from "../../../kernel/port.ts";
import { useApp } from "../../../testing/app.ts";
import { useWorkerProcess } from "../../../testing/worker.ts";
import { signInPort } from "../../admin/public.ts";
import { insertTask } from "../rollups/facts.fixture.ts";
import { rollUp } from "../rollups/testing.ts";
import { createReportMailJob } from "./mail.ts";
import { periodBefore } from "./make.ts";
import { reportSweep } from "./sweep.ts";

const portSendingTo = (sent: Mail[]) =>
  createPorts(
    [join(signInPort, { sendMail: async (mail) => void sent.push(mail), challenges: {} as never })],
    [signInPort],
  );

const app = useApp();
const machines = useWorkerProcess(app);
const path = "/v1/analytics/reports";
const yesterday = periodBefore({ period: "day" }, Date.now());

const create = async (body: object = {}, options: object = {}) => {
  const given = { name: "Daily", schedule: "0 7 * * *", period: "day", ...body };
  const { status, body: made, text } = await app.call("POST", path, { body: given, ...options });
  expect(status, text).toBe(201);
  return made.report_id as string;
};

/** Lets the sweeper make a report for yesterday, whenever its schedule comes. */
async function make(report: string): Promise<void> {
  await rollUp(app.pool);
  await app.pool.query("update analytics_reports set next_at = $2 where id = $1", [report, new Date(yesterday.to)]);
  await machines.sweeperWith([reportSweep]).sweep();
  await machines.sweeperWith([reportSweep]).sweep();
  expect(machines.faults).toEqual([]);
}

const issues = async (report: string) => (await app.call("GET", `${path}/${report}/issues`)).body.data;
const ready = async () =>
  (await app.pool.query("select body from events where type = 'analytics.report.ready'")).rows.map(({ body }) =>
    JSON.parse(body),
  );

describe("a scheduled report", () => {
  it("is made once for each time, kept, told and e-mailed", async () => {
    const { memberId } = await app.member("viewer");
    await app.pool.query("update members set email = 'ann@example.com' where id = $1", [memberId]);
    for (let task = 0; task < 3; task++)
      await insertTask(app.pool, yesterday.from + 60_000, {
        status: task < 2 ? "completed" : "failed",
        cost_usd: 0.5,
        started_at: new Date(yesterday.from + 61_000),
        finished_at: new Date(yesterday.from + 62_000),
      });
    const report = await create({ recipients: [memberId], chapters: ["overview", "costs"] });
    await make(report);
    const [issue, ...others] = await issues(report);
    expect(others).toEqual([]);
    expect(issue).toMatchObject({ from: new Date(yesterday.from).toISOString(), complete: true });
    const { body } = await app.call("GET", `${path}/${report}/issues/${issue.issue_id}`);
    expect(body.text).toContain("| Tasks | 3 |");
    expect(body.text).toMatch(/\| Success rate \| 66.7 % \| [\d.]+ % to [\d.]+ % \|/);
    expect(body.text).toContain("| sales | $1.5 | 3 |");
    expect((await ready()).filter(({ report_id }) => report_id === report)).toMatchObject([
      { issue_id: issue.issue_id },
    ]);
    const { rows } = await app.pool.query("select payload from graphile_worker._private_jobs where key like $1", [
      `${issue.issue_id}%`,
    ]);
    const sent: Mail[] = [];
    const query = async (text: string, values: readonly unknown[] = []) =>
      (await app.pool.query(text, values as unknown[])).rows as never;
    const send = createReportMailJob({ db: { query }, port: portSendingTo(sent) });
    for (const { payload } of rows) await send(payload);
    expect(sent.map(({ to, text }) => [to, text === body.text])).toEqual([["ann@example.com", true]]);
    expect((await app.call("GET", `${path}/${report}`)).body.next_at > new Date().toISOString()).toBe(true);
  });

  it("tells only of the agents that its author's key may see, and only to such keys", async () => {
    await insertTask(app.pool, yesterday.from + 120_000, { agent: "support" });
    const issued = await app.call("POST", "/v1/admin/keys", {
      body: { name: "narrow", role: "builder", agents: ["sales"] },
    });
    const { key } = issued.body;
    const narrow = await create({ format: "csv" }, { key });
    const all = await create({ format: "csv" });
    await make(narrow);
    await make(all);
    const text = async (report: string) =>
      (await app.call("GET", `${path}/${report}/issues/${(await issues(report))[0].issue_id}`)).body.text;
    expect(await text(narrow)).not.toContain("support");
    expect(await text(all)).toContain("overview,agent,support,tasks,count,1,");
    expect((await app.call("GET", path, { key })).body.data.map((one: { report_id: string }) => one.report_id)).toEqual(
      [narrow],
    );
    expect((await app.call("GET", `${path}/${all}/issues`, { key })).status).toBe(403);
  });

  it("is made no more once its author has lost the right, and says why", async () => {
    const { memberId, secret } = await app.member("builder");
    const report = await create({}, { key: secret });
    await app.pool.query("update members set removed_at = now() where id = $1", [memberId]);
    await make(report);
    expect(await issues(report)).toEqual([]);
    const { body } = await app.call("GET", `${path}/${report}`);
    expect(body.stopped_reason).toMatch(/was revoked, or its owner was removed/);
    expect(body.next_at).toBeNull();
  });
});

it.each([
  [{ schedule: "61 7 * * *" }, "/schedule", "not_cron"],
  [{ time_zone: "Mars/Base" }, "/time_zone", "unknown_time_zone"],
  [{ label: "team:blue" }, "/label", "unknown_dimension"],
  [{ recipients: [`mbr_${"0".repeat(26)}`] }, "/recipients/0", "unknown_member"],
])("a report is refused by the name of what is wrong: %j", async (body, pointer, code) => {
  const given = { name: "Daily", schedule: "0 7 * * *", period: "day", ...body };
  const refused = await app.call("POST", path, { body: given });
  expect([refused.status, refused.body.errors?.[0]]).toMatchObject([422, { pointer, code }]);
});
