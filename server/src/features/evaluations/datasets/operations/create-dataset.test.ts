import { describe, expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { newDataset, teamItems } from "../../testing.ts";

const app = useSharedApp();
const create = (body: object, options = {}) =>
  app.call("POST", "/v1/evaluations/datasets", {
    body: { name: "first", agent: "sales", skill: "route_lead", items: teamItems(["midmarket"]), ...body },
    ...options,
  });
const pointersOf = (answered: { status: number; body: { errors: { pointer: string; code: string }[] } }) => [
  answered.status,
  ...answered.body.errors.map(({ pointer, code }) => `${pointer} ${code}`),
];

describe("creating a dataset", () => {
  it("answers version 1 and what it covers", async () => {
    const items = [
      {
        input: { lead_id: "ld_1" },
        expected: { team: "enterprise", more: { x: 1, list: [1] } },
        must_pass: true,
        labels: ["big", "old"],
        cluster: "c",
      },
      { input: { lead_id: "ld_2" }, expected: { team: "midmarket" }, labels: ["big"], cluster: "c" },
      { item: "item-1", input: { lead_id: "ld_3" } },
    ];
    const { status, body } = await create({ name: "covered", description: "What it is.", tags: ["x"], items });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      dataset_id: expect.stringMatching(/^ds_/),
      name: "covered",
      agent: "sales",
      skill: "route_lead",
      description: "What it is.",
      tags: ["x"],
      version: 1,
      created_by: expect.stringMatching(/^mbr_/),
      coverage: {
        items: 3,
        must_pass: 1,
        clusters: 2,
        labels: { big: 2, old: 1 },
        expected: { "/team": 2, "/more/x": 1, "/more/list": 1 },
      },
    });
    const { rows } = await app.pool.query("select name from dataset_items where dataset_id = $1 order by place", [
      body.dataset_id,
    ]);
    expect(rows.map(({ name }) => name)).toEqual(["item-2", "item-3", "item-1"]);
  });

  it("refuses a name that is taken, by whatever environment", async () => {
    const name = await newDataset(app, teamItems(["enterprise"]));
    const { status, body } = await create({ name }, { environment: "production" });
    expect([status, body.code]).toEqual([409, "dataset_exists"]);
  });

  it("refuses an agent and a skill that there are not, naming them", async () => {
    expect(pointersOf(await create({ agent: "nobody" }))).toEqual([422, "/agent unknown_agent"]);
    expect(pointersOf(await create({ skill: "nothing" }))).toEqual([422, "/skill unknown_skill"]);
  });

  it("refuses inputs that the skill does not take, items of one name, and an empty set, each with its place", async () => {
    expect(
      pointersOf(
        await create({ items: [...teamItems(["enterprise"]), { input: { lead_id: "1001" } }, { input: {} }] }),
      ),
    ).toEqual([422, "/items/1/input/lead_id pattern", "/items/2/input/lead_id required"]);
    const twice = { item: "x", input: { lead_id: "ld_1" } };
    expect(pointersOf(await create({ items: [twice, twice] }))).toEqual([422, "/items/1/item item_twice"]);
    expect((await create({ items: [] })).body.errors[0].pointer).toBe("/items");
    expect((await create({ name: "No Name" })).body.errors[0].pointer).toBe("/name");
    expect((await create({ items: [null] })).body.errors[0].pointer).toBe("/items/0");
  });

  it("refuses what is expected and no output of the skill, with its place; what `expected` leaves out is no fault", async () => {
    const schema = {
      type: "object",
      required: ["team", "why"],
      properties: { team: { enum: ["a", "b"] }, why: { type: "string" } },
    };
    const output = { ...schema, additionalProperties: false };
    const skill = { name: "route", input: { type: "object" }, output };
    await app.call("POST", "/v1/agents", {
      body: { agent: "router", description: "Routes.", model: { provider: "builtin" }, skills: [skill] },
    });
    const of = (...expected: unknown[]) =>
      create({
        name: "routed",
        agent: "router",
        skill: "route",
        items: expected.map((one) => ({ input: {}, expected: one })),
      });
    expect(pointersOf(await of({ team: "c" }, { team: "a" }, { teem: "a" }, { why: 7 }))).toEqual([
      422,
      "/items/0/expected/team not_allowed",
      "/items/2/expected/teem unknown_field",
      "/items/3/expected/why type",
    ]);
    expect((await of({ team: "a" }, {}, { why: "So." })).status).toBe(201);
    const added = await app.call("POST", "/v1/evaluations/datasets/routed/items", {
      body: { items: [{ input: {}, expected: { team: "c" } }] },
    });
    expect(pointersOf(added)).toEqual([422, "/items/0/expected/team not_allowed"]);
  });
});

describe("listing datasets", () => {
  const names = async (query: string, options = {}) =>
    (await app.call("GET", `/v1/evaluations/datasets?${query}`, options)).body.data.map(
      ({ name }: { name: string }) => name,
    );

  it("shows the newest first, page by page, from every environment", async () => {
    const [first, second, third] = [
      await newDataset(app, teamItems(["enterprise"])),
      await newDataset(app, teamItems(["enterprise"])),
      await newDataset(app, teamItems(["enterprise"])),
    ];
    expect((await names("limit=3", { environment: "staging", key: "viewer" })).slice(0, 3)).toEqual([
      third,
      second,
      first,
    ]);
    const page = await app.call("GET", "/v1/evaluations/datasets?limit=2");
    expect(page.body.has_more).toBe(true);
    expect((await names(`limit=2&cursor=${page.body.next_cursor}`))[0]).toBe(first);
  });

  it("finds by agent, skill and tag, and shows a narrowed key the sets of its agents", async () => {
    const name = await newDataset(app, [{ input: { lead_id: "ld_1" } }], { skill: "qualify_lead", tags: ["rare"] });
    expect(await names("tag=rare")).toEqual([name]);
    expect(await names("skill=qualify_lead&agent=sales")).toEqual([name]);
    expect(await names("agent=support")).toEqual([]);
    const issued = await app.call("POST", "/v1/admin/keys", {
      body: { name: "narrow", role: "viewer", agents: ["support"] },
    });
    expect(await names("", { key: issued.body.key })).toEqual([]);
  });
});
