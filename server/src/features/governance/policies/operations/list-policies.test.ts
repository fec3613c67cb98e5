import { expect, it } from "vitest";
import { useApp } from "../../../../testing/app.ts";

const app = useApp();
const path = "/v1/governance/policies";
const create = async (more: object) => {
  const text = {
    name: "One",
    when: "true",
    effect: "tag",
    params: { tags: ["seen"] },
    reason_code: "one",
    message: "One.",
    scope: { agents: ["nobody"] },
  };
  return (await app.call("POST", path, { body: { ...text, ...more } })).body.policy_id as string;
};
const listed = async (query = "", environment: "development" | "staging" = "development") =>
  (await app.call("GET", `${path}${query}`, { environment })).body.data.map(
    ({ policy_id }: { policy_id: string }) => policy_id,
  );

it("shows the policies of the environment, newest first, by state, effect and action", async () => {
  const tag = await create({ state: "active" });
  const notify = await create({ effect: "notify", params: {}, scope: { actions: ["tool.call"], agents: ["nobody"] } });
  const draft = await create({ state: "draft", scope: { actions: ["key.issue"] } });
  expect(await listed()).toEqual([draft, notify, tag]);
  expect(await listed("?state=active,shadow")).toEqual([notify, tag]);
  expect(await listed("?state=retired")).toEqual([]);
  expect(await listed("?effect=notify")).toEqual([notify]);
  expect(await listed("?action=tool.call")).toEqual([notify, tag]);
  expect(await listed("?action=key.issue")).toEqual([draft]);
  const { body } = await app.call("GET", `${path}?limit=2`);
  expect(body.has_more).toBe(true);
  expect(await listed(`?limit=2&cursor=${body.next_cursor}`)).toEqual([tag]);
  expect(await listed("", "staging")).toEqual([]);
  const etag = (await app.call("GET", `${path}/${tag}`)).headers.get("etag") as string;
  const body2 = {
    name: "Two",
    when: "false",
    effect: "notify",
    reason_code: "two",
    message: "Two.",
    scope: { agents: ["nobody"] },
  };
  await app.call("PUT", `${path}/${tag}`, { body: body2, headers: { "if-match": etag } });
  expect(await listed("?state=active")).toEqual([tag]); // version 1 is active beside its shadow
});

it("counts what each policy found in thirty days", async () => {
  const scope = { actions: ["task.dispatch"] };
  const notify = await create({ effect: "notify", params: {}, scope, state: "active" });
  const shadow = await create({ effect: "deny", params: {}, scope });
  await app.dispatch();
  await app.dispatch();
  await app.pool.query(
    `insert into violations (organization, environment, id, source, kind, reason_code, message, operation, action, principal)
     values ('default', 'development', 'aud_0000000000000000000000000a', $1, 'warned', 'old', 'Old.', 'x', 'x', 'x')`,
    [notify],
  );
  const { data } = (await app.call("GET", path)).body;
  const counts = Object.fromEntries(
    data.map((one: { policy_id: string; violations_30d: object }) => [one.policy_id, one.violations_30d]),
  );
  expect(counts[notify]).toEqual({ waited: 0, blocked: 0, would_block: 0, would_wait: 0, warned: 2 });
  expect(counts[shadow]).toEqual({ waited: 0, blocked: 0, would_block: 2, would_wait: 0, warned: 0 });
});

it("counts the tasks that a policy put before people, each once, and not those that were asked for otherwise", async () => {
  await app.dispatch({ require_approval: true });
  const asking = await create({
    effect: "require_approval",
    params: {},
    scope: { actions: ["task.dispatch"] },
    state: "active",
  });
  const { task_id } = await app.dispatch({ require_approval: false });
  await app.dispatch({ require_approval: true });
  const { digest } = (await app.call("GET", `/v1/approvals/${task_id}`)).body;
  const body = { digest, edits: { lead_id: "ld_1002" } };
  const edited = await app.call("POST", `/v1/approvals/${task_id}/approve`, { key: app.key("approver"), body });
  expect(edited.status, edited.text).toBe(200);
  const { data } = (await app.call("GET", path)).body;
  const { violations_30d } = data.find(({ policy_id }: { policy_id: string }) => policy_id === asking);
  expect(violations_30d).toEqual({ waited: 2, blocked: 0, would_block: 0, would_wait: 0, warned: 0 });
});
