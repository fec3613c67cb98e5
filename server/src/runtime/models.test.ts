import { describe, expect, it } from "vitest";
import { scriptedModel } from "../testing/models.ts";
import { createModels, type ModelParts } from "./models.ts";

const scope = { organization: "default", environment: "development" } as const;
const builtinRun = (skill: string, versionId = "ver_1") => ({ model: { provider: "builtin" }, versionId, skill }) as const;

function modelsOver(more: Partial<ModelParts> = {}) {
  const read: string[] = [];
  const made: (string | null)[] = [];
  const faults: unknown[] = [];
  const models = createModels({
    builtin(learnt) {
      made.push(learnt?.digest ?? null);
      return scriptedModel(() => ({ text: "{}" }));
    },
    provider: async () => scriptedModel(() => ({ text: "{}" })),
    costOf: (spec, tokens) => (spec.name === "priced" ? tokens.input / 1e6 : null),
    async skillModel(_scope, versionId, skill) {
      read.push(`${versionId} ${skill}`);
      return skill === "plain" ? null : { digest: skill, artifact: new Uint8Array(skill === "huge" ? 100 * 1024 * 1024 : 10) };
    },
    report: (error) => faults.push(error),
    ...more,
  });
  return { models, read, made, faults };
}

describe("the models of a process", () => {
  it("are read once for each version's skill, and one that has learnt nothing is shared", async () => {
    const { models, read, made } = modelsOver();
    for (let n = 0; n < 3; n++) for (const skill of ["route", "plain"]) await models.find(scope, builtinRun(skill));
    expect(read).toEqual(["ver_1 route", "ver_1 plain"]);
    expect(made).toEqual([null, "route"]);
    expect(await models.find(scope, builtinRun("plain"))).toEqual(models.untrained);
    await models.find(scope, builtinRun("route", "ver_2"));
    expect(read.at(-1)).toBe("ver_2 route");
  });

  it("are kept within bounds: what was used longest ago goes first", async () => {
    const { models, read } = modelsOver();
    await models.find(scope, builtinRun("huge", "ver_1"));
    await models.find(scope, builtinRun("huge", "ver_2"));
    await models.find(scope, builtinRun("huge", "ver_2"));
    await models.find(scope, builtinRun("huge", "ver_1"));
    expect(read).toEqual(["ver_1 huge", "ver_2 huge", "ver_1 huge"]);
  });

  it("cost what the price list says, and of others nobody knows", async () => {
    const { models } = modelsOver();
    const tokens = { input: 1_000_000, cached: 0, cacheWrite: 0, output: 0 };
    const costs = [];
    for (const name of ["priced", "unknown"]) {
      const found = await models.find(scope, { model: { provider: "openai", name }, versionId: "ver_1", skill: "route" });
      costs.push("costOf" in found && found.costOf(tokens));
    }
    const own = await models.find(scope, builtinRun("route"));
    expect([...costs, "costOf" in own && own.costOf(tokens)]).toEqual([1, null, 0]);
  });

  it("are a failure in words for people where the provider is not configured, and a reported fault where an artifact is broken", async () => {
    const said = Object.assign(new Error("Add the connection."), { code: "provider_not_configured" });
    const { models, faults } = modelsOver({
      provider: async () => Promise.reject(said),
      builtin(learnt) {
        if (learnt) throw new Error("broken file");
        return scriptedModel(() => ({ text: "{}" }));
      },
    });
    expect(await models.find(scope, { model: { provider: "openai", name: "m" }, versionId: "v", skill: "s" })).toEqual({
      failure: { code: "provider_not_configured", detail: "Add the connection." },
    });
    expect(await models.find(scope, builtinRun("route"))).toMatchObject({
      failure: { code: "model_failed", detail: expect.not.stringContaining("broken") },
    });
    expect(faults).toHaveLength(1);
  });
});
