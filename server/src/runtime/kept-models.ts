import type { LanguageModelV4 } from "@ai-sdk/provider";
import { ByteCache } from "../kernel/byte-cache.ts";
import type { Scope } from "../kernel/principal.ts";
import { type Patience, retryTransient } from "../kernel/transient.ts";
import type { SkillModel } from "./specs.ts";

export interface KeptModelsParts {
  /** The built-in model with what it learnt; null: nothing. Throws for an artifact that it cannot read. */
  readonly builtin: (learnt: SkillModel | null) => LanguageModelV4;
  /** Digest of what the version's skill has learnt; null: nothing. */
  readonly modelDigest: (scope: Scope, versionId: string, skill: string) => Promise<string | null>;
  readonly skillModel: (scope: Scope, versionId: string, skill: string) => Promise<SkillModel | null>;
  /** How many bytes of artifacts are kept in memory. */
  readonly memoryBytes: number;
  /** How a fault of the database that passes is waited out. */
  readonly patience?: Patience;
}

/** The built-in models of a process. */
export interface KeptModels {
  /** The built-in model before it has learnt anything. */
  readonly untrained: LanguageModelV4;
  /** With what the version's skill has learnt, which never changes. */
  find(scope: Scope, versionId: string, skill: string): Promise<LanguageModelV4>;
  /** Loads it before it is asked for, as long as that takes no room from others. */
  warm(scope: Scope, versionId: string, skill: string): Promise<void>;
  /** Counts a model that is in memory as used. */
  touch(scope: Scope, versionId: string, skill: string): void;
  /** Removes models from memory that were not used for so many milliseconds. */
  deleteUnused(ms: number): void;
}

/** Versions' skills whose digests are remembered. */
const mostDigests = 10_000;
/** Counted for a model besides its artifact (bytes), so that small ones do not pile up. */
const overheadBytes = 16 * 1024;
/** Artifacts that are loaded at the same time: tasks need the database's connections as well. */
const lanes = 2;

/** Keeps models by artifact: each is loaded once, however many tasks and versions want it at the same time. */
export function createKeptModels({
  builtin,
  modelDigest,
  skillModel,
  memoryBytes,
  patience,
}: KeptModelsParts): KeptModels {
  const untrained = builtin(null);
  const digests = new Map<string, string | null>();
  const kept = new ByteCache<LanguageModelV4>(memoryBytes);
  const underway = new Map<string, Promise<unknown>>();
  const tails: Promise<unknown>[] = Array.from({ length: lanes }, () => Promise.resolve());
  let loads = 0;

  /** Work that is under way is shared with whoever wants the same. */
  const once = <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const found = underway.get(key);
    if (found) return found as Promise<T>;
    const begun = retryTransient(work, patience).finally(() => underway.delete(key));
    underway.set(key, begun);
    return begun;
  };
  const inLane = <T>(work: () => Promise<T>): Promise<T> => {
    const lane = loads++ % lanes;
    const done = (tails[lane] as Promise<unknown>).then(work);
    tails[lane] = done.catch(() => undefined);
    return done;
  };
  const digestOf = async (scope: Scope, versionId: string, skill: string): Promise<string | null> => {
    const name = `${scope.organization} ${versionId} ${skill}`;
    const known = digests.get(name);
    if (known !== undefined) return known;
    const digest = await once(`digest ${name}`, () => modelDigest(scope, versionId, skill));
    if (digests.size >= mostDigests) digests.clear();
    digests.set(name, digest);
    return digest;
  };

  const find: KeptModels["find"] = async (scope, versionId, skill) => {
    const digest = await digestOf(scope, versionId, skill);
    if (digest === null) return untrained;
    const key = `${scope.organization} ${digest}`;
    const known = kept.get(key);
    if (known) return known;
    return once(`model ${key}`, () =>
      inLane(async () => {
        const learnt = await skillModel(scope, versionId, skill);
        if (learnt === null) throw new Error(`what ${skill} of ${versionId} has learnt is no longer there`);
        const model = builtin(learnt);
        kept.set(key, model, learnt.artifact.byteLength + overheadBytes);
        return model;
      }),
    );
  };
  return {
    untrained,
    find,
    async warm(scope, versionId, skill) {
      if (kept.bytes < memoryBytes / 2) await find(scope, versionId, skill);
    },
    touch({ organization }, versionId, skill) {
      kept.get(`${organization} ${digests.get(`${organization} ${versionId} ${skill}`)}`);
    },
    deleteUnused: (ms) => kept.deleteUnused(performance.now() - ms),
  };
}
