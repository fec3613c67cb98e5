import { type ArmSums, countedArm } from "../../server/src/features/agents/deployments/canaries/compare.ts";
import {
  type CanaryEvidence,
  type CanaryLook,
  dueAt,
  lookAtCanary,
} from "../../server/src/features/agents/deployments/canaries/decide.ts";
import { createRandom, type Random } from "./random.ts";
import { textTable } from "./tables.ts";

/** How canaries whose truth is known fare under the rule that the service applies to them. */

export interface CanarySettings {
  /** Percent of tasks. */
  readonly share: number;
  /** Shares of accepted tasks. */
  readonly stable: number;
  readonly canary: number;
  readonly failed: readonly [stable: number, canary: number];
  /** Chance that people judge a task that they would accept, and one that they would not. */
  readonly judged: readonly [good: number, bad: number];
}

export interface CanaryCase extends CanarySettings {
  readonly name: string;
}

export interface CanaryRow extends CanaryCase {
  readonly runs: number;
  /** Shares of runs. */
  readonly aborted: number;
  readonly aborted_within_300: number;
  readonly promoted: number;
  readonly undecided: number;
  /** Medians at the decision. */
  readonly judged_canary: number;
  readonly judged_stable: number;
}

const rule = { tolerance: 0.05, most_judged: 1_000 };
const usual = { stable: 0.9, failed: [0.02, 0.02], judged: [0.3, 0.3] } as const;
const vocal = { ...usual, judged: [0.1, 0.4] } as const;

export const canaryCases: readonly CanaryCase[] = [10, 50].flatMap((share) => [
  { ...usual, name: "unchanged", share, canary: 0.9 },
  { ...usual, name: "10 points worse", share, canary: 0.8 },
  { ...usual, name: "5 points worse (the tolerance)", share, canary: 0.85 },
  { ...usual, name: "5 points better", share, canary: 0.95 },
  { ...usual, name: "10 points more fail", share, canary: 0.9, failed: [0.02, 0.12] },
  { ...vocal, name: "unchanged, bad ones judged 4 times as often", share, canary: 0.9 },
  { ...vocal, name: "10 points worse, the same", share, canary: 0.8 },
]);

/** One arm as it fills. */
class Arm {
  readonly #accepted: number;
  readonly #failed: number;
  readonly #judges: readonly [number, number];
  judged = 0;
  accepted = 0;
  ended = 0;
  failures = 0;

  constructor(accepted: number, failed: number, judges: readonly [number, number]) {
    this.#accepted = accepted;
    this.#failed = failed;
    this.#judges = judges;
  }

  task(random: Random): void {
    this.ended++;
    if (random.yes(this.#failed) === 1) {
      this.failures++;
      return;
    }
    const good = random.yes(this.#accepted);
    if (random.yes(this.#judges[good === 1 ? 0 : 1]) === 0) return;
    this.judged++;
    this.accepted += good;
  }

  get quality(): ArmSums {
    return countedArm(this.judged, this.accepted);
  }
  get success(): ArmSums {
    return countedArm(this.ended, this.ended - this.failures);
  }
}

function runOnce(settings: CanarySettings, random: Random): { look: CanaryLook; stable: number } {
  const stable = new Arm(settings.stable, settings.failed[0], settings.judged);
  const canary = new Arm(settings.canary, settings.failed[1], settings.judged);
  const looks: CanaryLook[] = [];
  for (;;) {
    const due = dueAt(
      looks.map(({ judged }) => judged),
      rule,
    );
    while (Math.max(canary.judged, canary.failures) < due)
      (random.uniform() * 100 < settings.share ? canary : stable).task(random);
    const evidence: CanaryEvidence = {
      quality: [{ canary: canary.quality, stable: stable.quality }],
      failures: [{ canary: canary.success, stable: stable.success }],
      judged: due,
    };
    const look = lookAtCanary(evidence, looks, rule);
    looks.push(look);
    if (look.verdict !== "undecided" || due >= rule.most_judged) return { look, stable: stable.judged };
  }
}

export function simulateCanary(one: CanaryCase, runs: number, seed: number): CanaryRow {
  const random = createRandom(seed, `canary ${one.name} ${one.share}`);
  const done = Array.from({ length: runs }, () => runOnce(one, random));
  const share = (of: (run: { look: CanaryLook }) => boolean): number => done.filter(of).length / runs;
  const median = (of: (run: { look: CanaryLook; stable: number }) => number): number =>
    done.map(of).sort((a, b) => a - b)[Math.floor(runs / 2)] as number;
  return {
    ...one,
    runs,
    aborted: share(({ look }) => look.verdict === "worse"),
    aborted_within_300: share(({ look }) => look.verdict === "worse" && look.judged <= 300),
    promoted: share(({ look }) => look.verdict === "no_worse"),
    undecided: share(({ look }) => look.verdict === "undecided"),
    judged_canary: median(({ look }) => look.judged),
    judged_stable: median(({ stable }) => stable),
  };
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

export function canaryTable(rows: readonly CanaryRow[], seed: number): string {
  const shares = [...new Set(rows.map(({ share }) => share))];
  const tables = shares.map((share) =>
    textTable(
      [`share ${share} %`, "aborted", "≤ 300 judged", "promoted", "undecided", "judged", "judged, live"],
      rows
        .filter((row) => row.share === share)
        .map((row) => [
          row.name,
          ...[row.aborted, row.aborted_within_300, row.promoted, row.undecided].map(percent),
          String(row.judged_canary),
          String(row.judged_stable),
        ]),
    ),
  );
  const rule = `From .90 accepted and .02 failed; three in ten completed tasks are judged. Tolerance .05, at most 1,000 judged tasks of the canary. Judged: medians at the decision.`;
  return [`${rows[0]?.runs ?? 0} runs each, seed ${seed}. ${rule}`, ...tables].join("\n\n");
}
