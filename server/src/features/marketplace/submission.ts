import { verifyBundle } from "@aos/bundle";
import type { WriteContext } from "../../kernel/context.ts";
import { type Fault, refuse } from "../../kernel/errors.ts";
import { readContents } from "./contents.ts";
import { notOwnListing } from "./errors.ts";
import type { CreateListingVersionBody } from "./listing-schemas.ts";
import type { ListingRow } from "./listing-store.ts";
import { manifestOf } from "./listing-view.ts";
import { type PackedBundle, packBundle, type SaidOfBundle } from "./packing.ts";
import { oneInvalid } from "./packing-words.ts";
import { findNewest, readBundleText, type VersionRow } from "./version-store.ts";

/** The largest body: a file of 8,000,000 characters as a JSON text, and what is said besides. */
export const SUBMISSION_BYTES = 9 * 1024 * 1024;

// What the body of a submission says: own work, or a file from elsewhere.

/** What a file does not say itself. */
const besidesFile = new Set(["file", "visibility", "note"]);

/** Faults of a body that its schema cannot express: `source` with what it needs, or `file` alone. */
export function submissionFaults(body: Readonly<Record<string, unknown>>, needed: readonly string[]): Fault[] {
  if (body.file === undefined && body.source === undefined)
    return [{ pointer: "/source", code: "required", detail: "is required; or give a bundle's text as `file`" }];
  if (body.file === undefined)
    return needed.flatMap((name) =>
      body[name] === undefined
        ? [{ pointer: `/${name}`, code: "required", detail: "is required with `source`; add it" }]
        : [],
    );
  return Object.keys(body).flatMap((name) =>
    besidesFile.has(name) || body[name] === undefined
      ? []
      : [
          {
            pointer: `/${name}`,
            code: "not_together",
            detail: "does not go together with `file`, which says it itself",
          },
        ],
  );
}

/** Packs a new version of a listing of one's own. What the body leaves out stays as in the newest version before. */
export async function packNext(
  ctx: WriteContext,
  listing: ListingRow,
  body: CreateListingVersionBody,
): Promise<PackedBundle> {
  refuseOthers(listing);
  const { source, version, title, summary, business_function, license, readme, limits, requires, data } = body;
  if (!source || version === undefined) throw oneInvalid("/source", "required", "is required, with `version`");
  if (source.kind !== listing.kind) {
    const detail = `is ${source.kind}, and the listing is of kind ${listing.kind}; submit it as a listing of its own`;
    throw oneInvalid("/source/kind", "another_kind", detail);
  }
  const before = (await findNewest(ctx, listing.id)) as VersionRow;
  const manifest = manifestOf(before);
  const said: SaidOfBundle = {
    ...{ name: listing.name, version, title: title ?? manifest.title, summary: summary ?? manifest.summary },
    ...{ business_function: business_function ?? listing.business_function ?? undefined },
    ...{ license: license ?? manifest.license, readme: readme ?? before.readme ?? undefined },
    ...{ limits: limits ?? manifest.limits, requires: requires ?? manifest.requires.notes },
    ...{ data, dataBefore: await dataIn(ctx, before) },
  };
  return packBundle(ctx, source, said);
}

function refuseOthers({ id, name, origin }: ListingRow): void {
  if (origin === "own") return;
  const whose = origin === "starter" ? "comes with the service" : "is another publisher's";
  const remedy = "Give its publisher's file as `file`, or submit your work as a listing of its own.";
  throw refuse(notOwnListing, `${name} (${id}) ${whose}. ${remedy}`, { members: { listing_id: id } });
}

/** What a version says of its datasets. */
async function dataIn(ctx: WriteContext, version: VersionRow): Promise<Record<string, string>> {
  const { files, manifest } = verifyBundle(await readBundleText(ctx, version));
  return Object.fromEntries(readContents(files, manifest).datasets.map(({ name, data }) => [name, data]));
}
