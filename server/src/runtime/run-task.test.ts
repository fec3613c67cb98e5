import { setTimeout as delay } from "node:timers/promises";
import type { LanguageModelV4CallOptions, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type ScriptedTurn, scriptedModel, shownResults } from "../testing/models.ts";
import type { Ending } from "./endings.ts";
import { memoryPort, runLoop, skillRun, tool, writer } from "./loop.fixture.ts";
import type { CallRemote, RemoteOutcome, RunProgress } from "./loop.ts";
import { estimateTokens } from "./models/providers/usage.ts";
import type { Failure, SkillRun } from "./port.ts";

const yes: ScriptedTurn = { text: '{"qualified":true}' };
const lookUp: ScriptedTurn = { calls: [{ tool: "get_lead", input: { lead_id: "ld_1" } }] };
/** Looks up, then answers. */
const usual = (turn: number): ScriptedTurn => (turn === 1 ? lookUp : yes);
const sending = (turn: number): ScriptedTurn =>
  turn === 1 ? { calls: [{ tool: "send_mail", input: { to: "ann" } }] } : yes;

describe("a run", () => {
  it("goes on from turn to turn until the model answers without calls", async () => {
    const port = memoryPort();
    expect(await runLoop(scriptedModel(usual), { port })).toEqual({
      kind: "completed",
      output: { qualified: true },
      features: {},
      predictions: null,
    });
    expect(port.log).toEqual(["model 1", "tool 2 get_lead", "model 3"]);
    expect(port.steps.map(({ state }) => state)).toEqual(["finished", "finished", "finished"]);
    expect(port.settled).toEqual([
      { steps: 1, tokens: 15, usd: 0 },
      { steps: 1, tokens: 15, usd: 0 },
    ]);
  });

  it("answers what the model says of its own answer", async () => {
    const model = scriptedModel(() => yes, {
      notes: { groundedness: 0.25, uncertainty: 0.1, probability: 0.9, novelty: 0.5 },
    });
    expect(await runLoop(model)).toMatchObject({
      features: { ungrounded: 0.75, probability: 0.9, probability_source: "trained", novelty: 0.5 },
    });
  });

  it("gives the model one turn to put an answer right that does not fit the schema", async () => {
    const seen: LanguageModelV4CallOptions[] = [];
    const model = scriptedModel((turn) => (turn === 1 ? { text: '{"qualified":"perhaps"}' } : yes), {
      seen: (given) => seen.push(structuredClone(given)),
    });
    expect(await runLoop(model)).toMatchObject({ kind: "completed", output: { qualified: true } });
    expect(JSON.stringify(seen[1]?.prompt.at(-1))).toContain("/qualified");
  });

  it("fails where the answer does not fit after that, and at once with a model that would say the same again", async () => {
    const port = memoryPort();
    const wrong = scriptedModel(() => ({ text: "It is." }));
    expect(await runLoop(wrong, { port })).toMatchObject({ kind: "failed", failure: { code: "output_invalid" } });
    expect(port.log).toHaveLength(2);
    const own = memoryPort();
    expect(await runLoop(wrong, { port: own, run: skillRun({ model: { provider: "builtin" } }) })).toMatchObject({
      kind: "failed",
    });
    expect(own.log).toHaveLength(1);
  });

  it("reads an answer in a code fence, and takes any text where the skill has no output schema", async () => {
    expect(await runLoop(scriptedModel(() => ({ text: '```json\n{"qualified":true}\n```' })))).toMatchObject({
      output: { qualified: true },
    });
    const run = skillRun({ briefing: { ...skillRun().briefing, output: null } });
    expect(
      await runLoop(
        scriptedModel(() => ({ text: "Call them." })),
        { run },
      ),
    ).toMatchObject({ output: { text: "Call them." } });
  });

  it("lets the built-in model write nothing, whatever it says", async () => {
    const port = memoryPort();
    const run = skillRun({ model: { provider: "builtin" }, tools: [writer("send_mail")] });
    expect(await runLoop(scriptedModel(sending), { port, run })).toMatchObject({ kind: "completed" });
    expect(port.log).toEqual(["model 1", "model 3"]);
    expect(port.steps[1]).toMatchObject({ state: "failed", failure: { code: "unknown_tool" } });
  });

  it.each([
    ["an unknown tool", { tool: "drop_table", input: {} }, "unknown_tool"],
    ["arguments that do not fit", { tool: "get_lead", input: { lead_id: 7 } }, "invalid_arguments"],
    ["arguments that are no object", { tool: "get_lead", input: "ld_1" }, "invalid_arguments"],
  ])("tells the model of %s, and calls nothing", async (_what, call, code) => {
    const port = memoryPort();
    const seen: unknown[] = [];
    const model = scriptedModel((turn, given) => {
      seen.push(shownResults(given)[call.tool]);
      return turn === 1 ? { calls: [call] } : yes;
    });
    expect(await runLoop(model, { port })).toMatchObject({ kind: "completed" });
    expect(seen[1]).toMatchObject({ from: call.tool, error: { code } });
    expect(port.log).toEqual(["model 1", "model 3"]);
    expect(port.steps[1]).toMatchObject({ state: "failed", failure: { code } });
  });

  it("asks no model of which nobody knows what it costs, where money is limited; where it is not, its tokens count", async () => {
    const model = scriptedModel(() => yes);
    const costOf = () => null;
    const port = memoryPort();
    const limits = { ...skillRun().limits, costUsd: 0.5 };
    expect(await runLoop(model, { costOf, port, run: skillRun({ limits }) })).toMatchObject({
      kind: "failed",
      failure: { code: "price_unknown", detail: expect.stringContaining("may cost $0.5") },
    });
    expect(port.log).toEqual([]);
    const unlimited = skillRun({ limits: { ...limits, costUsd: null } });
    expect(await runLoop(model, { costOf, port, run: unlimited })).toMatchObject({ kind: "completed" });
    expect(port.demands.at(-1)).toMatchObject({ usdUnknown: true });
  });

  it("fails where the record is not there that the task is about, and goes on where the model guessed an id", async () => {
    const failure = { code: "record_not_found", detail: "There is none." };
    const port = () =>
      memoryPort({ callTool: async () => ({ kind: "failed", id: "s", failure, verdict: "allow", costUsd: 0 }) });
    expect(await runLoop(scriptedModel(usual), { port: port() })).toEqual({ kind: "failed", failure });
    const guess = scriptedModel((turn) =>
      turn === 1 ? { calls: [{ tool: "get_lead", input: { lead_id: "ld_2" } }] } : yes,
    );
    expect(await runLoop(guess, { port: port() })).toMatchObject({ kind: "completed" });
  });

  it("asks people when the model does, and waits", async () => {
    const port = memoryPort();
    const model = scriptedModel(() => ({ calls: [{ tool: "ask", input: { question: "Which plan?" } }] }));
    expect(await runLoop(model, { port })).toEqual({ kind: "waiting" });
    expect(port.log).toEqual(["model 1", "ask Which plan?"]);
  });

  it("waits where people are asked about a call, and tells the model what they want otherwise", async () => {
    const run = skillRun({ tools: [writer("send_mail")] });
    const waits = memoryPort({ callTool: async () => ({ kind: "waits", approval: "apr_1" }) });
    expect(await runLoop(scriptedModel(sending), { port: waits, run })).toEqual({ kind: "waiting" });
    const seen: unknown[] = [];
    const failure = { code: "changes_requested", detail: "Be kinder." };
    const back = memoryPort({ callTool: async () => ({ kind: "sent_back", failure }) });
    const model = scriptedModel((turn, given) => {
      seen.push(shownResults(given).send_mail);
      return sending(turn);
    });
    expect(await runLoop(model, { port: back, run })).toMatchObject({ kind: "completed" });
    expect(seen[1]).toEqual({ from: "send_mail", error: failure });
  });

  it("says of a write whether the model has read text that could steer it", async () => {
    const tainted: (boolean | undefined)[] = [];
    const port = () =>
      memoryPort({
        callTool: async (call) => {
          tainted.push(call.tainted);
          return { kind: "output", id: "s", output: {}, verdict: "allow", costUsd: 0 };
        },
      });
    const { briefing } = skillRun();
    const named = {
      ...briefing,
      input: { type: "object", properties: { plan: { enum: ["basic"] }, seats: { type: "integer" } } },
    };
    const run = skillRun({ tools: [writer("send_mail")], input: { plan: "basic", seats: 3 }, briefing: named });
    await runLoop(scriptedModel(sending), { port: port(), run });
    await runLoop(scriptedModel(sending), { port: port(), run: { ...run, input: { plan: "ignore all that" } } });
    await runLoop(
      scriptedModel((turn) =>
        turn === 1 ? { calls: [{ tool: "get_lead", input: { lead_id: "ld_1" } }] } : sending(turn - 1),
      ),
      {
        port: port(),
        run: { ...run, tools: [tool("get_lead"), writer("send_mail")] },
      },
    );
    expect(tainted).toEqual([false, true, false, true]);
  });
});

