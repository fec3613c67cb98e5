import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { contentsIn, manifestIn, manifestOf, smallFiles, starterFiles, starterNames } from "../marketplace.fixture.ts";
import { bundleKinds, type ListingPermission } from "../schema-words.ts";
import { type BundleContents, readContents } from "./contents.ts";
import { permissionDifference, permissionsDigest, permissionsOf } from "./permissions.ts";

const nothing: BundleContents = {
  manifest: manifestOf("agent"),
  readme: null,
  agent: null,
  training: [],
  datasets: [],
  scorers: [],
  gate: null,
  bases: [],
  policies: [],
  workflow: null,
  tools: [],
  scorecard: null,
  trials: [],
};
const send = {
  name: "send_offer",
  kind: "http",
  effect: "write",
  connection: "crm",
  impact: { money: 500, reversible: false },
  request: { method: "POST", url: "https://api.example.com/offers/{id}" },
};
const find = {
  name: "find_offer",
  kind: "http",
  effect: "read",
  connection: "crm",
  impact: { data: "personal" },
  request: { method: "GET", url: "https://api.example.com/offers" },
};
const skill = (name: string, more: object = {}) => ({ name, input: { type: "object" }, ...more });
const agentWith = (more: object): BundleContents => ({
  ...nothing,
  agent: { agent: "sales", description: "", model: { provider: "builtin" }, tools: [], skills: [], ...more },
});
const byId = (contents: BundleContents): Record<string, Omit<ListingPermission, "id">> =>
  Object.fromEntries(permissionsOf(contents).map(({ id, ...rest }) => [id, rest]));

