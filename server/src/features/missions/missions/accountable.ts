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
} from "../../../kernel/actor.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import { countInMissionRun, decidersOfMissionRuns, openRunsOf } from "../../workflows/public.ts";
import { findMission, type MissionRow, updateMission } from "./store.ts";

// Deciders of a mission: whoever gives its inputs, proposes or accepts its plan, and answers its questions.

/** A mission's name in lists of deciders. */
export const missionObject = (id: string): string => `mission:${id}`;

/** The caller, by what they do to a mission. */
export const decidersOfMission = (ctx: WriteContext, how: Part, id: string): Decider[] =>
  decidersOf(ctx, how, missionObject(id));

/** Columns of a mission that goes on in an actor's name. Whoever it acted for before decided what it does. */
export function inNameOf({ id, actor: before, deciders }: Pick<MissionRow, "id" | "actor" | "deciders">, actor: Actor) {
  const now = new Set(idsOf(actor.persons));
  const others = storedActor(before).persons.filter((one) => !now.has(one.id));
  const united = unite(storedDeciders(deciders), asEarlier(others, "planned", missionObject(id)));
  return { actor: storable(actor), deciders: storableDeciders(united) };
}

/** Columns of a mission with a further decider. */
export const decidedBy = ({ deciders }: Pick<MissionRow, "deciders">, added: readonly Decider[]) => ({
  deciders: storableDeciders(unite(storedDeciders(deciders), added)),
});

/** Adds the caller as a decider of the mission and its open runs: they answered a question. */
export async function noteAnswerer(ctx: WriteContext, mission: MissionRow): Promise<MissionRow> {
  const added = decidersOfMission(ctx, "answered", mission.id);
  for (const run of await openRunsOf(ctx, mission.id)) await countInMissionRun(ctx, run, added);
  return updateMission(ctx, mission.id, decidedBy(mission, added));
}

/** Everybody accountable for a mission's words: for its goal, its plans and its runs' results; nobody if there is no such mission. */
export async function decidersOfMissionText(ctx: WriteContext, id: string): Promise<readonly Decider[]> {
  const mission = await findMission(ctx, id);
  if (!mission) return [];
  const runs = await decidersOfMissionRuns(ctx, id, missionObject(id));
  return unite(storedActor(mission.actor).persons, storedDeciders(mission.deciders), runs);
}
