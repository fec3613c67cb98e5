import type { Fault } from "./fault.ts";

// Installs of the marketplace: what they refuse, what they make, and how they end.

const slice = "server/src/features/marketplace";
const tests = [`${slice}/installs/operations/install-listing.test.ts`];
const batches = ["server/src/pipeline/settle-batch.test.ts"];

export const installFaults: readonly Fault[] = [
  {
    name: "install-consent-unchecked",
    file: `${slice}/installs/rules.ts`,
    tests,
    find: "if (consent.permissions !== version.permissions_digest)",
    replace: "if (false)",
    only: "where the consent is to another permissions",
  },
  {
    name: "install-foreign-key",
    file: `${slice}/installs/prepare.ts`,
    tests,
    find: 'if (keyChangeOf(publisher, bundle.publisher) === "foreign")',
    replace: "if (false)",
    only: "where the accepted key does not vouch",
  },
  {
    name: "install-lax-review",
    file: `${slice}/installs/prepare.ts`,
    tests,
    find: "else if (decidesStrictly(ctx) && !version.review_strict)",
    replace: "else if (false)",
    only: "in staging and production",
  },
  {
    name: "install-key-not-pinned",
    file: `${slice}/installs/operations/record-install.ts`,
    tests,
    find: "if (accepts) await",
    replace: "if (accepts && ctx.now === 0) await",
    only: "pins the key of a publisher",
  },
  {
    name: "install-over-names",
    file: `${slice}/installs/prepare.ts`,
    tests,
    find: "    ...takenFaults(settled),\n",
    replace: "",
    only: "where names are taken",
  },
  {
    name: "install-without-permissions",
    file: `${slice}/installs/prepare.ts`,
    tests,
    find: "    ...permissionFaults(ctx, settled.plan),\n",
    replace: "",
    only: "where the key lacks permissions",
  },
  {
    name: "install-tries-dependents",
    file: `${slice}/installs/install.ts`,
    tests,
    find: "[...call.needs, key].find(",
    replace: "[key].find(",
    only: "is incomplete, says what a policy refused",
  },
  {
    name: "install-active-policies",
    file: `${slice}/installs/plan/agent-parts.ts`,
    tests,
    find: 'state: "draft"',
    replace: 'state: "active"',
    only: "makes all parts of an agent as drafts",
  },
  {
    name: "install-policies-of-all",
    file: `${slice}/installs/plan/agent-parts.ts`,
    tests,
    find: "{ ...scope, agents: [installed] }",
    replace: "{ ...scope }",
    only: "makes all parts of an agent as drafts",
  },
  {
    name: "install-replanned",
    file: `${slice}/installs/install.ts`,
    find: "if (begun) return",
    replace: "if (begun && ctx.now === 0) return",
    tests: ["server/test/failure/install.slow.test.ts"],
  },
  {
    name: "batch-writes-on-dry-run",
    file: "server/src/pipeline/settle-batch.ts",
    tests: batches,
    find: "if (governed.dryRun) return null;",
    replace: "",
    only: "is left out on a dry run",
  },
  {
    name: "batch-loses-if-match",
    file: "server/src/pipeline/settle-batch.ts",
    tests: batches,
    find: "ifMatch: ifMatch ?? null,",
    replace: "ifMatch: null,",
    only: "names the revision that it is based on",
  },
];
