import { describe, expect, it } from "vitest";
import { useApp } from "../../../../testing/app.ts";
import { useWorkerProcess } from "../../../../testing/worker.ts";
import {
  newDataset,
  newRun,
  newVersion,
  readGateOf,
  runJobOf,
  sameTeam,
  setGateOf,
  skillsThat,
  teamItems,
} from "../../../evaluations/testing.ts";
import { answering, deployedAgent } from "../../testing.ts";

const app = useApp();
const process = useWorkerProcess(app);
const deploy = (agent: string, version: number, environment: "development" | "production" = "development") =>
  app.call("POST", `/v1/agents/${agent}/deployments`, { environment, body: { version, note: "tried" } });

describe("deploying a version", () => {
  it("puts it in the place of the one before, and dispatches run it at once", async () => {
    await deployedAgent(app, "swap", { versions: 2, deploy: [1] });
    const { status, body } = await deploy("swap", 2);
    expect([status, body.state, body.version, body.share, body.gate.verdict]).toEqual([201, "live", 2, 100, "allow"]);
    const task = await app.call("POST", "/v1/agents/swap/tasks", { body: { task: "answer", question: "when?" } });
    expect((await app.call("GET", `/v1/tasks/${task.body.task_id}`)).body.version).toBe(2);
    const list = await app.call("GET", "/v1/agents/swap/deployments");
    expect(list.body.data.map((d: { state: string; version: number }) => [d.version, d.state])).toEqual([
      [2, "live"],
      [1, "replaced"],
    ]);
    expect([list.body.data[0].health.open_tasks, list.body.data[1].replaced_by]).toEqual([1, body.deployment_id]);
  });

  it("is refused by a failed gate with the reasons, and goes, tagged, in development", async () => {
    await app.verdict("failed", "production");
    const refused = await deploy("sales", 1, "production");
    expect([refused.status, refused.body.code]).toEqual([409, "evaluation_gate_failed"]);
    expect(refused.body.gate).toMatchObject({ state: "failed", reasons: ["arranged"] });
    await deployedAgent(app, "tagged", { versions: 1 });
    const { body } = await deploy("tagged", 1);
    expect(body.gate.reasons[0]).toMatch(/^missing: tagged ver_/);
  });

  it("is refused where there is no evidence outside development", async () => {
    await deployedAgent(app, "unproved", { versions: 1 });
    const { status, body } = await deploy("unproved", 1, "production");
    expect([status, body.code, body.gate.state]).toEqual([409, "evaluation_gate_failed", "missing"]);
  });

  it("leaves one live version when eight are deployed at once", async () => {
    await deployedAgent(app, "race", { versions: 8 });
    const answers = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map((version) => deploy("race", version)));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(201));
    const { rows } = await app.pool.query(
      "select state, count(*)::int as n from deployments where agent = 'race' group by 1 order by 1",
    );
    expect(rows).toEqual([
      { state: "live", n: 1 },
      { state: "replaced", n: 7 },
    ]);
  });

  it("says which version there is instead of one that is not", async () => {
    const { status, body } = await deploy("sales", 99);
    expect([status, body.errors]).toEqual([
      422,
      [{ pointer: "/version", code: "unknown_version", detail: "sales has no version 99: its newest is 1" }],
    ]);
  });

  it("refuses the one that is live with already_live", async () => {
    expect((await deploy("sales", 1)).body).toMatchObject({ status: 409, code: "already_live" });
  });

  it("refuses what this release cannot run with not_runnable, naming the place", async () => {
    const tools = [{ name: "notify", kind: "mcp", effect: "write", server: "https://example.com/mcp", impact: {} }];
    const skills = [{ ...answering.skills[0], tools: ["notify"] }];
    const made = await app.call("POST", "/v1/agents", {
      body: { agent: "caller", description: "Calls.", ...answering, tools, skills },
    });
    expect(made.text).toContain("caller");
    expect((await app.call("POST", "/v1/agents/caller/versions", { body: {} })).status).toBe(201);
    const { body } = await deploy("caller", 1);
    expect([body.status, body.code, body.errors[0].pointer]).toEqual([409, "not_runnable", "/tools/0/kind"]);
  });

  it("refuses an archived agent with agent_archived", async () => {
    await deployedAgent(app, "gone", { versions: 1 });
    await app.pool.query("update agents set archived_at = now() where name = 'gone'");
    expect((await deploy("gone", 1)).body).toMatchObject({ status: 409, code: "agent_archived" });
  });
});

