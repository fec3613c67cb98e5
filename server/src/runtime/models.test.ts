import { describe, expect, it, vi } from "vitest";
import { scriptedModel } from "../testing/models.ts";
import { createModels, type ModelParts } from "./models.ts";

const scope = { organization: "default", environment: "development" } as const;
const builtinRun = (skill: string, versionId = "ver_1") =>
  ({ model: { provider: "builtin" }, versionId, skill }) as const;

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
    modelDigest: async (_scope, versionId, skill) =>
      skill === "plain" ? null : skill === "huge" ? `huge ${versionId}` : skill,
    async skillModel(_scope, versionId, skill) {
      read.push(`${versionId} ${skill}`);
      return { digest: skill, artifact: new Uint8Array(skill === "huge" ? 100 * 1024 * 1024 : 10) };
    },
    memoryBytes: 128 * 1024 * 1024,
    patience: { tries: 3, pauseMs: 0 },
    report: (error) => faults.push(error),
    ...more,
  });
  return { models, read, made, faults };
}

describe("the models of a process", () => {
  it("are read once for each artifact, whichever versions have it, and one that has learnt nothing is shared", async () => {
    const { models, read, made } = modelsOver();
    for (let n = 0; n < 3; n++) for (const skill of ["route", "plain"]) await models.find(scope, builtinRun(skill));
    expect(read).toEqual(["ver_1 route"]);
    expect(made).toEqual([null, "route"]);
    expect(await models.find(scope, builtinRun("plain"))).toEqual(models.untrained);
    await models.find(scope, builtinRun("route", "ver_2"));
    expect(read).toEqual(["ver_1 route"]);
    await models.find({ ...scope, organization: "other" }, builtinRun("route"));
    expect(read).toEqual(["ver_1 route", "ver_1 route"]);
  });

  it("are loaded once however many tasks want a cold one at the same time, and few at a time", async () => {
    let [loading, most] = [0, 0];
    const { models, made } = modelsOver({
      async skillModel(_scope, _versionId, skill) {
        most = Math.max(most, ++loading);
        await new Promise(setImmediate);
        loading--;
        return { digest: skill, artifact: new Uint8Array(10) };
      },
    });
    const wanted = Array.from({ length: 64 }, (_, n) => models.find(scope, builtinRun(`route ${n % 8}`, `ver_${n}`)));
    const found = await Promise.all(wanted);
    expect(made).toHaveLength(1 + 8);
    expect(new Set(found.map((one) => "model" in one && one.model)).size).toBe(8);
    expect(most).toBeLessThanOrEqual(2);
  });

  it("are loaded before they are asked for as long as that takes no room from others", async () => {
    const { models, read } = modelsOver();
    for (const version of ["ver_1", "ver_2"]) await models.warm(scope, version, "huge");
    await models.find(scope, builtinRun("huge", "ver_1"));
    expect(read).toEqual(["ver_1 huge"]);
  });

  it("leave memory when nobody used them for a while, but for those that count as used", async () => {
    const { models, read } = modelsOver();
    for (const skill of ["live", "evaluated"]) await models.find(scope, builtinRun(skill));
    vi.spyOn(performance, "now").mockReturnValue(performance.now() + 60_000);
    models.kept.touch(scope, "ver_1", "live");
    models.kept.deleteUnused(30_000);
    vi.restoreAllMocks();
    for (const skill of ["live", "evaluated"]) await models.find(scope, builtinRun(skill));
    expect(read).toEqual(["ver_1 live", "ver_1 evaluated", "ver_1 evaluated"]);
  });

  it("outlast faults of the database that pass; one that stays is thrown and is no failure of the model", async () => {
    let down = 2;
    const exhausted = new Error("timeout exceeded when trying to connect");
    const { models, faults } = modelsOver({
      async skillModel(_scope, _versionId, skill) {
        if (down-- > 0) throw exhausted;
        return { digest: skill, artifact: new Uint8Array(10) };
      },
    });
    expect(await models.find(scope, builtinRun("route"))).toHaveProperty("model");
    down = 3;
    await expect(models.find(scope, builtinRun("judge"))).rejects.toBe(exhausted);
    expect(await models.find(scope, builtinRun("judge"))).toHaveProperty("model");
    expect(faults).toEqual([]);
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
      const found = await models.find(scope, {
        model: { provider: "openai", name },
        versionId: "ver_1",
        skill: "route",
      });
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
