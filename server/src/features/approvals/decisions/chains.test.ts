import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import type { Environment } from "../../../kernel/principal.ts";
import { insideCall } from "../../../pipeline/inside.ts";
import type { Answered } from "../../../testing/app.ts";
import { linkToken, type SignedIn, signIn } from "../../../testing/sessions.ts";
import { useSharedApp } from "../../../testing/shared-app.ts";
import { admitAccount, issueKey } from "../../admin/index.ts";

// Walks the table of docs/decisions/0032-who-is-a-second-person.md.

const app = useSharedApp();

const environments = ["production"] as const;
const record = readFileSync(
  new URL("../../../../../docs/decisions/0032-who-is-a-second-person.md", import.meta.url),
  "utf8",
);
const rows = [...record.matchAll(/^\| (\d+) \| (.+?) \| (.+?) \| (.+?) \| (.+?) \|$/gm)].map(
  ([, number, chain, high, critical, release]) => ({
    number: Number(number),
    chain: chain as string,
    high: wordsOf(high),
    critical: wordsOf(critical),
    release: release === "–" ? null : wordsOf(release),
  }),
);
function wordsOf(cell = ""): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, word]) => word as string);
}

/** A call with some credential. */
type Credential = (method: string, path: string, body?: object) => Promise<Answered>;
type Person = Awaited<ReturnType<typeof app.signedInMember>>;
type Skill = "qualify_lead" | "summarize_lead";

/** What takes part in a chain: people with the keys that they took up personally, and the means to make other credentials. */
interface Stage {
  readonly environment: Environment;
  readonly alice: Person;
  readonly dave: Person;
  readonly bob: Person;
  readonly carol: Person;
}

/** Who asks, and what happens then, with what each step came to. Without `release` the same words are said at a kill switch. */
interface Chain {
  readonly asks: Credential;
  /** Before people vote. */
  readonly before?: (task: string) => Promise<unknown>;
  readonly votes: readonly Voter[];
  /** Who wants the kill switch released; null: the chain has no such thing. */
  readonly words: readonly Voter[] | null;
  /** Walking it changes who takes part: each walk needs another one. */
  readonly once?: true;
}
type Voter =
  | Credential
  | { readonly by: Credential; readonly afterwards: () => Promise<unknown> }
  | { readonly handsOnTo: string; readonly by: Credential };

const withKey =
  (key: string): Credential =>
  (method, path, body) =>
    app.call(method, path, { key, ...(body ? { body } : {}) });
const withSession =
  (session: SignedIn): Credential =>
  (method, path, body) =>
    method === "GET" ? session.call(method, path) : session.change(method, path, body);
const self = ({ secret }: Person): Credential => withKey(secret);

async function done(answer: Promise<Answered>, status: number): Promise<Answered> {
  const answered = await answer;
  if (answered.status !== status) throw new Error(`answered ${answered.status}: ${answered.text}`);
  return answered;
}

let made = 0;
/** A key that a credential issues. */
async function issued(by: Credential, role: string, to: Person | string | null = null): Promise<string> {
  const whom = to === null ? {} : { for: typeof to === "string" ? { service_account: to } : { member: to.memberId } };
  return (await done(by("POST", "/v1/admin/keys", { name: "chain", role, ...whom }), 201)).body.key;
}
const account = (): string => `robot-${++made}`;
const forBoth = async (by: Credential, { bob, carol }: Stage): Promise<string[]> => [
  await issued(by, "approver", bob),
  await issued(by, "approver", carol),
];
const everyKey = (keys: readonly string[]): Credential[] => keys.map(withKey);

