import { type Replaced, restore } from "@aos/data-classes";
import type { Demand, Payer } from "../../../kernel/budget.ts";
import type { FactsReader } from "../../../kernel/facts.ts";
import type { NewId } from "../../../kernel/ids.ts";
import type { RunInside, Statements } from "../../../kernel/machines.ts";
import { patient } from "../../../kernel/patient.ts";
import type { Scope } from "../../../kernel/principal.ts";
import type { SkillRequest } from "../../../kernel/skill-runner.ts";
import type { RedactDemand } from "../../../kernel/verdict.ts";
import { toolsAsMarked } from "../dispatch/rules.ts";
import type { Failure } from "../schemas.ts";
import { redactForTask } from "../steps/redactions.ts";
import { heldBy, runHold } from "./holds.ts";
import { tryModel } from "./operations/try-model.ts";
import { tryTool } from "./operations/try-tool.ts";
import { keptBy, noConnection } from "./run-steps.ts";
import { draftTrial, findTrial, type Trial, trialRun } from "./sandbox.ts";

export interface SandboxParts {
  /** As `system:worker`. */
  readonly inside: RunInside;
  readonly db: Statements;
  readonly facts: FactsReader;
  readonly newId: NewId;
  /** What a connection adds to the requests of its tools; null: there is none of that name. */
  readonly credentials: (scope: Scope, connection: string) => Promise<unknown>;
}

/** Cached skills of versions, which never change. */
const mostTrials = 100;

/** Implements the runtime's port for runs outside of tasks. */
export function createSandboxPort({ inside: once, db, facts, newId, credentials }: SandboxParts) {
  const inside = patient(once);
  const trials = new Map<string, Trial>();
  const find = async (scope: Scope, versionId: string, skill: string): Promise<Trial | undefined> => {
    const key = `${scope.organization} ${versionId} ${skill}`;
    const trial = trials.get(key) ?? (await findTrial(db, scope, versionId, skill));
    if (trial) {
      if (trials.size >= mostTrials) trials.clear();
      trials.set(key, trial);
    }
    return trial;
  };
  return {
    /** A run of a version's skill with this input, and its calls; null: there is no such version or skill. */
    async begin(
      scope: Scope,
      versionId: string,
      skill: string,
      input: Readonly<Record<string, unknown>>,
      { draft, charged }: Pick<SkillRequest, "draft" | "charged"> = {},
    ) {
      const found = draft ? draftTrial(versionId, skill, draft) : await find(scope, versionId, skill);
      if (!found) return null;
      const trial = { ...found, tools: toolsAsMarked({ facts, scope }, found.tools) };
      const run = trialRun(trial, input, newId("run"));
      return { run, port: trialPort({ inside, facts, credentials, scope, trial, charged, input }) };
    },
  };
}

interface TrialParts extends Pick<SandboxParts, "inside" | "facts" | "credentials"> {
  readonly scope: Scope;
  readonly trial: Trial;
  readonly charged: Payer | undefined;
  readonly input: Readonly<Record<string, unknown>>;
}

interface Call {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

function trialPort(parts: TrialParts) {
  const { inside, facts, credentials, scope, trial, charged, input } = parts;
  let replaced: Replaced = {};
  /** Placeholders are the run's own, and stay in memory. */
  const redacted = (demand: RedactDemand | null, value: unknown): unknown => {
    if (demand === null) return value;
    const { value: shown, added } = redactForTask(value, demand, replaced);
    replaced = { ...replaced, ...added };
    return shown;
  };
  const begun = new Map<string, RedactDemand | null>();
  const callTool = async ({ tool, arguments: shown }: Call) => {
    const given = restore(shown, replaced) as Call["arguments"];
    try {
      const tried = await inside(tryTool, scope, { trial, charged, tool, arguments: given, shown });
      const { costUsd, redact } = tried;
      const id = String(begun.size + 1);
      if (tried.kind === "begun") {
        begun.set(id, redact);
        const { connection } = tried;
        const added = connection === null ? null : await credentials(scope, connection);
        if (connection !== null && added === null)
          return { kind: "failed", id, failure: noConnection(connection), verdict: "allow", costUsd } as const;
        return { kind: "begun", id, arguments: given, credentials: added, costUsd, effect: null } as const;
      }
      if ("failure" in tried.found)
        return { kind: "failed", id, failure: tried.found.failure, verdict: "allow", costUsd } as const;
      return { kind: "output", id, output: redacted(redact, tried.found.output), verdict: "allow", costUsd } as const;
    } catch (error) {
      return refusedBy(error);
    }
  };
  return {
    holdOf: ({ tool, model }: { tool: string | null; model: string | null }) => {
      const use = tool === null ? (model === null ? null : { model }) : { tool };
      return runHold(
        heldBy({ facts, scope }, { agent: trial.agent, versionId: trial.versionId, skill: trial.skill.name }, use),
      );
    },
    async beginModel({ name }: { name: string }, demand: Demand) {
      try {
        const { charge, redact } = await inside(tryModel, scope, { trial, charged, input, model: name, demand });
        const shown = async <T>(prompt: T): Promise<T> => redacted(redact, prompt) as T;
        return { kind: "begun", id: "", shown, settle: async (used: Demand) => charge?.settle(used) } as const;
      } catch (error) {
        return refusedBy(error);
      }
    },
    callTool,
    /** What the run gets of the output of a call that it made itself. */
    answered: (id: string, output: unknown): unknown => redacted(begun.get(id) ?? null, output),
    restore: <T>(value: T): T => restore(value, replaced) as T,
  };
}

/** There are no approvals outside of tasks: what needs one is refused. */
function refusedBy(error: unknown): { readonly kind: "refused"; readonly failure: Failure } {
  const kept = keptBy(error);
  if (kept === undefined || kept.kind === "lost") throw error;
  return { kind: "refused", failure: kept.failure };
}
