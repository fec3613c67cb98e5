import { createHmac } from "node:crypto";
import { beforeAll, expect, it } from "vitest";
import { receiveMail } from "../../src/features/chat/channels/operations/receive-mail.ts";
import {
  approveBy,
  type Cast,
  castIn,
  forgetDeciders,
  must,
  type Person,
  payingAgent,
  strictEnvironments,
} from "../../src/testing/actors.ts";
import { useApp } from "../../src/testing/app.ts";
import { scriptedModel } from "../../src/testing/models.ts";
import { eventually } from "../../src/testing/tasks.ts";
import { useWorkerProcess } from "../../src/testing/worker.ts";

const app = useApp({ role: "api" });
const process = useWorkerProcess(app);

beforeAll(async () => {
  // Pays once where it is told to.
  const model = scriptedModel((_turn, { prompt }) => {
    const pays = JSON.stringify(prompt).includes("Pay it") && prompt.every(({ role }) => role !== "tool");
    return pays ? { calls: [{ tool: "pay", input: { amount: 240 } }] } : { text: "Fine." };
  });
  await process.worker({ model });
});

interface Arranged extends Cast {
  readonly agent: string;
}

async function arranged(environment: Cast["environment"]): Promise<Arranged> {
  const cast = await castIn(app, environment);
  const agent = await payingAgent(app, cast);
  // The built-in model is offered no tools that write in conversations.
  const model = JSON.stringify({ model: { provider: "openai", name: "scripted" } });
  await app.pool.query("update agent_versions set definition = definition || $2 where agent = $1", [agent, model]);
  await forgetDeciders(app, agent);
  await process.refresh();
  return { ...cast, agent };
}

const start = async (by: Person, agent: string, body: object = {}): Promise<string> =>
  (await must(app, 201, by, "POST", "/v1/chat/conversations", { agent, ...body })).conversation_id;

const say = (by: Person, conversation: string, text: string, more: object = {}) =>
  must(app, 202, by, "POST", `/v1/chat/conversations/${conversation}/messages`, { text, ...more });

/** The task of a conversation's latest turn that waits for people. */
const waiting = (conversation: string): Promise<string> =>
  eventually(async () => {
    const query =
      "select id from tasks where conversation = $1 and status = 'awaiting_approval' order by id desc limit 1";
    const [row] = (await app.pool.query<{ id: string }>(query, [conversation])).rows;
    if (!row) throw new Error("no task waits for people");
    return row.id;
  });

/** Waits until no turn of a conversation goes on. */
const quiet = (conversation: string) =>
  eventually(async () => {
    const query = "select state from chat_turns where conversation = $1";
    const { rows } = await app.pool.query(query, [conversation]);
    expect(rows.every(({ state }) => state === "completed")).toBe(true);
  });

/** The first persons are refused, the last one approves. */
async function onlyLastApproves(task: string, ...persons: readonly Person[]): Promise<void> {
  const said = [];
  for (const person of persons) said.push(await approveBy(app, person, task));
  expect(said).toEqual([...persons.slice(1).map(() => "four_eyes"), "approved"]);
}

it.each(strictEnvironments)("an earlier writer does not approve what follows another's message, in %s", async (at) => {
  const { agent, alice, bob, carol } = await arranged(at);
  const conversation = await start(alice, agent);
  await say(alice, conversation, "The account is 4711.");
  await quiet(conversation);
  await say(bob, conversation, "Pay it.");
  await onlyLastApproves(await waiting(conversation), alice, bob, carol);
});

it.each(strictEnvironments)("a person who answered in a hand-over does not approve what follows, in %s", async (at) => {
  const { agent, alice, bob, carol } = await arranged(at);
  const conversation = await start(alice, agent);
  await say(bob, conversation, "The account is 4711.", { as: "person" });
  await must(app, 200, bob, "POST", `/v1/chat/conversations/${conversation}/return`, {});
  await say(alice, conversation, "Pay it.");
  await onlyLastApproves(await waiting(conversation), bob, alice, carol);
});

it.each(strictEnvironments)("whoever hands a conversation back with a note does not approve, in %s", async (at) => {
  const { agent, alice, bob, carol } = await arranged(at);
  const conversation = await start(alice, agent);
  await must(app, 200, bob, "POST", `/v1/chat/conversations/${conversation}/take`, {});
  await must(app, 200, bob, "POST", `/v1/chat/conversations/${conversation}/return`, { note: "240 is agreed." });
  await say(alice, conversation, "Pay it.");
  await onlyLastApproves(await waiting(conversation), bob, alice, carol);
});

const history = [{ role: "user", text: "The account is 4711." }];
const gifts = [
  ["history", { history }],
  ["context", { context: { account: "4711" } }],
] as const;

it.each(strictEnvironments.flatMap((at) => gifts.map(([what, body]) => [what, at, body] as const)))(
  "the giver of a conversation's %s does not approve what follows, in %s",
  async (_what, at, body) => {
    const { agent, alice, bob, carol } = await arranged(at);
    const conversation = await start(alice, agent, body);
    await say(bob, conversation, "Pay it.");
    await onlyLastApproves(await waiting(conversation), alice, bob, carol);
  },
);

