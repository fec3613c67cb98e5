import type { BundleFiles } from "@aos/bundle";
import type { Answered, CallOptions, TestApp } from "../../../testing/app.ts";
import { approvedListing, type MadeListing } from "../listings/listings.fixture.ts";
import type { InstallPreview, InstallResult } from "./schemas.ts";

// Installs in a service under test.

/** The body of an install of a version, with the consent to what it asks for. */
export async function consentTo(app: TestApp, { digest }: Pick<MadeListing, "digest">) {
  const { rows } = await app.pool.query<{ permissions: string; publisher_key: string }>(
    "select permissions_digest as permissions, key_id as publisher_key from marketplace_versions where digest = $1",
    [digest],
  );
  return { digest, consent: rows[0] as { permissions: string; publisher_key: string } };
}

interface Options extends Pick<CallOptions, "key" | "environment" | "headers"> {
  readonly query?: string;
}

/** Installs a version, with consent. */
export async function installIt(
  app: TestApp,
  made: MadeListing,
  more: object = {},
  { query = "", ...options }: Options = {},
): Promise<Omit<Answered, "body"> & { readonly body: InstallResult }> {
  const body = { ...(await consentTo(app, made)), ...more };
  return app.call("POST", `/v1/marketplace/listings/${made.listing_id}/install${query}`, { ...options, body });
}

/** Previews an install of a listing. */
export async function previewIt(
  app: TestApp,
  { listing_id }: Pick<MadeListing, "listing_id">,
  body: object = {},
  options: Options = {},
): Promise<InstallPreview> {
  return (await app.call("POST", `/v1/marketplace/listings/${listing_id}/preview`, { ...options, body })).body;
}

let made = 0;

/** A suffix that no other test of the file has. */
export const newSuffix = (): string => `-t${++made}`;

/** Files in the catalogue, approved, and installed under names that no other test has; default: a small agent. */
export async function installed(app: TestApp, files?: BundleFiles, more: object = {}, options: Options = {}) {
  const listing = await approvedListing(app, files);
  const suffix = newSuffix();
  const { status, text, body } = await installIt(app, listing, { suffix, ...more }, options);
  if (status !== 207 || body.failed > 0) throw new Error(`the install answered ${status}: ${text}`);
  return { listing, suffix, result: body, install: body.install as NonNullable<InstallResult["install"]> };
}
