import { describe, expect, it } from "vitest";
import { canarySweep } from "../../src/features/agents/deployments/operations/decide-canary.ts";
import {
  approveBy,
  type Cast,
  castIn,
  forgetDeciders,
  must,
  openGate,
  type Person,
  payingAgent,
  strictEnvironments,
} from "../../src/testing/actors.ts";
import { useApp } from "../../src/testing/app.ts";
import { sealEnded } from "../../src/testing/tasks.ts";
import { useWorkerProcess } from "../../src/testing/worker.ts";
import { confirmBy, contentCalls, impact } from "./content.fixture.ts";

// Rule B of decision 0064: whoever decided standing content counts as asking, until a second person has looked at exactly this content.

const app = useApp();
const worker = useWorkerProcess(app);
const { ask, patch, release, pupil, makeDataset, train } = contentCalls(app, worker);
const yaml = "application/yaml";

/** A key that a person issues to a service account. */
async function botOf(person: Person, name: string): Promise<Person> {
  const body = { name, role: "admin", for: { service_account: name } };
  const { key, key_id, member_id } = await must(app, 201, person, "POST", "/v1/admin/keys", body);
  return { secret: key, keyId: key_id, memberId: member_id };
}

/** Has enough people judged a canary no worse. */
async function judgedNoWorse(deployment: string): Promise<void> {
  const look = JSON.stringify({ look: 1, judged: 60, verdict: "no_worse", text: "The canary is no worse." });
  await app.pool.query(
    `insert into deployment_looks (organization, environment, deployment, look, judged, body, created_at)
     select organization, environment, id, 1, 60, $2, now() from deployments where id = $1`,
    [deployment, look],
  );
}

async function sweep(): Promise<void> {
  await worker.refresh();
  await worker.sweeperWith([canarySweep]).sweep();
  expect(worker.faults).toEqual([]);
  await app.app.facts.refresh();
}

const byTools = { kind: "http", name: "pay", effect: "write", arguments: { type: "object" } };
const request = { method: "POST", url: "https://elsewhere.example.com/pay" };

/** Ways to change a draft; each returns the agent that has it. */
const changes: Readonly<Record<string, (agent: string, by: Person) => Promise<string>>> = {
  prompt: async (agent, by) => {
    await patch(agent, by, { instructions: "Pay at once." });
    return agent;
  },
  tool: async (agent, { secret: key }) => {
    const body = { definition: { ...byTools, impact, request }, skills: ["settle"] };
    const answered = await app.call("PUT", `/v1/agents/${agent}/tools/pay`, {
      key,
      body,
      headers: { "if-match": "*" },
    });
    expect(answered.status, answered.text).toBe(200);
    return agent;
  },
  file: async (agent, { secret: key }) => {
    const { text } = await app.call("GET", `/v1/agents/${agent}`, { key, headers: { accept: yaml } });
    const headers = { "if-match": "*", "content-type": yaml };
    const body = text.replace("Pays.", "Pays what a file says.");
    const answered = await app.call("PATCH", `/v1/agents/${agent}`, { key, body, headers });
    expect(answered.status, answered.text).toBe(200);
    return agent;
  },
  copy: async (agent, by) => {
    await must(app, 201, by, "POST", `/v1/agents/${agent}/clone`, { name: `${agent}-copy` });
    return `${agent}-copy`;
  },
};

describe("row 10: prompt, tools and imported file", () => {
  it.each(strictEnvironments)(
    "who changed what an agent is does not approve what it asks for, in %s",
    async (environment) => {
      const cast = await castIn(app, environment);
      for (const change of Object.values(changes)) {
        const agent = await change(await payingAgent(app, cast), cast.bob);
        await release(agent, cast, { frozen: cast.bob, deployed: cast.bob });
        const task = await ask(agent, cast.carol);
        expect(await approveBy(app, cast.bob, task)).toBe("four_eyes");
        expect(await approveBy(app, cast.alice, task)).toBe("approved");
      }
    },
  );

  it.each(strictEnvironments)(
    "who changed it approves once a second person deployed that very version, in %s",
    async (environment) => {
      const cast = await castIn(app, environment);
      const agent = await changes.prompt!(await payingAgent(app, cast), cast.alice);
      await release(agent, cast, { frozen: cast.alice, deployed: cast.bob });
      expect(await approveBy(app, cast.alice, await ask(agent, cast.bob))).toBe("approved");
      const version = await must(app, 200, cast.bob, "GET", `/v1/agents/${agent}/versions/2`);
      expect(version).toMatchObject({ deciders: [], confirmed_by: cast.bob.memberId });

      await changes.prompt!(await changes.tool!(agent, cast.alice), cast.alice);
      await release(agent, cast, { frozen: cast.bob, deployed: cast.alice });
      expect(await approveBy(app, cast.alice, await ask(agent, cast.bob))).toBe("four_eyes");
      const next = await must(app, 200, cast.bob, "GET", `/v1/agents/${agent}/versions/3`);
      expect(next).toMatchObject({ deciders: [{ id: cast.alice.memberId, how: "agent" }], confirmed_by: null });
    },
  );
});

