import path from "node:path";
import { type Finding, isTest, lineAt, type Source } from "./sources.ts";

/** One import of a file: what it names, and the file or package that it comes from. */
export interface Import {
  readonly line: number;
  /** What stands between `import` and `from`, as it is written; empty for a dynamic import. */
  readonly names: string;
  /** A file of the repository, relative to it; or the specifier of a package. */
  readonly target: string;
}

const FROM = /^[ \t]*(?:import|export)\s+((?:type\s+)?(?:\*|\{|[A-Za-z_$])[^"';]*?)\s*\bfrom\s*"([^"]+)"/gm;
const BARE = /^[ \t]*import\s+"([^"]+)"/gm;
const DYNAMIC = /\bimport\(\s*"([^"]+)"/g;

/** All imports of a source, types and dynamic ones included, in order. The sources are formatted, so a few patterns are enough. */
export function importsOf({ file, text }: Source): Import[] {
  const found = [
    ...[...text.matchAll(FROM)].map((match) => ({
      index: match.index,
      names: match[1] as string,
      specifier: match[2] as string,
    })),
    ...[...text.matchAll(BARE)].map((match) => ({ index: match.index, names: "", specifier: match[1] as string })),
    ...[...text.matchAll(DYNAMIC)].map((match) => ({ index: match.index, names: "", specifier: match[1] as string })),
  ];
  return found
    .sort((a, b) => a.index - b.index)
    .map(({ index, names, specifier }) => ({ line: lineAt(text, index), names, target: targetOf(file, specifier) }));
}

function targetOf(file: string, specifier: string): string {
  return specifier.startsWith(".") ? path.posix.join(path.posix.dirname(file), specifier) : specifier;
}

/** Who may import whom inside `server/src`, as docs/architecture.md draws it. Every area may import itself; `main.ts` and `wiring` may import all. */
const areas: Readonly<Record<string, readonly string[]>> = {
  kernel: [],
  pipeline: ["kernel/", "features/governance/ports.ts"],
  db: ["kernel/", "resources/tables.ts"],
  resources: ["kernel/", "db/"],
  jobs: ["kernel/", "db/", "resources/tables.ts"],
  delivery: ["kernel/", "db/", "outbound/", "resources/tables.ts"],
  "audit-log": ["kernel/", "db/", "resources/tables.ts", "features/audit/ports.ts"],
  outbound: [
    "kernel/",
    "features/audit/ports.ts",
    "features/chat/ports.ts",
    "features/knowledge/ports.ts",
    "features/webhooks/ports.ts",
  ],
  identity: ["kernel/"],
  runtime: ["kernel/", "jobs/", "outbound/", "features/admin/ports.ts"],
  features: ["kernel/", "db/", "jobs/", "resources/", "audit-log/shared-rows.ts"],
  http: [
    "kernel/",
    "pipeline/run.ts",
    "pipeline/call.ts",
    "features/index.ts",
    "openapi/document.ts",
    "features/chat/schemas.ts",
  ],
  telemetry: [
    "kernel/",
    "db/",
    "audit-log/index.ts",
    "audit-log/shared-rows.ts",
    "pipeline/watch.ts",
    "http/nosniff.ts",
  ],
  config: ["kernel/", "audit-log/witness-exchange.ts", "outbound/guard.ts"],
  openapi: ["kernel/", "pipeline/events.ts", "pipeline/compliance/actions.ts", "features/index.ts"],
  seed: ["kernel/", "db/"],
  wiring: [""],
  commands: [""],
  testing: [""],
};

const root = "server/src/";
const shared = /^features\/[a-z-]+\/(requests\/)?(schemas|public)\.ts$/;
/** Which columns of its tables a slice shares. They import no slice, so any may read them. */
const sharedRows = /^features\/[a-z-]+\/shared-rows\.ts$/;

/**
 * Which slices a slice may import, as docs/architecture.md draws it: each line names only slices of lines above. A slice that needs one below it declares
 * a port, which `wiring/ports.ts` joins. One that has no line stands below all. `approvals/requests` is a part of approvals that stands lower than the rest.
 */
export const slicesAbove: Readonly<Record<string, readonly string[]>> = {
  admin: [],
  audit: ["admin"],
  "approvals/requests": ["admin"],
  agents: ["admin"],
  knowledge: ["admin", "agents"],
  webhooks: ["admin", "agents"],
  governance: ["admin", "approvals/requests", "agents"],
  tasks: ["admin", "approvals/requests", "agents", "knowledge", "governance"],
  approvals: ["admin", "approvals/requests", "agents", "tasks"],
  evaluations: ["admin", "agents", "tasks"],
  workflows: ["audit", "admin", "approvals/requests", "agents", "governance", "tasks"],
  missions: ["admin", "agents", "tasks", "workflows"],
};

const sliceOf = (file: string): string =>
  /^features\/approvals\/requests\//.test(file) ? "approvals/requests" : (file.split("/")[1] as string);

/** What the command line runs on the host itself, where there is no service to call: `aos start`, `aos config`, `aos keys create`. */
const onHost = /^server\/src\/(main\.ts$|commands\/[a-z-]+\.ts$)/;

/** The imports that the table does not allow. Tests may arrange with whatever they need. */
export function importFindings(sources: readonly Source[]): Finding[] {
  return sources
    .filter(({ file }) => file.endsWith(".ts") && !isTest(file))
    .flatMap((source) =>
      importsOf(source)
        .filter(({ target }) => !mayImport(source.file, target))
        .map(({ line, target }) => ({ file: source.file, line, what: `may not import ${target}` })),
    );
}

function mayImport(file: string, target: string): boolean {
  if (!/^(server|packages|cli|scripts|portal|sdk)\//.test(target)) return true; // a package
  const side = /^packages\/[a-z-]+|^[^/]+/.exec(file)?.[0] as string;
  if (side === "cli" && onHost.test(target)) return file === "cli/src/commands.ts";
  if (file === "vitest.config.ts") return target.startsWith("server/src/testing/");
  if (side !== "server") return side === "scripts" || target.startsWith(`${side}/`);
  if (!file.startsWith(root)) return true;
  if (!target.startsWith(root)) return target === "server/package.json";
  return mayImportInside(file.slice(root.length), target.slice(root.length));
}

function mayImportInside(from: string, to: string): boolean {
  const area = from.includes("/") ? from.slice(0, from.indexOf("/")) : null;
  if (area === null) return true; // main.ts
  const allowed = areas[area];
  if (allowed === undefined) return false;
  if (sharedRows.test(from)) return to === "db/shared-rows.ts";
  if (allowed.some((start) => to.startsWith(start))) return true;
  if (sharedRows.test(to)) return area === "features" || area === "telemetry";
  if (area === "features") return mayImportSlice(from, to);
  return (
    to.startsWith(`${area}/`) ||
    (area === "openapi" && /^features\/[a-z-]+\/schemas\.ts$/.test(to)) ||
    (area === "seed" && shared.test(to))
  );
}

/** The registry loads every slice by its folder; a slice sees itself, and of the slices below it what they share. */
function mayImportSlice(from: string, to: string): boolean {
  if (from === "features/index.ts") return /^features\/([a-z-]+\/index|load)\.ts$/.test(to);
  const [slice, other] = [sliceOf(from), sliceOf(to)];
  if (slice === other) return true;
  if (slice === "approvals" && other === "approvals/requests") return true;
  return shared.test(to) && (slicesAbove[slice] ?? Object.keys(slicesAbove)).includes(other);
}

/** Lines of the table of slices that name a slice which does not stand above them: with them a circle would be allowed. */
export function sliceTableFaults(table: Readonly<Record<string, readonly string[]>> = slicesAbove): string[] {
  const names = Object.keys(table);
  return names.flatMap((slice, at) =>
    (table[slice] ?? [])
      .filter((other) => !names.slice(0, at).includes(other))
      .map((other) => `${slice} may not name ${other}, which does not stand above it in the table`),
  );
}

/** Packages that have one place: what they do, nobody else does. */
const places: Readonly<Record<string, RegExp>> = {
  pg: /^server\/src\/(db|audit-log|jobs|delivery|seed|commands|telemetry|wiring)\/|^server\/src\/outbound\/source-database\.ts$|^(scripts|server\/bench)\//,
  "pg-cursor": /^server\/src\/outbound\/source-database\.ts$/,
  aws4fetch: /^server\/src\/features\/(knowledge\/connectors|audit\/sinks\/wire)\//,
  croner: /^server\/src\/(kernel\/schedule\.ts$|features\/knowledge\/connectors\/)/,
  "fast-xml-parser": /^server\/src\/features\/knowledge\/connectors\//,
  feedsmith: /^server\/src\/features\/knowledge\/connectors\//,
  "isomorphic-git": /^server\/src\/features\/knowledge\/connectors\//,
  htmlparser2: /^server\/src\/features\/knowledge\/connectors\/|^packages\/documents\//,
  "robots-parser": /^server\/src\/features\/knowledge\/connectors\//,
  diff: /^server\/src\/features\/agents\//,
  kysely: /^server\/src\/db\//,
  "graphile-worker": /^server\/src\/(db|jobs)\//,
  "@fastify/busboy": /^server\/src\/http\//,
  fastify: /^server\/src\/(http|wiring)\//,
  "@marcbachmann/cel-js":
    /^server\/src\/(pipeline\/compliance\/|features\/analytics\/rollups\/where\.ts$)|^packages\/(cel|workflow)\//,
  ajv: /^packages\/json-schema\//,
  "ajv-formats": /^packages\/json-schema\//,
  re2js: /^packages\/(json-schema|cel)\/|^server\/src\/features\/knowledge\/connectors\/sources\/path-glob\.ts$/,
  pino: /^server\/src\/(telemetry\/log\.ts$|wiring\/|main\.ts$)/,
  yaml: /^server\/src\/(seed|features\/(agents|workflows)|runtime\/tools|http)\/|^packages\/yaml-source\/|^cli\//,
  "@ai-sdk/provider": /^server\/src\/(runtime|wiring)\/|^packages\/builtin-model\//,
  "@ai-sdk/anthropic": /^server\/src\/runtime\/models\/providers\//,
  "@ai-sdk/openai": /^server\/src\/runtime\/models\/providers\//,
  "@ai-sdk/openai-compatible": /^server\/src\/runtime\/models\/providers\//,
  "openid-client": /^server\/src\/identity\//,
  nodemailer: /^server\/src\/(identity\/|outbound\/mail-sender\.ts$)/,
  imapflow: /^server\/src\/outbound\/mailbox\.ts$/,
  "postal-mime": /^server\/src\/features\/chat\//,
  "html-to-text": /^server\/src\/features\/chat\//,
  "@simplewebauthn/server": /^server\/src\/features\/admin\/sessions\//,
  undici: /^server\/src\/outbound\//,
  marked: /^server\/src\/http\/docs\/|^packages\/documents\//,
  "csv-parse": /^packages\/documents\//,
  mammoth: /^packages\/documents\//,
  numfmt: /^packages\/documents\//,
  parse5: /^packages\/documents\//,
  unpdf: /^packages\/documents\//,
  yauzl: /^packages\/documents\//,
  "prom-client": /^server\/src\/telemetry\/exposition\.ts$/,
  "@opentelemetry/api": /^server\/src\/telemetry\/otel-tracer\.ts$/,
  "@opentelemetry/core": /^server\/src\/telemetry\/otel-tracer\.ts$|^server\/src\/telemetry\/otlp\.ts$/,
  "@opentelemetry/exporter-trace-otlp-proto": /^server\/src\/telemetry\/otlp\.ts$/,
  "@opentelemetry/resources": /^server\/src\/telemetry\/otlp\.ts$/,
  "@opentelemetry/sdk-trace": /^server\/src\/telemetry\/otlp\.ts$/,
  typebox:
    /^server\/src\/(kernel|resources|pipeline|features|http|openapi|runtime)\/|^packages\/(builtin-model|workflow)\//,
  canonicalize: /^packages\/proof\//,
  "@aos/proof": /^server\/src\/(audit-log\/|features\/audit\/)|^(cli|sdk\/examples)\//,
  "@aos/user-texts": /^server\/src\/|^packages\/builtin-model\/|^portal\//,
  "@aos/text": /^server\/src\/|^packages\/(strict-json|json-schema)\//,
  "@aos/strict-json":
    /^server\/src\/|^packages\/(json-schema|data-classes|builtin-model|bundle|bundle-scan|documents|yaml-source)\//,
  "@aos/json-schema": /^server\/src\/|^packages\/builtin-model\//,
  "@aos/cel": /^server\/src\/(pipeline\/compliance\/|features\/analytics\/rollups\/where\.ts$)|^packages\/workflow\//,
  "@aos/bundle": /^server\/src\/features\/marketplace\/|^cli\//,
  "@aos/bundle-scan": /^server\/src\/features\/marketplace\//,
  "@aos/data-classes": /^server\/src\/|^packages\/bundle-scan\//,
  "@aos/documents": /^server\/src\/features\/(chat|knowledge)\//,
  "@aos/workflow": /^server\/src\/(features\/(workflows|missions)\/|http\/public\.ts$)|^(cli|portal)\//,
  "@aos/yaml-source": /^server\/src\/features\/(agents|workflows)\/|^packages\/bundle-scan\//,
  "@aos/statistics":
    /^server\/src\/(kernel\/(canary|gate|trust)|features\/(agents|analytics|evaluations|knowledge|missions|tasks|workflows))\//,
  "@aos/rollup": /^server\/src\/features\/analytics\//,
  "@datadog/sketches-js": /^packages\/rollup\//,
  "hyparquet-writer": /^server\/src\/features\/analytics\/queries\/csv\.ts$/,
  "@aos/builtin-model": /^server\/src\/(runtime\/|features\/agents\/|kernel\/machines\.ts$|wiring\/)/,
  "@aos/server": /^cli\//,
  "string-width": /^cli\/src\/output\//,
  commander: /^cli\//,
  "@aos/sdk": /^(cli|portal|sdk\/examples)\//,
  "openapi-fetch": /^sdk\//,
  "openapi-typescript": /^sdk\/gen\//,
  "openapi-typescript-helpers": /^sdk\//,
  "eventsource-parser": /^sdk\/|^server\/src\/http\/protocols\//,
  standardwebhooks: /^sdk\/|^cli\/src\/forwarding\.ts$/,
};

/** Imports of packages outside their place, and of packages that have none. */
export function packageFindings(sources: readonly Source[]): Finding[] {
  return sources
    .filter(({ file }) => /^(server\/src|packages|cli|sdk)\/.*\.ts$/.test(file) && !isTest(file))
    .flatMap(({ file, text }) =>
      importsOf({ file, text })
        .filter(({ target }) => !inPlace(file, target))
        .map(({ line, target }) => ({ file, line, what: `may not import the package ${target}` })),
    );
}

function inPlace(file: string, target: string): boolean {
  if (target.startsWith("node:") || target.startsWith("#") || /^(server|packages|cli|sdk|scripts)\//.test(target))
    return true;
  const name = target
    .split("/")
    .slice(0, target.startsWith("@") ? 2 : 1)
    .join("/");
  return places[name]?.test(file) ?? false;
}

/** `open` breaks the seal of an operation: it is for the pipeline, which compiles operations, and for nobody else. */
const mayOpen = ["server/src/pipeline/compile.ts", "server/src/pipeline/run.ts", "server/src/kernel/operation-seal.ts"];

export function sealFindings(sources: readonly Source[]): Finding[] {
  return sources
    .filter(({ file }) => file.endsWith(".ts") && !mayOpen.includes(file))
    .flatMap((source) =>
      importsOf(source)
        .filter(
          ({ target, names }) =>
            target === "server/src/kernel/operation-seal.ts" && /(^|[{,\s])open([\s,}]|$)|\*/.test(names),
        )
        .map(({ line }) => ({
          file: source.file,
          line,
          what: "opens operations; only pipeline/compile.ts and pipeline/run.ts may",
        })),
    );
}

/** Where types make a circle as well: whoever reads one of these files would have to read them all. */
const strict = /^(server\/src|packages|proof)\//;

/** Circles among files. Each is reported once. */
export function circleFindings(sources: readonly Source[]): Finding[] {
  const own = new Set(sources.map(({ file }) => file));
  const graph = new Map(
    sources
      .filter(({ file }) => /\.tsx?$/.test(file) && !isTest(file))
      .map((source) => [
        source.file,
        importsOf(source).filter(
          ({ target, names }) => own.has(target) && (strict.test(source.file) || !/^type\s/.test(names)),
        ),
      ]),
  );
  const findings: Finding[] = [];
  const done = new Set<string>();
  const visit = (file: string, trail: readonly string[]): void => {
    for (const { target, line } of graph.get(file) ?? []) {
      const at = trail.indexOf(target);
      if (at >= 0) {
        const circle = [...trail.slice(at), target].join(" → ");
        findings.push({ file, line, what: `closes a circle: ${circle}` });
      }
      if (at < 0 && !done.has(target)) visit(target, [...trail, target]);
    }
    done.add(file);
  };
  for (const file of graph.keys()) if (!done.has(file)) visit(file, [file]);
  return findings;
}
