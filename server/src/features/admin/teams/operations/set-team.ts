import { changedMeanwhile } from "../../../../kernel/changed-meanwhile.ts";
import type { WriteContext } from "../../../../kernel/context.ts";
import { type Fault, refuse } from "../../../../kernel/errors.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { invalidBody } from "../../../../kernel/problems.ts";
import { keyFacts } from "../../keys/facts.ts";
import { exampleTeam } from "../example.ts";
import { hoursFaults } from "../hours.ts";
import { canBeName, teams } from "../resource.ts";
import { SetTeamBody } from "../schemas.ts";
import { membersOf } from "../store.ts";
import { settingsOf, type TeamRow } from "../view.ts";

/** `present`: null where the name is free. */
interface Loaded {
  readonly present: TeamRow | null;
}

export const setTeam = defineOperation({
  ...teams.changeOfOne(),
  ...teams.answer,
  id: "admin.setTeam",
  method: "PUT",
  summary: "Create or change a team",
  description:
    "A team is a queue of conversations that wait for a person, and a reader of documents (`team:billing`). What is left out takes its default. Who joins or leaves reads and answers accordingly from the next call on.",
  body: SetTeamBody,
  example: {
    params: { team: exampleTeam.team },
    body: {
      title: exampleTeam.title,
      members: exampleTeam.members.map(({ member_id }) => member_id),
      hours: exampleTeam.hours,
      targets: exampleTeam.targets,
    },
    output: exampleTeam,
  },
  mayMatch: ({ present }: Loaded) => present?.revision ?? 0,
  load: async (ctx, { team }): Promise<Loaded | undefined> =>
    canBeName(team) ? { present: (await teams.rows.find(ctx, team)) ?? null } : undefined,
  validate: (_ctx, { body }) => faultsOf(body),
  gate: exempt("makes no agent act"),
  compliance: governs("team.set"),
  errors: [invalidBody],
  async handle(ctx, { params: { team: name }, body, loaded }) {
    const before = await teams.rows.lock(ctx, name);
    if ((before?.revision ?? 0) !== (loaded.present?.revision ?? 0)) throw changedMeanwhile();
    const { title, members = [] } = body;
    await refuseUnknown(ctx, members);
    const now = new Date(ctx.now);
    const set = { title, members: [...members], settings: settingsOf(body), updated_at: now };
    const row = before
      ? await teams.rows.update(ctx, before, { ...set, revision: before.revision + 1 })
      : await teams.rows.insert(ctx, { ...set, name, created_by: ctx.principal.id, created_at: now });
    teams.touch(ctx);
    ctx.touch(keyFacts);
    return teams.itemOf(ctx, row);
  },
});

function faultsOf({ hours = null, saved_replies: replies = [] }: SetTeamBody): Fault[] {
  const names = replies.map(({ name }) => name);
  const twice = names.flatMap((name, at): Fault[] =>
    names.indexOf(name) === at
      ? []
      : [
          {
            pointer: `/saved_replies/${at}/name`,
            code: "not_unique",
            detail: `names another saved reply too: ${name}`,
          },
        ],
  );
  return [...hoursFaults(hours), ...twice];
}

/** Only people with a role here belong to a team here. */
async function refuseUnknown(ctx: WriteContext, members: readonly string[]): Promise<void> {
  const people = await membersOf(ctx, members);
  const at = members.findIndex((id) => (people.get(id)?.role ?? null) === null);
  if (at < 0) return;
  const detail = `names ${members[at]}, who is no person with a role in ${ctx.scope.environment}; GET /v1/admin/members lists them`;
  const pointer = `/members/${at}`;
  throw refuse(invalidBody, `${pointer} ${detail}`, { errors: [{ pointer, code: "unknown_member", detail }] });
}
