import type { Result } from "../../server/bench/figure.ts";
import { gateConfig } from "../../server/src/kernel/gate/index.ts";
import { startTrustConfig } from "../../server/src/kernel/trust/index.ts";
import { type GateSettings, type RuleShares, releases, simulateReleases } from "./gate.ts";
import { type PeekingError, type PeekingSettings, simulatePeeking } from "./peeking.ts";
import { itemShape } from "./population.ts";
import { drawnModels, type Model, modelSizes } from "./predictions.ts";
import { simulateTrust, type TrustSimulation } from "./trust.ts";

/** How much is simulated. */
export interface Sizes {
  readonly releases: number;
  readonly peeking_runs: number;
  /** Orders of the cases that figures of trust are means over. */
  readonly orders: number;
}

export const fullSizes: Sizes = { releases: 4_000, peeking_runs: 2_000, orders: 20 };
export const quickSizes: Sizes = { releases: 400, peeking_runs: 200, orders: 3 };

/** Everything that was simulated, with all that is needed to have it again. */
export interface Simulation {
  readonly seed: number;
  readonly configuration: object;
  readonly gate: readonly RuleShares[];
  /** Verdicts of the first look on unchanged versions, by tolerance. */
  readonly tolerances: readonly {
    readonly tolerance: number;
    readonly failed: number;
    readonly inconclusive: number;
    readonly open: number;
  }[];
  readonly peeking: readonly PeekingError[];
  readonly trust: TrustSimulation;
  /** What the design asks for, in percent or as it is. */
  readonly results: readonly Result[];
}

const gateSettings: Omit<GateSettings, "releases"> = { items: 200, repeats: 3, max_repeats: 12, tolerance: 0.05, floor: 0.6 };
const peekingSettings: Omit<PeekingSettings, "items" | "runs"> = { looks: 30, tolerance: 0.05, mixed: 0.2 };
const tolerances = [0.02, 0.05] as const;
const peekingItems = [30, 200] as const;

/** Runs all simulations; trust over real predictions where there are some, else over drawn ones. `say` is told what comes next, since it takes a while. */
export function simulate(
  seed: number,
  sizes: Sizes,
  say: (line: string) => void = () => undefined,
  models: readonly Model[] = drawnModels(seed),
): Simulation {
  say("the gate against simpler rules");
  const gate = releases.flatMap((release) => simulateReleases(release, { ...gateSettings, releases: sizes.releases }, seed));
  const byTolerance = tolerances.map((tolerance) => {
    // Without a budget: it is the first look that is asked about.
    const settings = { ...gateSettings, max_repeats: gateSettings.repeats, tolerance, releases: sizes.releases };
    const { failed, inconclusive, open } = shares(simulateReleases(releases[0]!, settings, seed), "gate, first look");
    return { tolerance, failed, inconclusive, open };
  });
  say("the sequential test under peeking");
  const peeking = peekingItems.flatMap((items) =>
    (["stops", "opens"] as const).map((question) =>
      simulatePeeking(question, { ...peekingSettings, items, runs: sizes.peeking_runs }, seed),
    ),
  );
  say("the trust score");
  const trust = simulateTrust(models, sizes.orders, seed);
  const configuration = {
    sizes,
    gate: { ...gateSettings, ...gateConfig, items_solved: itemShape, releases },
    peeking: { ...peekingSettings, items: peekingItems },
    trust: { ...modelSizes, config: startTrustConfig.version, models: models.map(({ name }) => name) },
  };
  return { seed, configuration, gate, tolerances: byTolerance, peeking, trust, results: resultsOf(gate, peeking, trust) };
}

function shares(rows: readonly RuleShares[], rule: RuleShares["rule"]): RuleShares {
  return rows.find((row) => row.rule === rule)!;
}

function resultsOf(gate: readonly RuleShares[], peeking: readonly PeekingError[], trust: TrustSimulation): Result[] {
  const of = (release: number) => gate.filter((row) => row.release === releases[release]!.name);
  const [unchanged, spread] = [of(0), of(1)];
  const percent = (what: string, value: number, bar: number | null, aim: number | null, better: Result["better"]): Result => ({
    what: `${what}, %`, value: 100 * value, unit: "", bar, aim, better,
  }); // biome-ignore format: one result
  return [
    percent("harmless releases stopped, first look", shares(unchanged, "gate, first look").failed, 6, 5, "lower"),
    percent("harmless releases stopped, repeats added", shares(unchanged, "gate, repeats added").failed, 6, 5, "lower"),
    percent("−6.5 points caught, first look", shares(spread, "gate, first look").failed, 90, 93, "higher"),
    percent("−6.5 points caught, repeats added", shares(spread, "gate, repeats added").failed, 90, 93, "higher"),
    percent("the same, some items broken, repeats added", shares(of(2), "gate, repeats added").failed, null, null, "higher"),
    percent("sequential test under peeking, worst error", Math.max(...peeking.map((row) => row.sequential)), 5, 3, "lower"),
    ...trustResults(trust),
  ];
}

/** Bars and aims of the ECE by stream: of a model that learnt from few examples, and of one that learnt from many. */
const eceBars: Readonly<Record<string, readonly [few: readonly [number, number], many: readonly [number, number]]>> = {
  "all judged": [[0.03, 0.026], [0.02, 0.01]],
  "nobody judges": [[0.05, 0.037], [0.025, 0.012]],
  "1,500 honest labels": [[0.04, 0.028], [0.02, 0.01]],
  "wrong ones reported five times as often": [[0.045, 0.032], [0.025, 0.012]],
}; // biome-ignore format: a table

/** The first model learnt from few examples, the last from many. */
function trustResults({ streams, unjudged, strange }: TrustSimulation): Result[] {
  const last = streams.at(-1)?.model;
  const results = streams.flatMap((row): Result[] => {
    const bars = eceBars[row.stream];
    if (!bars || row.own_brier === null) return [];
    const [bar, aim] = bars[row.model === last ? 1 : 0];
    return [
      { what: `ECE of trust, ${row.model}: ${row.stream}`, value: row.ece, unit: "", bar, aim, better: "lower" },
      { what: "   Brier over the model's own", value: row.brier - row.own_brier, unit: "", bar: 0.003, aim: 0, better: "lower" },
    ];
  });
  const moved = Math.max(...unjudged.map(({ now }) => Math.abs(now)));
  const least = Math.min(...strange.map(({ trust }) => trust));
  return [
    ...results,
    { what: "mean trust moved by 3,000 unjudged tasks", value: moved, unit: "", bar: 0.01, aim: 0, better: "lower" },
    { what: "AUROC of trust, other subject against own", value: least, unit: "", bar: 0.9, aim: 0.97, better: "higher" },
  ];
}
