import { first } from "../../../../db/scoped.ts";
import type { CallContext, ReadContext } from "../../../../kernel/context.ts";
import type { Reader } from "../../../../kernel/db.ts";
import { isId } from "../../../../kernel/ids.ts";
import { agentFacts } from "../../facts.ts";
import { type DeploymentRow, deploymentsWhere } from "../store.ts";
import { armInterval } from "./compare.ts";
import { type CanaryEvidence, type CanaryOutlook, outlookOf, total } from "./decide.ts";
import { canaryHold } from "./rules.ts";
import { type ArmFigures, type LookRow, listLooks, readArms, readEvidence, ruleOf } from "./store.ts";

interface ArmInterval {
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly n: number;
}

export interface ExperimentArm extends ArmFigures {
  readonly deployment_id: string | null;
  readonly version: number;
  readonly version_id: string;
  readonly accepted: ArmInterval;
  readonly succeeded: ArmInterval;
}

export interface Experiment {
  readonly canary: DeploymentRow;
  readonly arms: { readonly canary: ExperimentArm; readonly stable: ExperimentArm };
  readonly looks: readonly LookRow[];
  readonly judged: number;
  readonly outlook: CanaryOutlook;
  /** The kill switch that keeps new tasks from the canary. */
  readonly held: string | null;
}

type Here = CallContext & { readonly db: Reader };

export async function findExperiment(ctx: Here, id: string): Promise<DeploymentRow | undefined> {
  if (!isId(id, "dep")) return undefined;
  return first<DeploymentRow>(ctx, deploymentsWhere(ctx).where("d.id", "=", id).where("d.mode", "=", "canary"));
}

/** Both arms, the looks so far and the outlook. */
export async function readExperiment(ctx: ReadContext, canary: DeploymentRow): Promise<Experiment> {
  const evidence = await readEvidence(ctx, canary);
  const looks = await listLooks(ctx, canary.id);
  const stable = await first<DeploymentRow>(ctx, deploymentsWhere(ctx).where("d.id", "=", canary.stable ?? ""));
  const figures = await readArms(ctx, canary.id);
  const arm = (row: DeploymentRow | undefined, side: "canary" | "stable"): ExperimentArm => ({
    ...(figures.get(row?.version_id ?? "") ?? noFigures),
    deployment_id: row?.id ?? null,
    version: row?.version_number ?? 0,
    version_id: row?.version_id ?? "",
    ...intervalsOf(evidence, side),
  });
  const arms = { canary: arm(canary, "canary"), stable: arm(stable, "stable") };
  const known = ctx.facts.get(agentFacts).find(ctx.scope, canary.agent);
  const held = known?.canary?.deploymentId === canary.id ? canaryHold(ctx, known) : null;
  const outlook = outlookOf(evidence, looks, ruleOf(canary));
  return { canary, arms, looks, judged: evidence.judged, outlook, held: held?.detail ?? null };
}

const noFigures: ArmFigures = {
  tasks: 0,
  open: 0,
  completed: 0,
  failed: 0,
  judged: 0,
  trust_mean: null,
  cost_per_task: null,
  duration_p50: null,
  duration_p90: null,
};

function intervalsOf(evidence: CanaryEvidence, side: "canary" | "stable") {
  const of = (stages: CanaryEvidence["quality"]): ArmInterval => {
    const arm = total(stages, side);
    return { ...armInterval(arm), n: arm.tasks };
  };
  return { accepted: of(evidence.quality), succeeded: of(evidence.failures) };
}