describe("row 11: deployment and canary rule", () => {
  it.each(strictEnvironments)(
    "who had a version deployed by a bot does not approve what it asks for, in %s",
    async (environment) => {
      const cast = await castIn(app, environment);
      const agent = await payingAgent(app, cast);
      const bot = await botOf(cast.alice, `deployer-${environment}`);
      await patch(agent, cast.bob, { description: "Pays again." });
      await forgetDeciders(app, agent);
      await release(agent, cast, { frozen: cast.bob, deployed: bot });
      const task = await ask(agent, cast.carol);
      expect(await approveBy(app, cast.alice, task)).toBe("four_eyes");
      expect(await approveBy(app, cast.bob, task)).toBe("approved");
    },
  );

  it.each(strictEnvironments)(
    "who had a canary started does not approve after its rule promoted it, in %s",
    async (environment) => {
      const cast = await castIn(app, environment);
      const agent = await payingAgent(app, cast);
      const bot = await botOf(cast.alice, `starter-${environment}`);
      await patch(agent, cast.bob, { description: "Pays again." });
      await forgetDeciders(app, agent);
      const by = { frozen: cast.bob, deployed: bot };
      const { deployment_id } = await release(agent, cast, by, { mode: "canary", share: 1 });
      await judgedNoWorse(deployment_id);
      await sweep();
      const { deployment } = await must(app, 200, cast.bob, "GET", `/v1/agents/${agent}`);
      expect(deployment).toMatchObject({ version: 2 });
      const task = await ask(agent, cast.carol);
      expect(await approveBy(app, cast.alice, task)).toBe("four_eyes");
      expect(await approveBy(app, cast.bob, task)).toBe("approved");
    },
  );

  it("a canary whose starter's key was revoked is not promoted and says so", async () => {
    const cast = await castIn(app, "production");
    const agent = await payingAgent(app, cast);
    const bot = await botOf(cast.alice, "revoked");
    await patch(agent, cast.bob, { description: "Pays again." });
    const { deployment_id } = await release(agent, cast, { frozen: cast.bob, deployed: bot }, { mode: "canary" });
    await judgedNoWorse(deployment_id);
    await must(app, 200, cast.alice, "DELETE", `/v1/admin/keys/${bot.keyId}`);
    await sweep();
    const { data } = await must(app, 200, cast.bob, "GET", `/v1/agents/${agent}/deployments`);
    expect(data).toMatchObject([
      { state: "canary", stopped_reason: expect.stringContaining("revoked") },
      { state: "live" },
    ]);
    const text = "select body::json ->> 'object' as object from events where type = 'automation.stopped'";
    expect((await app.pool.query(text)).rows).toEqual([{ object: `canary:${deployment_id}` }]);
  });
});

describe("row 14: connection", () => {
  const secret = "a-secret-of-the-bank";

  it.each(strictEnvironments)(
    "who replaced a connection does not approve what is sent through it, in %s",
    async (environment) => {
      const cast = await castIn(app, environment);
      const connection = { name: "bank", kind: "http", secret, base_url: "https://pay.example.com" };
      await must(app, 201, cast.carol, "POST", "/v1/admin/connections", connection);
      const agent = await payingAgent(app, cast, "https://pay.example.com/pay", "bank");
      const replaced = { ...connection, base_url: "https://pay.example.com/other", replace: true };
      const { deciders } = await must(app, 201, cast.bob, "POST", "/v1/admin/connections", replaced);
      expect(deciders.map(({ id }: { id: string }) => id)).toEqual([cast.carol.memberId, cast.bob.memberId]);
      const task = await ask(agent, cast.carol);
      expect(await approveBy(app, cast.bob, task)).toBe("four_eyes");
      expect(await approveBy(app, cast.alice, task)).toBe("approved");
    },
  );
});