describe("deploying a version whose open verdict was not drawn against the live one", () => {
  /** An open verdict on each version of an agent, drawn while none was live, or one of them. */
  async function verdicts(agent: string, environment: string, against: number | null): Promise<void> {
    await app.pool.query(
      `insert into gate_verdicts (organization, environment, version_id, verdict, reasons, expires_at, against)
       select v.organization, $2, v.id, 'open', '{arranged}', now() + interval '1 day', o.id from agent_versions v
       left join agent_versions o on o.organization = v.organization and o.agent = v.agent and o.number = $3
       where v.agent = $1 on conflict (organization, environment, version_id) do update set against = excluded.against`,
      [agent, environment, against],
    );
    await app.pool.query(
      "insert into fact_epochs (topic, epoch) values ('gates', 1) on conflict (topic) do update set epoch = fact_epochs.epoch + 1",
    );
    await app.app.facts.refresh();
  }

  it("is refused outside development as without evidence, saying which two were not compared and what compares them", async () => {
    await deployedAgent(app, "unmet", { versions: 2 });
    await verdicts("unmet", "production", null);
    expect((await deploy("unmet", 1, "production")).status).toBe(201);
    const { status, body } = await deploy("unmet", 2, "production");
    expect([status, body.code, body.gate.state]).toEqual([409, "evaluation_gate_failed", "missing"]);
    expect(body.detail).toMatch(/no version was live.*not compared with version 1, which is live now; run a dataset/);
    const record = await app.call("GET", `/v1/audit/events/${body.audit_ref}`, { environment: "production" });
    expect(record.body.stages.find(({ stage }: { stage: string }) => stage === "evaluation_gate")).toMatchObject({
      verdict: "deny",
    });
    await verdicts("unmet", "production", 1);
    expect((await deploy("unmet", 2, "production")).body).toMatchObject({ state: "live", version: 2 });
    const back = await app.call("POST", "/v1/agents/unmet/rollback", {
      environment: "production",
      body: { reason: "Tried." },
    });
    expect([back.status, back.body.version]).toEqual([200, 1]);
  });

  it("takes over the labels that the agent has then; a later change in development holds in production from its next deployment on", async () => {
    await deployedAgent(app, "labelled", { versions: 2 });
    const label = async (labels: string[]) => {
      const { headers } = await app.call("GET", "/v1/agents/labelled");
      const changed = await app.call("PATCH", "/v1/agents/labelled", {
        body: { labels },
        headers: { "if-match": headers.get("etag") as string },
        key: "builder",
      });
      expect(changed.status, changed.text).toBe(200);
      await app.app.facts.refresh();
    };
    const dispatch = async () => {
      const body = { task: "answer", question: "when?" };
      return (await app.call("POST", "/v1/agents/labelled/tasks", { environment: "production", body })).status;
    };
    await label(["held"]);
    await app.policy(
      { when: '"held" in agent.labels', effect: "deny", scope: { actions: ["task.dispatch"] } },
      "active",
      "production",
    );
    await verdicts("labelled", "production", 1);
    expect([(await deploy("labelled", 1, "production")).status, await dispatch()]).toEqual([201, 403]);
    await label([]);
    expect(await dispatch()).toBe(403);
    expect([(await deploy("labelled", 2, "production")).status, await dispatch()]).toEqual([201, 202]);
    await label(["held"]);
    const back = await app.call("POST", "/v1/agents/labelled/rollback", {
      environment: "production",
      body: { reason: "Tried." },
    });
    expect([back.status, await dispatch()]).toEqual([200, 202]); // a rollback keeps the labels that hold
  });

  it("goes in development, and the deployment says that the comparison is missing", async () => {
    await deployedAgent(app, "loose", { versions: 2, deploy: [1] });
    await verdicts("loose", "development", null);
    const { status, body } = await deploy("loose", 2);
    expect([status, body.gate.verdict]).toEqual([201, "allow"]);
    expect(body.gate.reasons).toEqual([
      expect.stringMatching(/^missing: loose ver_/),
      expect.stringContaining("version 1, which is live now"),
    ]);
  });

  it("is not allowed to both of two that were evaluated before either was live: the worse one is compared first, and fails", async () => {
    await app.pool.query(
      "update deployments set state = 'ended', ended_at = now() where agent = 'sales' and state = 'live'",
    );
    const dataset = await newDataset(app, teamItems(Array<string>(60).fill("enterprise")));
    const scorers = [{ scorer: await sameTeam(app) }];
    const rules = { datasets: [dataset], scorers, floor: 0, repeats: 1, max_repeats: 1 };
    await setGateOf(app, { ...rules, on_missing: "deny", table: { failed: "deny" } });
    const worse = await newVersion(app, "Another description.");
    const right = runJobOf(
      process,
      skillsThat(() => ({ team: "enterprise" })),
    );
    const wrong = runJobOf(
      process,
      skillsThat(() => ({ team: "wrong" })),
    );
    const own = await newRun(app, dataset);
    await right(app, own);
    await wrong(app, await newRun(app, dataset, { version: worse }));
    await app.app.facts.refresh();
    expect(await readGateOf(app, worse)).toMatchObject({ state: "open", compared_with: null });
    expect((await deploy("sales", 1)).status).toBe(201);
    expect((await deploy("sales", worse)).body).toMatchObject({ status: 409, gate: { state: "missing" } });
    await wrong(app, await newRun(app, dataset, { version: worse }));
    await right(app, own); // which is run as often as the other by now
    await app.app.facts.refresh();
    expect(await readGateOf(app, worse)).toMatchObject({ state: "failed", compared_with: 1 });
    expect((await deploy("sales", worse)).body).toMatchObject({ status: 409, gate: { state: "failed" } });
    expect((await app.dispatch({ require_approval: false })).status).toBe("queued"); // the live version's own verdict stands
  });
});

