import {
  aggregateEvidence,
  type Calibration,
  type CalibrationFit,
  type Channel,
  type EvidenceItem,
  type Feature,
  fitCalibration,
  identityCalibration,
  type PreparedEvidence,
  prepareEvidence,
  reliabilityCurve,
  scoreTrust,
  sourceQuality,
  startTrustConfig,
  type TrustFeatures,
  type TrustLabel,
} from "../../server/src/kernel/trust/index.ts";
import { createRandom, type Random } from "./random.ts";

/** How well trust scores say what happens, in worlds whose truth is known. */

export interface World {
  readonly name: string;
  /** True logits per feature; the score supposes those of its configuration. */
  readonly theta: Readonly<Partial<Record<Feature, number>>>;
  /** By how many logits live tasks are harder than the cases that evidence was won on. */
  readonly harder: number;
  /** Standard deviation, in logits, of what makes tasks differ and no feature tells. */
  readonly unseen: number;
  /** Share of the tasks that are not acceptable and end as completed all the same. */
  readonly silent: number;
  /** Who scores evaluations: code that is right, or a model judge with these rates that nobody has measured. */
  readonly judge: { readonly tpr: number; readonly tnr: number } | null;
}

export const worlds: readonly World[] = [
  { name: "well specified", theta: startTrustConfig.theta, harder: 0, unseen: 0, silent: 0, judge: null },
  { name: "biased judge", theta: startTrustConfig.theta, harder: 0, unseen: 0, silent: 0, judge: { tpr: 0.97, tnr: 0.45 } },
  {
    name: "mis-specified",
    theta: { uncertainty: -6, ungrounded: -0.3, novelty: -1.5 },
    harder: 0.5,
    unseen: 0.7,
    silent: 0.8,
    judge: null,
  },
  {
    ...{ name: "mis-specified, biased judge", theta: { uncertainty: -6, ungrounded: -0.3, novelty: -1.5 } },
    ...{ harder: 0.5, unseen: 0.7, silent: 0.8, judge: { tpr: 0.97, tnr: 0.45 } },
  },
];

export interface TrustSettings {
  readonly agents: number;
  /** Live tasks per agent on which calibration is measured. */
  readonly tasks: number;
  /** Items of evidence per agent and channel. */
  readonly evidence: number;
  /** Numbers of labels to fit to; 0: none. */
  readonly labels: readonly number[];
}

export interface TrustQuality {
  readonly world: string;
  readonly labels: number;
  /** Mean over agents of the expected calibration error against true probabilities, and its 90 % quantile. */
  readonly ece: number;
  readonly ece_p90: number;
  /** The same with the tasks of all agents in one curve. */
  readonly ece_pooled: number;
  readonly brier: number;
  /** Share of agents whose calibration was adopted. */
  readonly adopted: number;
}

interface LiveTask {
  readonly features: TrustFeatures;
  /** True probability of being accepted. */
  readonly p: number;
}

interface Agent {
  readonly prepared: PreparedEvidence;
  readonly tasks: readonly LiveTask[];
  readonly labels: readonly TrustLabel[];
}

const sigma = (z: number) => 1 / (1 + Math.exp(-z));
const logit = (p: number) => Math.log(p / (1 - p));
const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Quality of the scores in one world, after each number of labels. */
export function simulateTrust(world: World, settings: TrustSettings, seed: number): TrustQuality[] {
  const random = createRandom(seed, `trust ${world.name}`);
  const agents = Array.from({ length: settings.agents }, () => drawAgent(world, settings, random));
  return settings.labels.map((count) => {
    const fits = agents.map((agent): CalibrationFit => fitCalibration(agent.labels.slice(0, count)));
    const scored = agents.map((agent, index) => scoresOf(agent, fits[index]!.calibration));
    const errors = scored.map((one) => reliabilityCurve(one).ece!).sort((a, b) => a - b);
    const all = scored.flat();
    return {
      world: world.name,
      labels: count,
      ece: meanOf(errors),
      ece_p90: errors[Math.floor(0.9 * errors.length)]!,
      ece_pooled: reliabilityCurve(all).ece!,
      // Against true probabilities a score misses by (T − p)², and chance adds p (1 − p), whoever scores.
      brier: meanOf(all.map(({ score, outcome }) => (score - outcome) ** 2 + outcome * (1 - outcome))),
      adopted: meanOf(fits.map(({ adopted }) => (adopted ? 1 : 0))),
    };
  });
}

function scoresOf({ prepared, tasks }: Agent, calibration: Calibration) {
  return tasks.map(({ features, p }) => ({ score: scoreTrust(prepared, features, calibration, startTrustConfig).score, outcome: p }));
}

function drawAgent(world: World, settings: TrustSettings, random: Random): Agent {
  const { kappa, m0 } = startTrustConfig;
  const skill = Math.min(0.999, Math.max(0.001, random.beta(kappa * m0, kappa * (1 - m0))));
  const prepared = prepareEvidence(
    aggregateEvidence(drawEvidence(skill, world, settings.evidence, random), 0, startTrustConfig),
    startTrustConfig,
  );
  const labels = Array.from({ length: Math.max(...settings.labels) }, (): TrustLabel => {
    const { features, p } = drawTask(skill, world, random);
    return { z: scoreTrust(prepared, features, identityCalibration, startTrustConfig).z, outcome: random.yes(p) };
  });
  return { prepared, labels, tasks: Array.from({ length: settings.tasks }, () => drawTask(skill, world, random)) };
}

/** A live task: what its features say, and how likely it really is to be accepted. */
function drawTask(skill: number, world: World, random: Random): LiveTask {
  const features: TrustFeatures = {
    uncertainty: random.beta(1.2, 3),
    ungrounded: random.beta(1, 4),
    novelty: random.beta(1, 3),
    ...(random.uniform() < 0.05 ? { findings: 1 } : {}),
    ...(random.uniform() < 0.2 ? { human_approved: 1 } : {}),
  };
  let z = logit(skill) - world.harder + world.unseen * random.normal();
  for (const [feature, x] of Object.entries(features)) z += (world.theta[feature as Feature] ?? 0) * x;
  return { features, p: sigma(z) };
}

/** Evidence as an agent of this skill wins it. */
function drawEvidence(skill: number, world: World, count: number, random: Random): EvidenceItem[] {
  const { judge, silent } = world;
  const quality = judge === null ? 1 : sourceQuality({ kind: "judge", rates: null }, startTrustConfig);
  const judged = (good: 0 | 1) => (judge === null ? good : random.yes(good ? judge.tpr : 1 - judge.tnr));
  const item = (channel: Channel, y: number, q: number): EvidenceItem => ({ channel, y, at: 0, v: 1, q });
  return Array.from({ length: count }, () => [
    item("evaluations", judged(random.yes(skill)), quality),
    item("runs", random.yes(skill) || random.yes(silent), 1),
    item("approvals", random.yes(skill), 1),
  ]).flat();
}