const chains: Readonly<Record<number, (stage: Stage) => Promise<Chain>>> = {
  1: async ({ alice }) => ({ asks: self(alice), votes: [self(alice)], words: [self(alice), self(alice)] }),
  2: async ({ alice }) => {
    const name = account();
    const approver = withKey(await issued(self(alice), "approver", name));
    return {
      asks: withKey(await issued(self(alice), "operator", name)),
      votes: [self(alice)],
      words: [approver, self(alice)],
    };
  },
  3: async ({ alice }) => {
    const admin = withKey(await issued(self(alice), "admin", account()));
    const operator = withKey(await issued(admin, "operator", account()));
    return { asks: operator, votes: [self(alice)], words: [operator, self(alice)] };
  },
  4: async (stage) => {
    const votes = everyKey(await forBoth(self(stage.alice), stage));
    return { asks: self(stage.dave), votes, words: votes };
  },
  5: async ({ alice }) => {
    const admin = withKey(await issued(self(alice), "admin", account()));
    return { asks: admin, votes: [admin], words: [admin, admin] };
  },
  6: async (stage) => {
    const admin = withKey(await issued(self(stage.alice), "admin", account()));
    const votes = everyKey(await forBoth(admin, stage));
    return { asks: admin, votes, words: votes };
  },
  7: async ({ alice }) => {
    const second = withKey(await issued(self(alice), "admin"));
    return { asks: self(alice), votes: [second], words: [self(alice), second] };
  },
  8: async ({ alice, dave }) => {
    const votes = [self(alice), withKey(await issued(self(alice), "admin"))];
    return { asks: self(dave), votes, words: votes };
  },
  9: async (stage) => {
    const onHost = async (person: Person): Promise<string> => {
      const { pipeline, newId } = app.app;
      const body = { name: "host", role: "approver", for: { member: person.memberId } };
      const scope = { ...app.scope, environment: stage.environment };
      const { output, refusal } = await pipeline.run(
        issueKey,
        insideCall(newId("req"), issueKey, "cli", scope, {}, body),
      );
      if (refusal) throw refusal;
      return (output as { key: string }).key;
    };
    const votes = everyKey([await onHost(stage.bob), await onHost(stage.carol)]);
    return { asks: self(stage.dave), votes, words: votes };
  },
  10: async ({ environment, dave, bob, carol }) => {
    const linked = async ({ memberId }: Person) =>
      withSession(await signIn(app, { token: await linkToken(app, memberId, environment) }));
    const votes = [await linked(bob), await linked(carol)];
    return { asks: self(dave), votes, words: votes };
  },
  11: async (stage) => {
    const keys = await forBoth(self(stage.alice), stage);
    const votes = await Promise.all(keys.map(async (key) => withSession(await signIn(app, { key }))));
    return { asks: self(stage.dave), votes, words: votes };
  },
  12: async ({ alice, dave }) => {
    const first = withKey(await issued(self(alice), "admin", dave));
    const own = withKey(await issued(first, "approver"));
    return { asks: self(alice), votes: [own], words: [self(alice), own] };
  },
  13: async ({ alice, dave }) => {
    const given = withKey(await issued(self(dave), "admin", alice));
    return { asks: given, votes: [self(dave)], words: [given, self(dave)] };
  },
  14: async ({ alice, bob, environment }) => {
    await raise(bob, environment);
    const ofBob = withKey(await issued(self(alice), "operator", bob));
    return { asks: ofBob, votes: [self(bob), self(alice)], words: [self(bob), self(alice)] };
  },
  15: async ({ alice, dave, bob }) => {
    const robot = withKey(await issued(self(alice), "operator", account()));
    const before = async (task: string) => {
      const { digest } = (await self(bob)("GET", `/v1/approvals/${task}`)).body;
      await done(self(bob)("POST", `/v1/approvals/${task}/request-changes`, { digest, note: "Another lead." }), 200);
      await done(robot("PATCH", `/v1/tasks/${task}`, { input: { lead_id: "ld_1002" } }), 200);
    };
    return { asks: self(dave), before, votes: [self(alice)], words: null };
  },
  16: async ({ alice, dave, bob }) => {
    const ofBob = withKey(await issued(self(alice), "approver", bob));
    const before = (task: string) =>
      done(self(alice)("POST", `/v1/approvals/${task}/delegate`, { to: bob.memberId, reason: "Away." }), 200);
    return { asks: self(dave), before, votes: [ofBob, self(alice)], words: null };
  },
  17: async ({ alice, bob }) => ({
    asks: self(alice),
    votes: [{ by: self(bob), handsOnTo: alice.memberId }],
    words: null,
  }),
  18: async ({ alice, bob }) => {
    const robot = withKey(await issued(self(alice), "operator", account()));
    return { asks: robot, votes: [{ by: self(bob), handsOnTo: alice.memberId }], words: null };
  },
  19: async ({ alice, dave, bob }) => {
    await app.pool.query("update members set email = $2 where id = $1", [bob.memberId, `${bob.memberId}@example.com`]);
    await renew();
    return { asks: self(dave), votes: [self(bob)], words: [self(alice), self(bob)] };
  },
  20: async ({ environment, dave }) => {
    const votes = [await app.member("approver", environment), await app.member("approver", environment)].map(self);
    return { asks: self(dave), votes, words: votes };
  },
  21: async ({ dave, bob, carol }) => {
    const removed = async () => done(self(dave)("PUT", `/v1/admin/members/${bob.memberId}`, { role: null }), 200);
    const votes = [{ by: self(bob), afterwards: removed }, self(carol)];
    return { asks: self(dave), votes, words: votes, once: true };
  },
  22: async ({ dave, bob, carol }) => ({
    asks: self(dave),
    votes: [self(bob), self(carol)],
    words: [self(bob), self(carol)],
  }),
  23: async ({ dave, bob, carol }) => {
    const votes = [withSession(await signIn(app, { key: bob.secret })), self(carol)];
    return { asks: self(dave), votes, words: votes };
  },
  24: async ({ dave, bob, carol }) => {
    const votes = [{ by: self(bob), afterwards: () => readdress(dave, bob) }, self(carol)];
    return { asks: self(dave), votes, words: votes, once: true };
  },
  25: async (stage) => {
    const { alice, dave, environment } = stage;
    const old = await addressed(alice);
    const erin = await app.signedInMember("approver", environment);
    const afterwards = async () => {
      await readdress(dave, alice);
      await addressed(erin, old);
    };
    const votes = [{ by: self(alice), afterwards }, self(erin)];
    return { asks: self(dave), votes, words: votes, once: true };
  },
  26: async (stage) => {
    const { alice, dave } = stage;
    const { again, leave } = await withAccount(stage);
    const votes = [{ by: self(alice), afterwards: leave }, again];
    return { asks: self(dave), votes, words: votes, once: true };
  },
  27: async (stage) => {
    const { again, leave } = await withAccount(stage);
    return {
      asks: self(stage.alice),
      before: leave,
      votes: [again],
      words: [{ by: self(stage.alice), afterwards: leave }, again],
      once: true,
    };
  },
};

