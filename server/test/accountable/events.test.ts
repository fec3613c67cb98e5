import { beforeAll, describe, expect, it } from "vitest";
import { insideOperations } from "../../../scripts/checks/registry.ts";
import { createReader } from "../../src/db/reader.ts";
import { createIngestJob } from "../../src/features/knowledge/ingest/jobs/ingest.ts";
import { subjectsOf } from "../../src/features/workflows/triggers/event-deciders.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import { type EventType, eventCatalogue } from "../../src/kernel/events.ts";
import { createIds } from "../../src/kernel/ids.ts";
import { createDownloadPort } from "../../src/outbound/download-port.ts";
import { approveBy, castIn, must, payingAgent, strictEnvironments } from "../../src/testing/actors.ts";
import { useApp } from "../../src/testing/app.ts";
import { scriptedModel } from "../../src/testing/models.ts";
import { eventually } from "../../src/testing/tasks.ts";
import { useWorkerProcess } from "../../src/testing/worker.ts";
import { asked, forgetWorkflow, hear, payingWorkflow } from "./triggers.fixture.ts";

// Events that the service itself emits say what people decided earlier.

const app = useApp({ role: "api" });
const process = useWorkerProcess(app);
beforeAll(async () => {
  await process.worker({ model: scriptedModel(() => ({ text: "{}" })) });
});

let made = 0;

describe("an event of the service itself", () => {
  it.each(strictEnvironments)(
    "about a mission: whoever gave its goal does not approve what the event starts, in %s",
    async (environment) => {
      const cast = await castIn(app, environment);
      const { alice, bob, carol } = cast;
      const agent = await payingAgent(app, cast);
      await process.refresh();
      const goal = String(98_765 + ++made);
      const where = `event.goal == "${goal}"`;
      const triggers = [{ event: "mission.decision_required", where, map: { amount: "event.goal" } }];
      const workflow = await payingWorkflow(app, carol, { agent, triggers });
      await forgetWorkflow(app, workflow);
      const measure = { skill: "settle", where: "status == 'completed'", aggregate: "count", target: 1 };
      const budget = { cost_usd: 5, tasks: 10 };
      const { mission_id: id } = await must(app, 201, bob, "POST", "/v1/missions", {
        goal,
        measure,
        agents: [agent],
        budget,
        autonomy: "within_limits",
        inputs: { amount: 240 },
      });
      const inputs = { input: { amount: "input.amount" } };
      await must(app, 201, bob, "POST", `/v1/missions/${id}/plan`, {
        steps: [{ id: "settle", agent, skill: "settle", inputs }],
      });
      await must(app, 202, bob, "POST", `/v1/missions/${id}/start`, {});
      const step = await eventually(async () => {
        const { rows } = await app.pool.query<{ id: string }>(
          `select t.id from tasks t join workflow_runs r on r.id = t.run_id where r.mission = $1 and t.status = 'awaiting_approval'`,
          [id],
        );
        if (!rows[0]) throw new Error("the mission's task does not wait for people yet");
        return rows[0].id;
      });
      const { digest } = await must(app, 200, alice, "GET", `/v1/approvals/${step}`);
      await must(app, 200, alice, "POST", `/v1/approvals/${step}/reject`, { digest, reason: "No." });
      await eventually(async () => {
        const { status } = await must(app, 200, bob, "GET", `/v1/missions/${id}`);
        expect(status).toBe("blocked");
      });
      await hear(app, process);
      const task = await asked(app, workflow);
      expect(await approveBy(app, bob, task)).toBe("four_eyes");
      const dave = await app.signedInMember("admin", environment);
      expect(await approveBy(app, dave, task)).toBe("approved");
    },
  );

  it.each(strictEnvironments)(
    "about a document: whoever wrote it does not approve what the event starts, in %s",
    async (environment) => {
      const cast = await castIn(app, environment);
      const { alice, bob, carol } = cast;
      const agent = await payingAgent(app, cast);
      const base = `invoices-${++made}`;
      await must(app, 201, carol, "POST", "/v1/knowledge/bases", { name: base });
      const where = `event.base == "${base}"`;
      const triggers = [{ event: "knowledge.document.indexed", where, map: { amount: "event.records" } }];
      const workflow = await payingWorkflow(app, carol, { agent, triggers });
      await forgetWorkflow(app, workflow);
      const form = new FormData();
      form.append("file", new Blob(["id,amount\n1,1\n2,1\n"], { type: "text/csv" }), "rows.csv");
      const headers = { authorization: `Bearer ${bob.secret}` };
      const answered = await fetch(`${app.url}/v1/knowledge/bases/${base}/documents`, {
        method: "POST",
        headers,
        body: form,
      });
      const { document_id: document } = (await answered.json()) as { document_id: string };
      const db = createReader(process.database.pool);
      const job = createIngestJob(
        { db, inside: process.inside, clock: systemClock, newId: createIds(systemClock) },
        createDownloadPort({ outboundAllow: [] }),
      );
      await job({ ...app.scope, environment, document });
      await eventually(async () => {
        const { rows } = await app.pool.query(
          "select 1 from events where type = 'knowledge.document.indexed' and body like '%' || $1 || '%'",
          [document],
        );
        expect(rows).toHaveLength(1);
      });
      await hear(app, process);
      const task = await asked(app, workflow);
      expect(await approveBy(app, bob, task)).toBe("four_eyes");
      expect(await approveBy(app, alice, task)).toBe("approved");
    },
  );

  it("names an object of which it is known who decided what it says, or says nothing that a person decided", () => {
    const unknown = insideEvents().filter((event) => subjectsOf(app.app, idsIn(event)).length === 0);
    expect(unknown.map(({ type }) => type)).toEqual(Object.keys(ofNobody).sort());
  });
});

