import type { Static } from "typebox";
import { all, first, insert, type Row, select, sql, update } from "../../db/scoped.ts";
import type { WriteContext } from "../../kernel/context.ts";
import { isId } from "../../kernel/ids.ts";
import type { PageRequest } from "../../kernel/listing.ts";
import type { Install, InstallPart } from "./install-schemas.ts";
import type { Here } from "./listing-store.ts";

export interface InstallRow extends Omit<Row<"marketplace_installs">, "state"> {
  readonly state: "installing" | "installed" | "incomplete" | "removed";
}

/** A part as it is stored: `partsOf(row)`. */
export interface StoredPart extends Omit<Static<typeof InstallPart>, "drift" | "link"> {
  /** As in `PlannedCall`: what was asked for when it was made. */
  readonly digest: string;
  /** What it was right after that, by `readStandings`: what drift compares. Null: not known, which recording an install fills in. */
  readonly stands: string | null;
}

/** What was consented to: `consentOf(row)`. */
export interface StoredConsent extends Omit<Static<typeof Install>["consent"], "permissions"> {
  readonly permissions: Static<typeof Install>["consent"]["permissions"];
  readonly permissions_digest: string;
}

export const partsOf = ({ parts }: Pick<InstallRow, "parts">): readonly StoredPart[] =>
  JSON.parse(parts) as StoredPart[];
export const consentOf = ({ consent }: Pick<InstallRow, "consent">): StoredConsent =>
  JSON.parse(consent) as StoredConsent;

/** An install of the call's environment, removed ones included. */
export async function findInstall(ctx: Here, id: string): Promise<InstallRow | undefined> {
  if (!isId(id, "ins")) return undefined;
  const query = select(ctx, "marketplace_installs", "i").selectAll().where("i.id", "=", id);
  return first(ctx, query.$castTo<InstallRow>());
}

/** What an install is written with. */
export interface WrittenInstall {
  readonly id: string;
  readonly listing_id: string;
  readonly version: string;
  readonly digest: string;
  readonly suffix: string;
  readonly agent: string | null;
  readonly state: InstallRow["state"];
  readonly parts: readonly StoredPart[];
  readonly consent: StoredConsent;
}

/** Locks an install for the rest of the transaction. */
export async function lockInstall(ctx: WriteContext, id: string): Promise<InstallRow | undefined> {
  const query = select(ctx, "marketplace_installs", "i").selectAll().where("i.id", "=", id).forUpdate();
  return first(ctx, query.$castTo<InstallRow>());
}

/** Writes an install as it is now: inserts it, or changes it where it is there. */
export async function putInstall(ctx: WriteContext, { id, ...written }: WrittenInstall): Promise<void> {
  const at = new Date(ctx.now);
  const values = {
    ...{ ...written, batch: ctx.batch, updated_at: at },
    ...{ parts: JSON.stringify(written.parts), consent: JSON.stringify(written.consent) },
  };
  const changed = await first(
    ctx,
    update(ctx, "marketplace_installs")
      .set({ ...values, revision: sql<number>`revision + 1` })
      .where("id", "=", id)
      .returning("id"),
  );
  if (changed) return;
  const row = { id, ...values, installed_by: ctx.principal.id, created_at: at };
  await first(ctx, insert(ctx, "marketplace_installs", row));
}

/** What tells installs of one listing apart. */
export interface SameInstall {
  readonly listing_id: string;
  readonly digest: string;
  readonly suffix: string;
  readonly agent: string | null;
}

/** The install of a listing in this environment under these names, unless it was removed. */
export async function findInstallHere(
  ctx: Here,
  { listing_id, suffix, agent }: SameInstall,
): Promise<{ readonly id: string } | undefined> {
  const query = select(ctx, "marketplace_installs", "i").select(["i.id", "i.agent"]);
  const here = query.where("i.listing_id", "=", listing_id).where("i.suffix", "=", suffix);
  const rows = await all(ctx, here.where("i.state", "<>", "removed"));
  return rows.find((row) => agent === null || row.agent === agent);
}

/** The parts that installs of the same bundle under the same names made in other environments. */
export async function listPartsElsewhere({ db, scope }: Here, same: SameInstall): Promise<StoredPart[]> {
  const rows = await db.query<{ parts: string; agent: string | null }>(
    "select parts, agent from marketplace_installs where organization = $1 and environment <> $2 and digest = $3 and suffix = $4 and state <> 'removed' order by id",
    [scope.organization, scope.environment, same.digest, same.suffix],
  );
  return rows.filter(({ agent }) => same.agent === null || agent === same.agent).flatMap((row) => partsOf(row));
}

/**
 * A page of the installs of this environment, newest first; removed ones only where they are asked for. Ids do not sort by creation: one that follows from an
 * Idempotency-Key begins with the start of the day.
 */
export function listInstallRows(
  ctx: Here,
  { listing, removed = false }: { readonly listing?: string; readonly removed?: boolean },
  { after, take }: PageRequest,
): Promise<InstallRow[]> {
  const behind = sql<boolean>`(i.created_at, i.id) < (${after?.keys[0]}::timestamptz, ${after?.id})`;
  const query = select(ctx, "marketplace_installs", "i")
    .selectAll()
    .$if(after !== undefined, (some) => some.where(behind))
    .$if(listing !== undefined, (some) => some.where("i.listing_id", "=", listing ?? ""))
    .$if(!removed, (some) => some.where("i.state", "<>", "removed"));
  const newest = query.orderBy("i.created_at", "desc").orderBy("i.id", "desc").limit(take);
  return all(ctx, newest.$castTo<InstallRow>());
}