/** Gives a person an e-mail address as if they had had it when they signed in; answers it. */
async function addressed({ memberId, keyId }: Person, email = `${memberId}@example.com`): Promise<string> {
  const lower = email.toLowerCase();
  await app.pool.query("update members set email = $2 where id = $1", [memberId, lower]);
  await app.pool.query("update keys set personal_email = $2 where id = $1", [keyId, lower]);
  await renew();
  return lower;
}

/** Has an admin give a person another e-mail address. */
const readdress = (admin: Person, { memberId }: Person) =>
  done(
    self(admin)("PUT", `/v1/admin/members/${memberId}`, { role: "approver", email: `gone-${++made}@example.com` }),
    200,
  );

/**
 * Alice with an account of a provider: `leave` has her address changed and the old one invited as somebody else's, `again` signs in with the same account
 * as that one, which answers what the sign-in is refused with.
 */
async function withAccount({
  alice,
  dave,
  environment,
}: Stage): Promise<{ leave: () => Promise<unknown>; again: Credential }> {
  const email = await addressed(alice);
  const account = { issuer: "https://id.example.com", subject: alice.memberId, email, name: "Alice", roles: {} };
  const admitted = () => {
    const { pipeline, newId } = app.app;
    const scope = { ...app.scope, environment };
    return pipeline.run(admitAccount, insideCall(newId("req"), admitAccount, "sign-in", scope, { account }, {}));
  };
  expect((await admitted()).output).toEqual({ memberId: alice.memberId });
  const leave = async () => {
    await readdress(dave, alice);
    await done(self(dave)("PUT", `/v1/admin/members/${email}`, { role: "approver", name: "Erin" }), 200);
  };
  const again: Credential = async (method, path, body) => {
    if (method === "GET") return app.call(method, path, { environment });
    const { refusal } = await admitted();
    if (!refusal)
      throw new Error(`the account signs in as another member and would ${method} ${path} ${JSON.stringify(body)}`);
    return { status: refusal.type.status, body: { code: refusal.type.code } } as Answered;
  };
  return { leave, again };
}

/** Facts were changed behind the service. */
async function renew(): Promise<void> {
  await app.pool.query("update fact_epochs set epoch = epoch + 1 where topic in ('keys', 'agents')");
  await app.app.facts.refresh();
}

async function raise({ memberId }: Person, environment: Environment): Promise<void> {
  await app.pool.query("update members set roles = $2 where id = $1", [
    memberId,
    JSON.stringify({ [environment]: "admin" }),
  ]);
  await renew();
}

async function stageIn(environment: Environment): Promise<Stage> {
  const [alice, dave] = [
    await app.signedInMember("admin", environment),
    await app.signedInMember("admin", environment),
  ];
  const [bob, carol] = [
    await app.signedInMember("approver", environment),
    await app.signedInMember("approver", environment),
  ];
  return { environment, alice, dave, bob, carol };
}

