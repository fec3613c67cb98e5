import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { Scope } from "../kernel/principal.ts";
import { isTransient, retryTransient } from "../kernel/transient.ts";
import type { CostOf } from "./bounds.ts";
import { createKeptModels, type KeptModels, type KeptModelsParts } from "./kept-models.ts";
import type { Failure, SkillRun } from "./port.ts";
import type { ProviderSpec } from "./specs.ts";
import { modelFailure, type TurnTokens } from "./turn.ts";

export interface ModelParts extends KeptModelsParts {
  /** A provider's model with its connection's credentials. Throws a failure whose `code` begins with `provider_` where it is not configured. */
  readonly provider: (scope: Scope, spec: ProviderSpec) => Promise<LanguageModelV4>;
  /** What a call of a provider's model costs in US dollars; null: nobody knows. */
  readonly costOf: (spec: ProviderSpec, tokens: TurnTokens) => number | null;
  /** Where that price stands, and as of when; null: nowhere. Default: nowhere. */
  readonly priceOf?: (spec: ProviderSpec) => string | null;
  readonly report: (error: unknown) => void;
}

/** A model that is ready to be asked, or why there is none. */
export type FoundModel =
  | { readonly model: LanguageModelV4; readonly costOf: CostOf; readonly price?: string | null }
  | { readonly failure: Failure };

/** The models of a process's runs. */
export interface Models {
  /** The built-in model before it has learnt anything. */
  readonly untrained: Extract<FoundModel, { model: LanguageModelV4 }>;
  find(scope: Scope, run: Pick<SkillRun, "model" | "versionId" | "skill">): Promise<FoundModel>;
  /** Loads the built-in model of a version's skill before it is asked for, if there is room for it. */
  warm(scope: Scope, versionId: string, skill: string): Promise<void>;
  /** The built-in models in memory: counts one as used, and removes those that were not used for so many milliseconds. */
  readonly kept: Pick<KeptModels, "touch" | "deleteUnused">;
}

const free: CostOf = () => 0;

/** Finds models. A fault of the database that does not pass soon is thrown: it says nothing about the model, and ends no run. */
export function createModels({
  builtin,
  provider,
  costOf,
  priceOf = () => null,
  modelDigest,
  skillModel,
  memoryBytes,
  patience,
  report,
}: ModelParts): Models {
  const kept = createKeptModels({ builtin, modelDigest, skillModel, memoryBytes, ...(patience ? { patience } : {}) });
  return {
    untrained: { model: kept.untrained, costOf: free },
    warm: kept.warm,
    kept,
    async find(scope, { model: spec, versionId, skill }) {
      try {
        if (spec.provider === "builtin") return { model: await kept.find(scope, versionId, skill), costOf: free };
        const model = await retryTransient(() => provider(scope, spec), patience);
        return { model, costOf: (tokens) => costOf(spec, tokens), price: priceOf(spec) };
      } catch (error) {
        const told = modelFailure(error);
        if (told) return { failure: told };
        if (isTransient(error)) throw error;
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
