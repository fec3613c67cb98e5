import { hash } from "node:crypto";
import { canonicalJson } from "@aos/strict-json";
import { all, first, insert, readWritten, rowsOf, select } from "../../../db/scoped.ts";
import { type Decider, idsOf } from "../../../kernel/actor.ts";
import type { ReadContext, WriteContext } from "../../../kernel/context.ts";
import { host, participantOf } from "../../../kernel/principal.ts";

// A second person's look at content that others decided: from then on its deciders do not count as asking for what is done with it (rule B of decision 0064).

/** Content that people decide and agents act on later, such as `agent:sales@3`. */
export interface Content {
  readonly object: string;
  /** Another one for each content. */
  readonly digest: string;
  /** Who decided it and everything below it that nobody has looked at. */
  readonly deciders: readonly Decider[];
}

type Context = ReadContext | WriteContext;

export async function isConfirmed(ctx: Context, { object, digest }: Omit<Content, "deciders">): Promise<boolean> {
  const found = select(ctx, "confirmations", "c").select("c.id").where("c.object", "=", object);
  return (await first(ctx, found.where("c.digest", "=", digest))) !== undefined;
}

export interface Decided {
  readonly deciders: Decider[];
  readonly confirmed_by: string | null;
  readonly confirmed_at: string | null;
}

export async function listDecided(ctx: Context, contents: readonly Content[]): Promise<Decided[]> {
  if (contents.length === 0) return [];
  const found = select(ctx, "confirmations", "c").select(["c.object", "c.digest", "c.confirmed_by", "c.created_at"]);
  const rows = await all(ctx, found.where("c.object", "in", [...new Set(contents.map(({ object }) => object))]));
  return contents.map(({ object, digest, deciders }) => {
    const look = rows.find((row) => row.object === object && row.digest === digest);
    if (!look) return { deciders: [...deciders], confirmed_by: null, confirmed_at: null };
    return { deciders: [], confirmed_by: look.confirmed_by, confirmed_at: look.created_at.toISOString() };
  });
}

export const findDecided = async (ctx: Context, content: Content): Promise<Decided> =>
  (await listDecided(ctx, [content]))[0] as Decided;

/** Identifies content by what it says: SHA-256, in hexadecimal, of its canonical JSON (RFC 8785). */
export const digestOfContent = (content: unknown): string => hash("sha256", canonicalJson(content), "hex");

/** The deciders of content, none where a second person has looked at it. */
export async function countedDeciders(ctx: Context, content: Content): Promise<readonly Decider[]> {
  return content.deciders.length === 0 || (await isConfirmed(ctx, content)) ? [] : content.deciders;
}

/** Why the caller is no second person for content; null: they are. Its own author stays one however they sign in, so that comes before the credential. */
export function whyNoSecondPerson(
  { principal }: Pick<WriteContext, "principal">,
  deciders: readonly Decider[],
): "not_a_person" | "not_personal" | "decider" | null {
  if (principal.kind !== "member") return "not_a_person";
  if (idsOf(deciders).includes(principal.id)) return "decider";
  if (!principal.personal) return "not_personal";
  const own = participantOf(principal).accountable;
  return idsOf(deciders).some((id) => id !== host && own.includes(id)) ? "decider" : null;
}

/**
 * Writes down that the caller, by deploying or publishing content, has looked at it, where they are a second person for it. Returns whether they are. Call it in the
 * transaction that deploys or publishes.
 */
export async function noteLook(ctx: WriteContext, content: Content, how: "deployed" | "published"): Promise<boolean> {
  if (whyNoSecondPerson(ctx, content.deciders) !== null) return false;
  await insertConfirmation(ctx, content, how);
  return true;
}

/** A look, with the name of who looked. */
export interface ConfirmationRow {
  readonly id: string;
  readonly object: string;
  readonly digest: string;
  readonly how: string;
  readonly confirmed_by: string;
  readonly name: string | null;
  readonly created_at: Date;
}

/** Stores a look. Undefined: there is one already, which stays as it is. */
export async function insertConfirmation(
  ctx: WriteContext,
  { object, digest }: Omit<Content, "deciders">,
  how: "confirmed" | "deployed" | "published",
): Promise<ConfirmationRow | undefined> {
  const row = {
    id: ctx.newId("cnf"),
    object,
    digest,
    how,
    confirmed_by: ctx.principal.id,
    session_id: ctx.principal.sessionId ?? null,
    key_id: ctx.principal.keyId,
    created_at: new Date(ctx.now),
  };
  const added = insert(ctx, "confirmations", row).onConflict((on) => on.doNothing());
  const view = select(ctx, "confirmations", "c")
    .leftJoin(rowsOf(ctx, "members", "m"), "m.id", "c.confirmed_by")
    .select(["c.id", "c.object", "c.digest", "c.how", "c.confirmed_by", "c.created_at", "m.name"]);
  const written = added.returningAll().compile();
  return (await readWritten<ConfirmationRow>(ctx, "confirmations", written, view.compile()))[0];
}