describe("a call that another service carries out", () => {
  const run = skillRun({ tools: [writer("send_mail")] });

  it("begins with a question where an attempt before left a write in doubt, and makes nothing", async () => {
    const port = memoryPort();
    const step = { number: 1, kind: "tool", name: "send_mail", input: { to: "ann" } } as const;
    const doubt = { ...step, effect: "key", failure: null };
    expect(await runLoop(scriptedModel(sending), { port, run: { ...run, doubt } })).toEqual({ kind: "waiting" });
    expect(port.log).toEqual(["ask about the send_mail of before"]);
  });

  it("is asked about where it may have taken effect, and nothing more happens", async () => {
    const port = memoryPort();
    const failure = { code: "timeout", detail: "No answer." };
    const callRemote = vi.fn<CallRemote>(async () => ({ kind: "unknown", failure }));
    const ended = await runLoop(scriptedModel(sending), { port, run, callRemote });
    expect(ended).toEqual({ kind: "waiting" });
    expect(callRemote).toHaveBeenCalledOnce();
    expect(port.log).toEqual(["model 1", "tool 2 send_mail", "ask about send_mail"]);
    expect(port.steps[1]).toMatchObject({ state: "unknown", failure });
  });

  describe("whose receiver knows it by its key, and whose outcome is not known", () => {
    const keyed = skillRun({ tools: [writer("send_mail", { repeatable: true })] });
    const unknown: RemoteOutcome = { kind: "unknown", failure: { code: "timeout", detail: "No answer." } };
    beforeEach(() => void vi.useFakeTimers());
    afterEach(() => void vi.useRealTimers());

    /** What the run came to, the keys under which the call was sent, and what was done, if the receiver answers so, one time after the other. */
    const sent = (...answers: RemoteOutcome[]) => sentBy(keyed, memoryPort(), answers);
    const sentBy = async (run: SkillRun, port: ReturnType<typeof memoryPort>, answers: readonly RemoteOutcome[]) => {
      const keys: string[] = [];
      const callRemote: CallRemote = async (_tool, { effect }) =>
        answers[keys.push(effect?.key ?? "") - 1] as RemoteOutcome;
      let ending: Ending | undefined;
      const running = runLoop(scriptedModel(sending), { port, run, callRemote }).then((ended) => {
        ending = ended;
      });
      while (!ending) await vi.advanceTimersByTimeAsync(1_000);
      await running;
      return {
        ending,
        tries: keys.length,
        keys: new Set(keys).size,
        asked: port.log.includes("ask about send_mail"),
        port,
      };
    };

    it("is sent again with the same key until it is answered", async () => {
      const { ending, ...rest } = await sent(unknown, unknown, { kind: "answered", data: {} });
      expect(ending.kind).toBe("completed");
      expect(rest).toMatchObject({ tries: 3, keys: 1, asked: false });
    });

    it("is asked about once it was sent three times, and where its receiver refused a repeated one, which says nothing of the first", async () => {
      expect(await sent(unknown, unknown, unknown)).toMatchObject({
        ending: { kind: "waiting" },
        tries: 3,
        asked: true,
      });
      const refused: RemoteOutcome = {
        kind: "failed",
        failure: { code: "http_refused", detail: "It is being carried out." },
      };
      const { port, ...rest } = await sent(unknown, refused, refused);
      expect(rest).toMatchObject({ ending: { kind: "waiting" }, tries: 3, asked: true });
      expect(port.steps[1]).toMatchObject({ state: "unknown", failure: refused.failure });
    });

    it("waits as long as its receiver asks for, and people are asked at once where that is too long", async () => {
      const from = Date.now();
      expect(await sent({ ...unknown, retryAfterMs: 9_000 }, { kind: "answered", data: {} })).toMatchObject({
        tries: 2,
        asked: false,
      });
      expect(Date.now() - from).toBeGreaterThanOrEqual(9_000);
      expect(await sent({ ...unknown, retryAfterMs: 60_000 })).toMatchObject({ tries: 1, asked: true });
    });

    it("is asked about at once where the run has no time left for another try, or a pause came meanwhile", async () => {
      const short = skillRun({ tools: keyed.tools, limits: { ...keyed.limits, seconds: 20 } });
      expect(await sentBy(short, memoryPort(), [unknown])).toMatchObject({ tries: 1, asked: true });
      let looks = 0;
      const paused = memoryPort({ holdOf: ({ tool }) => (tool === "send_mail" && looks++ > 0 ? "give_back" : "go") });
      expect(await sentBy(keyed, paused, [unknown])).toMatchObject({ tries: 1, asked: true });
    });

    it("is asked about where people had it made otherwise, and the run was tried again after it", async () => {
      const begun = memoryPort();
      await sentBy(keyed, begun, [unknown, unknown, unknown]);
      const edited = begun.steps.map((step) => (step.number === 2 ? { ...step, edited: { to: "bob" } } : step));
      const retried = { ...keyed, resumed: true, stepsBefore: 2 };
      expect(await sentBy(retried, memoryPort({}, edited), [])).toMatchObject({
        ending: { kind: "waiting" },
        tries: 0,
        asked: true,
      });
    });

    it("is asked about where an earlier part of the run may have made it, and its receiver now refuses it", async () => {
      const begun = memoryPort();
      await sentBy(keyed, begun, [unknown, unknown, unknown]);
      const port = memoryPort({}, begun.steps);
      const refused: RemoteOutcome = {
        kind: "failed",
        failure: { code: "http_refused", detail: "It was sent before." },
      };
      const again = await sentBy({ ...keyed, resumed: true }, port, [refused, refused, refused]);
      expect(again).toMatchObject({ ending: { kind: "waiting" }, asked: true });
    });
  });

  it("is reported to the model where it failed", async () => {
    const port = memoryPort();
    const failure = { code: "http_409", detail: "It was sent before." };
    const ended = await runLoop(scriptedModel(sending), {
      port,
      run,
      callRemote: async () => ({ kind: "failed", failure }),
    });
    expect(ended).toMatchObject({ kind: "completed" });
    expect(port.steps[1]).toMatchObject({ state: "failed", failure });
  });
});

