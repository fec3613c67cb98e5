import { readFileSync } from "node:fs";
import { beforeAll, expect, it, vi } from "vitest";
import { useApp } from "../../../testing/app.ts";
import { useWorkerProcess } from "../../../testing/worker.ts";
import { deployOutreach, missionOf, ok, outreachModel, readMission, tasksOf } from "./missions.fixture.ts";

// 200 leads and the best 20 of them, by made-up leads, or by those of a file: AOS_LEADS_CSV=path, with the columns of the made-up ones among its first.

const columns = ["lead_id", "Lead Origin", "Lead Source", "Do Not Email", "Do Not Call", "Converted", "TotalVisits"];
const time = "Total Time Spent on Website";
const [count, best] = [200, 20];

/** As a customer list has them; those who spend longer convert more often. */
const madeUp = (): string[] =>
  Array.from({ length: count }, (_none, at) => {
    const seconds = (at * 7919) % 1800;
    return `ld_${600_000 + at},API,Google,No,No,${seconds > 900 && at % 3 > 0 ? 1 : 0},3.0,${seconds}`;
  });

function readLeads(): { lead_id: string; minutes: number; converted: boolean }[] {
  const file = process.env.AOS_LEADS_CSV;
  const [header, ...rows] =
    file === undefined ? [[...columns, time].join(","), ...madeUp()] : readFileSync(file, "utf8").split(/\r?\n/);
  const names = (header ?? "").split(",");
  const at = (name: string) => names.indexOf(name);
  return rows.slice(0, count).map((row) => {
    const cells = row.split(",");
    const minutes = Number(cells[at(time)]) / 60;
    return { lead_id: cells[at("lead_id")] as string, minutes, converted: cells[at("Converted")] === "1" };
  });
}

const app = useApp();
const worker = useWorkerProcess(app);
const leads = readLeads();

beforeAll(async () => {
  await ok(app, "POST", "/v1/knowledge/bases", { name: "prospects", description: "Leads." });
  const documents = leads.map(({ lead_id, minutes }) => ({ external_id: lead_id, fields: { minutes } }));
  await ok(app, "POST", "/v1/knowledge/bases/prospects/documents/bulk", { documents });
  await deployOutreach(app, "prospects");
  await worker.refresh();
  await worker.worker({ model: outreachModel() });
});

it("qualifies 200 leads and writes to the best 20 once people approve, within its budget, measured by who converted", async () => {
  const body = missionOf(count, best, { cost_usd: 4.5, tasks: 220 });
  const inputs = { leads: leads.map(({ lead_id, minutes }) => ({ lead_id, minutes })) };
  const { mission_id: mission } = await ok(app, "POST", "/v1/missions", { ...body, inputs });
  const plan = await ok(app, "POST", `/v1/missions/${mission}/plan`, {});
  expect(plan).toMatchObject({ findings: [], total: { tasks: 220 } });
  await ok(app, "POST", `/v1/missions/${mission}/start`, { plan: 1 });
  const began = performance.now();
  const approved = new Set<string>();
  const decide = async () => {
    for (const { task_id, status } of await tasksOf(app, mission, "write_mail")) {
      if (status !== "awaiting_approval" || approved.has(task_id)) continue;
      await app.call("POST", `/v1/approvals/${task_id}/approve`, { key: "approver", body: {} });
      approved.add(task_id);
    }
    expect(await readMission(app, mission)).toMatchObject({ status: "finished" });
  };
  await vi.waitFor(decide, { timeout: 240_000, interval: 250 });
  const seconds = (performance.now() - began) / 1000;

  const wanted = leads
    .filter(({ minutes }) => minutes > 5)
    .sort((a, b) => b.minutes - a.minutes)
    .slice(0, best);
  const mails = await tasksOf(app, mission, "write_mail");
  const { rows } = await app.pool.query(
    "select id, input::json ->> 'lead_id' as lead from tasks where run_step = 'write_mail'",
  );
  const leadOf = new Map(rows.map(({ id, lead }) => [id as string, lead as string]));
  expect(new Set(leadOf.values())).toEqual(new Set(wanted.map(({ lead_id }) => lead_id)));
  expect(approved.size).toBe(best);

  const converted = new Map(leads.map(({ lead_id, converted }) => [lead_id, converted]));
  for (const { task_id } of mails) {
    const accepted = converted.get(leadOf.get(task_id) as string) as boolean;
    await ok(app, "POST", `/v1/tasks/${task_id}/feedback`, { accepted });
  }
  const report = await ok(app, "GET", `/v1/missions/${mission}/report`);
  const truth = wanted.filter(({ lead_id }) => converted.get(lead_id)).length;
  expect(report.measured).toMatchObject({ value: truth, results: best, counted: truth });
  expect(report.budget).toMatchObject({ spent_usd: 2, reserved_usd: 0 });
  console.log(
    `${count} judged and ${best} written to in ${seconds.toFixed(1)} s; ${truth} converted, $${report.budget.spent_usd} spent`,
  );
}, 300_000);
