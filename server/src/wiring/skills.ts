import type { LanguageModelV4 } from "@ai-sdk/provider";
import { createBuiltinModel, readArtifact } from "@aos/builtin-model";
import { findConnection, headersOf, modelAccess } from "../features/admin/public.ts";
import { createRunnerPort, createSandboxPort } from "../features/tasks/index.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Reader } from "../kernel/db.ts";
import type { FactsReader } from "../kernel/facts.ts";
import type { NewId } from "../kernel/ids.ts";
import type { RunInside } from "../kernel/machines.ts";
import type { PortReader } from "../kernel/port.ts";
import { environments, type Scope } from "../kernel/principal.ts";
import type { Seals } from "../kernel/seals.ts";
import type { SkillRunner } from "../kernel/skill-runner.ts";
import { createOutbound, type Outbound } from "../outbound/index.ts";
import {
  createModels,
  createOpenApiDescriptions,
  createRemote,
  createRunWatch,
  createSkillRunner,
  createSkills,
  type Models,
  noRunWatch,
  type ProviderSpec,
  type RunWatch,
  type RunWatchParts,
  type SkillModel,
  type Skills,
  type TaskRunnerPort,
} from "../runtime/index.ts";
import {
  costOf,
  loadProviderModels,
  ownCost,
  ownPrice,
  ProviderFailure,
  type ProviderFailureCode,
} from "../runtime/models/providers/index.ts";

export interface SkillParts extends PortReader {
  /** As `system:worker`. */
  readonly inside: RunInside;
  readonly db: Reader;
  readonly facts: FactsReader;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly seals: Seals;
  /** Under which what stands behind placeholders is kept, and the secrets of connections. */
  readonly credentialKey: Buffer;
  /** What the operator opened to tools and models besides public addresses. */
  readonly outboundAllow: readonly string[];
  /** Bytes of trained models that are kept in memory; 256 MB by default. */
  readonly modelMemory?: number;
  /** Whether an agent is live in production: then development reaches no loopback. Default: none is. */
  readonly servesProduction?: (() => boolean) | undefined;
  /** In place of the built-in model, for tests. */
  readonly builtin?: (learnt: SkillModel | null) => LanguageModelV4;
  /** In place of providers' models, for tests. */
  readonly provided?: () => LanguageModelV4;
  /** Called when a run has written something in a conversation. */
  readonly chatStored?: () => void;
  readonly report: (error: unknown) => void;
  /** Default: nothing is traced, and nobody reads the figures. */
  readonly telemetry?: RunWatchParts;
}

/** What runs skills in a process that works: in tasks, and outside of them. */
export interface SkillMachines {
  readonly runnerPort: TaskRunnerPort;
  readonly skills: Skills;
  readonly runner: SkillRunner;
  readonly models: Models;
  /** Hears of runs. */
  readonly watch: RunWatch;
  /** Ends all connections to other services. */
  close(): Promise<void>;
}

const noTokens = { input: 0, cached: 0, cacheWrite: 0, output: 0 } as const;

const builtinModel = (learnt: SkillModel | null): LanguageModelV4 =>
  createBuiltinModel({ artifact: learnt && readArtifact(learnt.artifact) });

/** Joins the loop with what the slices know of tasks and connections, with models and with the way out. */
export function createSkillMachines(parts: SkillParts): SkillMachines {
  const { db, clock, credentialKey, outboundAllow, servesProduction, provided, report, telemetry } = parts;
  const tracer = telemetry?.tracer ?? null;
  const watch = telemetry ? createRunWatch(telemetry) : noRunWatch;
  const outbounds = new Map<string, Outbound>(
    environments.map((environment) => [
      environment,
      createOutbound({ environment, allow: outboundAllow, servesProduction, tracer }),
    ]),
  );
  const outbound = ({ environment }: Scope): Outbound => outbounds.get(environment) as Outbound;
  const credentials = async (
    scope: Scope,
    name: string,
  ): Promise<{ headers: object; origins: readonly string[] } | null> => {
    const connection = await findConnection(db, credentialKey, scope, name);
    return connection ? headersOf(connection) : null;
  };
  const runnerPort = createRunnerPort({ ...parts, credentials });
  const models = createModels({
    builtin: parts.builtin ?? builtinModel,
    provider: provided ? async () => provided() : providerModel(parts, outbound),
    costOf: ({ provider: by, name, settings }, tokens) =>
      settings?.price ? ownCost(settings.price, tokens) : (costOf(by, name, tokens)?.usd ?? (provided ? 0 : null)),
    priceOf: ({ provider: by, name, settings }) =>
      settings?.price ? ownPrice : (costOf(by, name, noTokens)?.source ?? null),
    modelDigest: runnerPort.modelDigest,
    skillModel: runnerPort.skillModel,
    memoryBytes: parts.modelMemory ?? 256 * 1024 * 1024,
    report,
  });
  const remote = createRemote({ outbound, descriptions: createOpenApiDescriptions({ clock }) });
  const skills = createSkills({ models, remote, report, watch });
  const runner = createSkillRunner({ port: createSandboxPort({ ...parts, credentials }), skills, clock });
  return {
    runnerPort,
    skills,
    models,
    runner,
    watch,
    async close() {
      await Promise.all([...outbounds.values()].map((one) => one.close()));
    },
  };
}

/** The models of providers, by the connections of an environment. */
function providerModel(
  { db, credentialKey, clock }: SkillParts,
  outbound: (scope: Scope) => Outbound,
): (scope: Scope, spec: ProviderSpec) => Promise<LanguageModelV4> {
  return async (scope, spec) => {
    const named =
      spec.connection === undefined ? undefined : await findConnection(db, credentialKey, scope, spec.connection);
    const access = modelAccess(spec, named);
    if (!access.ok) throw new ProviderFailure(access.failure.code as ProviderFailureCode, access.failure.detail);
    const { secret, baseUrl } = access;
    const settings = { ...spec.settings, ...(baseUrl === null ? {} : { base_url: baseUrl }) };
    const { createProviderModel } = await loadProviderModels();
    return createProviderModel(
      { provider: spec.provider, name: spec.name, settings },
      { secret, fetch: outbound(scope).fetch, clock },
    );
  };
}
