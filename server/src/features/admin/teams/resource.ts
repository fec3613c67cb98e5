import { Type } from "typebox";
import { refuse } from "../../../kernel/errors.ts";
import { whole } from "../../../kernel/narrowing.ts";
import { exempt } from "../../../kernel/operation.ts";
import { conflict } from "../../../kernel/problems.ts";
import { defineResource } from "../../../resources/resource.ts";
import { json } from "../../../resources/rows.ts";
import { erasedBy, ownTables, untilRemoved } from "../../../resources/tables.ts";
import { exampleTeam } from "./example.ts";
import { teamFacts } from "./facts.ts";
import { Team, TeamName, teamNamePattern } from "./schemas.ts";
import { membersOf } from "./store.ts";
import { type NamedTeam, type TeamSettings, teamView } from "./view.ts";

export const owned = ownTables({
  teams: {
    keeps: untilRemoved("A team is removed by people."),
    personal: { columns: ["members", "settings", "created_by"], erased: erasedBy("admin.setTeam") },
  },
});

const possibleName = new RegExp(teamNamePattern);
export const canBeName = (text: string): boolean => possibleName.test(text);

/** Teams that an environment has at most. */
const mostTeams = 500;
const ofEnvironment = whole("teams are settings of the environment");

export const teams = defineResource({
  table: owned.teams,
  key: "name",
  isKey: canBeName,
  json: json<{ settings: TeamSettings }>()("settings"),
  limit: {
    most: mostTeams,
    lock: "teams",
    refuse: () => refuse(conflict, `There are ${mostTeams} teams here, which is the most; remove one first.`),
  },
  path: "/v1/admin/teams",
  member: Type.Object({ team: TeamName }),
  item: Team,
  identity: "team",
  example: { params: { team: exampleTeam.team }, item: exampleTeam },
  complete: async (ctx, rows): Promise<NamedTeam[]> => {
    const people = await membersOf(
      ctx,
      rows.flatMap(({ members }) => members),
    );
    return rows.map((row) => ({ row, people: row.members.flatMap((id) => people.get(id) ?? []) }));
  },
  view: teamView,
  revision: ({ revision }) => revision,
  revisionOfPart: true,
  object: "team",
  objects: "teams",
  permission: { read: "admin:read", change: "admin:write" },
  governs: { read: "team.read", change: "team.set", remove: "team.remove" },
  narrowing: { one: ofEnvironment, all: ofEnvironment },
  decides: exempt("says who answers and who reads documents; no agent reads it"),
  touches: teamFacts,
});
