import type { Fault } from "./fault.ts";

// The catalogue: who signs bundles, what they ask for, and whose files are given out.

const folder = "server/src/features/marketplace";
const intake = [`${folder}/listings/intake.test.ts`];
const permissions = [`${folder}/bundles/permissions.test.ts`];
const files = [`${folder}/listings/operations/read-version.test.ts`];

export const catalogueFaults: readonly Fault[] = [
  {
    name: "publisher-replaced-early",
    file: `${folder}/publishers/accept-publisher.ts`,
    find: '.some((state) => state !== "rejected")',
    replace: '.some((state) => state === "approved")',
    tests: intake,
    only: "is refused before any consent",
  },
  {
    name: "publisher-key-any",
    file: `${folder}/publishers/accept-publisher.ts`,
    find: "checkRotations(row.pinned_key ?? row.key_id, publisher);",
    replace: "checkRotations(publisher.keys[0]?.key_id ?? row.key_id, publisher);",
    tests: intake,
    only: "is refused where the accepted one does not vouch for it",
  },
  {
    name: "bundle-permissions-unread",
    file: `${folder}/listings/intake.ts`,
    find: "canonicalJson(manifest.permissions) !== canonicalJson(asksOf(asked))",
    replace: "manifest.permissions === undefined",
    tests: intake,
    only: "asks for something else",
  },
  {
    name: "permission-post-reads",
    file: `${folder}/bundles/permission-tools.ts`,
    find: 'const readingMethods = ["GET", "HEAD"];',
    replace: 'const readingMethods = ["GET", "HEAD", "POST"];',
    tests: permissions,
    only: "count a tool that says it reads as a write",
  },
  {
    name: "permission-tools-data-lost",
    file: `${folder}/bundles/permission-agent.ts`,
    find: "maximumClass([skill, ...used]",
    replace: "maximumClass([skill]",
    tests: permissions,
    only: "data of tools",
  },
  {
    name: "private-file-given-out",
    file: `${folder}/listings/operations/read-version.ts`,
    find: 'if (listing.visibility === "private")',
    replace: 'if (listing.visibility === "private" && listing.origin === "own")',
    tests: files,
    only: "no file of a private listing",
  },
  {
    name: "recalled-file-given-out",
    file: `${folder}/listings/operations/read-version.ts`,
    find: 'row.state === "quarantined" || row.state === "recalled"',
    replace: 'row.state === "quarantined"',
    tests: files,
    only: "no file of a version that is",
  },
];