it.each(strictEnvironments)(
  "whoever changes the context is accountable for what a turn that waits does next, in %s",
  async (at) => {
    const { agent, alice, bob, carol } = await arranged(at);
    const conversation = await start(alice, agent);
    await say(alice, conversation, "Pay it.");
    const task = await waiting(conversation);
    await must(app, 200, bob, "PATCH", `/v1/chat/conversations/${conversation}`, { context: { account: "4712" } });
    expect(await approveBy(app, carol, task)).toBe("approved");
    const { rows } = await app.pool.query("select deciders from tasks where id = $1", [task]);
    expect(rows[0].deciders).toContainEqual(expect.objectContaining({ id: bob.memberId, how: "wrote" }));
  },
);

it.each(strictEnvironments)(
  "the writers of a fork's original do not approve what follows in the fork, in %s",
  async (at) => {
    const { agent, alice, bob, carol } = await arranged(at);
    const original = await start(alice, agent, { history });
    const forked = await must(app, 201, bob, "POST", `/v1/chat/conversations/${original}/fork`, {});
    await say(bob, forked.conversation_id, "Pay it.");
    await onlyLastApproves(await waiting(forked.conversation_id), alice, bob, carol);
  },
);

it.each(strictEnvironments)("whoever adds files or memories to a conversation does not approve, in %s", async (at) => {
  const { agent, alice, bob, carol } = await arranged(at);
  const dave = await app.signedInMember("admin", at);
  const conversation = await start(alice, agent);
  const file = { name: "order.txt", text: "240 to 4711" };
  const { file_id } = await must(app, 201, bob, "POST", `/v1/chat/conversations/${conversation}/files`, file);
  const memory = { conversation_id: conversation, text: "The account is 4711." };
  await must(app, 201, dave, "POST", "/v1/chat/memories", memory);
  await say(alice, conversation, "Pay it.", { files: [file_id] });
  await onlyLastApproves(await waiting(conversation), bob, dave, alice, carol);
});

const signing = "shhhh-signing-secret-0123";
let events = 100;

/** Connects an app of Slack as each of these persons, one after the other, without a look at Slack's servers. */
async function channelOf({ environment, agent }: Arranged, ...setters: readonly Person[]): Promise<string> {
  const name = `team-${environment}-${++events}`;
  const secret = { signing_secret: signing, bot_token: "xoxb-1234567890" };
  const body = { kind: "slack", agent, enabled: false, config: {}, secret };
  for (const setter of setters) await must(app, 200, setter, "PUT", `/v1/chat/channels/${name}`, body);
  await enable(name);
  return name;
}

async function enable(name: string): Promise<void> {
  const reader = JSON.stringify({ user_id: "UAPP", team_id: "T1", bot_id: "BAPP" });
  await app.pool.query("update chat_channels set enabled = true, reader = $2 where name = $1", [name, reader]);
  await app.pool.query("update fact_epochs set epoch = epoch + 1 where topic = 'chat_channels'");
  await app.app.facts.refresh();
}

async function slack(channel: string, text: string, thread?: string) {
  const ts = `${++events}.5`;
  const event = { type: "app_mention", channel: "C1", user: "U1", ts, text, ...(thread && { thread_ts: thread }) };
  const body = JSON.stringify({ type: "event_callback", team_id: "T1", event_id: `Ev${events}`, event });
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = `v0=${createHmac("sha256", signing).update(`v0:${timestamp}:${body}`).digest("hex")}`;
  const headers = { "x-slack-request-timestamp": timestamp, "x-slack-signature": signature };
  return app.call("POST", `/v1/chat/channels/${channel}/events`, { key: null, body, headers });
}

const remove = ({ memberId }: Person) =>
  app.pool.query("update members set removed_at = now() - interval '1 second' where id = $1", [memberId]);

const conversationsBy = async (person: Person, channel: string): Promise<string[]> =>
  (await must(app, 200, person, "GET", `/v1/chat/conversations?channel=${channel}`)).data.map(
    (one: { conversation_id: string }) => one.conversation_id,
  );

it.each(strictEnvironments)(
  "no setter of a channel approves what comes by it, not even an earlier one, in %s",
  async (at) => {
    const cast = await arranged(at);
    const { alice, bob, carol } = cast;
    const channel = await channelOf(cast, alice, bob);
    expect((await slack(channel, "Pay it.")).status).toBe(200);
    const [conversation] = await conversationsBy(carol, channel);
    await onlyLastApproves(await waiting(conversation as string), alice, bob, carol);
  },
);

it.each(strictEnvironments)(
  "the setter of a channel does not approve what a member asks in its conversation, in %s",
  async (at) => {
    const cast = await arranged(at);
    const { alice, bob, carol } = cast;
    const channel = await channelOf(cast, alice);
    await slack(channel, "The account is 4711.");
    const [conversation] = (await conversationsBy(carol, channel)) as [string];
    await quiet(conversation);
    await say(bob, conversation, "Pay it.");
    await onlyLastApproves(await waiting(conversation), alice, bob, carol);
  },
);

