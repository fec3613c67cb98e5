/** An answer of the built-in judgement that people rated. */
export interface RatedAnswer {
  readonly probability: number;
  readonly good: boolean;
}

/** Variance of the shift before anything was rated: ratings move the odds by more than e only where there are several. */
const priorVariance = 1;
/** No number of ratings moves the log odds further: they can be given by anybody who chats. */
const mostShift = 2;

/**
 * What the ratings of an installation add to the log odds: the most probable shift of a logistic curve whose slope is fixed, under a normal prior around 0
 * (Platt scaling of the intercept alone).
 */
export function shiftOf(rated: readonly RatedAnswer[]): number {
  const odds = rated.map(({ probability, good }) => {
    const bounded = Math.min(0.999, Math.max(0.001, probability));
    return { logit: Math.log(bounded / (1 - bounded)), good };
  });
  let shift = 0;
  for (let round = 0; round < 20; round += 1) {
    let [slope, curve] = [-shift / priorVariance, 1 / priorVariance];
    for (const { logit, good } of odds) {
      const p = 1 / (1 + Math.exp(-logit - shift));
      slope += (good ? 1 : 0) - p;
      curve += p * (1 - p);
    }
    shift += slope / curve;
  }
  return Math.min(mostShift, Math.max(-mostShift, shift));
}
