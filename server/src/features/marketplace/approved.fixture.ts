import { type BundleFiles, digestOf, verifyBundle } from "@aos/bundle";
import { createIds } from "../../kernel/ids.ts";
import type { TestApp } from "../../testing/app.ts";
import type { InstallPreview } from "./install-schemas.ts";
import {
  contentsIn,
  makeStranger,
  type Stranger,
  signedFile,
  smallFiles,
  withPermissions,
} from "./marketplace.fixture.ts";
import { permissionsDigest, permissionsOf } from "./permissions.ts";
import type { ListingState } from "./words.ts";

// Versions that wait in the catalogue to be installed, as an import and a review leave them.

const newId = createIds({ now: () => Date.now() });

export interface Approved {
  readonly listing: string;
  readonly version: string;
  readonly digest: string;
  /** The body of an install that consents to it. */
  readonly body: { readonly digest: string; readonly consent: { permissions: string; publisher_key: string } };
  readonly stranger: Stranger;
}

interface Options {
  /** Another version of this listing. */
  readonly of?: Approved;
  readonly stranger?: Stranger;
  readonly state?: ListingState;
  /** Whether staging and production take it. */
  readonly strict?: boolean;
}

/** A publisher that no other test has. */
export const newStranger = (): Stranger => makeStranger("Example Works", newId("pub").slice("pub_".length));

/** Puts a version into the catalogue, approved unless told. */
export async function addApproved(app: TestApp, files: BundleFiles, options: Options = {}): Promise<Approved> {
  const { of, stranger = of?.stranger ?? newStranger(), state = "approved", strict = true } = options;
  const whole = withPermissions(files);
  const file = signedFile(whole, stranger);
  const { digest: hex, manifest, publisher } = verifyBundle(file);
  const [digest, key] = [`sha256:${hex}`, publisher.keys.at(-1)?.key_id as string];
  const permissions = permissionsOf(contentsIn(whole));
  const asked = permissionsDigest(permissions);
  const listing = of?.listing ?? newId("lst");
  const now = new Date();
  const { organization } = app.scope;
  await insertRow(app, "marketplace_publishers", {
    ...{ organization, id: publisher.publisher_id, name: publisher.name, publisher: JSON.stringify(publisher) },
    ...{ key_id: key, created_at: now },
  });
  await insertRow(app, "marketplace_listings", {
    ...{ organization, id: listing, publisher_id: publisher.publisher_id, name: manifest.name, kind: manifest.kind },
    ...{ origin: "imported", visibility: "private", state, shown: manifest.version, created_by: "mbr_test" },
    ...{ created_at: now, updated_at: now },
  });
  await insertRow(app, "marketplace_versions", {
    ...{ organization, listing_id: listing, version: manifest.version, digest, state, review_strict: strict },
    ...{ numbers: manifest.version.split(".").map(Number), manifest: JSON.stringify(manifest) },
    ...{ permissions: JSON.stringify(permissions), permissions_digest: asked, readme: "Read me." },
    files: JSON.stringify([...whole].map(([path, bytes]) => ({ path, bytes: bytes.length, digest: digestOf(bytes) }))),
    ...{ scan_counts: '{"error":0,"warning":0,"note":0}', scan: "{}", scanned_at: now, file, bytes: file.length },
    ...{ key_id: key, signed_at: now, submitted_by: "mbr_test", submitters: "[]", created_at: now },
  });
  const body = { digest, consent: { permissions: asked, publisher_key: key } };
  return { listing, version: manifest.version, digest, body, stranger };
}

/** Inserts a row unless it is there. */
async function insertRow(app: TestApp, table: string, row: Record<string, unknown>): Promise<void> {
  const names = Object.keys(row);
  const places = names.map((_name, at) => `$${at + 1}`);
  await app.pool.query(
    `insert into ${table} (${names.join(", ")}) values (${places.join(", ")}) on conflict do nothing`,
    Object.values(row),
  );
}

let made = 0;

/** A suffix that no other test of the file has. */
export const newSuffix = (): string => `-t${++made}`;

/** A small agent in the catalogue. */
export const addSmallAgent = (app: TestApp, options: Options = {}): Promise<Approved> =>
  addApproved(app, smallFiles("agent"), options);

/** Installs it. */
export const installIt = (app: TestApp, { listing, body }: Approved, more: object = {}, options: object = {}) =>
  app.call("POST", `/v1/marketplace/listings/${listing}/install`, { body: { ...body, ...more }, ...options });

/** Previews an install of it. */
export const previewIt = async (
  app: TestApp,
  { listing }: Approved,
  body: object = {},
  options: object = {},
): Promise<InstallPreview> =>
  (await app.call("POST", `/v1/marketplace/listings/${listing}/preview`, { body, ...options })).body;
