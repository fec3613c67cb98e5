import type { Result } from "../../server/bench/figure.ts";
import { gateConfig } from "../../server/src/kernel/gate/index.ts";
import { startCalibrationRule, startTrustConfig } from "../../server/src/kernel/trust/index.ts";
import { type GateSettings, type RuleShares, releases, simulateReleases } from "./gate.ts";
import { itemShape } from "./population.ts";
import { simulateTrust, type TrustQuality, type TrustSettings, worlds } from "./trust.ts";

/** How much is simulated. */
export interface Sizes {
  readonly releases: number;
  readonly agents: number;
  readonly tasks: number;
  /** Numbers of labels; 0 and 200 are among them. */
  readonly labels: readonly number[];
}

export const fullSizes: Sizes = { releases: 4_000, agents: 80, tasks: 250, labels: [0, 200, 1000] };
export const quickSizes: Sizes = { releases: 400, agents: 20, tasks: 150, labels: [0, 200] };

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
  readonly trust: readonly TrustQuality[];
  /** What the design asks for, in percent or as it is. */
  readonly results: readonly Result[];
}

const gateSettings: Omit<GateSettings, "releases"> = { items: 200, repeats: 3, max_repeats: 12, tolerance: 0.05, floor: 0.6 };
const trustSettings: Pick<TrustSettings, "evidence"> = { evidence: 30 };
const tolerances = [0.02, 0.05] as const;

/** Runs all simulations. `say` is told what comes next, since it takes a while. */
export function simulate(seed: number, sizes: Sizes, say: (line: string) => void = () => undefined): Simulation {
  say("the gate against simpler rules");
  const gate = releases.flatMap((release) => simulateReleases(release, { ...gateSettings, releases: sizes.releases }, seed));
  const byTolerance = tolerances.map((tolerance) => {
    const settings = { ...gateSettings, tolerance, releases: sizes.releases };
    const { failed, inconclusive, open } = shares(simulateReleases(releases[0]!, settings, seed), "gate, repeats added");
    return { tolerance, failed, inconclusive, open };
  });
  say("the trust score");
  const trust = worlds.flatMap((world) => simulateTrust(world, { ...trustSettings, ...sizes }, seed));
  const configuration = {
    sizes,
    gate: { ...gateSettings, ...gateConfig, items_solved: itemShape, releases },
    trust: { ...trustSettings, ...startCalibrationRule, config: startTrustConfig.version, worlds },
  };
  return { seed, configuration, gate, tolerances: byTolerance, trust, results: resultsOf(gate, trust) };
}

function shares(rows: readonly RuleShares[], rule: RuleShares["rule"]): RuleShares {
  return rows.find((row) => row.rule === rule)!;
}

function resultsOf(gate: readonly RuleShares[], trust: readonly TrustQuality[]): Result[] {
  const of = (release: number) => gate.filter((row) => row.release === releases[release]!.name);
  const [unchanged, spread] = [of(0), of(1)];
  const percent = (what: string, value: number, bar: number | null, aim: number | null, better: Result["better"]): Result => ({
    what: `${what}, %`, value: 100 * value, unit: "", bar, aim, better,
  }); // biome-ignore format: one result
  const worst = worlds.at(-1)!.name;
  const ece = trust.find((row) => row.world === worst && row.labels === 200)!.ece;
  return [
    percent("harmless releases stopped, repeats added", shares(unchanged, "gate, repeats added").failed, 5, 3.5, "lower"),
    percent("−6.5 points caught, repeats added", shares(spread, "gate, repeats added").failed, 97, 99, "higher"),
    percent("the same, some items broken", shares(of(2), "gate, repeats added").failed, 92, 95, "higher"),
    percent("−6.5 points opened by up to ten reruns", shares(spread, "gate, ten reruns").ever_open, 1, 0.5, "lower"),
    percent("the same, some items broken", shares(of(2), "gate, ten reruns").ever_open, 1, 0.5, "lower"),
    { what: `ECE of trust after 200 labels, ${worst}`, value: ece, unit: "", bar: 0.06, aim: 0.04, better: "lower" },
  ];
}
