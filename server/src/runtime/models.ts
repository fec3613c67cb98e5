import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { Scope } from "../kernel/principal.ts";
import type { CostOf } from "./bounds.ts";
import type { Failure, SkillRun } from "./port.ts";
import type { ProviderSpec, SkillModel } from "./specs.ts";
import { modelFailure, type TurnTokens } from "./turn.ts";

export interface ModelParts {
  /** The built-in model with what it learnt; null: nothing. Throws for an artifact that it cannot read. */
  readonly builtin: (learnt: SkillModel | null) => LanguageModelV4;
  /** A provider's model with its connection's credentials. Throws a failure whose `code` begins with `provider_` where it is not configured. */
  readonly provider: (scope: Scope, spec: ProviderSpec) => Promise<LanguageModelV4>;
  /** What a call of a provider's model costs in US dollars; null: nobody knows. */
  readonly costOf: (spec: ProviderSpec, tokens: TurnTokens) => number | null;
  readonly skillModel: (scope: Scope, versionId: string, skill: string) => Promise<SkillModel | null>;
  readonly report: (error: unknown) => void;
}

/** A model that is ready to be asked, or why there is none. */
export type FoundModel = { readonly model: LanguageModelV4; readonly costOf: CostOf } | { readonly failure: Failure };

/** The models of a process's runs. */
export interface Models {
  /** The built-in model before it has learnt anything. */
  readonly untrained: Extract<FoundModel, { model: LanguageModelV4 }>;
  find(scope: Scope, run: Pick<SkillRun, "model" | "versionId" | "skill">): Promise<FoundModel>;
}

/** How much of artifacts is kept in memory (bytes), and of how many skills. */
const most = { bytes: 128 * 1024 * 1024, skills: 1_000 } as const;

interface Kept {
  readonly model: LanguageModelV4;
  readonly bytes: number;
}

const free: CostOf = () => 0;

/** Finds models. What a version's skill learnt never changes, so that it is read once as long as it has room; what was used longest ago goes first. */
export function createModels({ builtin, provider, costOf, skillModel, report }: ModelParts): Models {
  const kept = new Map<string, Kept>();
  const untrained = builtin(null);
  let bytes = 0;

  const keep = (key: string, one: Kept): void => {
    bytes += one.bytes;
    kept.set(key, one);
    for (const [oldest, old] of kept) {
      if ((bytes <= most.bytes && kept.size <= most.skills) || oldest === key) break;
      kept.delete(oldest);
      bytes -= old.bytes;
    }
  };
  const findBuiltin = async (scope: Scope, versionId: string, skill: string): Promise<LanguageModelV4> => {
    const key = `${scope.organization} ${versionId} ${skill}`;
    const known = kept.get(key);
    if (known) {
      kept.delete(key);
      kept.set(key, known);
      return known.model;
    }
    const learnt = await skillModel(scope, versionId, skill);
    const model = learnt === null ? untrained : builtin(learnt);
    if (!kept.has(key)) keep(key, { model, bytes: learnt?.artifact.byteLength ?? 0 });
    return model;
  };

  return {
    untrained: { model: untrained, costOf: free },
    async find(scope, { model: spec, versionId, skill }) {
      try {
        if (spec.provider === "builtin") return { model: await findBuiltin(scope, versionId, skill), costOf: free };
        return { model: await provider(scope, spec), costOf: (tokens) => costOf(spec, tokens) };
      } catch (error) {
        const told = modelFailure(error);
        if (told) return { failure: told };
        report(error);
        return {
          failure: {
            code: "model_failed",
            detail: `The model of ${skill} could not be made ready because of a fault of the service, which was logged.`,
          },
        };
      }
    },
  };
}