describe("a version that names what the environment does not have", () => {
  const tool = {
    name: "crm",
    kind: "http",
    effect: "read",
    connection: "crm_key",
    impact: { money: 0 },
    request: { method: "POST", url: "https://crm.example.com/search?x=1" },
  };
  const skill = { name: "answer", input: { type: "object" }, tools: ["crm"] };
  const body = {
    agent: "needs",
    description: "Needs.",
    model: { provider: "builtin" },
    knowledge: ["rules", "lead"],
    tools: [tool],
    skills: [skill],
  };

  it("is frozen with warnings, compared with the same, and refused where it would be deployed, each name with its place", async () => {
    await app.call("POST", "/v1/agents", { body });
    const missing = [
      { pointer: "/knowledge/0", code: "unknown_base", detail: "development has no knowledge base `rules`" },
      {
        pointer: "/knowledge/1",
        code: "unknown_base",
        detail: "development has no knowledge base `lead`; did you mean `leads`?",
      },
      { pointer: "/tools/0/connection", code: "unknown_connection", detail: "development has no connection `crm_key`" },
    ].sort((one, other) => (one.code === other.code ? 0 : one.code === "unknown_connection" ? 1 : -1));
    const posts = {
      pointer: "/tools/0/effect",
      code: "counts_as_write",
      detail: expect.stringContaining("`POST https://crm.example.com/search`"),
    };
    const frozen = await app.call("POST", "/v1/agents/needs/versions", { body: {} });
    expect([frozen.status, frozen.body.warnings]).toEqual([201, [...missing, posts]]);
    const compared = await app.call("POST", "/v1/agents/needs/compare", { body });
    expect(compared.body).toMatchObject({ identical: true, warnings: [...missing, posts] });
    const refused = await deploy("needs", 1);
    expect([refused.status, refused.body.code, refused.body.errors]).toEqual([409, "dependencies_missing", missing]);
    for (const name of ["rules", "lead"]) await app.call("POST", "/v1/knowledge/bases", { body: { name } });
    const connection = {
      name: "crm_key",
      kind: "http",
      base_url: "https://crm.example.com",
      auth: { scheme: "bearer" },
      secret: "s3cret-of-crm",
    };
    await app.call("POST", "/v1/admin/connections", { body: connection });
    const { status, body: left } = await deploy("needs", 1);
    expect([status, left.errors]).toEqual([201, undefined]);
  });
});
