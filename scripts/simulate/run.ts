import type { Result } from "../../server/bench/figure.ts";
import { gateConfig } from "../../server/src/kernel/gate/index.ts";
import { startTrustConfig } from "../../server/src/kernel/trust/index.ts";
import { type GateSettings, type RuleShares, releases, simulateReleases } from "./gate.ts";
import { itemShape } from "./population.ts";
import { drawnModels, type Model, modelSizes } from "./predictions.ts";
import { simulateTrust, type TrustSimulation } from "./trust.ts";

/** How much is simulated. */
export interface Sizes {
  readonly releases: number;
  /** Orders of the cases that figures of trust are means over. */
  readonly orders: number;
}

export const fullSizes: Sizes = { releases: 4_000, orders: 20 };
export const quickSizes: Sizes = { releases: 400, orders: 3 };

/** Everything that was simulated, with all that is needed to have it again. */
export interface Simulation {
  readonly seed: number;
  readonly configuration: object;
  readonly gate: readonly RuleShares[];
  /** Verdicts on unchanged versions, by tolerance. */
  readonly tolerances: readonly {
    readonly tolerance: number;
    readonly failed: number;
    readonly inconclusive: number;
    readonly open: number;
  }[];
  readonly trust: TrustSimulation;
  /** What the design asks for, in percent or as it is. */
  readonly results: readonly Result[];
}

const gateSettings: Omit<GateSettings, "releases"> = {
  items: 200,
  repeats: 3,
  max_repeats: 12,
  tolerance: 0.05,
  floor: 0.6,
};
const tolerances = [0.02, 0.05] as const;

/** Runs all simulations; trust over real predictions where there are some, else over drawn ones. `say` hears what comes next, since it takes a while. */
export function simulate(
  seed: number,
  sizes: Sizes,
  say: (line: string) => void = () => undefined,
  models: readonly Model[] = drawnModels(seed),
): Simulation {
  say("the gate against simpler rules");
  const gate = releases.flatMap((release) =>
    simulateReleases(release, { ...gateSettings, releases: sizes.releases }, seed),
  );
  const byTolerance = tolerances.map((tolerance) => {
    const settings = { ...gateSettings, tolerance, releases: sizes.releases };
    const { failed, inconclusive, open } = shares(
      simulateReleases(releases[0]!, settings, seed),
      "gate, repeats added",
    );
    return { tolerance, failed, inconclusive, open };
  });
  say("the trust score");
  const trust = simulateTrust(models, sizes.orders, seed);
  const configuration = {
    sizes,
    gate: { ...gateSettings, ...gateConfig, items_solved: itemShape, releases },
    trust: { ...modelSizes, config: startTrustConfig.version, models: models.map(({ name }) => name) },
  };
  return { seed, configuration, gate, tolerances: byTolerance, trust, results: resultsOf(gate, trust) };
}

function shares(rows: readonly RuleShares[], rule: RuleShares["rule"]): RuleShares {
  return rows.find((row) => row.rule === rule)!;
}

function resultsOf(gate: readonly RuleShares[], trust: TrustSimulation): Result[] {
  const of = (release: number) => gate.filter((row) => row.release === releases[release]!.name);
  const [unchanged, spread] = [of(0), of(1)];
  const percent = (
    what: string,
    value: number,
    bar: number | null,
    aim: number | null,
    better: Result["better"],
  ): Result => ({
    what: `${what}, %`,
    value: 100 * value,
    unit: "",
    bar,
    aim,
    better,
  });
  return [
    percent(
      "harmless releases stopped, repeats added",
      shares(unchanged, "gate, repeats added").failed,
      5,
      3.5,
      "lower",
    ),
    percent("−6.5 points caught, repeats added", shares(spread, "gate, repeats added").failed, 97, 99, "higher"),
    percent("the same, some items broken", shares(of(2), "gate, repeats added").failed, 92, 95, "higher"),
    percent("−6.5 points opened by up to ten reruns", shares(spread, "gate, ten reruns").ever_open, 1, 0.5, "lower"),
    percent("the same, some items broken", shares(of(2), "gate, ten reruns").ever_open, 1, 0.5, "lower"),
    ...trustResults(trust),
  ];
}

/** Bars and aims of the ECE by stream: of a model that learnt from few examples, and of one that learnt from many. */
const eceBars: Readonly<Record<string, readonly [few: readonly [number, number], many: readonly [number, number]]>> = {
  "all judged": [
    [0.03, 0.026],
    [0.02, 0.01],
  ],
  "nobody judges": [
    [0.05, 0.037],
    [0.025, 0.012],
  ],
  "1,500 honest labels": [
    [0.04, 0.028],
    [0.02, 0.01],
  ],
  "wrong ones reported five times as often": [
    [0.045, 0.032],
    [0.025, 0.012],
  ],
};

/** The first model learnt from few examples, the last from many. */
function trustResults({ streams, unjudged, strange }: TrustSimulation): Result[] {
  const last = streams.at(-1)?.model;
  const results = streams.flatMap((row): Result[] => {
    const bars = eceBars[row.stream];
    if (!bars || row.own_brier === null) return [];
    const [bar, aim] = bars[row.model === last ? 1 : 0];
    return [
      { what: `ECE of trust, ${row.model}: ${row.stream}`, value: row.ece, unit: "", bar, aim, better: "lower" },
      {
        what: "   Brier over the model's own",
        value: row.brier - row.own_brier,
        unit: "",
        bar: 0.003,
        aim: 0,
        better: "lower",
      },
    ];
  });
  const moved = Math.max(...unjudged.map(({ now }) => Math.abs(now)));
  const least = Math.min(...strange.map(({ trust }) => trust));
  return [
    ...results,
    { what: "mean trust moved by 3,000 unjudged tasks", value: moved, unit: "", bar: 0.01, aim: 0, better: "lower" },
    {
      what: "AUROC of trust, other subject against own",
      value: least,
      unit: "",
      bar: 0.9,
      aim: 0.97,
      better: "higher",
    },
  ];
}
