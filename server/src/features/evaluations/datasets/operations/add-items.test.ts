import { describe, expect, it } from "vitest";
import { createReader } from "../../../../db/reader.ts";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { sealEnded } from "../../../../testing/tasks.ts";
import { newDataset, teamItems } from "../../testing.ts";
import { coverageOf } from "../rules.ts";
import { findDataset, readItems } from "../store.ts";

const app = useSharedApp();
const add = (dataset: string, body: object, options = {}) =>
  app.call("POST", `/v1/evaluations/datasets/${dataset}/items`, { body, ...options });
const itemsOf = async (dataset: string, version?: number) => {
  const ctx = { scope: app.scope, db: createReader(app.pool) };
  const set = await findDataset(ctx, dataset);
  if (!set || (version ?? 1) > set.version) return undefined;
  const items = await readItems(ctx, set.id, version ?? set.version);
  return {
    version: version ?? set.version,
    skill: set.skill,
    items: items.map(({ name, input, expected, labels }) => ({ item: name, input, expected, labels })),
  };
};
/** A task of `route_lead` that has ended as told. */
const taskThat = async (
  status: string,
  output: object | null,
  more: { skill?: string; environment?: "staging" } = {},
) => {
  const { task_id } = await app.dispatch({ task: more.skill ?? "route_lead", lead_id: "ld_1007" });
  await app.pool.query(
    "update tasks set status = $2, output = $3, environment = coalesce($4, environment) where id = $1",
    [task_id, status, output && JSON.stringify(output), more.environment ?? null],
  );
  await sealEnded(app);
  return task_id;
};

let words = 0;
/** Feedback on a task, as the latest word. */
const say = (task: string, { outcome = 0, correction }: { outcome?: number; correction?: object }) =>
  app.pool.query(
    `insert into task_feedback (organization, environment, task_id, id, agent, skill, version_id, correction, trains, outcome, author)
     values ('default', 'development', $1, $2, 'sales', 'route_lead', 'ver_1', $3, true, $4, 'mbr_1')`,
    [
      task,
      `fbk_${String(++words).padStart(3, "0")}`,
      correction === undefined ? null : JSON.stringify(correction),
      outcome,
    ],
  );