describe("a run that goes on", () => {
  const run = skillRun({ tools: [writer("send_mail")] });
  const two = scriptedModel((turn) =>
    turn === 1 ? { calls: ["ann", "bob"].map((to) => ({ tool: "send_mail", input: { to } })) } : yes,
  );
  /** The journal of a run whose first call failed so, and whose second waits for people. */
  const until = async (failure: Failure) => {
    const port = memoryPort({
      callTool: async ({ number }) =>
        number === 2 ? { kind: "sent_back", failure } : { kind: "waits", approval: "apr_1" },
    });
    expect(await runLoop(two, { port, run })).toEqual({ kind: "waiting" });
    return memoryPort({}, port.steps);
  };

  it("does not make a call again of which the model was told that it failed, and makes the one that people approved since", async () => {
    const port = await until({ code: "changes_requested", detail: "Be kinder." });
    expect(await runLoop(two, { port, run: { ...run, resumed: true } })).toMatchObject({ kind: "completed" });
    expect(port.log).toEqual(["tool 3 send_mail", "model 4"]);
  });

  it.each(["interrupted", "kill_switch_engaged", "agent_paused"])(
    "makes its last call again that was not made: %s",
    async (code) => {
      const port = await until({ code, detail: "Not now." });
      expect(await runLoop(two, { port, run: { ...run, resumed: true } })).toMatchObject({ kind: "completed" });
      expect(port.log).toEqual(["tool 2 send_mail", "tool 3 send_mail", "model 4"]);
    },
  );
});

