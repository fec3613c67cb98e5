import { type BundleFiles, verifyBundle } from "@aos/bundle";
import { systemClock } from "../../../kernel/clock.ts";
import { createIds } from "../../../kernel/ids.ts";
import type { CallOptions, TestApp } from "../../../testing/app.ts";
import {
  makeStranger,
  manifestIn,
  type Stranger,
  signedFile,
  smallFiles,
  withFile,
  withPermissions,
} from "../marketplace.fixture.ts";
import { sealKey } from "../publishers/publishing-key.ts";
import { identityOf } from "../publishers/store.ts";

// Listings in a service under test.

const newId = createIds(systemClock);

/** A publisher that no other test has. */
export const newStranger = (name?: string): Stranger => makeStranger(name, newId("pub").slice("pub_".length));

let made = 0;

/** The same files with a sentence of their own in `bundle.json`, so that no other bundle has this digest. */
function unlike(files: BundleFiles): BundleFiles {
  const { requires, ...manifest } = manifestIn(files);
  made += 1;
  const notes = [...(requires.notes ?? []), `Bundle ${made}.`];
  return withFile(files, "bundle.json", JSON.stringify({ ...manifest, requires: { ...requires, notes } }));
}

export interface MadeListing {
  readonly listing_id: string;
  readonly version: string;
  readonly digest: string;
  readonly publisher: Stranger;
  /** The travelling file. */
  readonly file: string;
}

interface Making extends Pick<CallOptions, "key" | "environment"> {
  /** Default: a new one. */
  readonly publisher?: Stranger;
  readonly visibility?: "private" | "public";
  /** Another version of this listing; default: a listing of its own. */
  readonly listing?: string;
}

/** Imports files as a bundle of another installation, unlike any other; default: a small agent. It waits for review. */
export async function importedListing(
  app: TestApp,
  files: BundleFiles = smallFiles("agent"),
  { publisher = newStranger(), visibility, listing, ...options }: Making = {},
): Promise<MadeListing> {
  const file = signedFile(withPermissions(unlike(files)), publisher);
  const path = `/v1/marketplace/listings${listing === undefined ? "" : `/${listing}/versions`}`;
  const answered = await app.call("POST", path, { ...options, body: { file, ...(visibility && { visibility }) } });
  if (answered.status !== 201) throw new Error(`POST ${path} answered ${answered.status}: ${answered.text}`);
  const { manifest, digest } = verifyBundle(file);
  const { listing_id } = answered.body;
  return { listing_id, version: manifest.version, digest: `sha256:${digest}`, publisher, file };
}

/** The same, approved as by a second person who signed in personally. */
export async function approvedListing(app: TestApp, files?: BundleFiles, making?: Making): Promise<MadeListing> {
  const listing = await importedListing(app, files, making);
  await setVersionState(app, listing, "approved");
  return listing;
}

/** Brings a version to a state, as a review would. */
export async function setVersionState(
  app: TestApp,
  { listing_id, version }: Pick<MadeListing, "listing_id" | "version">,
  state: "submitted" | "approved" | "rejected" | "quarantined" | "recalled" | "withdrawn",
): Promise<void> {
  const set = `update marketplace_versions set state = $3, reviewed_by = 'mbr_test', reviewed_at = now(), review_strict = true
    where organization = 'default' and listing_id = $1 and version = $2`;
  await app.pool.query(set, [listing_id, version, state]);
  const settle = `update marketplace_listings l set state = v.state, shown = v.version, reviewed_at = now()
    from (select state, version from marketplace_versions where organization = 'default' and listing_id = $1
          order by (state = 'approved') desc, numbers desc limit 1) v
    where l.organization = 'default' and l.id = $1`;
  await app.pool.query(settle, [listing_id]);
}

/** The publisher that the organization signs as, with a new first key. */
export async function ownPublisher(app: TestApp): Promise<Stranger> {
  const { rows } = await app.pool.query("select id from marketplace_publishers where organization = 'default' and own");
  const publisher = rows[0] ? makeStranger("Here", rows[0].id.slice("pub_".length)) : newStranger("Here");
  const { id, name, key_id } = identityOf(publisher.publisher);
  const sealed = sealKey(await app.credentialKey(), app.scope, id, publisher.privateKey);
  await app.pool.query(
    `insert into marketplace_publishers (organization, id, name, own, publisher, key_id, sealed_key, created_at)
     values ('default', $1, $2, true, $3, $4, $5, now())
     on conflict (organization, id) do update set publisher = $3, key_id = $4, sealed_key = $5`,
    [id, name, JSON.stringify(publisher.publisher), key_id, sealed],
  );
  return publisher;
}
