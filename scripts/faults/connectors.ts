import type { Fault } from "./fault.ts";

// Connectors of knowledge bases.

const folder = "server/src/features/knowledge/connectors";

export const connectorFaults: readonly Fault[] = [
  {
    name: "connector-removes-after-half-a-look",
    file: `${folder}/jobs/sync.ts`,
    find: "if (seen.partial === null && !seen.asBefore && !connector.keep_removed)",
    replace: "if (!connector.keep_removed)",
    tests: [`${folder}/sources/website.test.ts`],
  },
  {
    name: "connector-removals-unconfirmed",
    file: `${folder}/jobs/sync.ts`,
    find: "if (!confirm_removals && before >= LARGE",
    replace: "if (before < 0",
    tests: [`${folder}/sources/folder.test.ts`],
  },
  {
    name: "connector-takes-documents-over",
    file: `${folder}/synced.ts`,
    find: "return { taken: named(false), own: named(true) };",
    replace: "return { taken: new Set<string>(), own: named(true) };",
    tests: [`${folder}/sources/folder.test.ts`],
  },
  {
    name: "connector-lost-worker-writes",
    file: `${folder}/sync-store.ts`,
    find: `      .where("s.attempt", "=", attempt)\n      .where("s.state", "=", "running")\n`,
    replace: `      .where("s.attempt", ">=", attempt)\n`,
    tests: [`${folder}/jobs/sync.test.ts`],
  },
  {
    name: "connector-folder-anywhere",
    file: `${folder}/sources/folder.ts`,
    find: "if (roots.some((root) => root !== null && isBelow(root, found))) return found;",
    replace: "if (roots.length > 0) return found;",
    tests: [`${folder}/sources/folder.test.ts`],
  },
  {
    name: "connector-robots-ignored",
    file: `${folder}/sources/website.ts`,
    find: "if (!(await robots.allows(url)))",
    replace: "if (url === null)",
    tests: [`${folder}/sources/website.test.ts`],
  },
  {
    name: "connector-secret-to-any-origin",
    file: `${folder}/sources/http.ts`,
    find: "secret?.origins.includes(new URL(asked.url).origin) ?",
    replace: "secret ?",
    tests: [`${folder}/sources/website.test.ts`],
  },
  {
    name: "connector-pack-unchecked",
    file: `${folder}/sources/git-files.ts`,
    find: 'if (file.endsWith(".pack")) await accept(bytes);',
    replace: 'if (file === "") await accept(bytes);',
    tests: [`${folder}/sources/git.test.ts`],
  },
  {
    name: "connector-moving-list-removes",
    file: `${folder}/jobs/sync.ts`,
    find: "if (seen.listAgain && ",
    replace: "if (seen.listAgain && removedTogether === 0 && ",
    tests: [`${folder}/sources/json-api.test.ts`],
  },
  {
    name: "connector-changes-remove-the-rest",
    file: `${folder}/jobs/sync.ts`,
    find: "const gone = seen.gone && [...seen.gone];",
    replace: "const gone = undefined;",
    tests: [`${folder}/sources/json-api.test.ts`],
  },
  {
    name: "connector-credentials-follow-the-host",
    file: `${folder}/rules.ts`,
    find: "placeOf(kind, body.source) !== placeOf(kind, connector.source)",
    replace: "placeOf(kind, body.source) === null",
    tests: [`${folder}/operations/change-connector.test.ts`],
  },
  {
    name: "connector-query-may-write",
    file: "server/src/outbound/source-database.ts",
    find: "begin transaction isolation level repeatable read read only",
    replace: "begin transaction isolation level repeatable read read write",
    tests: [`${folder}/sources/postgres.test.ts`],
  },
  {
    name: "connector-database-unguarded",
    file: "server/src/outbound/source-database.ts",
    find: `guard.checkAddresses({ protocol: tls ? "https:" : "http:", hostname: host, port: String(port) }, addresses);`,
    replace: "",
    tests: [`${folder}/sources/postgres.test.ts`],
  },
  {
    name: "connector-missed-runs-repeated",
    file: `${folder}/operations/start-due-sync.ts`,
    find: "next_run_at: nextRun(scheduleOf(connector), id, ctx.now)",
    replace: "next_run_at: nextRun(scheduleOf(connector), id, connector.next_run_at.getTime())",
    tests: [`${folder}/jobs/sync.test.ts`],
  },
];
