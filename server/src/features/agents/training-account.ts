import { asEarlier, type Decider, storedActor, unite } from "../../kernel/actor.ts";
import type { CallContext, WriteContext } from "../../kernel/context.ts";
import type { Statements } from "../../kernel/machines.ts";
import { resolveActor } from "../admin/public.ts";
import { trainingSources } from "./ports.ts";
import { TRAINING_LIMITS } from "./training-schemas.ts";
import { datasetsOf, type TrainingRequestText, type TrainingRow } from "./training-store.ts";

// In whose name a training works, and who decided what it makes.

/** Why a training may not go on in the name of whoever started it; null: it may. */
export async function whyTrainerMayNot(
  ctx: Pick<CallContext, "scope" | "now"> & { readonly db: Statements },
  { actor, agent }: TrainingRow,
): Promise<string | null> {
  if (actor === null) return "nobody is recorded who started it";
  return (await resolveActor(ctx, storedActor(actor), "agents:write", [agent])).stopped ?? null;
}

/** Who decided the version that a training makes (`object`): who started it, and who decided the datasets and the feedback that it learnt from. */
export async function decidersOfTraining(ctx: WriteContext, job: TrainingRow, object: string): Promise<Decider[]> {
  const { datasets, corrected } = sourcesOf(job);
  const sources = trainingSources();
  const trainers = asEarlier(storedActor(job.actor).persons, "trained", object);
  const authors: (readonly Decider[])[] = [];
  for (const { id, version } of datasets) authors.push(await sources.authorsOf(ctx, id, version));
  const { agent, skill } = job;
  const most = TRAINING_LIMITS.feedback;
  const teachers = corrected === null ? [] : await sources.listTeachers(ctx, { agent, skill, before: corrected, most });
  const lessons = teachers.map(({ id, at }) => ({
    id,
    how: "corrected" as const,
    of: object,
    at: at.toISOString(),
  }));
  return unite(trainers, ...authors, lessons);
}

function sourcesOf({ request }: TrainingRow) {
  const text = JSON.parse(request) as TrainingRequestText;
  return { datasets: datasetsOf(text), corrected: text.feedback_before };
}
