import { type Static, Type } from "typebox";
import { all, select } from "../../../db/scoped.ts";
import { type Decider, type Part, parts, personsAmong } from "../../../kernel/actor.ts";
import type { ReadContext, WriteContext } from "../../../kernel/context.ts";
import { nullable } from "../../../kernel/schema-words.ts";

const partNames = Object.keys(parts) as [Part, ...Part[]];

export const AccountablePerson = Type.Object({
  member: Type.Object(
    {
      id: Type.String({ description: "`mbr_…`." }),
      name: Type.String({ description: "As the organization knows them; the id where there is no name." }),
      kind: Type.Enum(["person", "service_account", "system"]),
    },
    { description: "Who did it." },
  ),
  how: Type.Enum(partNames, { description: "What they did, as a word for programs." }),
  text: Type.String({ description: "The same, to be read after the name, such as `changed the workflow`." }),
  of: nullable(Type.String(), "What they did it to, such as `agent:sales@3`. Null: the call itself."),
  at: nullable(Type.String({ format: "date-time" }), "When. Null: not known."),
});
export type AccountablePerson = Static<typeof AccountablePerson>;

/** Deciders with their names, each person once for each thing. The host is left out, since it is nobody in particular. */
export async function accountablePersons(
  ctx: ReadContext | WriteContext,
  deciders: readonly Decider[],
): Promise<AccountablePerson[]> {
  const shown = personsAmong(deciders);
  const known = await membersNamed(
    ctx,
    shown.map(({ id }) => id),
  );
  return shown.map(({ id, how, of, at }) => {
    const member = known.get(id) ?? { id, name: id, kind: "system" as const };
    return { member, how, text: parts[how], of, at };
  });
}

export async function membersNamed(
  ctx: ReadContext | WriteContext,
  ids: readonly string[],
): Promise<ReadonlyMap<string, AccountablePerson["member"]>> {
  if (ids.length === 0) return new Map();
  const members = select(ctx, "members", "m").select(["m.id", "m.name", "m.kind"]);
  const rows = await all(ctx, members.where("m.id", "in", [...new Set(ids)]));
  return new Map(rows.map(({ id, name, kind }) => [id, { id, name: name ?? id, kind: kind as "person" }]));
}