describe("row 15: examples, datasets and corrections", () => {
  it.each(strictEnvironments)(
    "neither who trained a version nor who made its dataset approves what it asks for, in %s",
    async (environment) => {
      const cast = await castIn(app, environment);
      const dave = await app.signedInMember("admin", environment);
      const agent = await pupil(cast);
      const job = await (await train(agent, cast, cast.bob, await makeDataset(agent, cast.alice)))();
      expect(job).toMatchObject({ state: "completed", version: 3 });
      await openGate(app, agent, environment);
      await must(app, 201, cast.bob, "POST", `/v1/agents/${agent}/deployments`, { version: 3 });
      const task = await ask(agent, cast.carol);
      expect(await approveBy(app, cast.bob, task)).toBe("four_eyes");
      expect(await approveBy(app, cast.alice, task)).toBe("four_eyes");
      expect(await approveBy(app, dave, task)).toBe("approved");
    },
  );

  /** A task of the agent that has ended so. */
  async function ended(agent: string, by: Person, status: "completed" | "failed", output: string | null) {
    const task = await ask(agent, by);
    const failure = status === "failed" ? "{}" : null;
    const end = "update tasks set status = $2, output = $3, failure = $4, finished_at = now() where id = $1";
    await app.pool.query(end, [task, status, output, failure]);
    await sealEnded(app);
    return `/v1/tasks/${task}/feedback`;
  }

  /** Has the agent's third version, which it is trained to, deployed; a task of it. */
  async function trainedTask(agent: string, cast: Cast): Promise<string> {
    const job = await (await train(agent, cast, cast.bob, await makeDataset(agent, cast.alice)))();
    expect(job).toMatchObject({ state: "completed", version: 3, examples: { feedback: 1 } });
    await openGate(app, agent, cast.environment);
    await must(app, 201, cast.bob, "POST", `/v1/agents/${agent}/deployments`, { version: 3 });
    return ask(agent, cast.carol);
  }

  it.each(strictEnvironments)(
    "whoever issued the key by which a result was corrected does not approve what the version asks for, in %s",
    async (environment) => {
      const cast = await castIn(app, environment);
      const [dave, erin] = [
        await app.signedInMember("admin", environment),
        await app.signedInMember("admin", environment),
      ];
      const agent = await pupil(cast);
      const bot = await botOf(dave, `corrector-${environment}`);
      const feedback = await ended(agent, cast.carol, "failed", null);
      await must(app, 201, bot, "POST", feedback, { accepted: false, correction: { kind: "odd" } });
      const task = await trainedTask(agent, cast);
      expect(await approveBy(app, dave, task)).toBe("four_eyes");
      expect(await approveBy(app, erin, task)).toBe("approved");
    },
  );

  it.each(strictEnvironments)(
    "neither who accepted a result nor who gave its task the input approves what the version asks for, in %s",
    async (environment) => {
      const cast = await castIn(app, environment);
      const admin = () => app.signedInMember("admin", environment);
      const [dave, erin, frank, grace] = [await admin(), await admin(), await admin(), await admin()];
      const agent = await pupil(cast);
      const bot = await botOf(grace, `asker-${environment}`);
      const feedback = await ended(agent, bot, "completed", '{"kind":"odd"}');
      const edited = JSON.stringify([{ id: dave.memberId, how: "edited", of: null, at: null }]);
      await app.pool.query("update tasks set deciders = $2 where id = $1", [feedback.split("/")[3], edited]);
      await must(app, 201, erin, "POST", feedback, { accepted: true });
      const task = await trainedTask(agent, cast);
      for (const person of [dave, erin, grace]) expect(await approveBy(app, person, task)).toBe("four_eyes");
      expect(await approveBy(app, frank, task)).toBe("approved");
    },
  );

  it.each(strictEnvironments)(
    "who made a dataset approves what a version trained on it asks for once a second person has confirmed it, in %s",
    async (environment) => {
      const cast = await castIn(app, environment);
      const agent = await pupil(cast);
      const dataset = await makeDataset(agent, cast.alice);
      const askTrained = async () => {
        const { version } = await (await train(agent, cast, cast.bob, dataset))();
        await openGate(app, agent, environment);
        await must(app, 201, cast.bob, "POST", `/v1/agents/${agent}/deployments`, { version });
        return ask(agent, cast.bob);
      };
      expect(await approveBy(app, cast.alice, await askTrained())).toBe("four_eyes");
      await confirmBy(app, cast.bob, `dataset:${dataset}@1`);
      expect(await approveBy(app, cast.alice, await askTrained())).toBe("approved");
    },
  );

  it("a training whose starter was removed makes no version", async () => {
    const cast = await castIn(app, "production");
    const agent = await pupil(cast);
    const work = await train(agent, cast, cast.bob, await makeDataset(agent, cast.alice));
    await app.pool.query("update members set removed_at = now() where id = $1", [cast.bob.memberId]);
    await app.pool.query("update keys set revoked_at = null where member_id = $1", [cast.bob.memberId]);
    await work().catch(() => undefined);
    const { rows } = await app.pool.query(
      "select state, failure::json ->> 'code' as code from training_jobs where agent = $1",
      [agent],
    );
    expect(rows).toEqual([{ state: "failed", code: "trainer_not_permitted" }]);
  });
});

it("deploying warns where everybody who may approve has decided the version", async () => {
  const cast = await castIn(app, "staging");
  const agent = await changes.prompt!(await payingAgent(app, cast), cast.alice);
  await app.pool.query("update members set removed_at = now() where removed_at is null and id <> $1", [
    cast.alice.memberId,
  ]);
  const { warnings } = await release(agent, cast, { frozen: cast.alice, deployed: cast.alice });
  expect(warnings).toMatchObject([{ code: "nobody_could_approve" }]);
});
