import type { CallContext } from "../../../kernel/context.ts";
import type { Role } from "../../../kernel/principal.ts";
import { roleGrants } from "../../../kernel/role-permissions.ts";
import { isOpenAt, opensAt } from "./hours.ts";
import type { SetTeamBody, Team } from "./schemas.ts";

/** What the column `settings` holds. */
export type TeamSettings = Required<Pick<Team, "hours" | "outside" | "assignment" | "targets" | "saved_replies">>;

export function settingsOf({
  hours = null,
  outside = {},
  assignment = "claim",
  targets = {},
  saved_replies = [],
}: SetTeamBody): TeamSettings {
  return { hours, outside, assignment, targets, saved_replies };
}

export interface TeamRow {
  readonly name: string;
  readonly title: string;
  readonly members: readonly string[];
  readonly settings: TeamSettings;
  readonly revision: number;
  readonly created_by: string;
  readonly created_at: Date;
  readonly updated_at: Date;
}

/** A team with the names and roles of its members. */
export interface NamedTeam {
  readonly row: TeamRow;
  readonly people: readonly { readonly id: string; readonly name: string; readonly role: Role | null }[];
}

/** What lets a member answer customers. */
const answering = "chat:answer";

export function teamView({ row, people }: NamedTeam, { now }: Pick<CallContext, "now">): Team {
  const { hours, outside, assignment, targets, saved_replies } = row.settings;
  const opens = opensAt(hours, now);
  return {
    team: row.name,
    title: row.title,
    members: people.map(({ id, name, role }) => ({
      member_id: id,
      name,
      answers: role !== null && roleGrants(role, answering),
    })),
    hours,
    outside,
    assignment,
    targets,
    saved_replies,
    open: isOpenAt(hours, now),
    opens_at: opens === null ? null : new Date(opens).toISOString(),
    revision: row.revision,
    created_by: row.created_by,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
