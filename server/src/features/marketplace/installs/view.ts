import { verifyBundle } from "@aos/bundle";
import { all, type Row, select, sql } from "../../../db/scoped.ts";
import { ByteCache } from "../../../kernel/byte-cache.ts";
import { isoTime } from "../../../kernel/clock.ts";
import type { QueryContext } from "../../../kernel/db.ts";
import { Refusal } from "../../../kernel/errors.ts";
import { decidesStrictly } from "../../admin/public.ts";
import { type BundleContents, readContents } from "../bundles/contents.ts";
import { orRefuse } from "../bundles/opened.ts";
import { permissionDifference } from "../bundles/permissions.ts";
import { bundleRefused } from "../errors.ts";
import { compareVersions } from "../listings/rules.ts";
import { findVersion, readBundleText, type VersionRow } from "../listings/version-store.ts";
import { manifestOf, permissionsIn } from "../listings/view.ts";
import type { BundleKind } from "../schema-words.ts";
import { driftOf, type PresentDigests, partDrift, placed, readPresentDigests } from "./drift.ts";
import { readNextSteps } from "./next-steps/next-steps.ts";
import type { Looking } from "./plan/names.ts";
import type { Install, InstallPart, InstallSummary } from "./schemas.ts";
import { consentOf, type InstallRow, partsOf, type StoredPart } from "./store.ts";

/** What the catalogue knows of an install: listing, version, newer version and recalls. */
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

/** By install id, with four statements however many there are. */
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

/** Quarantines and recalls in force, newest first, with the versions that they still hold: some may be approved again. */
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

/** Bytes of files whose contents are cached; unpacked they are about ten times as large. */
const mostBytes = 16 * 1024 * 1024;

const kept = new ByteCache<BundleContents>(mostBytes);

/** Contents of a version for display, cached by digest. Null if the stored file is not what was signed. */
async function knownContents(
  ctx: QueryContext,
  version: Pick<VersionRow, "listing_id" | "version" | "digest" | "bytes">,
): Promise<BundleContents | null> {
  const { digest, bytes } = version;
  const known = kept.get(digest);
  if (known) return known;
  const contents = await readVerified(ctx, version);
  if (contents) kept.set(digest, contents, bytes);
  return contents;
}

async function readVerified(
  ctx: QueryContext,
  version: Pick<VersionRow, "listing_id" | "version" | "digest">,
): Promise<BundleContents | null> {
  const text = await readBundleText(ctx, version);
  try {
    const bundle = orRefuse(() => verifyBundle(text));
    return `sha256:${bundle.digest}` === version.digest ? readContents(bundle.files, bundle.manifest) : null;
  } catch (error) {
    if (error instanceof Refusal && error.type === bundleRefused) return null;
    throw error;
  }
}

/** With a fixed number of statements, however many installs. */
export async function installSummaries(ctx: Looking, rows: readonly InstallRow[]): Promise<InstallSummary[]> {
  const known = await readKnown(ctx, rows);
  const presentDigests = await readPresentDigests(
    ctx,
    rows.flatMap((row) => placed(partsOf(row), row.agent)),
  );
  return rows.map((row) => ({
    install_id: row.id,
    listing_id: row.listing_id,
    version: row.version,
    digest: row.digest,
    suffix: row.suffix,
    state: row.state,
    installed_by: row.installed_by,
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
    ...(known.get(row.id) as NonNullable<ReturnType<typeof known.get>>),
    drift: row.state === "removed" ? "none" : driftOf(partViews(ctx.appUrl, row, presentDigests)),
  }));
}

/** An install as it is read, with its parts and what is left to do. */
export async function installView(ctx: Looking, row: InstallRow): Promise<Install> {
  const version = (await findVersion(ctx, row.listing_id, row.version)) as VersionRow;
  const [summary] = (await installSummaries(ctx, [row])) as [InstallSummary];
  const presentDigests = await readPresentDigests(ctx, placed(partsOf(row), row.agent));
  const { permissions_digest: _digest, ...consent } = consentOf(row);
  const goesOn = row.state !== "removed" && row.state !== "installing";
  const contents = goesOn ? await knownContents(ctx, version) : null;
  return {
    ...summary,
    agent: row.agent,
    parts: partViews(ctx.appUrl, row, presentDigests),
    consent,
    next_steps: contents ? await readNextSteps(ctx, row, contents) : [],
    readme: version.readme,
    revision: row.revision,
  };
}

function partViews(appUrl: string, row: InstallRow, presentDigests: PresentDigests): InstallPart[] {
  return placed(partsOf(row), row.agent).map((part) => {
    const { kind, name, id, file, state, problem, audit_ref } = part;
    const link = linkOf(part, row.agent);
    return {
      kind,
      name,
      id,
      file,
      state,
      problem,
      audit_ref,
      drift: partDrift(part, presentDigests),
      link: link && `${appUrl}${link}`,
    };
  });
}

const agentTabs = { agent: "overview", agent_version: "versions", tool: "tools", gate: "versions" } as const;

/** The portal's page of a part. Datasets and scorers have none. */
function linkOf({ kind, name, id }: StoredPart, agent: string | null): string | null {
  if (kind === "knowledge_base" || kind === "documents") return `/knowledge/bases/${name}`;
  if (kind === "policy") return id && `/policies/${id}`;
  if (kind === "workflow") return `/workflows/${name}`;
  const tab = agentTabs[kind as keyof typeof agentTabs];
  return tab && agent ? `/agents/${agent}?tab=${tab}` : null;
}
