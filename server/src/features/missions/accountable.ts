import {
  type Actor,
  asEarlier,
  type Decider,
  decidersOf,
  idsOf,
  type Part,
  storable,
  storableDeciders,
  storedActor,
  storedDeciders,
  unite,
} from "../../kernel/actor.ts";
import type { WriteContext } from "../../kernel/context.ts";
import { countInMissionRun, decidersOfMissionRuns, openRunsOf } from "../workflows/public.ts";
import { findMission, type MissionRow, updateMission } from "./store.ts";

// Who decides what a mission does: whoever gives its inputs, proposes or accepts its plan, and answers its questions.

/** The name of a mission among what people are accountable for. */
export const missionObject = (id: string): string => `mission:${id}`;

/** The caller, by what they do to a mission. */
export const decidersOfMission = (ctx: WriteContext, how: Part, id: string): Decider[] =>
  decidersOf(ctx, how, missionObject(id));

/** Columns of a mission that goes on in the name of an actor. Whoever it acted for before decided what it does. */
export function inNameOf({ id, actor: before, deciders }: Pick<MissionRow, "id" | "actor" | "deciders">, actor: Actor) {
  const now = new Set(idsOf(actor.persons));
  const others = storedActor(before).persons.filter((one) => !now.has(one.id));
  const united = unite(storedDeciders(deciders), asEarlier(others, "planned", missionObject(id)));
  return { actor: storable(actor), deciders: storableDeciders(united) };
}

/** Columns of a mission that somebody else decides as well. */
export const decidedBy = ({ deciders }: Pick<MissionRow, "deciders">, added: readonly Decider[]) => ({
  deciders: storableDeciders(unite(storedDeciders(deciders), added)),
});

/** Notes that the caller answered a question of a mission: they are accountable for what it does from now on, also by runs that go on. */
export async function noteAnswerer(ctx: WriteContext, mission: MissionRow): Promise<void> {
  const added = decidersOfMission(ctx, "answered", mission.id);
  await updateMission(ctx, mission.id, decidedBy(mission, added));
  for (const run of await openRunsOf(ctx, mission.id)) await countInMissionRun(ctx, run, added);
}

/** Everybody accountable for what a mission says of itself: for its goal, its plans and what its runs came to; nobody where there is no such mission. */
export async function decidersOfMissionText(ctx: WriteContext, id: string): Promise<readonly Decider[]> {
  const mission = await findMission(ctx, id);
  if (!mission) return [];
  const runs = await decidersOfMissionRuns(ctx, id, missionObject(id));
  return unite(storedActor(mission.actor).persons, storedDeciders(mission.deciders), runs);
}