describe("permissions", () => {
  it("say what tools do, where they send data and whose credentials they use", () => {
    const asked = byId({ ...nothing, tools: [send, find] });
    expect(asked["tool:send_offer"]).toMatchObject({
      level: "high",
      text: "Sends requests that change things to https://api.example.com (send_offer), with up to 500 US dollars at stake, and it cannot be undone.",
      value: { effect: "write", method: "POST", url: "https://api.example.com/offers/{id}", connection: "crm" },
    });
    expect(asked["tool:find_offer"]).toMatchObject({ level: "elevated", value: { effect: "read" } });
    expect(asked["address:https://api.example.com"]).toMatchObject({
      level: "high",
      text: "Sends data to https://api.example.com (find_offer and send_offer).",
    });
    expect(asked["connection:crm"]?.value).toEqual({ connection: "crm", for: ["find_offer", "send_offer"] });
    expect(asked["data:personal"]).toMatchObject({ level: "elevated", text: "Works with personal data (find_offer)." });
  });

  it("count a tool that says it reads as a write where its method does not only read", () => {
    const posts = { ...find, request: { method: "POST", url: "https://api.example.com/search" } };
    expect(byId({ ...nothing, tools: [posts] })["tool:find_offer"]).toMatchObject({
      level: "high",
      value: { effect: "write" },
    });
  });

  it("tell that the server of a described tool stands elsewhere, and which operation it calls", () => {
    const openapi = { url: "https://docs.example.com/openapi.json", operation: "findOffer" };
    const described = { name: "find_offer", kind: "http", effect: "read", openapi };
    expect(byId({ ...nothing, tools: [described] })["tool:find_offer"]).toMatchObject({
      level: "high",
      text: "Sends requests that by their own word only read, to whichever server the description at https://docs.example.com names (find_offer).",
      value: { url: openapi.url, operation: "findOffer" },
    });
  });

  it("say that a model counts its cost by prices of its own, which limits of money go by", () => {
    const settings = { price: { input: 0, output: 0 } };
    const asked = byId(agentWith({ model: { provider: "openai", name: "gpt-x", settings } }))["model:openai/gpt-x"];
    expect(asked?.value).toMatchObject({ price: { input: 0, output: 0 } });
    expect(asked?.text).toContain(
      "prices that it states itself: 0 US dollars for a million tokens in, 0 for those out",
    );
  });

  it("name the labels by which policies may spare an agent", () => {
    expect(byId(agentWith({ labels: ["reviewed"] }))["policy:label/reviewed"]).toMatchObject({
      kind: "policy",
      text: "Carries the label reviewed, by which your policies may tell it from others.",
      value: { label: "reviewed" },
    });
  });

  it("say as whom a workflow starts, and what of an event it takes", () => {
    const trigger = { event: "order.paid", map: { order: "event.order" }, as: "accounts" };
    const asked = byId({ ...nothing, workflow: { workflow: "round", triggers: [trigger], steps: [] } });
    expect(asked["trigger:event:order.paid"]).toMatchObject({
      text: "Starts for each event order.paid, as your service account accounts.",
      value: { map: { order: "event.order" }, as: "accounts" },
    });
  });

  it("say that an address is reached unencrypted", () => {
    const open = { ...find, request: { method: "GET", url: "http://api.example.com/offers" } };
    const { level, text } = byId({ ...nothing, tools: [open] })["address:http://api.example.com"] as ListingPermission;
    expect([level, text]).toEqual(["high", "Sends data to http://api.example.com, unencrypted (find_offer)."]);
  });

  it("say to which provider a model sends what it reads", () => {
    const asked = byId(agentWith({ model: { provider: "openai", name: "gpt-x", connection: "openai-main" } }));
    expect(asked["model:openai/gpt-x"]?.text).toBe("Runs on the model gpt-x of openai: what it reads is sent there.");
    expect(asked["address:https://api.openai.com"]).toMatchObject({ level: "high", value: { for: ["the model"] } });
    expect(asked["connection:openai-main"]?.value).toMatchObject({ for: ["the model"] });
  });

  it.each([
    ["no limit, with a paid model", {}, "high", "may cost any amount and take any time."],
    ["much", { cost_usd: 2, seconds: 60 }, "high", "may cost up to 2 US dollars and take up to 60 seconds."],
    ["some", { cost_usd: 0.5, seconds: 60 }, "elevated", "may cost up to 0.5 US dollars and take up to 60 seconds."],
    ["little", { cost_usd: 0.01, seconds: 60 }, "low", "may cost up to 0.01 US dollars and take up to 60 seconds."],
  ])("say what a task may cost: %s", (_case, limits, level, text) => {
    const model = { provider: "anthropic", name: "m" };
    const asked = byId(agentWith({ model, skills: [skill("quote", { limits })] }))["budget:quote"];
    expect(asked).toMatchObject({ level, text: `A task of quote ${text}` });
  });

  it("count data of tools as that of the skills that may call them", () => {
    const skills = [skill("write_offer", { tools: ["find_offer"] }), skill("greet")];
    const asked = byId(agentWith({ tools: [find], skills }));
    expect(asked["data:personal"]?.value).toEqual({ data: "personal", for: ["write_offer"] });
  });

  it("tell knowledge that is brought from knowledge of the installer's own", () => {
    const base = { name: "prices", description: "", file: "knowledge/prices.json", documents: [{}, {}] };
    const asked = byId({ ...agentWith({ knowledge: ["prices", "contracts"] }), bases: [base] });
    expect(asked["knowledge:prices"]).toMatchObject({
      level: "low",
      text: "Brings the knowledge base prices with 2 documents.",
    });
    expect(asked["knowledge:contracts"]).toMatchObject({
      level: "elevated",
      text: "Reads your knowledge base contracts.",
    });
  });

  it("name what starts a workflow and whom it sets to work, also in branches and to undo", () => {
    const workflow = {
      workflow: "round",
      limits: { duration: "1h30m" },
      triggers: [
        { schedule: "0 7 * * *" },
        { event: "order.paid" },
        { event: "order.paid", where: "event.total > 5.0" },
      ],
      steps: [
        {
          id: "both",
          compensate: { tool: { agent: "support", name: "undo" } },
          parallel: {
            branches: {
              a: [{ id: "x", agent: { name: "sales", skill: "quote" } }],
              b: [{ id: "y", workflow: { name: "sub" } }],
            },
          },
        },
      ],
    };
    const asked = byId({ ...nothing, workflow });
    expect(Object.keys(asked).sort()).toEqual([
      "budget:run",
      "tool:agent/sales",
      "tool:tool/support/undo",
      "tool:workflow/sub",
      "trigger:event:order.paid",
      "trigger:event:order.paid:2",
      "trigger:schedule:0 7 * * *",
    ]);
    expect(asked["budget:run"]).toMatchObject({
      level: "high",
      text: "A run may cost any amount, take up to 1 hour 30 minutes and start up to 500 steps.",
    });
    expect(asked["trigger:schedule:0 7 * * *"]?.text).toBe("Starts on a schedule: 0 7 * * * (UTC).");
  });

  it("say what a policy does once it is activated", () => {
    const asked = byId(contentsIn(smallFiles("agent")))["policy:no-cards"];
    expect(asked).toMatchObject({
      level: "low",
      text: 'Brings the policy "No card numbers in notes" as a draft. Once activated, it refuses task.dispatch of note-sorter.',
    });
  });

  it("write no character that hides or turns text", () => {
    const policy = { name: "A\u202e\u200bB\nC", scope: {}, when: "true", effect: "tag", params: { tags: ["x"] } };
    const [asked] = permissionsOf({ ...nothing, policies: [{ file: "policies/p.json", name: policy.name, policy }] });
    expect(asked?.text).toContain('"A B C"');
  });

  it.each(bundleKinds)("are there in words for a small bundle of kind %s", (kind) => {
    const asked = permissionsOf(contentsIn(smallFiles(kind)));
    for (const { text } of asked) expect(text).toMatch(/^[A-Z].*[.]$/);
    expect(new Set(asked.map(({ id }) => id)).size).toBe(asked.length);
  });

  it.each(starterNames())("of the starter %s are not high", (name) => {
    const files = starterFiles(name);
    const asked = permissionsOf(readContents(files, manifestIn(files)));
    expect(asked.filter(({ level }) => level === "high")).toEqual([]);
  });
});

