import { describe, expect, it } from "vitest";
import { scriptedModel } from "../testing/models.ts";
import { memoryPort, runLoop, skillRun } from "./loop.fixture.ts";
import type { SkillRun } from "./port.ts";

/** A run whose answer is asked for again three times. */
const sure = (more: Partial<SkillRun> = {}): SkillRun =>
  skillRun({
    model: { provider: "openai", name: "sample-model", settings: { confidence_samples: 3, temperature: 0, seed: 5 } },
    ...more,
  });
/** Says these one after the other, whatever it is asked. */
const saying = (...answers: readonly boolean[]) => {
  const seen: { temperature: unknown; seed: unknown }[] = [];
  let at = 0;
  const model = scriptedModel(() => ({ text: JSON.stringify({ qualified: answers[at++ % answers.length] }) }), {
    seen: ({ temperature, seed }) => void seen.push({ temperature, seed }),
  });
  return { model, seen };
};

describe("a provider's model that is asked for its answer again", () => {
  it("tells how many further answers agree, and answers what it said first", async () => {
    const { model, seen } = saying(true, true, false, true);
    const ending = await runLoop(model, { run: sure() });
    expect(ending).toMatchObject({
      kind: "completed",
      output: { qualified: true },
      features: { probability: 3 / 5, probability_source: "told" },
    });
    expect(seen).toEqual([
      { temperature: 0, seed: 5 },
      { temperature: 0.7, seed: 6 },
      { temperature: 0.7, seed: 7 },
      { temperature: 0.7, seed: 8 },
    ]);
  });

  it("keeps each of them free of budgets as a step of its own, and within the skill's limits", async () => {
    const port = memoryPort();
    const ending = await runLoop(saying(true).model, {
      port,
      run: sure({ limits: { seconds: 120, steps: 3, tokens: null, costUsd: null } }),
    });
    expect(ending).toMatchObject({ kind: "completed", features: { probability: 3 / 4 } });
    expect(port.demands).toHaveLength(3);
    expect(port.steps.map(({ input }) => (input as { sample?: number }).sample)).toEqual([undefined, 1, 2]);
  });

  it("completes all the same where it fails when asked again", async () => {
    let turns = 0;
    const model = scriptedModel(() => {
      if (turns++ > 0) throw Object.assign(new Error("It is overloaded."), { code: "provider_unavailable" });
      return { text: '{"qualified":true}' };
    });
    expect(await runLoop(model, { run: sure() })).toMatchObject({ kind: "completed", features: {} });
  });

  it("is asked once by default, and where nothing of its answer can be compared", async () => {
    const text = { type: "object", required: ["reason"], properties: { reason: { type: "string" } } };
    for (const run of [skillRun(), sure({ briefing: { ...skillRun().briefing, output: text } })]) {
      const port = memoryPort();
      const model = scriptedModel(() => ({ text: '{"qualified":true,"reason":"It fits."}' }));
      const given = run.briefing.output === text ? model : saying(true).model;
      expect(await runLoop(given, { port, run })).toMatchObject({ kind: "completed", features: {} });
      expect(port.demands).toHaveLength(1);
    }
  });
});
