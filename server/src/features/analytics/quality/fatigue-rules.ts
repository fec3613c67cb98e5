import { holmAdjusted, studentCumulative } from "@aos/statistics";

export interface Decision {
  readonly approver: string;
  readonly plain: boolean;
  readonly approved: boolean;
  /** From asking to deciding, in milliseconds. */
  readonly ms: number;
  readonly risk: "low" | "medium" | "high" | "critical";
  /** Whether the task was judged as good later; null: it was not judged. */
  readonly agreed: boolean | null;
}

export type SignKind = "quick" | "never_changes" | "approves_wrong" | "same_time_for_risk";

export interface Sign {
  readonly sign: SignKind;
  readonly text: string;
  readonly n: number;
  readonly observed: number;
  readonly expected: number;
  readonly test: string;
  readonly p_value: number;
  readonly adjusted_p_value: number;
}

export const fatigueRules = {
  /** Decisions of one approver that a test needs, and of all others together to compare with. */
  least: 30,
  /** Of each side of risk. */
  leastOfRisk: 12,
  level: 0.05,
  quickMs: 5_000,
  riskRatio: 1.25,
} as const;

export interface ApproverSigns {
  readonly decided: number;
  readonly enough: boolean;
  readonly signs: readonly Sign[];
}

/**
 * Signs that an approver decides without a look. Every test compares one approver with all others of the window, or with a stated rule, one-sided:
 *
 * - `quick`: approved within five seconds, against the others' share: Fisher's exact test.
 * - `never_changes`: the longest run of plain approvals, against the chance of one as long in as many decisions if each were edited, rejected or sent back as often
 *   as others do (exact recursion over runs, as in Feller 1968, XIII.7).
 * - `approves_wrong`: approved and judged wrong later, against the others' share: Fisher's exact test.
 * - `same_time_for_risk`: Welch's test of log times that high and critical risk take 1.25 times as long as low and medium; a small p-value says that they do not.
 *
 * p-values are adjusted over all tests of all approvers (Holm 1979), so that in one window of 20 with nothing to see some sign is shown, at most. `decisions` are in the
 * order in which they were made.
 */
export function findSigns(decisions: readonly Decision[]): {
  readonly approvers: ReadonlyMap<string, ApproverSigns>;
  readonly questions: number;
} {
  const by = Map.groupBy(decisions, ({ approver }) => approver);
  const tested = [...by].flatMap(([approver, own]) => {
    if (own.length < fatigueRules.least) return [];
    const others = decisions.filter((one) => one.approver !== approver);
    const signs = [quick(own, others), neverChanges(own, others), approvesWrong(own, others), sameTime(own)];
    return signs.flatMap((sign) => (sign === null ? [] : [{ approver, sign }]));
  });
  const adjusted = holmAdjusted(tested.map(({ sign }) => sign.p_value));
  const found = tested.map((one, at) => ({ ...one, p: adjusted[at] as number }));
  const approvers = new Map<string, ApproverSigns>();
  for (const [approver, own] of by) {
    const signs = found
      .filter((one) => one.approver === approver && one.p <= fatigueRules.level)
      .map(({ sign, p }): Sign => ({ ...sign, adjusted_p_value: p }));
    approvers.set(approver, { decided: own.length, enough: found.some((one) => one.approver === approver), signs });
  }
  return { approvers, questions: tested.length };
}

type Tested = Omit<Sign, "adjusted_p_value">;

const count = <T>(rows: readonly T[], is: (row: T) => boolean): number =>
  rows.reduce((sum, row) => sum + Number(is(row)), 0);
const percent = (share: number): string => `${(100 * share).toFixed(share > 0 && share < 0.01 ? 1 : 0)} %`;

function quick(own: readonly Decision[], others: readonly Decision[]): Tested | null {
  const [mine, theirs] = [own, others].map((rows) => rows.filter(({ approved }) => approved)) as [
    Decision[],
    Decision[],
  ];
  const isQuick = ({ ms }: Decision) => ms <= fatigueRules.quickMs;
  return compared(
    "quick",
    [mine, theirs],
    isQuick,
    (observed, expected) =>
      `${observed} of ${mine.length} approvals took five seconds at most; of others ${expected} of ${theirs.length} did.`,
  );
}

function approvesWrong(own: readonly Decision[], others: readonly Decision[]): Tested | null {
  const judged = ({ approved, agreed }: Decision) => approved && agreed !== null;
  const [mine, theirs] = [own.filter(judged), others.filter(judged)];
  return compared(
    "approves_wrong",
    [mine, theirs],
    ({ agreed }) => agreed === false,
    (observed, expected) =>
      `${observed} of ${mine.length} approvals were judged wrong later; of others ${expected} of ${theirs.length} were.`,
  );
}

