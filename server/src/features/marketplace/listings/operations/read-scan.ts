import { Type } from "typebox";
import { isoTime } from "../../../../kernel/clock.ts";
import { refuse } from "../../../../kernel/errors.ts";
import { defineRead } from "../../../../kernel/operation.ts";
import { notFound } from "../../../../kernel/problems.ts";
import { storedJson } from "../../../../kernel/stored-json.ts";
import { exampleListingId, exampleScan } from "../../example.ts";
import { Version } from "../../schema-words.ts";
import { ListingScan } from "../../schemas.ts";
import { listings } from "../operation-parts.ts";
import { findVersion, readScanText, versionJson } from "../version-store.ts";

const scanJson = storedJson<{ scan: ListingScan["sarif"] }>();

export const readScan = defineRead({
  ...listings.readOfOne(),
  id: "marketplace.readScan",
  path: "/v1/marketplace/listings/{listing}/scan",
  summary: "Read the security scan",
  description:
    "For the version that the catalogue shows, or `version`. With `Accept: application/sarif+json`: the SARIF log alone.",
  query: Type.Object({ version: Type.Optional(Version) }, { additionalProperties: false }),
  output: ListingScan,
  example: { params: { listing: exampleListingId }, output: exampleScan },
  writes: { "application/sarif+json": { etag: "sarif", write: ({ sarif }) => JSON.stringify(sarif) } },
  async handle(ctx, { loaded, query: { version = loaded.shown } }) {
    const row = await findVersion(ctx, loaded.id, version);
    if (!row) throw refuse(notFound, `${loaded.name} has no version ${version}.`);
    return {
      listing_id: loaded.id,
      version,
      digest: row.digest,
      counts: versionJson(row, "scan_counts"),
      scanned_at: isoTime(row.scanned_at),
      sarif: scanJson({ scan: await readScanText(ctx, row) }, "scan"),
    };
  },
});
