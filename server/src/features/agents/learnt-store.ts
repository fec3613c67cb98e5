import type { CallContext } from "../../kernel/context.ts";
import type { Reader } from "../../kernel/db.ts";
import { datasetsOf, type PinnedDataset, type TrainingRequestText } from "./training-store.ts";
import { findVersion } from "./version-store.ts";

/** What a version has seen of a skill before anybody evaluates it. */
export interface LearntFrom {
  readonly datasets: readonly PinnedDataset[];
  /** JSON of the inputs of the examples that came with trainings, and of those in its definition. */
  readonly inputs: readonly string[];
  /** Feedback given before this audit record; null: none. */
  readonly feedback_before: string | null;
}

/** What a version's skill, and those that it is based on, were trained from, wherever that was, with the examples that stand in its definition. */
export async function listLearntFrom(
  ctx: CallContext & { readonly db: Reader },
  { agent, skill, version_id }: { readonly agent: string; readonly skill: string; readonly version_id: string },
): Promise<LearntFrom> {
  const { organization } = ctx.scope;
  const jobs = await ctx.db.query<{ request: string; examples: string }>(
    `with recursive line as (
       select id, based_on from agent_versions where organization = $1 and agent = $2 and id = $3
       union
       select v.id, v.based_on from line join agent_versions v on v.organization = $1 and v.agent = $2 and v.number = line.based_on)
     select j.request, j.examples from line join training_jobs j on j.organization = $1 and j.version_id = line.id
     where j.agent = $2 and j.skill = $4 and j.state = 'completed'`,
    [organization, agent, version_id, skill],
  );
  const requests = jobs.map(({ request }) => JSON.parse(request) as TrainingRequestText);
  const before = requests.flatMap(({ feedback_before }) => feedback_before ?? []).sort();
  const shown =
    (await findVersion(ctx, version_id))?.definition.skills.find(({ name }) => name === skill)?.examples ?? [];
  const given = [...jobs.flatMap(({ examples }) => JSON.parse(examples) as { input: unknown }[]), ...shown];
  return {
    datasets: requests.flatMap(datasetsOf),
    inputs: [...new Set(given.map(({ input }) => JSON.stringify(input)))],
    feedback_before: before.at(-1) ?? null,
  };
}
