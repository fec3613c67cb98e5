import { chargedUsd } from "../kernel/ledger.ts";
import { longBuckets, type Meter, secondsBuckets } from "../kernel/metrics.ts";
import { failureType, inSpan, type Span, type Tracer } from "../kernel/tracing.ts";
import type { ToolTaken } from "./endings.ts";
import type { RunTool, SkillRun } from "./port.ts";
import { answerSeen, argumentsSeen, askedOf, resultSeen } from "./span-contents.ts";
import { modelName } from "./specs.ts";
import type { Turn } from "./turn.ts";
import type { AskedModel, Claiming, RunWatch } from "./watch.ts";

// Runs as spans, after OpenTelemetry's conventions for generative AI (semantic-conventions 1.45, "experimental"), and as metrics.

export interface RunWatchParts {
  readonly tracer: Tracer | null;
  readonly meter: Meter;
  /** Whether spans hold prompts, answers, arguments and results, as the model saw them: with placeholders where policies want them. */
  readonly contents: boolean;
}

/** Tells of runs by spans and metrics. */
export function createRunWatch({ tracer, meter, contents }: RunWatchParts): RunWatch {
  const tasks = createTaskWatch(tracer, meter);
  const models = createModelMetrics(meter);
  const tools = createToolMetrics(meter);
  const jobs = createJobMetrics(meter);
  return {
    task: tasks,
    run: (run, work) =>
      inSpan(tracer, { name: `invoke_agent ${run.agent}`, attributes: agentAttributes(run) }, async (span) => {
        const ending = await work();
        span?.set({ "aos.ending": ending.kind });
        if (ending.kind === "failed" || ending.kind === "blocked") span?.fail(ending.failure.code);
        return ending;
      }),
    model: (asked, work) =>
      inSpan(tracer, chatSpan(asked), async (span) => {
        const began = performance.now();
        if (contents) span?.set(askedOf(asked.options));
        try {
          const turn = await work();
          const costUsd = chargedUsd(asked.costOf(turn.tokens) ?? 0);
          models.answered(asked.run, turn, costUsd, began);
          span?.set({ ...answerAttributes(turn), ...(costUsd > 0 ? { "aos.cost_usd": costUsd } : {}) });
          if (contents) span?.set({ "gen_ai.output.messages": answerSeen(turn) });
          return turn;
        } catch (error) {
          models.failed(asked.run, failureType(error), began);
          throw error;
        }
      }),
    tool: (run, tool, call, work) =>
      inSpan(
        tracer,
        { name: `execute_tool ${tool.name}`, attributes: toolAttributes(run, tool, call.toolCallId) },
        async (span) => {
          const began = performance.now();
          if (contents) span?.set({ "gen_ai.tool.call.arguments": argumentsSeen(call) });
          try {
            const taken = await work();
            tools(tool, outcomeOf(taken), began);
            tellTool(span, taken, contents);
            return taken;
          } catch (error) {
            tools(tool, "broken_off", began);
            throw error;
          }
        },
      ),
    async job(name, cause, work) {
      const began = performance.now();
      const start = {
        name: `process ${name}`,
        kind: "consumer",
        attributes: { "aos.job": name },
        parent: cause,
      } as const;
      const done = jobs(name, began);
      // One that nobody's call brought about is nobody's trace.
      await (cause === null ? work() : inSpan(tracer, start, work)).then(done.ended, done.failed);
    },
  };
}

/** A worker's way with one task: from its wake-up to what it came to. It goes on the trace of the dispatch, and names the call that woke the worker. */
function createTaskWatch(tracer: Tracer | null, meter: Meter): RunWatch["task"] {
  const runs = meter.histogram({
    name: "aos_task_run_seconds",
    labels: ["ending", "environment"],
    buckets: longBuckets,
    help: "From the claim of a task by a worker of this process to what that came to: an end, people's turn, or the queue again.",
  });
  const waited = meter.histogram({
    name: "aos_task_wait_seconds",
    labels: ["environment"],
    buckets: [...secondsBuckets, 60, 300, 900, 3_600],
    help: "How long tasks were in the queue when a worker claimed them.",
  });
  let running = 0;
  meter.gauge({ name: "aos_worker_running_tasks", labels: [], help: "Tasks that this process is running." }, () => [
    [[], running],
  ]);
  return async (claiming, work) => {
    const { environment } = claiming.lease.scope;
    const cause = tracer === null ? null : await claiming.cause();
    await inSpan(tracer, taskSpan(claiming, cause), async (span) => {
      let began: number | null = null;
      let ending = "broken_off";
      try {
        ending = await work((run) => {
          began = performance.now();
          running++;
          if (run.waitedMs !== undefined) waited.observe([environment], run.waitedMs / 1000);
          span?.set({ "gen_ai.agent.name": run.agent, "aos.skill": run.skill, "aos.attempt": run.attempt });
        });
      } finally {
        span?.set({ "aos.ending": ending });
        if (began !== null) {
          running--;
          runs.observe([ending, environment], (performance.now() - began) / 1000);
        }
      }
    });
  };
}

function taskSpan({ lease, wokenBy }: Claiming, cause: string | null) {
  const attributes = { "aos.task": lease.task, "aos.environment": lease.scope.environment, "aos.lease": lease.owner };
  const links = wokenBy !== null && wokenBy !== cause ? [wokenBy] : [];
  return { name: "process task", kind: "consumer", attributes, parent: cause, links } as const;
}

