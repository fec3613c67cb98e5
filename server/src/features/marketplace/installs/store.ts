import type { Static } from "typebox";
import { all, first, insert, type Row, select, sql, update } from "../../../db/scoped.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import type { QueryContext } from "../../../kernel/db.ts";
import { isId } from "../../../kernel/ids.ts";
import type { PageRequest } from "../../../kernel/listing.ts";
import { storedJson } from "../../../kernel/stored-json.ts";
import type { Install, InstallPart } from "./schemas.ts";

export interface InstallRow extends Omit<Row<"marketplace_installs">, "state"> {
  readonly state: "installing" | "installed" | "incomplete" | "removed";
}

/** Read by `partsOf(row)`. */
export interface StoredPart extends Omit<Static<typeof InstallPart>, "drift" | "link"> {
  /** As in `PlannedCall`, when the part was made. */
  readonly digest: string;
  /** Its digest right after that, by `readPresentDigests`, for drift. Null until `recordInstall` fills it in. */
  readonly stands: string | null;
}

/** Read by `consentOf(row)`. */
export interface StoredConsent extends Omit<Static<typeof Install>["consent"], "permissions"> {
  readonly permissions: Static<typeof Install>["consent"]["permissions"];
  readonly permissions_digest: string;
}

const installJson = storedJson<{ parts: readonly StoredPart[]; consent: StoredConsent }>();
export const partsOf = (row: Pick<InstallRow, "parts">): readonly StoredPart[] => installJson(row, "parts");
export const consentOf = (row: Pick<InstallRow, "consent">): StoredConsent => installJson(row, "consent");

/** Removed ones included. */
export async function findInstall(ctx: QueryContext, id: string): Promise<InstallRow | undefined> {
  if (!isId(id, "ins")) return undefined;
  const query = select(ctx, "marketplace_installs", "i").selectAll().where("i.id", "=", id);
  return first(ctx, query.$castTo<InstallRow>());
}

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

/** For the rest of the transaction. */
export async function lockInstall(ctx: WriteContext, id: string): Promise<InstallRow | undefined> {
  const query = select(ctx, "marketplace_installs", "i").selectAll().where("i.id", "=", id).forUpdate();
  return first(ctx, query.$castTo<InstallRow>());
}

/** Inserts or replaces. */
export async function putInstall(ctx: WriteContext, { id, ...written }: WrittenInstall): Promise<void> {
  const at = new Date(ctx.now);
  const values = {
    ...written,
    batch: ctx.batch,
    updated_at: at,
    parts: JSON.stringify(written.parts),
    consent: JSON.stringify(written.consent),
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

interface SameInstall {
  readonly listing_id: string;
  readonly digest: string;
  readonly suffix: string;
  readonly agent: string | null;
}

/** Unless it was removed. */
export async function findInstallHere(
  ctx: QueryContext,
  { listing_id, suffix, agent }: SameInstall,
): Promise<{ readonly id: string } | undefined> {
  const query = select(ctx, "marketplace_installs", "i").select(["i.id", "i.agent"]);
  const here = query.where("i.listing_id", "=", listing_id).where("i.suffix", "=", suffix);
  const rows = await all(ctx, here.where("i.state", "<>", "removed"));
  return rows.find((row) => agent === null || row.agent === agent);
}

/** Of installs of the same bundle under the same names in other environments. */
export async function listPartsElsewhere({ db, scope }: QueryContext, same: SameInstall): Promise<StoredPart[]> {
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
  ctx: QueryContext,
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