const given = "the operation gives the deciders with the event";
const own = "holds ids and words of the service only";
/** Events of the service itself that name no object with deciders, and why nobody is to be looked up for them. May only shrink. */
const ofNobody: Readonly<Record<string, string>> = {
  "audit.export_ready": own,
  "audit.log_stopped": own,
  "budget.exhausted": "rules never make anybody accountable",
  "budget.warning": "rules never make anybody accountable",
  "chat.conversation_started": own,
  "chat.handoff_assigned": own,
  "chat.handoff_requested": own,
  "chat.handoff_waiting": own,
  "chat.message_completed": own,
  "chat.service_level_breached": own,
  "deployment.aborted": "its reason is computed, or its caller's",
  "deployment.changed": own,
  "deployment.shadow_ended": "its reason is computed, or its caller's",
  "install.completed": "its title was consented to by whoever installed it",
  "install.removed": "its title was consented to by whoever installed it",
  "key.expiring": given,
  "key.revoked": "rules never make anybody accountable",
  "kill_switch.engaged": "rules never make anybody accountable",
  "knowledge.base.reindexed": own,
};

/** Members of events' bodies with an id, by its prefix. */
const prefixes: Readonly<Record<string, string>> = {
  task_id: "tsk",
  run_id: "wfr",
  mission_id: "msn",
  document_id: "doc",
  recall_id: "rcl",
  report_id: "rpt",
  alert_id: "alr",
  schedule_id: "sch",
  connector_id: "cnr",
  webhook_id: "whk",
  sink_id: "snk",
  monitor_id: "mon",
};

function idsIn({ schema }: EventType): Record<string, unknown> {
  const names = Object.keys(schema.properties);
  const ids = names.flatMap((name) => (prefixes[name] ? [[name, `${prefixes[name]}_0`]] : []));
  return { ...Object.fromEntries(ids), ...(names.includes("object") && { object: "trigger:wtr_0" }) };
}

/** Events that operations of the service itself emit, besides those of a task, for whose persons its row has the answer. */
function insideEvents(): EventType[] {
  const types = new Set(insideOperations().flatMap(({ emits }) => emits.map(({ type }) => type)));
  return eventCatalogue().filter(({ type }) => types.has(type) && !type.startsWith("task."));
}