/** A share against that of others. Null where either side is too small. */
function compared(
  sign: SignKind,
  [mine, theirs]: readonly [readonly Decision[], readonly Decision[]],
  is: (decision: Decision) => boolean,
  text: (observed: number, expected: number) => string,
): Tested | null {
  if (mine.length < fatigueRules.least || theirs.length < fatigueRules.least) return null;
  const [observed, expected] = [count(mine, is), count(theirs, is)];
  return {
    sign,
    text: text(observed, expected),
    n: mine.length,
    test: "Fisher's exact test, one-sided",
    observed: observed / mine.length,
    expected: expected / theirs.length,
    p_value: fisherAtLeast(observed, mine.length, expected, theirs.length),
  };
}

function neverChanges(own: readonly Decision[], others: readonly Decision[]): Tested | null {
  if (others.length < fatigueRules.least) return null;
  let [longest, run] = [0, 0];
  for (const { plain } of own) {
    run = plain ? run + 1 : 0;
    longest = Math.max(longest, run);
  }
  // One more of each than was seen: others who never change anything say little of how rare a long run is.
  const changes = (count(others, ({ plain }) => !plain) + 1) / (others.length + 2);
  return {
    sign: "never_changes",
    n: own.length,
    observed: longest,
    test: "Longest run of independent decisions",
    text: `${longest} approvals in a row without an edit or a rejection; others change ${percent(changes)} of what they are asked.`,
    expected: expectedRun(own.length, changes),
    p_value: runAtLeast(longest, own.length, 1 - changes),
  };
}

function sameTime(own: readonly Decision[]): Tested | null {
  const logs = (high: boolean) =>
    own
      .filter(({ risk }) => (risk === "high" || risk === "critical") === high)
      .map(({ ms }) => Math.log(Math.max(ms, 100)));
  const [high, low] = [logs(true), logs(false)].map(meanOf) as [Mean, Mean];
  if (Math.min(high.n, low.n) < fatigueRules.leastOfRisk) return null;
  const [a, b] = [high.variance / high.n, low.variance / low.n];
  const difference = high.mean - low.mean;
  // Times that do not differ at all have no error; Welch's degrees of freedom need one.
  const error = Math.max(Math.sqrt(a + b), 1e-9);
  const freedom = a + b === 0 ? high.n + low.n - 2 : (a + b) ** 2 / (a ** 2 / (high.n - 1) + b ** 2 / (low.n - 1));
  const ratio = Math.exp(difference);
  return {
    sign: "same_time_for_risk",
    n: high.n + low.n,
    observed: ratio,
    expected: fatigueRules.riskRatio,
    test: "Welch's test of log times, one-sided, against 1.25 times as long",
    text: `${high.n} decisions of high or critical risk took ${ratio.toFixed(2)} times as long as ${low.n} of low or medium risk.`,
    p_value: studentCumulative((difference - Math.log(fatigueRules.riskRatio)) / error, freedom),
  };
}

interface Mean {
  readonly n: number;
  readonly mean: number;
  readonly variance: number;
}

function meanOf(values: readonly number[]): Mean {
  const n = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / n;
  return { n, mean, variance: values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (n - 1) };
}

/** P(at least `a` of `n` | the margins), against `b` of `m`: the upper tail of the hypergeometric distribution. */
export function fisherAtLeast(a: number, n: number, b: number, m: number): number {
  const drawn = a + b;
  const most = Math.min(n, drawn);
  const least = Math.max(0, drawn - m);
  // Weights by their ratio, from the least that can be.
  let [weight, sum, tail] = [1, 0, 0];
  for (let x = least; x <= most; x++) {
    sum += weight;
    if (x >= a) tail += weight;
    weight *= ((n - x) * (drawn - x)) / ((x + 1) * (m - drawn + x + 1));
    if (sum > 1e250) [weight, sum, tail] = [weight / 1e250, sum / 1e250, tail / 1e250];
  }
  return Math.min(1, tail / sum);
}

/** P(some run of at least `length` in `n` independent trials that each succeed with `p`). */
export function runAtLeast(length: number, n: number, p: number): number {
  if (length <= 0) return 1;
  if (length > n) return 0;
  const full = p ** length;
  // without[k]: no such run among the first k trials; a run that ends at k for the first time follows a failure, or begins the trials.
  const without = new Float64Array(n + 1).fill(1);
  for (let k = length; k <= n; k++) {
    const before = k === length ? full : (without[k - length - 1] as number) * (1 - p) * full;
    without[k] = Math.max(0, (without[k - 1] as number) - before);
  }
  return 1 - (without[n] as number);
}

/** The longest run that every second such series has, at least. */
function expectedRun(n: number, changes: number): number {
  let [low, high] = [0, n];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (runAtLeast(middle, n, 1 - changes) >= 0.5) low = middle;
    else high = middle - 1;
  }
  return low;
}