/** One step after the other. */
async function each(
  voters: readonly Voter[],
  step: (by: Credential, to: string | null) => Promise<string>,
): Promise<string[]> {
  const outcomes: string[] = [];
  for (const voter of voters) {
    const given = typeof voter === "function" ? { by: voter } : voter;
    outcomes.push(await step(given.by, "handsOnTo" in given ? given.handsOnTo : null));
    if ("afterwards" in given) await given.afterwards();
  }
  return outcomes;
}

/** Has a task of this skill asked for and voted on, and answers what the votes came to. */
async function approval({ asks, before, votes }: Chain, environment: Environment, task: Skill): Promise<string[]> {
  const { task_id } = (await done(asks("POST", "/v1/agents/sales/tasks", { task, lead_id: "ld_1001" }), 202)).body;
  const read = async () => (await app.call("GET", `/v1/approvals/${task_id}`, { environment })).body;
  const demanded = task === "qualify_lead" ? { risk: "high", approvers: 1 } : { risk: "critical", approvers: 2 };
  expect(await read()).toMatchObject({
    ...demanded,
    requester_allowed: false,
    requester_allowed_reason: null,
    undecidable_reason: null,
  });
  await before?.(task_id);
  const outcomes = await each(votes, async (by, to) => {
    const { digest } = await read();
    const path = `/v1/approvals/${task_id}/${to === null ? "approve" : "delegate"}`;
    const { status, body } = await by("POST", path, to === null ? { digest } : { to, reason: "Away." });
    if (status === 200) return body.status === "approved" ? "approved" : `${body.approvals} of ${body.approvers}`;
    return body.code === "invalid_body" ? body.errors[0].code : body.code;
  });
  const { rows } = await app.pool.query<{ status: string }>("select status from tasks where id = $1", [task_id]);
  expect(rows[0]?.status).toBe(outcomes.includes("approved") ? "queued" : "awaiting_approval");
  return outcomes;
}

/** Has the words of a chain said at a critical kill switch, and answers what they came to; null: it says none. */
async function release({ words }: Chain, environment: Environment): Promise<string[] | null> {
  if (words === null) return null;
  const engaged = { kind: "tool", target: `tool_${++made}`, reason: "it harms", critical: true, allow_unknown: true };
  const { kill_switch_id } = (
    await done(app.call("POST", "/v1/governance/kill-switch", { environment, body: engaged }), 201)
  ).body;
  const outcomes = await each(words, async (by) => {
    const { status, body } = await by("DELETE", `/v1/governance/kill-switch/${kill_switch_id}`, {
      reason: "it is mended",
    });
    return status === 200 ? body.state.replace("release_", "") : body.code;
  });
  const { rows } = await app.pool.query("select from kill_switches where id = $1 and released_at is null", [
    kill_switch_id,
  ]);
  expect(rows.length).toBe(outcomes.includes("released") ? 0 : 1);
  return outcomes;
}

/** Arranges a chain; each call of what it answers gives one to walk. */
async function arranged(number: number, environment: Environment): Promise<() => Promise<Chain>> {
  const arrange = chains[number];
  if (!arrange) throw new Error(`the decision record lists a chain ${number} that is not walked`);
  const one = await arrange(await stageIn(environment));
  return async () => (one.once ? arrange(await stageIn(environment)) : one);
}

describe("the chains of credentials in the decision record", () => {
  beforeAll(async () => {
    const critical = { data: "personal", reversible: false, external: true };
    await app.pool.query(
      `update agent_versions set definition = jsonb_set(definition, '{skills,1,impact}', $1) where agent = 'sales'
         and definition -> 'skills' -> 1 ->> 'name' = 'summarize_lead'`,
      [JSON.stringify(critical)],
    );
    await renew();
    for (const environment of environments) {
      await app.deploy(environment);
      await app.verdict("open", environment);
    }
  });

  it("are all walked, and no others", () => {
    expect(rows.map(({ number }) => number)).toEqual(Object.keys(chains).map(Number));
  });

  describe.each(environments)("in %s", (environment) => {
    it.each(rows)("$number: $chain", async ({ number, ...expected }) => {
      const chain = await arranged(number, environment);
      const high = await approval(await chain(), environment, "qualify_lead");
      const critical = await approval(await chain(), environment, "summarize_lead");
      const { high: ofHigh, critical: ofCritical, release: ofSwitch } = expected;
      expect({ high, critical, release: await release(await chain(), environment) }).toEqual({
        high: ofHigh,
        critical: ofCritical,
        release: ofSwitch,
      });
    });
  });
});