describe("adding items", () => {
  it("makes the next version; earlier ones stay what they were", async () => {
    const name = await newDataset(app, teamItems(["enterprise", "midmarket"]));
    const { status, body } = await add(name, {
      items: [{ input: { lead_id: "ld_9" }, expected: { team: "partners" }, labels: ["l"] }],
      labels: ["late"],
      note: "more",
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      name,
      version: 2,
      added: 1,
      replaced: 0,
      items: ["item-3"],
      coverage: { items: 3, labels: { l: 1, late: 1 } },
    });
    expect((await itemsOf(name))?.items.map(({ item }) => item)).toEqual(["lead-1", "lead-2", "item-3"]);
    expect(await itemsOf(name, 1)).toMatchObject({
      version: 1,
      skill: "route_lead",
      items: [{ item: "lead-1" }, { item: "lead-2" }],
    });
    expect(await itemsOf(name, 3)).toBeUndefined();
  });

  it("puts an item of a present name in its place", async () => {
    const name = await newDataset(app, teamItems(["enterprise", "midmarket"]));
    const { body } = await add(name, { items: teamItems(["self_service"], { must_pass: true }) });
    expect(body).toMatchObject({ version: 2, added: 0, replaced: 1, coverage: { items: 2, must_pass: 1 } });
    expect((await itemsOf(name))?.items.map(({ item, expected }) => [item, expected.team])).toEqual([
      ["lead-1", "self_service"],
      ["lead-2", "midmarket"],
    ]);
    expect((await itemsOf(name, 1))?.items[0]?.expected).toEqual({ team: "enterprise" });
  });

  it("takes completed tasks, with the latest correction as what is expected, or else the output", async () => {
    const name = await newDataset(app, teamItems(["enterprise"]));
    const [plain, corrected] = [
      await taskThat("completed", { team: "partners" }),
      await taskThat("completed", { team: "partners" }),
    ];
    await say(corrected, { correction: { team: "enterprise" } });
    await say(corrected, { correction: { team: "midmarket" } });
    const { body } = await add(name, { from_tasks: [plain, corrected], labels: ["real"] });
    expect(body).toMatchObject({ added: 2, items: [plain, corrected], coverage: { labels: { real: 2 } } });
    expect((await itemsOf(name))?.items.slice(1)).toEqual([
      { item: plain, input: { lead_id: "ld_1007" }, expected: { team: "partners" }, labels: ["real"] },
      { item: corrected, input: { lead_id: "ld_1007" }, expected: { team: "midmarket" }, labels: ["real"] },
    ]);
    const { rows } = await app.pool.query(
      "select source_environment, source_task, subject from dataset_items where name = $1",
      [plain],
    );
    expect(rows).toEqual([{ source_environment: "development", source_task: plain, subject: "ld_1007" }]);
  });

  it("takes the output again where a correction was taken back, and refuses what was rejected without one", async () => {
    const name = await newDataset(app, teamItems(["enterprise"]));
    const [back, rejected, rated] = [
      await taskThat("completed", { team: "partners" }),
      await taskThat("completed", { team: "wrong" }),
      await taskThat("completed", { team: "wrong" }),
    ];
    await say(back, { correction: { team: "enterprise" } });
    await say(back, { outcome: 1 });
    await say(rejected, { outcome: 1 });
    await say(rejected, { outcome: 0 });
    await say(rated, { outcome: 0.25 });
    expect((await add(name, { from_tasks: [back] })).body).toMatchObject({ added: 1 });
    expect((await itemsOf(name))?.items[1]).toMatchObject({ item: back, expected: { team: "partners" } });
    const { status, body } = await add(name, { from_tasks: [rejected, rated] });
    const fault = { code: "not_an_item", detail: expect.stringContaining("correct it first") };
    expect([status, body.errors]).toMatchObject([
      422,
      [
        { pointer: "/from_tasks/0", ...fault },
        { pointer: "/from_tasks/1", ...fault },
      ],
    ]);
  });

  it("takes the output of a task that was tried again, whatever was said of the run before, but for a correction", async () => {
    const name = await newDataset(app, teamItems(["enterprise"]));
    const [rejected, corrected, again] = [
      await taskThat("failed", null),
      await taskThat("failed", null),
      await taskThat("failed", null),
    ];
    for (const task of [rejected, again]) await say(task, { outcome: 0 });
    await say(corrected, { correction: { team: "enterprise" } });
    const retried =
      "update tasks set status = 'completed', output = $2, result_seal = null, retried_at = clock_timestamp() where id = any($1)";
    await app.pool.query(retried, [[rejected, corrected, again], JSON.stringify({ team: "partners" })]);
    await sealEnded(app);
    await say(again, { outcome: 0 });
    expect((await add(name, { from_tasks: [rejected, corrected] })).body).toMatchObject({ added: 2 });
    expect((await itemsOf(name))?.items.slice(1).map(({ expected }) => expected)).toEqual([
      { team: "partners" },
      { team: "enterprise" },
    ]);
    const { body } = await add(name, { from_tasks: [again] });
    expect(body.errors).toMatchObject([
      { code: "not_an_item", detail: expect.stringContaining("the latest feedback rejects it") },
    ]);
  });

  it("refuses tasks that are not completed, of another skill, or of another environment, all at once", async () => {
    const name = await newDataset(app, teamItems(["enterprise"]));
    const tasks = [
      await taskThat("failed", null),
      await taskThat("completed", {}, { skill: "qualify_lead" }),
      await taskThat("completed", {}, { environment: "staging" }),
      await taskThat("completed", {}),
    ];
    const { status, body } = await add(name, { from_tasks: tasks });
    expect([status, ...body.errors.map(({ pointer }: { pointer: string }) => pointer)]).toEqual([
      422,
      "/from_tasks/0",
      "/from_tasks/1",
      "/from_tasks/2",
    ]);
    expect(body.errors.map(({ detail }: { detail: string }) => detail)).toEqual([
      expect.stringContaining("only a completed task"),
      expect.stringContaining("sales.qualify_lead"),
      expect.stringContaining("no task of this environment"),
    ]);
    expect((await itemsOf(name))?.version).toBe(1);
  });

  it.each([
    ["the output", `output = '{"team":"forged"}'`],
    ["the input", `input = '{"lead_id":"ld_forged"}'`],
    ["that it completed at all", `status = 'completed', output = '{"team":"forged"}'`],
  ])("takes nothing from a task of which %s was changed in the database", async (_what, change) => {
    const name = await newDataset(app, teamItems(["enterprise"]));
    const [task, corrected] = [
      await taskThat(change.startsWith("status") ? "failed" : "completed", { team: "partners" }),
      await taskThat("completed", {}),
    ];
    await say(corrected, { correction: { team: "enterprise" } });
    await app.pool.query(`update tasks set ${change} where id = any($1)`, [[task, corrected]]);
    for (const forged of [task, corrected]) {
      const { status, body } = await add(name, { from_tasks: [forged] });
      expect([status, body]).toMatchObject([500, { code: "result_not_intact", task_id: forged }]);
    }
    expect((await itemsOf(name))?.version).toBe(1);
  });

  it("makes items of tasks for those only who may read tasks", async () => {
    const name = await newDataset(app, teamItems(["enterprise"]));
    const task = await taskThat("completed", {});
    const scopes = ["evaluations:write"];
    const issued = await app.call("POST", "/v1/admin/keys", { body: { name: "narrow", role: "evaluator", scopes } });
    expect((await add(name, { from_tasks: [task] }, { key: issued.body.key })).body).toMatchObject({
      status: 403,
      missing_scope: "tasks:read",
    });
    expect((await add(name, { items: teamItems(["midmarket"]) }, { key: issued.body.key })).status).toBe(201);
  });

  it("refuses a body that adds nothing, an item twice, and an input that the skill does not take", async () => {
    const name = await newDataset(app, teamItems(["enterprise"]));
    const code = async (body: object) =>
      (await add(name, body)).body.errors.map(
        (fault: { pointer: string; code: string }) => `${fault.pointer} ${fault.code}`,
      );
    expect(await code({})).toEqual([" nothing_to_add"]);
    expect(await code({ items: [...teamItems(["enterprise"]), ...teamItems(["midmarket"])] })).toEqual([
      "/items/1/item item_twice",
    ]);
    expect(await code({ items: [{ input: { lead_id: 7 } }] })).toEqual(["/items/0/input/lead_id type"]);
  });

  it("refuses more items than a set may have", async () => {
    const name = await newDataset(app, teamItems(["enterprise"]));
    await app.pool.query(
      `insert into dataset_items (organization, dataset_id, name, since, place, input, expected)
       select 'default', (select id from datasets where name = $1), 'x' || n, 1, n, '{}', '{}' from generate_series(2, 100000) n`,
      [name],
    );
    const { status, body } = await add(name, { items: [{ input: { lead_id: "ld_1" } }] });
    expect([status, body.errors[0].code]).toEqual([422, "too_many_items"]);
  });

  it("counts what a set covers through additions and replacements as if it were counted whole", async () => {
    const name = await newDataset(app, teamItems(["enterprise", "midmarket"]));
    await add(name, {
      items: [
        ...teamItems(["partners"], { must_pass: true, cluster: "pair" }),
        { item: "item-4", input: { lead_id: "ld_1" }, cluster: "pair", labels: ["l"] },
      ],
    });
    const { body } = await add(name, {
      items: [{ input: { lead_id: "ld_2" }, expected: { team: "partners" } }, { input: { lead_id: "ld_3" } }],
    });
    expect(body.items).toEqual(["item-5", "item-6"]);
    const { rows } = await app.pool.query("select id, version from datasets where name = $1", [name]);
    const whole = coverageOf(
      await readItems({ scope: app.scope, db: createReader(app.pool) }, rows[0].id, rows[0].version),
    );
    expect(body.coverage).toEqual(whole);
    expect(whole).toMatchObject({ items: 5, clusters: 4, must_pass: 1, labels: { l: 1 }, expected: { "/team": 3 } });
  });

  it("is asked of a set by its id too", async () => {
    const name = await newDataset(app, teamItems(["enterprise"]));
    const { rows } = await app.pool.query("select id from datasets where name = $1", [name]);
    expect((await add(rows[0].id, { items: teamItems(["midmarket"]) })).body.version).toBe(2);
  });

  it("numbers additions that come at the same time one after the other, and loses none", async () => {
    const name = await newDataset(app, teamItems(["enterprise"]));
    const added = await Promise.all(
      Array.from({ length: 5 }, () => add(name, { items: [{ input: { lead_id: "ld_1" } }] })),
    );
    expect(added.map(({ body }) => body.version).sort()).toEqual([2, 3, 4, 5, 6]);
    expect((await itemsOf(name))?.items).toHaveLength(6);
  });
});
