import type { Evidence } from "../../server/src/features/knowledge/search/evidence.ts";
import { fitWeights, type Labelled, probability, type Weights } from "./fit.ts";
import type { Sample } from "./gather.ts";

export interface Answerability {
  /** That the first page answers. */
  readonly first: Weights;
  /** That one of the first three does. */
  readonly three: Weights;
  readonly quoted: number;
  readonly listed: number;
}

type Label = "first" | "three";
type Judged = Sample & { readonly chances: Readonly<Record<Label, number>> };

/** How much each kind of question counts beside those that a base answers; each base counts alike. */
const shares = { right: 1, near: 0.35, elsewhere: 0.5 } as const;
const each = 200;
/** Judged by fits without their base: of the pages quoted, those that are right; of the questions from elsewhere, those that are refused, on average over the bases. */
const wanted = { quoted: 0.8, refused: 0.9 } as const;

function labelled(samples: readonly Sample[], label: Label): Labelled[] {
  const groups = Map.groupBy(samples, ({ base, kind }) => `${base} ${kind}`);
  return samples.flatMap((sample) => {
    const { evidence } = sample;
    const alike = groups.get(`${sample.base} ${sample.kind}`)?.length ?? 1;
    return evidence ? [{ evidence, is: sample[label], weight: (each * shares[sample.kind]) / alike }] : [];
  });
}

const judgedBy = (samples: readonly Sample[], models: Readonly<Record<Label, Weights>>): Judged[] =>
  samples.map((sample) => ({
    ...sample,
    chances: { first: chance(models.first, sample.evidence), three: chance(models.three, sample.evidence) },
  }));

const chance = (weights: Weights, evidence: Evidence | null): number => (evidence ? probability(weights, evidence) : 0);

const modelsOf = (samples: readonly Sample[]) => ({
  first: fitWeights(labelled(samples, "first")),
  three: fitWeights(labelled(samples, "three")),
});

/** Small bases are made of a whole one. */
const familyOf = ({ base }: Sample): string => base.replace(/-small$/, "");

/** Judges each base by a fit on the others, chooses the thresholds on that, and fits on all. */
export function chooseAnswerability(samples: readonly Sample[]): {
  readonly chosen: Answerability;
  readonly leftOut: readonly Judged[];
} {
  const bases = [...new Set(samples.map(familyOf))];
  const leftOut = bases.flatMap((base) =>
    judgedBy(
      samples.filter((one) => familyOf(one) === base),
      modelsOf(samples.filter((one) => familyOf(one) !== base)),
    ),
  );
  const right = leftOut.filter(({ kind }) => kind === "right");
  const quoted = lowest(
    (threshold) =>
      share(
        right.filter(({ chances }) => chances.first >= threshold),
        (one) => one.first,
      ) >= wanted.quoted,
  );
  const listed = lowest((threshold) => {
    const refused = bases.map((base) => {
      const strange = leftOut.filter((one) => familyOf(one) === base && one.kind === "elsewhere");
      return share(strange, ({ chances }) => chances.first < quoted && chances.three < threshold);
    });
    return refused.reduce((sum, one) => sum + one, 0) / bases.length >= wanted.refused;
  });
  return { chosen: { ...modelsOf(samples), quoted, listed }, leftOut };
}

function share<T>(all: readonly T[], is: (one: T) => boolean): number {
  return all.length === 0 ? 0 : all.filter(is).length / all.length;
}

/** From above, the last threshold at which it still holds. */
function lowest(holds: (threshold: number) => boolean): number {
  let found = 0.95;
  for (let threshold = 0.95; threshold > 0.05; threshold -= 0.01) if (holds(threshold)) found = threshold;
  return Number(found.toFixed(2));
}

/** What a set of questions came to: quoted right and wrong, listed with the right page and without, refused. */
export function outcomes(samples: readonly Sample[], { first, three, quoted, listed }: Answerability): string {
  const judged = judgedBy(samples, { first, three });
  return outcomesOf(judged, quoted, listed);
}

export function outcomesOf(judged: readonly Judged[], quoted: number, listed: number): string {
  const quotes = judged.filter(({ chances }) => chances.first >= quoted);
  const lists = judged.filter(({ chances }) => chances.first < quoted && chances.three >= listed);
  const right = quotes.filter((one) => one.first).length;
  const among = lists.filter((one) => one.three).length;
  const refused = judged.length - quotes.length - lists.length;
  return [judged.length, right, quotes.length - right, among, lists.length - among, refused].join(" | ");
}