describe("limits", () => {
  const limits = { seconds: 120, steps: 12, tokens: null, costUsd: null };

  it("stop before the first step that would be one too many", async () => {
    const port = memoryPort();
    const ended = await runLoop(
      scriptedModel(() => lookUp),
      { port, run: skillRun({ limits: { ...limits, steps: 4 } }) },
    );
    expect(ended).toMatchObject({ kind: "failed", failure: { code: "step_limit" } });
    expect(port.log).toHaveLength(4);
  });

  it("stop before the call that would cost more, and not before", async () => {
    const priced = tool("get_lead", { costUsd: 0.03 });
    const port = () =>
      memoryPort({ callTool: async () => ({ kind: "output", id: "s", output: {}, verdict: "allow", costUsd: 0.03 }) });
    const model = () => scriptedModel((turn) => (turn < 3 ? lookUp : yes));
    const run = (costUsd: number, spent = 0) =>
      skillRun({
        model: { provider: "builtin" },
        tools: [priced],
        limits: { ...limits, costUsd },
        spent: { tokens: 0, costUsd: spent, ms: 0 },
      });
    expect(await runLoop(model(), { port: port(), run: run(0.05) })).toEqual({
      kind: "failed",
      failure: {
        code: "cost_limit",
        detail: "qualify_lead may cost $0.05 and has cost $0.03; get_lead would cost $0.03 more.",
      },
    });
    expect((await runLoop(model(), { port: port(), run: run(0.06) })).kind).toBe("completed");
    expect((await runLoop(model(), { port: port(), run: run(0.06, 0.01) })).kind).toBe("failed");
  });

  it("reserve no less for a turn than is counted where its provider reports nothing, whatever the script", async () => {
    for (const text of ["A lead from Ghent.", "信頼できる見込み客です。", "Ένας πελάτης"]) {
      const port = memoryPort();
      const seen: LanguageModelV4CallOptions[] = [];
      const model = scriptedModel(() => yes, { seen: (given) => seen.push(structuredClone(given)) });
      await runLoop(model, { port, run: skillRun({ input: { lead_id: text.repeat(50) } }) });
      const { prompt, tools, responseFormat, maxOutputTokens = 0 } = seen[0] as LanguageModelV4CallOptions;
      const [{ tokens }] = port.demands as [{ tokens: number }];
      expect(tokens - maxOutputTokens).toBe(estimateTokens(JSON.stringify([prompt, tools, responseFormat])));
    }
  });

  it("keep a turn's answer so short that not even a full one goes over tokens or money", async () => {
    const asked: (number | undefined)[] = [];
    const model = scriptedModel(() => yes, { seen: ({ maxOutputTokens }) => asked.push(maxOutputTokens) });
    const costOf = (tokens: { input: number; output: number }) => (tokens.input + 10 * tokens.output) / 1e6;
    await runLoop(model, { costOf });
    await runLoop(model, { costOf, run: skillRun({ limits: { ...limits, tokens: 2_000 } }) });
    await runLoop(model, { costOf, run: skillRun({ limits: { ...limits, costUsd: 0.005 } }) });
    expect(asked[0]).toBe(8_192);
    expect(asked[1]).toBeLessThan(2_000);
    expect(asked[2]).toBeLessThan(500);
    expect(await runLoop(model, { costOf, run: skillRun({ limits: { ...limits, tokens: 100 } }) })).toMatchObject({
      failure: { code: "token_limit" },
    });
    expect(await runLoop(model, { costOf, run: skillRun({ limits: { ...limits, costUsd: 1e-5 } }) })).toMatchObject({
      failure: { code: "cost_limit" },
    });
    expect(asked).toHaveLength(3);
  });

  it("count what turns used: the next one begins only where something is left", async () => {
    const model = scriptedModel(() => lookUp, { tokens: { input: 3_000, output: 3_000 } });
    const port = memoryPort();
    const ended = await runLoop(model, { port, run: skillRun({ limits: { ...limits, tokens: 10_000 } }) });
    expect(ended).toMatchObject({ kind: "failed", failure: { code: "token_limit" } });
    expect(port.log.filter((what) => what.startsWith("model"))).toHaveLength(2);
  });
});

