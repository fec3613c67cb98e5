import { wholeOf } from "../lib/pages.ts";
import { type ChangeInput, get, getTagged, send } from "./client.ts";
import { type Read, read, untold } from "./queries.ts";
import type { Schema } from "./types.ts";

// Teams: queues of conversations, with members, opening hours and saved replies.

export type Team = Schema<"Team">;
export type TeamBody = ChangeInput<"put", "/v1/admin/teams/{team}">["body"];
export interface TaggedTeam {
  readonly value: Team;
  readonly etag: string;
}

export const listTeams = () => untold(read("/v1/admin/teams", { query: { limit: 100 } }));
/** A team with the entity tag that a change of it has to send. */
export const readTeam = (team: string): Read<TaggedTeam> => ({
  queryKey: ["/v1/admin/teams/{team}", team],
  queryFn: ({ signal }) => getTagged("/v1/admin/teams/{team}", { path: { team } }, signal),
  untold: true,
});
/** The entity tag of a team that is not there yet: with it, no team of the same name is overwritten. */
export const noTeam = '"0-json"';
export const setTeam = ({ team, etag, body }: { team: string; etag: string; body: TeamBody }) =>
  send("put", "/v1/admin/teams/{team}", { path: { team }, headers: { "If-Match": etag }, body });
export const removeTeam = (team: string) => send("delete", "/v1/admin/teams/{team}", { path: { team } });

/** People of the organization, at most 1000, with their role here. */
export const listPeople = (): Read<readonly Schema<"Member">[]> => ({
  queryKey: ["/v1/admin/members", "people"],
  queryFn: async ({ signal }) => {
    const page = (from: { cursor?: string }) =>
      get("/v1/admin/members", { query: { limit: 100, kind: "person", ...from } }, signal);
    return (await wholeOf(page)).data;
  },
  untold: true,
});
