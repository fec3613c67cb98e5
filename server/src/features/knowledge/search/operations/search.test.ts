import { beforeAll, describe, expect, it } from "vitest";
import { createReader } from "../../../../db/reader.ts";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { agentTokens, findRecord } from "../../public.ts";

const app = useSharedApp();
const search = (body: object, options = {}) => app.call("POST", "/v1/knowledge/search", { body, ...options });
const titlesOf = async (body: object, options = {}): Promise<string[]> =>
  (await search(body, options)).body.data.map(({ title }: { title: string }) => title);

beforeAll(async () => {
  for (const name of ["shop", "office"]) await app.call("POST", "/v1/knowledge/bases", { body: { name } });
  const add = (base: string, body: object) => app.call("POST", `/v1/knowledge/bases/${base}/documents`, { body });
  await add("shop", {
    external_id: "returns",
    title: "Returns",
    text: "A parcel is sent back within thirty days of delivery.",
  });
  await add("shop", { external_id: "sending", title: "Sending", text: "A parcel is back in stock once it is sent." });
  await add("shop", {
    external_id: "secret",
    title: "Margins",
    text: "The margin of a parcel is eleven percent of the delicery.",
  });
  await add("office", {
    external_id: "desks",
    title: "Desks",
    text: "Each parcel goes to the desk of whoever ordered it.",
  });
  await app.pool.query(`update documents set readers = '{role:approver}' where external_id = 'secret'`);
  await app.pool.query(
    `update documents set metadata = '{"product": "shop", "tags": ["a", "b"]}' where external_id = 'returns'`,
  );
});

describe("searching", () => {
  it("answers passages with citation, highlights and their document, and says that it found an answer", async () => {
    const { status, body } = await search({
      query: "within how many days is a parcel sent back",
      bases: ["shop"],
      limit: 1,
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ answered: true, corrected: [] });
    const [first] = body.data;
    expect(first).toMatchObject({ base: "shop", external_id: "returns", citation: expect.stringMatching(/^cit_/) });
    const words = first.highlights.map(({ start, end }: { start: number; end: number }) =>
      first.text.slice(start, end),
    );
    expect(words).toEqual(["parcel", "sent", "back", "within", "days"]);
  });

  it("says that nothing good was found where the words that tell are missing", async () => {
    expect((await search({ query: "mortgage rates of the central parcel" })).body).toMatchObject({ answered: false });
    expect((await search({ query: "zzzzzz" })).body).toMatchObject({ answered: false, data: [] });
  });

  it("requires phrases and leaves out what has an excluded word", async () => {
    expect(await titlesOf({ query: '"sent back" parcel' })).toEqual(["Returns"]);
    expect((await titlesOf({ query: "parcel -delivery" })).sort()).toEqual(["Desks", "Margins", "Sending"]);
  });

  it("filters by metadata, external id and time", async () => {
    expect(await titlesOf({ query: "parcel", filters: { metadata: { product: ["shop", "x"], tags: "b" } } })).toEqual([
      "Returns",
    ]);
    expect(await titlesOf({ query: "parcel", filters: { metadata: { product: "other" } } })).toEqual([]);
    expect(await titlesOf({ query: "parcel", filters: { external_ids: ["desks", "secret"] } })).toHaveLength(2);
    expect(await titlesOf({ query: "parcel", filters: { created_before: "2020-01-01T00:00:00Z" } })).toEqual([]);
  });

  it("corrects a word that no base knows, and says so", async () => {
    const { body } = await search({ query: "delivrey" });
    expect(body.corrected).toEqual([{ from: "delivrey", to: "deliveri" }]);
    expect(body.data[0].title).toBe("Returns");
  });

  it("hides what the caller may not read, and with `as` what the one named may not", async () => {
    expect(await titlesOf({ query: "margin" }, { key: "viewer" })).toEqual([]);
    expect(await titlesOf({ query: "margin" }, { key: "approver" })).toEqual(["Margins"]);
    expect(await titlesOf({ query: "margin" })).toEqual(["Margins"]);
    expect(await titlesOf({ query: "margin", as: { agent: "sales" } })).toEqual([]);
    const { rows } = await app.pool.query(
      "select id, roles ->> 'development' as role from members where roles ->> 'development' in ('viewer', 'approver')",
    );
    for (const { id, role } of rows)
      expect(await titlesOf({ query: "margin", as: { member: id } })).toEqual(role === "approver" ? ["Margins"] : []);
    const asApprover = rows.find(({ role }) => role === "approver").id;
    expect(await titlesOf({ query: "margin", as: { member: asApprover } }, { key: "viewer" })).toEqual([]);
  });

  it("takes a word of hidden documents alone for one that nobody wrote", async () => {
    const asked = async (query: string, key: string) => (await search({ query }, { key })).body;
    const [hidden, absent] = [await asked("parcel margin", "viewer"), await asked("parcel wombat", "viewer")];
    expect([hidden.coverage, hidden.data]).toEqual([absent.coverage, absent.data]);
    for (const [key, to] of Object.entries({ viewer: "deliveri", approver: "deliceri" }))
      expect((await asked("deliceru", key)).corrected).toEqual([{ from: "deliceru", to }]);
    expect((await asked("delicery", "viewer")).corrected).toEqual([{ from: "delicery", to: "deliveri" }]);
  });

  it.each([
    [{ bases: ["shop", "absent"] }, "/bases/1", "unknown_base"],
    [{ as: { agent: "nobody" } }, "/as/agent", "unknown_agent"],
    [{ as: { member: "mbr_01jd8x0000000000000000000e" } }, "/as/member", "unknown_member"],
  ])("refuses %j, which names nothing", async (body, pointer, code) => {
    const answer = await search({ query: "parcel", ...body });
    expect([answer.status, answer.body.errors[0].pointer, answer.body.errors[0].code]).toEqual([422, pointer, code]);
  });

  it("notes no question of white space and punctuation", async () => {
    for (const query of [" ", "?!"]) expect((await search({ query })).status).toBe(200);
    const { rows } = await app.pool.query("select from knowledge_questions where query !~ '[[:alnum:]]'");
    expect(rows).toHaveLength(0);
  });

  it("notes the question for the list of gaps, without personal data", async () => {
    await search({ query: "who is jane.doe@example.com of the moon base", bases: ["shop"] });
    const { rows } = await app.pool.query("select * from knowledge_questions where query like '%moon base%'");
    expect(rows).toMatchObject([{ query: "who is [email_1] of the moon base", answered: false, agent: null }]);
  });
});

it("keeps from an agent the records that it may not read", async () => {
  await app.call("POST", "/v1/knowledge/bases/shop/documents", { body: { external_id: "ld_1", fields: { seats: 4 } } });
  const looking = { scope: app.scope, db: createReader(app.pool) };
  expect(await findRecord(looking, "shop", "ld_1", [agentTokens("sales")])).toMatchObject({ fields: { seats: 4 } });
  await app.pool.query("update documents set readers = '{agent:support}' where external_id = 'ld_1'");
  expect(await findRecord(looking, "shop", "ld_1", [agentTokens("sales")])).toBeUndefined();
  expect(await findRecord(looking, "shop", "ld_1", [agentTokens("support")])).toBeDefined();
});