function agentAttributes(run: SkillRun) {
  return {
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.provider.name": run.model.provider,
    "gen_ai.request.model": modelName(run.model),
    "gen_ai.agent.name": run.agent,
    "gen_ai.agent.version": String(run.version),
    "gen_ai.agent.id": run.versionId,
    "gen_ai.conversation.id": run.runId.split(" ", 1)[0],
    "aos.skill": run.skill,
  };
}

function chatSpan({ run, options }: AskedModel) {
  const name = modelName(run.model);
  return {
    name: `chat ${name}`,
    kind: run.model.provider === "builtin" ? "internal" : "client",
    attributes: {
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": run.model.provider,
      "gen_ai.request.model": name,
      "gen_ai.request.max_tokens": options.maxOutputTokens,
      "gen_ai.request.temperature": options.temperature,
      "gen_ai.request.top_p": options.topP,
      "gen_ai.request.seed": options.seed,
      "gen_ai.output.type": options.responseFormat?.type,
      "gen_ai.agent.name": run.agent,
    },
  } as const;
}

const answerAttributes = ({ finish, tokens }: Turn) => ({
  "gen_ai.response.finish_reasons": [finish.replaceAll("-", "_")],
  "gen_ai.usage.input_tokens": tokens.input,
  "gen_ai.usage.output_tokens": tokens.output,
  "gen_ai.usage.cache_read.input_tokens": tokens.cached,
  "gen_ai.usage.cache_creation.input_tokens": tokens.cacheWrite,
});

/** As the GenAI conventions name them. A function runs where the caller is. */
const toolTypes = { http: "extension", caller: "function", record: "datastore", search: "datastore" } as const;

const toolAttributes = (run: SkillRun, { name, spec, effect }: RunTool, callId: string) => ({
  "gen_ai.operation.name": "execute_tool",
  "gen_ai.tool.name": name,
  "gen_ai.tool.type": toolTypes[spec.kind],
  "gen_ai.tool.call.id": callId.slice(0, 128),
  "gen_ai.agent.name": run.agent,
  "aos.tool.kind": spec.kind,
  "aos.tool.effect": effect,
});

function tellTool(span: Span | null, taken: ToolTaken, contents: boolean): void {
  if (!span) return;
  span.set({ "aos.outcome": outcomeOf(taken) });
  if (taken.kind !== "outcome") return;
  const { result } = taken.outcome;
  if ("error" in result) span.fail(result.error.code);
  else if (contents) span.set({ "gen_ai.tool.call.result": resultSeen(result.data) });
}

/** What a call of a tool came to, in one word; `failed` also where policies or people kept it from being made and that was reported to the model. */
function outcomeOf(taken: ToolTaken): string {
  if (taken.kind !== "outcome") return taken.kind;
  return "error" in taken.outcome.result ? "failed" : "answered";
}

function createModelMetrics(meter: Meter) {
  const labels = ["provider", "model"];
  const calls = meter.histogram({
    name: "aos_model_call_seconds",
    labels: [...labels, "outcome"],
    buckets: longBuckets,
    help: "Turns of models, by how they ended: `answered`, or the code of the failure.",
  });
  const tokens = meter.counter({
    name: "aos_model_tokens_total",
    labels: [...labels, "kind"],
    help: "Tokens as reported by models; `input` counts `cache_read` and `cache_write` too.",
  });
  const cost = meter.counter({
    name: "aos_model_cost_usd_total",
    labels,
    help: "Cost of models in US dollars, at the prices that are known.",
  });
  const of = ({ model }: SkillRun): [string, string] => [model.provider, modelName(model)];
  const seconds = (began: number): number => (performance.now() - began) / 1000;
  return {
    answered(run: SkillRun, turn: Turn, costUsd: number, began: number): void {
      const model = of(run);
      calls.observe([...model, "answered"], seconds(began));
      tokens.add([...model, "input"], turn.tokens.input);
      tokens.add([...model, "output"], turn.tokens.output);
      tokens.add([...model, "cache_read"], turn.tokens.cached);
      tokens.add([...model, "cache_write"], turn.tokens.cacheWrite);
      cost.add(model, costUsd);
    },
    failed: (run: SkillRun, code: string, began: number): void => calls.observe([...of(run), code], seconds(began)),
  };
}

function createToolMetrics(meter: Meter) {
  const calls = meter.counter({
    name: "aos_tool_calls_total",
    labels: ["tool", "kind", "outcome"],
    help: "Calls of tools that agents made, by what they came to.",
  });
  const durations = meter.histogram({
    name: "aos_tool_call_seconds",
    labels: ["kind"],
    buckets: longBuckets,
    help: "Calls of tools, governance and record included.",
  });
  return ({ name, spec }: RunTool, outcome: string, began: number): void => {
    calls.add([name, spec.kind, outcome]);
    durations.observe([spec.kind], (performance.now() - began) / 1000);
  };
}

function createJobMetrics(meter: Meter) {
  const durations = meter.histogram({
    name: "aos_job_seconds",
    labels: ["job", "outcome"],
    buckets: longBuckets,
    help: "Jobs besides running tasks: runs of datasets, training, exports.",
  });
  return (name: string, began: number) => {
    const end = (outcome: string): void => durations.observe([name, outcome], (performance.now() - began) / 1000);
    return {
      ended: (): void => end("done"),
      failed: (error: unknown): never => {
        end("failed");
        throw error;
      },
    };
  };
}
