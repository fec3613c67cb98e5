import { all, first, select, sql } from "../../db/scoped.ts";
import { countsUntilConfirmed, type Decider, idsOf } from "../../kernel/actor.ts";
import type { CallContext, ReadContext, WriteContext } from "../../kernel/context.ts";
import { roles } from "../../kernel/principal.ts";
import { roleGrants } from "../../kernel/role-permissions.ts";
import { canSignInPersonally, confirmableKinds, isConfirmed } from "../admin/public.ts";
import { decidePermission } from "./requests/persons.ts";

// What those who are left can do so that one of them may decide, where too few may: decision 0064.

export type Looking = CallContext & (ReadContext | WriteContext);

export const rolesWith = (permission: string): string[] => roles.filter((role) => roleGrants(role, permission));

/** Persons of the organization with one of these roles in the environment. */
export function personsWith(ctx: Looking, roleNames: readonly string[]) {
  const { environment } = ctx.scope;
  return select(ctx, "members", "m")
    .where("m.kind", "=", "person")
    .where("m.removed_at", "is", null)
    .where(sql<boolean>`m.roles ->> ${environment}::text = any(${[...roleNames]}::text[])`);
}

type Remedy = "confirm" | "review" | "conversation" | "rotate" | "again";

/** What ends that somebody counts for this in what is asked for afterwards; null: nothing. */
function remedyOf({ how, of }: Decider): Remedy | null {
  if (countsUntilConfirmed(how)) return of === null ? null : "confirm";
  switch (how) {
    // A review does not show corrections of passages, nor files and memories of conversations.
    case "document":
      return of?.startsWith("document:") ? "review" : null;
    case "connector":
      return of === null ? null : "review";
    case "wrote":
    case "channel":
      return "conversation";
    case "secret":
      return of === null ? null : "rotate";
    case "edited":
    case "note":
    case "answered":
      return "again";
    default:
      return null;
  }
}

interface Voter {
  readonly id: string;
  readonly name: string;
}

/** What to do so that somebody with a role that decides may do so; null: nothing helps. `persons`: everybody whose vote does not count, by what they did. */
export async function adviceFor(ctx: Looking, persons: readonly Decider[]): Promise<string | null> {
  const freeable = idsOf(persons).filter((id) => persons.every((one) => one.id !== id || remedyOf(one) !== null));
  if (freeable.length === 0) return null;
  const voters = await all(
    ctx,
    personsWith(ctx, rolesWith(decidePermission))
      .where("m.id", "in", freeable)
      .select(["m.id", "m.name"])
      .orderBy("m.name")
      .orderBy("m.id"),
  );
  for (const { id, name } of voters) {
    const steps = await stepsFor(ctx, { id, name: name ?? id }, persons);
    if (steps !== null) return `Or ${steps.join(", and ")}: then ${name ?? id} may decide.`;
  }
  return null;
}

/** What it takes for one of them, ending with asking again; null: nobody is there who could do it. */
async function stepsFor(ctx: Looking, voter: Voter, persons: readonly Decider[]): Promise<string[] | null> {
  const own = persons.filter(({ id }) => id === voter.id);
  const objects = (remedy: Remedy): string[] => [
    ...new Set(own.flatMap((one) => (one.of !== null && remedyOf(one) === remedy ? [one.of] : []))),
  ];
  const authorsOf = (named: readonly string[]): string[] =>
    idsOf(persons.filter(({ of }) => of !== null && named.includes(of)));
  const [texts, hooks] = [objects("review"), objects("rotate")];
  const { open: standing, authors } = await unconfirmed(ctx, objects("confirm"));
  const needed: (readonly [named: readonly string[], permission: string, step: (who: string) => string])[] = [
    [
      standing,
      "governance:confirm",
      (who) => `have ${who} look at ${standing.join(" and ")} and confirm ${standing.length === 1 ? "it" : "them"}`,
    ],
    [texts, "knowledge:write", (who) => `have ${who} review ${reviewedText(texts)}`],
    [hooks, "workflows:write", (who) => `have ${who} rotate the secret of ${hooks.join(" and ")} without an overlap`],
  ];
  const steps: string[] = [];
  for (const [named, permission, step] of needed) {
    if (named.length === 0) continue;
    // Whoever rotates a secret has it from then on, so that it is better somebody who is barred already.
    const among = permission === "workflows:write" ? idsOf(persons) : null;
    const barred = named === standing ? [...authors, ...authorsOf(named)] : authorsOf(named);
    const other = await otherThan(ctx, among === null ? barred : [voter.id], permission, among);
    if (other === null) return null;
    steps.push(step(other));
  }
  const remedies = new Set(own.map(remedyOf));
  if (remedies.has("conversation"))
    steps.push(`start a new conversation in the portal in which ${voter.name} does not write`);
  const again = "ask again";
  return remedies.has("again")
    ? [...steps, `cancel it and ${again} without edits, notes or answers by ${voter.name}`]
    : [...steps, again];
}

/** What of this content nobody has confirmed since, and everybody who may not. */
async function unconfirmed(ctx: Looking, objects: readonly string[]) {
  const found = await Promise.all(
    objects.map(async (object) => {
      const [kind = "", name = ""] = object.split(/:(.*)/s);
      const content = await confirmableKinds()
        .find((one) => one.kind === kind)
        ?.find(ctx, name);
      const isDone = content !== undefined && (await isConfirmed(ctx, content));
      return { object, isDone, authors: idsOf(content?.deciders ?? []) };
    }),
  );
  const open = found.filter(({ isDone }) => !isDone);
  return { open: open.map(({ object }) => object), authors: open.flatMap((one) => one.authors) };
}

const reviewedText = (texts: readonly string[]): string => {
  const named = texts.map((of) => (of.startsWith("connector:") ? `the document that ${of} brought` : of));
  return `${named.join(" and ")} (\`knowledge.reviewDocument\` with \`If-Match\`, signed in personally)`;
};

/** The first person by name with a permission who is none of these. */
async function otherThan(
  ctx: Looking,
  ids: readonly string[],
  permission: string,
  among: readonly string[] | null,
): Promise<string | null> {
  const row = await first(
    ctx,
    personsWith(ctx, rolesWith(permission))
      .where(sql<boolean>`m.id <> all(${[...ids]}::text[])`)
      .where(canSignInPersonally(ctx))
      .$if(among !== null, (q) => q.where(sql<boolean>`m.id = any(${[...(among ?? [])]}::text[])`))
      .select(["m.id", "m.name"])
      .orderBy("m.name")
      .orderBy("m.id"),
  );
  return row ? (row.name ?? row.id) : null;
}
