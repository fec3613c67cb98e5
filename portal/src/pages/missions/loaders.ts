import {
  listMissions,
  listMissionTasks,
  listMissionTimeline,
  readMission,
  readMissionBudget,
  readMissionReport,
} from "../../api/missions.ts";
import { prefetch } from "../../api/queries.ts";
import { wordsOf } from "../../lib/search.ts";
import type { LoaderContext } from "../context.ts";
import { type MissionSearch, type MissionsSearch, statuses } from "./search.ts";

/** What the list shows for an address. */
export const missionsOf = (search: MissionsSearch) => {
  const status = wordsOf({ ...search }, "status", statuses);
  return listMissions({
    limit: 25,
    ...(status ? { status } : {}),
    ...(search.cursor ? { cursor: search.cursor } : {}),
  } as Parameters<typeof listMissions>[0]);
};

export const loadList = ({ queryClient }: LoaderContext, search: MissionsSearch) =>
  prefetch(queryClient, missionsOf(search));

export const loadMission = ({ queryClient }: LoaderContext, mission: string, { tab = "plan" }: MissionSearch) =>
  prefetch(
    queryClient,
    readMission(mission),
    ...(tab === "plan" ? [listMissionTasks(mission), readMissionBudget(mission)] : []),
    ...(tab === "timeline" ? [listMissionTimeline(mission)] : []),
    ...(tab === "report" ? [readMissionReport(mission)] : []),
  );
