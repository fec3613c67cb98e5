import { beforeAll, expect, it } from "vitest";
import { useApp } from "../../../../testing/app.ts";

const app = useApp();
const member = { secret: "", memberId: "", keyId: "" };
const ids = { plain: "", labelled: "", turn: "", step: "", goal: "" };

beforeAll(async () => {
  Object.assign(member, await app.member("operator"));
  ids.plain = (await app.dispatch()).task_id;
  ids.labelled = (await app.dispatch({ labels: ["customer:acme"] }, { key: member.secret })).task_id;
  ids.turn = (await app.dispatch()).task_id;
  ids.step = (await app.dispatch()).task_id;
  const become = (column: string, id: string) =>
    app.pool.query(`update tasks set ${column} = 'x_1' where id = $1`, [id]);
  await become("conversation", ids.turn);
  await become("run_id", ids.step);
  await app.pool.query(
    `insert into trust_judgements (organization, environment, agent, skill, id, version_id, source, origin, outcome, observed_at)
     select organization, environment, agent, skill, id, version_id, 'feedback', 'volunteered', 1, now() from tasks where id = $1`,
    [ids.plain],
  );
});

const listed = async (query: string): Promise<string[]> => {
  const { status, body } = await app.call("GET", `/v1/tasks?${query}`);
  expect(status).toBe(200);
  return body.data.map(({ task_id }: { task_id: string }) => task_id).sort();
};

it.each([
  ["a label with its value", () => "label=customer:acme", () => [ids.labelled]],
  ["the key that dispatched them", () => `key=${member.keyId}`, () => [ids.labelled]],
  ["the member whose they are", () => `member=${member.memberId}`, () => [ids.labelled]],
  ["conversations that they are turns of", () => "origin=conversation", () => [ids.turn]],
  ["workflows that they are steps of", () => "origin=workflow", () => [ids.step]],
  ["missions, of which there are none", () => "origin=mission", () => []],
  ["having been dispatched by themselves", () => "origin=call", () => [ids.plain, ids.labelled]],
  ["having been judged", () => "judged=true", () => [ids.plain]],
  ["not having been judged", () => "judged=false&origin=call", () => [ids.labelled]],
  ["a version that none pinned", () => "version=ver_other", () => []],
  ["the number of a version that none pinned", () => "version=7", () => []],
])("tasks are found by %s", async (_what, query, found) => {
  expect(await listed(query())).toEqual(found().sort());
});

it("tasks are found by the version that they pinned", async () => {
  const { body } = await app.call("GET", `/v1/tasks/${ids.plain}`);
  expect(await listed(`version=${body.version_id}`)).toHaveLength(4);
  expect(await listed("version=1")).toEqual(await listed(`version=${body.version_id}`));
});

it("a version that is neither an id nor a number is refused", async () => {
  const { status, body } = await app.call("GET", "/v1/tasks?version=v1");
  expect([status, body.code, body.errors[0].parameter]).toEqual([400, "invalid_parameter", "version"]);
});