describe("stops, policies and lost leases", () => {
  it.each([
    ["give_back", { kind: "given_back" }],
    ["stop", { kind: "held", tool: "get_lead", model: null }],
  ] as const)("are asked before each step: %s", async (hold, ending) => {
    const port = memoryPort({ holdOf: (using) => (using.tool === "get_lead" ? hold : "go") });
    expect(await runLoop(scriptedModel(usual), { port })).toEqual(ending);
    expect(port.log).toEqual(["model 1"]);
  });

  it("stand against a model as well", async () => {
    const port = memoryPort({ holdOf: (using) => (using.model === "sample-model" ? "stop" : "go") });
    expect(await runLoop(scriptedModel(usual), { port })).toEqual({ kind: "held", tool: null, model: "sample-model" });
    expect(port.log).toEqual([]);
  });

  it("give the run back for a while where calls under way hold what is left of a budget", async () => {
    const failure = { code: "budget_exhausted", detail: "Calls under way hold it." };
    for (const part of ["beginModel", "callTool"] as const) {
      const port = memoryPort({ [part]: async () => ({ kind: "later", seconds: 2, failure }) });
      expect(await runLoop(scriptedModel(usual), { port })).toEqual({ kind: "given_back", seconds: 2 });
    }
  });

  it("end the run as blocked where a policy or a budget refuses a turn or a call", async () => {
    const failure = { code: "policy_blocked", detail: "No." };
    for (const part of ["beginModel", "callTool"] as const) {
      const port = memoryPort({ [part]: async () => ({ kind: "refused", failure }) });
      expect(await runLoop(scriptedModel(usual), { port })).toEqual({ kind: "blocked", failure });
    }
  });

  it("end it at once when the lease is lost, wherever that shows", async () => {
    const losing = {
      beginModel: async () => ({ kind: "lost" }),
      callTool: async () => ({ kind: "lost" }),
      endStep: async () => null,
      journal: async () => null,
    } as const;
    for (const part of ["beginModel", "callTool", "endStep", "journal"] as const) {
      const port = memoryPort({ [part]: losing[part] });
      const run = skillRun({ resumed: part === "journal" });
      expect(await runLoop(scriptedModel(usual), { port, run })).toEqual({ kind: "lost" });
    }
  });

  it("say which tool or model is used, while it is", async () => {
    const progress: RunProgress = { tool: null, model: null };
    const during: RunProgress[] = [];
    const inner = memoryPort();
    const port = {
      ...inner,
      callTool: (call: Parameters<typeof inner.callTool>[0]) => {
        during.push({ ...progress });
        return inner.callTool(call);
      },
    };
    await runLoop(scriptedModel(usual, { seen: () => during.push({ ...progress }) }), { port, progress });
    expect(during).toEqual([
      { tool: null, model: "sample-model" },
      { tool: "get_lead", model: null },
      { tool: null, model: "sample-model" },
    ]);
    expect(progress).toEqual({ tool: null, model: null });
  });
});

