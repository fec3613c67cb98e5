import type { Environment } from "../kernel/principal.ts";
import type { Answered, TestApp } from "./app.ts";

// Persons and an agent for the tests of decision 0064: who is accountable for a call, by every way in.

/** Where a second person is demanded. The rule tells development from all others (features/admin/settings-model.ts); `confirm.test.ts` runs in staging as well. */
export const strictEnvironments = ["production"] as const satisfies readonly Environment[];

export type Person = Awaited<ReturnType<TestApp["signedInMember"]>>;

/** People with keys that they issued to themselves after signing in. Each may do and decide everything. */
export interface Cast {
  readonly environment: Environment;
  readonly alice: Person;
  readonly bob: Person;
  readonly carol: Person;
}

export async function castIn(app: TestApp, environment: Environment): Promise<Cast> {
  const admin = () => app.signedInMember("admin", environment);
  return { environment, alice: await admin(), bob: await admin(), carol: await admin() };
}

/** A call by a person that has to answer with this status. */
export async function must(
  app: TestApp,
  status: number,
  { secret }: Pick<Person, "secret">,
  method: string,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answered["body"]> {
  const answered = await app.call(method, path, {
    key: secret,
    headers,
    ...(body === undefined ? {} : { body: body as object }),
  });
  if (answered.status !== status) throw new Error(`${method} ${path} answered ${answered.status}: ${answered.text}`);
  return answered.body;
}

/** Has a person approve what a task waits for; `approved`, the approval's status, or the code of the refusal. */
export async function approveBy(app: TestApp, { secret }: Pick<Person, "secret">, task: string): Promise<string> {
  const { body: shown } = await app.call("GET", `/v1/approvals/${task}`, { key: secret });
  const { body } = await app.call("POST", `/v1/approvals/${task}/approve`, {
    key: secret,
    body: { digest: shown.digest },
  });
  return body.code ?? body.status;
}

let made = 0;

/**
 * An agent with a tool that writes with high risk, live in an environment, that nobody has decided: by the service itself, as the sample. `url`: where the tool
 * posts to; `connection`: by which one.
 */
export async function payingAgent(
  app: TestApp,
  { alice, environment }: Cast,
  url = "https://pay.example.com/pay",
  connection?: string,
): Promise<string> {
  const agent = `payer-${++made}`;
  const impact = { reversible: true, external: true, money: 50 };
  const tool = {
    kind: "http",
    name: "pay",
    effect: "write",
    impact,
    arguments: { type: "object" },
    request: { method: "POST", url },
    ...(connection !== undefined && { connection }),
  };
  const skill = { name: "settle", input: { type: "object" }, tools: ["pay"], impact };
  await must(app, 201, alice, "POST", "/v1/agents", {
    agent,
    description: "Pays.",
    model: { provider: "builtin" },
    tools: [tool],
    skills: [skill],
  });
  await must(app, 201, alice, "POST", `/v1/agents/${agent}/versions`, {});
  await openGate(app, agent, environment);
  await must(app, 201, alice, "POST", `/v1/agents/${agent}/deployments`, { version: 1 });
  await forgetDeciders(app, agent);
  return agent;
}

/** Opens the gate of all versions of an agent in an environment, each as compared with the one that is live now. */
export async function openGate(app: TestApp, agent: string, environment: Environment): Promise<void> {
  await app.pool.query(
    `insert into gate_verdicts (organization, environment, version_id, verdict, reasons, expires_at, against)
     select v.organization, $2, v.id, 'open', '{arranged}', now() + interval '1 day', (
       select l.id from deployments d join agent_versions l on l.organization = d.organization and l.agent = d.agent and l.number = d.version_number
       where d.organization = v.organization and d.environment = $2 and d.agent = v.agent and d.state = 'live')
     from agent_versions v where v.agent = $1
     on conflict (organization, environment, version_id) do update set against = excluded.against`,
    [agent, environment],
  );
  await touched(app, "gates");
}

/** Has nobody decided an agent so far. */
export async function forgetDeciders(app: TestApp, agent: string): Promise<void> {
  await app.pool.query("update agents set draft_deciders = null where name = $1", [agent]);
  await app.pool.query("update agent_versions set deciders = null where agent = $1", [agent]);
  await app.pool.query("update deployments set deciders = null where agent = $1", [agent]);
  await touched(app, "agents");
}

/** Facts were changed behind the service. */
async function touched(app: TestApp, topic: string): Promise<void> {
  await app.pool.query(
    "insert into fact_epochs (topic, epoch) values ($1, 1) on conflict (topic) do update set epoch = fact_epochs.epoch + 1",
    [topic],
  );
  await app.app.facts.refresh();
}
