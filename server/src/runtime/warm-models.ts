import type { Scope } from "../kernel/principal.ts";
import type { KeptModels } from "./kept-models.ts";

/** A version that is live, with where it is. */
interface LiveVersion {
  readonly scope: Scope;
  readonly version: {
    readonly id: string;
    readonly definition: { readonly model: { readonly provider: string } };
    readonly skills: ReadonlyMap<string, unknown>;
  };
}

export interface ModelWarmerParts {
  /** All versions that are live; the same list until one changes. */
  readonly liveVersions: () => readonly LiveVersion[];
  /** Loads what the version's skill has learnt, if there is room for it. */
  readonly warm: (scope: Scope, versionId: string, skill: string) => Promise<void>;
  /** Models in memory, of which those of live versions always count as used. */
  readonly kept: Pick<KeptModels, "touch" | "deleteUnused">;
  readonly report: (error: unknown) => void;
}

/** How often it is looked whether something else is live (milliseconds). */
const lookEvery = 250;
/** How often unused models are looked for, and how long one is kept that no live version needs (milliseconds): a version that was evaluated, or was live before. */
const tidyEvery = 60_000;
const unusedFor = 30 * 60_000;

/** Loads the built-in models of what is live before a task asks for them: at the start of the process, and as versions are deployed. Each version once. */
export function createModelWarmer({ liveVersions, warm, kept, report }: ModelWarmerParts) {
  const seen = new Set<string>();
  let [timer, tidying]: NodeJS.Timeout[] = [];
  let [looked, stopped]: [readonly LiveVersion[] | null, boolean] = [null, false];

  const look = async (): Promise<void> => {
    const live = liveVersions();
    if (live === looked) return;
    looked = live;
    for (const { scope, version } of live) {
      if (stopped) return;
      const key = `${scope.organization} ${version.id}`;
      if (version.definition.model.provider !== "builtin" || seen.has(key)) continue;
      seen.add(key);
      for (const skill of version.skills.keys()) await warm(scope, version.id, skill);
    }
  };
  const tidy = (): void => {
    for (const { scope, version } of liveVersions())
      for (const skill of version.skills.keys()) kept.touch(scope, version.id, skill);
    kept.deleteUnused(unusedFor);
  };
  const again = (): void => {
    timer = setTimeout(
      () =>
        void look()
          .catch(report)
          .finally(() => (stopped ? undefined : again())),
      lookEvery,
    ).unref();
  };
  return {
    start() {
      again();
      tidying = setInterval(tidy, tidyEvery).unref();
    },
    stop(): void {
      stopped = true;
      clearTimeout(timer);
      clearInterval(tidying);
    },
  };
}