const channelNow = async (person: Person, name: string) =>
  (await must(app, 200, person, "GET", "/v1/chat/channels?limit=100")).data.find(
    (one: { name: string }) => one.name === name,
  );

it.each(strictEnvironments)(
  "a channel whose owner was removed stops and says so, keeps what comes, and starts when set again, in %s",
  async (at) => {
    const cast = await arranged(at);
    const { alice, bob, carol } = cast;
    const channel = await channelOf(cast, alice);
    await remove(alice);
    expect((await slack(channel, "Pay it.")).status).toBe(200);
    expect(await channelNow(bob, channel)).toMatchObject({
      state: "stopped",
      stopped_reason: expect.stringMatching(/^Stopped: .*removed.*Somebody else can take it over\.$/),
    });
    const told = "select body from events where type = 'automation.stopped' and body::text like $1";
    expect((await app.pool.query(told, [`%channel:${channel}%`])).rows).toHaveLength(1);
    const [conversation] = (await conversationsBy(bob, channel)) as [string];
    const { data } = await must(app, 200, bob, "GET", `/v1/chat/conversations/${conversation}/messages?order=oldest`);
    expect(data.map(({ parts }: { parts: object[] }) => parts[0])).toMatchObject([
      { type: "text", text: "Pay it." },
      { type: "notice", code: "not_answered" },
    ]);
    await channelOfAgain(cast, channel, carol);
    expect(await channelNow(bob, channel)).toMatchObject({
      state: "ok",
      stopped_reason: null,
      answers_for: carol.memberId,
    });
    await slack(channel, "Pay it at once.");
    const others = (await conversationsBy(bob, channel)).filter((one) => one !== conversation);
    await onlyLastApproves(await waiting(others[0] as string), carol, bob);
  },
);

async function channelOfAgain({ agent }: Arranged, name: string, setter: Person): Promise<void> {
  const body = { kind: "slack", agent, enabled: false, config: {} };
  await must(app, 200, setter, "PUT", `/v1/chat/channels/${name}`, body);
  await enable(name);
}

it.each(strictEnvironments)(
  "whoever takes over a stopped channel does not approve what comes by it, in %s",
  async (at) => {
    const cast = await arranged(at);
    const { alice, bob, carol } = cast;
    const channel = await channelOf(cast, alice);
    await remove(alice);
    await slack(channel, "Hello.");
    await must(app, 200, carol, "POST", "/v1/governance/take-overs", { object: `channel:${channel}` });
    expect(await channelNow(bob, channel)).toMatchObject({ state: "ok", answers_for: carol.memberId });
    await slack(channel, "Pay it.");
    const conversations = await conversationsBy(bob, channel);
    await onlyLastApproves(await Promise.any(conversations.map(waiting)), carol, bob);
  },
);

it.each(strictEnvironments)(
  "the setter of a channel that somebody else took over does not approve what comes by it, in %s",
  async (at) => {
    const cast = await arranged(at);
    const { alice, bob, carol } = cast;
    const channel = await channelOf(cast, alice);
    await must(app, 200, bob, "POST", "/v1/governance/take-overs", { object: `channel:${channel}` });
    expect((await slack(channel, "Pay it.")).status).toBe(200);
    const [conversation] = await conversationsBy(carol, channel);
    await onlyLastApproves(await waiting(conversation as string), alice, bob, carol);
  },
);

it.each(strictEnvironments)("mail to a channel whose owner was removed is left in its mailbox, in %s", async (at) => {
  const cast = await arranged(at);
  const { alice, bob } = cast;
  const channel = await channelOf(cast, alice);
  await remove(alice);
  const from = { address: "ana@example.com", name: "Ana" };
  const mail = { from, verified: true, subject: "Order", root: "<1@x>", answers: [], id: "<1@x>", text: "Pay it." };
  const scope = { ...app.scope, environment: at };
  const taken = await process.inside(receiveMail, scope, { channel, mail: mail as never, files: [] });
  expect(taken).toEqual({ received: null, stopped: expect.stringContaining("removed") });
  expect(await conversationsBy(bob, channel)).toEqual([]);
});

it.each(strictEnvironments)("a chat token's issuer does not approve what its user asks for, in %s", async (at) => {
  const { agent, alice, bob } = await arranged(at);
  const body = { agent, user: "customer-1", origins: ["https://shop.example.com"] };
  const { token } = await must(app, 201, alice, "POST", "/v1/chat/tokens", body);
  const headers = { origin: "https://shop.example.com" };
  const by = async (path: string, given: object) =>
    (await app.call("POST", `/v1/chat/conversations${path}`, { key: token, headers, body: given })).body;
  const { conversation_id: conversation } = await by("", { agent });
  await by(`/${conversation}/messages`, { text: "Pay it." });
  await onlyLastApproves(await waiting(conversation), alice, bob);
});
