import { describe, expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";

const app = useSharedApp();
const samples = [{ output: { team: "a" }, expected: { team: "a" }, score: 1 }];
const set = (name: string, body: object, options = {}) =>
  app.call("PUT", `/v1/evaluations/scorers/${name}`, {
    body: { kind: "exact", pointer: "/team", samples, ...body },
    ...options,
  });

describe("setting a scorer", () => {
  it("makes version 1, then the next one with each change, and none without", async () => {
    const first = await set("team", { description: "The team." });
    expect([first.status, first.body]).toEqual([
      200,
      {
        scorer: "team",
        version: 1,
        kind: "exact",
        pointer: "/team",
        parameters: {},
        pass_at: 1,
        description: "The team.",
        samples,
        created_by: expect.stringMatching(/^mbr_/),
        created_at: expect.any(String),
      },
    ]);
    expect((await set("team", { description: "The team." })).body.version).toBe(1);
    expect((await set("team", { description: "The team.", parameters: { trim: true } })).body).toMatchObject({
      version: 2,
      parameters: { trim: true },
    });
    expect(
      (await set("team", { description: "The team.", parameters: { trim: true }, pass_at: 0.5 })).body,
    ).toMatchObject({
      version: 3,
      pass_at: 0.5,
    });
    expect((await set("team", { kind: "contains", pointer: "", samples })).body).toMatchObject({
      version: 4,
      kind: "contains",
      pointer: "",
      description: "",
    });
  });

  it("saves nothing that does not score its samples as told", async () => {
    const { status, body } = await set("untested", { samples: [{ ...samples[0], score: 0.5 }] });
    expect([status, body.errors[0]]).toEqual([
      422,
      { pointer: "/samples/0/score", code: "sample_disagrees", detail: expect.stringContaining("scores it 1") },
    ]);
    const { rows } = await app.pool.query("select 1 from scorers where name = 'untested'");
    expect(rows).toEqual([]);
    expect((await set("untested", { samples: [] })).body.errors[0].pointer).toBe("/samples");
    expect((await set("untested", { pointer: "team" })).body.errors[0].pointer).toBe("/pointer");
    expect((await set("untested", { parameters: { absolute: 1 } })).body.errors[0].code).toBe("foreign_parameter");
  });

  it("knows no scorer by a name that none can have", async () => {
    expect((await set("Not%20a%20name", {})).body).toMatchObject({ status: 404, code: "not_found" });
  });

  it("gives two changes of the same moment two versions, or refuses one of them", async () => {
    await set("contested", {});
    const round = async (at: number): Promise<boolean> => {
      const answers = await Promise.all([1, 2, 3, 4].map((n) => set("contested", { description: `${at}.${n}` })));
      const made = answers.filter(({ status }) => status === 200).map(({ body }) => body.version);
      expect(new Set(made).size).toBe(made.length);
      for (const { status, body } of answers)
        if (status !== 200) expect([status, body.code]).toEqual([409, "wrong_state"]);
      expect(made.length).toBeGreaterThan(0);
      return made.length < answers.length;
    };
    let refused = false; // as a rule in the first rounds
    for (let at = 0; at < 50 && !refused; at++) refused = await round(at);
    expect(refused).toBe(true);
  });
});

describe("setting a scorer with a key that is narrowed to agents", () => {
  const narrowed = async (...agents: string[]): Promise<string> =>
    (await app.call("POST", "/v1/admin/keys", { body: { name: "narrow", role: "evaluator", agents } })).body.key;

  it("is refused where a gate of another agent judges by it, in whichever environment, and changes nothing", async () => {
    await app.pool.query(
      "insert into agents (organization, name, owner, draft) select organization, 'support', owner, draft from agents where name = 'sales'",
    );
    await set("shared", {});
    await app.pool.query(
      `insert into gates (organization, environment, agent, definition, author)
       values ('default', 'production', 'sales', '{"fail_closed": false, "on_missing": null, "table": {}, "scorers": [{"scorer": "shared", "floor": 0.5}]}', 'mbr_1')`,
    );
    const key = await narrowed("support");
    const refused = await set("shared", { pointer: "", description: "Weaker." }, { key });
    expect(refused.body).toMatchObject({ status: 403, code: "insufficient_scope", missing_scope: "agent:*" });
    expect(refused.body.detail).toContain("limited to the agents support");
    expect(refused.text).not.toContain("sales");
    expect(
      (await set("shared", { description: "Ours." }, { key: await narrowed("support", "sales") })).body.version,
    ).toBe(2);
    expect((await set("shared", { description: "Wide." })).body.version).toBe(3);
  });

  it("is refused where no gate judges by it, or it is a new one: nothing says whose it is", async () => {
    await set("nobodys", {});
    for (const name of ["nobodys", "new"]) {
      const { body } = await set(name, { description: "Mine." }, { key: await narrowed("sales") });
      expect(body).toMatchObject({ status: 403, missing_scope: "agent:*" });
    }
  });
});

describe("listing scorers", () => {
  it("shows the present version of each, by name, from every environment, and finds by kind", async () => {
    for (const name of ["b-listed", "a-listed"]) await set(name, {});
    await set("a-listed", { kind: "json_match" });
    const list = async (query: string) =>
      (await app.call("GET", `/v1/evaluations/scorers?${query}`, { environment: "staging", key: "viewer" })).body;
    const names = (page: { data: { scorer: string; version: number }[] }) =>
      page.data.map(({ scorer, version }) => `${scorer} ${version}`);
    expect(names(await list("limit=100"))).toEqual(expect.arrayContaining(["a-listed 2", "b-listed 1"]));
    expect(names(await list("kind=json_match"))).toEqual(["a-listed 2"]);
    const first = await list("limit=1&kind=exact,json_match");
    expect([names(first), first.has_more]).toEqual([["a-listed 2"], true]);
    expect(names(await list(`limit=1&kind=exact,json_match&cursor=${first.next_cursor}`))).toEqual(["b-listed 1"]);
  });
});