/** The same value with its members in another order. */
const shuffled = (value: unknown, order: (keys: string[]) => string[]): unknown => {
  if (Array.isArray(value)) return value.map((one) => shuffled(one, order));
  if (value === null || typeof value !== "object") return value;
  const members = value as Record<string, unknown>;
  return Object.fromEntries(order(Object.keys(members)).map((key) => [key, shuffled(members[key], order)]));
};
const seeded = (seed: number) => (keys: string[]) =>
  [...keys].sort(
    (a, b) => ((a.length * 31 + seed) % 7) - ((b.length * 31 + seed) % 7) || (seed % 2 ? 1 : -1) * (a < b ? -1 : 1),
  );

const permission = fc.record({
  id: fc.constantFrom("tool:a", "tool:b", "tool:c", "data:d", "model:e"),
  kind: fc.constant("tool" as const),
  level: fc.constantFrom("low" as const, "high" as const),
  text: fc.constantFrom("One.", "Two."),
  value: fc.record({ at: fc.integer({ min: 0, max: 2 }) }),
});
const permissions = fc.uniqueArray(permission, { selector: ({ id }) => id });

describe("properties of permissions", () => {
  it("do not depend on the order of files, of members, or of tools and skills", () => {
    const order = fc.tuple(fc.constantFrom(...bundleKinds), fc.nat(1000));
    fc.assert(
      fc.property(order, ([kind, seed]) => {
        const files = smallFiles(kind);
        const expected = permissionsOf(contentsIn(files));
        const byFile = new Map(seeded(seed)([...files.keys()]).map((path) => [path, files.get(path) as Uint8Array]));
        expect(permissionsOf(contentsIn(byFile))).toEqual(expected);
        const { agent, tools, policies, ...rest } = contentsIn(files);
        const turned = shuffled({ ...rest, agent, tools, policies: [...policies].reverse() }, seeded(seed));
        expect(permissionsOf(turned as BundleContents)).toEqual(expected);
      }),
      { numRuns: 20 },
    );
    const skills = [skill("a", { tools: ["send_offer", "find_offer"] }), skill("b", { tools: ["find_offer"] })];
    const one = agentWith({ tools: [send, find], skills, knowledge: ["x", "y"] });
    const other = agentWith({ tools: [find, send], skills: [...skills].reverse(), knowledge: ["y", "x"] });
    expect(permissionsOf(other)).toEqual(permissionsOf(one));
  });

  it("differ from themselves in nothing, whatever their order and words", () => {
    fc.assert(
      fc.property(permissions, (some) => {
        const reworded = [...some].reverse().map((one) => ({ ...one, text: "Other words." }));
        expect(permissionDifference(some, reworded)).toEqual({ added: [], removed: [], changed: [] });
        expect(permissionsDigest(reworded)).toBe(permissionsDigest(some));
      }),
    );
  });

  it("are partitioned by a difference into added, removed, changed and the same", () => {
    fc.assert(
      fc.property(permissions, permissions, (before, after) => {
        const { added, removed, changed } = permissionDifference(before, after);
        const ids = (some: readonly ListingPermission[]) => some.map(({ id }) => id);
        const had = new Set(ids(before));
        const has = new Set(ids(after));
        expect(ids(added)).toEqual(ids(after).filter((id) => !had.has(id)));
        expect(ids(removed)).toEqual(ids(before).filter((id) => !has.has(id)));
        const kept = after.filter(({ id }) => had.has(id));
        const same = kept.filter((one) => !changed.some((pair) => pair.after.id === one.id));
        for (const one of same) expect(before.find(({ id }) => id === one.id)?.value).toEqual(one.value);
        for (const pair of changed) expect(pair.before.value).not.toEqual(pair.after.value);
        const isSame = added.length + removed.length + changed.length === 0;
        expect(permissionsDigest(before) === permissionsDigest(after)).toBe(isSame);
      }),
    );
  });
});
