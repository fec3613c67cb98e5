import {
  decideGate,
  type GateItem,
  type GateLook,
  type GateVerdictWord,
  looksBy,
  repeatsAt,
} from "../../server/src/kernel/gate/index.ts";
import { createDrop, type DropShape, drawItem } from "./population.ts";
import { createRandom, type Random } from "./random.ts";

/** How a rule treats releases whose truth is known. */

export interface GateSettings {
  readonly items: number;
  readonly repeats: number;
  /** Repeats up to which an inconclusive decision grows. */
  readonly max_repeats: number;
  readonly tolerance: number;
  readonly floor: number;
  readonly releases: number;
}

export interface Release {
  readonly name: string;
  readonly drop: number;
  readonly shape: DropShape;
}

export const releases: readonly Release[] = [
  { name: "unchanged", drop: 0, shape: "spread" },
  { name: "−6.5 points, every item a little", drop: 0.065, shape: "spread" },
  { name: "−6.5 points, some items broken", drop: 0.065, shape: "broken" },
];

/** What a rule says of a release: it stops it, lets it go, or asks people. */
export type RuleWord = GateVerdictWord;

export const rules = [
  "any drop blocks",
  "2 sigma, unpaired",
  "mean below tolerance",
  "gate, first look",
  "gate, repeats added",
  "gate, ten reruns",
] as const;
export type Rule = (typeof rules)[number];

export interface RuleShares {
  readonly release: string;
  readonly rule: Rule;
  /** Shares of releases, in [0, 1]. */
  readonly failed: number;
  readonly inconclusive: number;
  readonly open: number;
  /** Mean repeats per item that the decision took. */
  readonly repeats: number;
  /** Share of releases that were open at any time, though they may have failed later. */
  readonly ever_open: number;
}

/** An item of a dataset with what both versions scored on it so far. */
class DrawnItem implements GateItem {
  readonly item: string;
  readonly candidate: (0 | 1)[] = [];
  readonly deployed: (0 | 1)[] = [];
  readonly #solved: { readonly deployed: number; readonly candidate: number };

  constructor(item: string, change: (p: number, random: Random) => number, random: Random) {
    this.item = item;
    const deployed = drawItem(random);
    this.#solved = { deployed, candidate: change(deployed, random) };
  }

  repeat(times: number, random: Random): void {
    for (let time = 0; time < times; time++) {
      this.deployed.push(random.yes(this.#solved.deployed));
      this.candidate.push(random.yes(this.#solved.candidate));
    }
  }
}

const reruns = 10;

/** What looks come to one after the other: the first that fails is final, and one that opens holds until then. */
function verdictOf(looks: readonly GateLook[]): GateVerdictWord {
  if (looks.some(({ verdict }) => verdict === "failed")) return "failed";
  return looks.some(({ verdict }) => verdict === "open") ? "open" : "inconclusive";
}

/**
 * The gate as the service runs it: repeats are added while the answer is open and the budget lasts; and if somebody has the evaluation run again ten times
 * over, `opened` says whether the gate was ever open.
 */
function decideGrowing(items: readonly DrawnItem[], settings: GateSettings, random: Random) {
  const { floor, tolerance, repeats, max_repeats } = settings;
  const planned = looksBy(max_repeats, repeats);
  const most = repeatsAt(planned + reruns, repeats);
  for (const item of items) item.repeat(most - item.candidate.length, random);
  const rule = { floor, tolerance, repeats, max_repeats };
  const { looks } = decideGate({
    rule,
    compared: true,
    repeats: most,
    scorers: [{ scorer: "solved", pass_at: 1, items }],
  });
  const settled = looks.findIndex(({ look, verdict }) => verdict !== "inconclusive" || look === planned);
  const grown = looks.slice(0, settled + 1);
  return {
    first: verdictOf(looks.slice(0, 1)),
    last: verdictOf(grown),
    repeats: grown.at(-1)!.repeats,
    rerun: verdictOf(looks),
    opened: looks.some(({ verdict }) => verdict === "open"),
  };
}

/** Rules that people use instead, on the first repeats. */
function naive(
  drawn: readonly DrawnItem[],
  { repeats, tolerance }: GateSettings,
): Record<"any" | "sigma" | "tolerance", RuleWord> {
  const mean = (of: (item: DrawnItem) => readonly number[]) =>
    drawn.reduce((sum, item) => sum + of(item).reduce((a, b) => a + b, 0), 0) / (drawn.length * repeats);
  const [before, after] = [mean((item) => item.deployed), mean((item) => item.candidate)];
  const runs = drawn.length * repeats;
  const sigma = Math.sqrt((before * (1 - before) + after * (1 - after)) / runs);
  const stops = (holds: boolean): RuleWord => (holds ? "failed" : "open");
  return {
    any: stops(after < before),
    sigma: stops(after - before < -2 * sigma),
    tolerance: stops(after - before < -tolerance),
  };
}

/** Shares of verdicts of every rule over many releases of one kind. */
export function simulateReleases(release: Release, settings: GateSettings, seed: number): RuleShares[] {
  const random = createRandom(seed, `gate ${release.name} ${settings.items} ${settings.tolerance}`);
  const change = createDrop(release.drop, release.shape);
  const words = new Map<Rule, RuleWord[]>(rules.map((rule) => [rule, []]));
  let [repeats, opened] = [0, 0];
  for (let round = 0; round < settings.releases; round++) {
    const items = Array.from({ length: settings.items }, (_, index) => new DrawnItem(String(index), change, random));
    for (const item of items) item.repeat(settings.repeats, random);
    const plain = naive(items, settings);
    const grown = decideGrowing(items, settings, random);
    repeats += grown.repeats;
    if (grown.opened) opened++;
    const said: Record<Rule, RuleWord> = {
      "any drop blocks": plain.any,
      "2 sigma, unpaired": plain.sigma,
      "mean below tolerance": plain.tolerance,
      "gate, first look": grown.first,
      "gate, repeats added": grown.last,
      "gate, ten reruns": grown.rerun,
    };
    for (const rule of rules) words.get(rule)!.push(said[rule]);
  }
  return rules.map((rule) => {
    const share = (word: RuleWord) => words.get(rule)!.filter((one) => one === word).length / settings.releases;
    const used = rule === "gate, repeats added" ? repeats / settings.releases : settings.repeats;
    const all = repeatsAt(looksBy(settings.max_repeats, settings.repeats) + reruns, settings.repeats);
    return {
      release: release.name,
      rule,
      failed: share("failed"),
      inconclusive: share("inconclusive"),
      open: share("open"),
      repeats: rule === "gate, ten reruns" ? all : used,
      ever_open: rule === "gate, ten reruns" ? opened / settings.releases : share("open"),
    };
  });
}
