import type { VersionProgress } from "./progress-store.ts";

/** A skill with the dataset by which the bundle has it trained, `ds_…:1`. */
export interface Lesson {
  readonly skill: string;
  readonly dataset: string | null;
}

/** The version of an agent that an install has come to. */
export interface Candidate {
  readonly version: VersionProgress | null;
  /** The skills that it learnt from what the bundle brings. */
  readonly learnt: ReadonlySet<string>;
}

/**
 * Of the versions that descend from the installed one, the one that learnt most of what the bundle brings; of several, the newest. An installed version that is not
 * known any more stands for the first.
 */
export function candidateOf(
  versions: readonly VersionProgress[],
  installed: string | null,
  lessons: readonly Lesson[],
): Candidate {
  const byNumber = new Map(versions.map((version) => [version.number, version]));
  const root = versions.find(({ id }) => id === installed) ?? versions[0] ?? null;
  let best: Candidate = { version: root, learnt: new Set() };
  for (const version of versions) {
    const learnt = root && learntSince(version, root, byNumber, lessons);
    if (learnt && learnt.size >= best.learnt.size) best = { version, learnt };
  }
  return best;
}

/** What a version learnt on the way from another; null: it does not descend from it. */
function learntSince(
  version: VersionProgress,
  root: VersionProgress,
  byNumber: ReadonlyMap<number, VersionProgress>,
  lessons: readonly Lesson[],
): Set<string> | null {
  const learnt = new Set<string>();
  let at: VersionProgress | undefined = version;
  while (at && at.number > root.number) {
    const { learnt: taught } = at;
    const lesson = taught && lessons.find(({ skill }) => skill === taught.skill);
    if (lesson && (lesson.dataset === null || taught.datasets.includes(lesson.dataset))) learnt.add(lesson.skill);
    at = at.based_on === null ? undefined : byNumber.get(at.based_on);
  }
  return at === root ? learnt : null;
}
