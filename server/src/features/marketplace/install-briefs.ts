import { all, type Row, select, sql } from "../../db/scoped.ts";
import { isoTime } from "../../kernel/clock.ts";
import { decidesStrictly } from "../admin/public.ts";
import type { InstallSummary } from "./install-schemas.ts";
import type { InstallRow } from "./install-store.ts";
import { manifestOf, permissionsIn } from "./listing-view.ts";
import { compareVersions } from "./model.ts";
import type { Looking } from "./names.ts";
import { permissionDifference } from "./permissions.ts";
import type { BundleKind } from "./words.ts";

/** What the catalogue knows of an install's listing, its version, newer versions and recalls. */
type Known = Pick<InstallSummary, "name" | "title" | "kind" | "publisher_id" | "update" | "recall">;

interface VersionBrief {
  readonly listing_id: string;
  readonly version: string;
  readonly digest: string;
  readonly manifest: string;
  readonly permissions: string;
}

const brief = ["v.listing_id", "v.version", "v.digest", "v.manifest", "v.permissions"] as const;
const idOf = ({ listing_id, version }: { readonly listing_id: string; readonly version: string }): string =>
  `${listing_id}@${version}`;

/** What the catalogue knows of installs, by their ids: four statements, however many they are. */
export async function readKnown(ctx: Looking, rows: readonly InstallRow[]): Promise<ReadonlyMap<string, Known>> {
  if (rows.length === 0) return new Map();
  const ids = [...new Set(rows.map(({ listing_id }) => listing_id))];
  const [listings, installed, newest, recalls] = await Promise.all([
    readListings(ctx, ids),
    readInstalled(ctx, rows),
    readNewest(ctx, ids),
    readRecalls(ctx, ids),
  ]);
  return new Map(
    rows.map((row) => {
      const version = installed.get(idOf(row)) as VersionBrief;
      const listing = listings.get(row.listing_id) as Listed;
      const update = updateOf(row, version, newest.get(row.listing_id));
      const recall = recallOf(row, recalls);
      const { title } = manifestOf(version);
      return [row.id, { ...listing, title, update, recall }];
    }),
  );
}

type Listed = { readonly name: string; readonly kind: BundleKind; readonly publisher_id: string };

async function readListings(ctx: Looking, ids: readonly string[]): Promise<Map<string, Listed>> {
  const listings = select(ctx, "marketplace_listings", "l").select(["l.id", "l.name", "l.kind", "l.publisher_id"]);
  const found = await all(ctx, listings.where("l.id", "in", [...ids]));
  return new Map(found.map(({ id, ...rest }) => [id, rest as Listed]));
}

async function readInstalled(ctx: Looking, rows: readonly InstallRow[]): Promise<Map<string, VersionBrief>> {
  const wanted = [...new Set(rows.map(idOf))];
  const versions = select(ctx, "marketplace_versions", "v")
    .select([...brief])
    .where(sql<boolean>`v.listing_id || '@' || v.version = any(${wanted}::text[])`)
    .where(
      "v.listing_id",
      "in",
      rows.map(({ listing_id }) => listing_id),
    );
  return new Map((await all(ctx, versions)).map((version) => [idOf(version), version]));
}

/** The newest version of each listing that may be installed here. */
async function readNewest(ctx: Looking, ids: readonly string[]): Promise<Map<string, VersionBrief>> {
  const versions = select(ctx, "marketplace_versions", "v")
    .distinctOn("v.listing_id")
    .select([...brief])
    .where("v.listing_id", "in", [...ids])
    .where("v.state", "=", "approved")
    .$if(decidesStrictly(ctx), (query) => query.where("v.review_strict", "=", true))
    .orderBy("v.listing_id")
    .orderBy("v.numbers", "desc");
  return new Map((await all(ctx, versions)).map((version) => [version.listing_id, version]));
}

type RecallRow = Pick<Row<"marketplace_recalls">, "id" | "kind" | "listing_id" | "versions" | "reason" | "at">;

/** Quarantines and recalls in force, the newest first, with the versions that they still hold: some may be approved again. */
function readRecalls(ctx: Looking, ids: readonly string[]): Promise<RecallRow[]> {
  const held = sql<string[]>`array(select v.version from marketplace_versions v where v.organization = r.organization
    and v.listing_id = r.listing_id and v.version = any(r.versions) and v.state in ('quarantined', 'recalled'))`;
  const recalls = select(ctx, "marketplace_recalls", "r")
    .select(["r.id", "r.kind", "r.listing_id", held.as("versions"), "r.reason", "r.at"])
    .where("r.listing_id", "in", [...ids])
    .where("r.lifted_at", "is", null);
  return all(ctx, recalls.orderBy("r.id", "desc"));
}

function updateOf(row: InstallRow, installed: VersionBrief, newest: VersionBrief | undefined): Known["update"] {
  if (row.state === "removed" || !newest || compareVersions(newest.version, row.version) <= 0) return null;
  const { added, changed } = permissionDifference(permissionsIn(installed), permissionsIn(newest));
  return { version: newest.version, digest: newest.digest, asks_more: added.length + changed.length > 0 };
}

function recallOf(row: InstallRow, recalls: readonly RecallRow[]): Known["recall"] {
  if (row.state === "removed") return null;
  const recall = recalls.find(
    ({ listing_id, versions }) => listing_id === row.listing_id && versions.includes(row.version),
  );
  if (!recall) return null;
  const { id, kind, reason, at } = recall;
  return { recall_id: id, kind: kind as "quarantine" | "recall", reason, at: isoTime(at) };
}