describe("a turn of which no model was asked", () => {
  const nothing = [{ tasks: 0, steps: 0, tokens: 0, usd: 0 }];

  it("uses nothing of what was reserved, where its task was lost meanwhile", async () => {
    const settled: unknown[] = [];
    const port = memoryPort({
      beginModel: async () => ({
        kind: "begun",
        id: "stp_1",
        shown: async () => null,
        settle: async (used) => void settled.push(used),
      }),
    });
    expect(await runLoop(scriptedModel(usual), { port })).toEqual({ kind: "lost" });
    expect(settled).toEqual(nothing);
  });

  it("uses nothing either, where its run was broken off before it was let begin", async () => {
    const settled: unknown[] = [];
    const breaking = new AbortController();
    const port = memoryPort({
      beginModel: async () => {
        breaking.abort(new Error("broken off"));
        await delay(1);
        return {
          kind: "begun",
          id: "stp_1",
          shown: async (prompt) => prompt,
          settle: async (used) => void settled.push(used),
        };
      },
    });
    await expect(runLoop(scriptedModel(usual), { port, signal: breaking.signal })).rejects.toThrow("broken off");
    await vi.waitFor(() => expect(settled).toEqual(nothing), 5_000);
  });
});

describe("a model that does not answer", () => {
  it("ends the run with what its provider says for people", async () => {
    const said = Object.assign(new Error("The server is not available at present: try again later."), {
      code: "provider_unavailable",
    });
    const port = memoryPort();
    expect(
      await runLoop(
        scriptedModel(() => Promise.reject(said)),
        { port },
      ),
    ).toEqual({
      kind: "failed",
      failure: { code: "provider_unavailable", detail: said.message },
    });
    expect(port.steps[0]).toMatchObject({ state: "failed", failure: { code: "provider_unavailable" } });
    expect(port.settled).toHaveLength(1);
  });

  it("is reported where the fault is the service's own, which callers are not told", async () => {
    const faults: unknown[] = [];
    const fault = new Error("secret internals");
    const ended = await runLoop(
      scriptedModel(() => Promise.reject(fault)),
      { report: (error) => faults.push(error) },
    );
    expect(ended).toMatchObject({
      kind: "failed",
      failure: { code: "model_failed", detail: expect.not.stringContaining("secret") },
    });
    expect(faults).toEqual([fault]);
  });

  it("is left at once when the run is aborted, whether or not it heeds that", async () => {
    const controller = new AbortController();
    const cancelled = Promise.withResolvers<void>();
    const deaf = new ReadableStream<LanguageModelV4StreamPart>({
      pull: () => new Promise(() => undefined),
      cancel: () => cancelled.resolve(),
    });
    const running = runLoop(
      scriptedModel(() => ({ stream: deaf })),
      { signal: controller.signal },
    );
    const reason = new Error("cancelled");
    setImmediate(() => controller.abort(reason));
    await expect(running).rejects.toBe(reason);
    await cancelled.promise;
  });

  it.each([
    ["length", "answer_cut_off"],
    ["content-filter", "answer_withheld"],
    ["error", "model_failed"],
  ] as const)("fails the run where it ended by %s", async (unified, code) => {
    const finish = {
      type: "finish",
      finishReason: { unified, raw: undefined },
      usage: { inputTokens: {}, outputTokens: {} },
    } as LanguageModelV4StreamPart;
    const stream = new ReadableStream<LanguageModelV4StreamPart>({
      start(controller) {
        controller.enqueue(finish);
        controller.close();
      },
    });
    expect(await runLoop(scriptedModel(() => ({ stream })))).toMatchObject({ kind: "failed", failure: { code } });
  });
});
