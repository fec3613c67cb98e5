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

/** Who may import whom inside `server/src` (architecture, section 2). Every area may import itself. `*.ts` directly in `server/src` wires: it may import all. */
const areas: Readonly<Record<string, readonly string[]>> = {
  kernel: [],
  pipeline: ["kernel/"],
  db: ["kernel/"],
  jobs: ["kernel/", "db/"],
  delivery: ["kernel/", "db/"],
  "audit-log": ["kernel/", "db/"],
  outbound: ["kernel/"],
  identity: ["kernel/"],
  runtime: ["kernel/", "jobs/", "outbound/"],
  features: ["kernel/", "db/", "jobs/"],
  http: ["kernel/", "pipeline/run.ts", "pipeline/call.ts", "features/index.ts", "openapi/document.ts"],
  telemetry: ["kernel/", "http/nosniff.ts"],
  openapi: ["kernel/", "pipeline/events.ts", "pipeline/compliance/actions.ts"],
  // Beside the table: the first data, and the commands on the host, which stand where app.ts stands.
  seed: ["kernel/", "db/"],
  commands: [""],
  testing: [""],
};

const root = "server/src/";
const shared = /^features\/[a-z-]+\/(schemas|public)\.ts$/;

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
  if (!/^(server|proof|cli|scripts|portal|sdk)\//.test(target)) return true; // a package
  const side = file.split("/")[0] as string;
  if (side === "cli" && onHost.test(target)) return file === "cli/src/commands.ts";
  if (side !== "server") return side === "scripts" || target.startsWith(`${side}/`);
  if (!file.startsWith(root)) return true;
  if (!target.startsWith(root)) return target === "server/package.json";
  return mayImportInside(file.slice(root.length), target.slice(root.length));
}

function mayImportInside(from: string, to: string): boolean {
  const area = from.includes("/") ? from.slice(0, from.indexOf("/")) : null;
  if (area === null) return true; // app.ts and what it is made of
  const allowed = areas[area];
  if (allowed === undefined) return false;
  if (allowed.some((start) => to.startsWith(start))) return true;
  if (area === "features") return mayImportSlice(from, to);
  return (
    to.startsWith(`${area}/`) ||
    (area === "openapi" && /^features\/[a-z-]+\/schemas\.ts$/.test(to)) ||
    (area === "seed" && shared.test(to))
  );
}

/** The registry sees every slice's index; a slice sees itself, and of others what they share. */
function mayImportSlice(from: string, to: string): boolean {
  if (from === "features/index.ts") return /^features\/[a-z-]+\/index\.ts$/.test(to);
  const slice = from.split("/").slice(0, 2).join("/");
  return to.startsWith(`${slice}/`) || shared.test(to);
}

/** Packages that have one place: what they do, nobody else does. */
const places: Readonly<Record<string, RegExp>> = {
  pg: /^server\/src\/(db|audit-log|jobs|delivery|seed|commands)\/|^server\/src\/[a-z-]+\.ts$|^(scripts|server\/bench)\//,
  kysely: /^server\/src\/db\//,
  "graphile-worker": /^server\/src\/(db|jobs)\//,
  fastify: /^server\/src\/http\/|^server\/src\/app\.ts$/,
  "@marcbachmann/cel-js": /^server\/src\/pipeline\/compliance\//,
  ajv: /^server\/src\/kernel\//,
  "ajv-formats": /^server\/src\/kernel\//,
  pino: /^server\/src\/[a-z-]+\.ts$/,
  yaml: /^server\/src\/(seed|features\/agents|runtime\/tools|http)\/|^cli\//,
  "@ai-sdk/provider": /^server\/src\/(runtime\/|[a-z-]+\.ts$)/,
  "@ai-sdk/anthropic": /^server\/src\/runtime\/models\/providers\//,
  "@ai-sdk/openai": /^server\/src\/runtime\/models\/providers\//,
  "@ai-sdk/openai-compatible": /^server\/src\/runtime\/models\/providers\//,
  "openid-client": /^server\/src\/identity\//,
  nodemailer: /^server\/src\/identity\//,
  "@simplewebauthn/server": /^server\/src\/features\/admin\/sessions\//,
  undici: /^server\/src\/outbound\//,
  marked: /^server\/src\/http\/docs\//,
  "prom-client": /^server\/src\/telemetry\/exposition\.ts$/,
  "@opentelemetry/api": /^server\/src\/telemetry\/otel-tracer\.ts$/,
  "@opentelemetry/core": /^server\/src\/telemetry\/otel-tracer\.ts$|^server\/src\/telemetry\/otlp\.ts$/,
  "@opentelemetry/exporter-trace-otlp-proto": /^server\/src\/telemetry\/otlp\.ts$/,
  "@opentelemetry/resources": /^server\/src\/telemetry\/otlp\.ts$/,
  "@opentelemetry/sdk-trace": /^server\/src\/telemetry\/otlp\.ts$/,
  typebox: /^server\/src\/(kernel|pipeline|features|http|openapi|runtime)\//,
  canonicalize: /^proof\//,
  "@aos/proof": /^server\/src\/(audit-log\/|features\/audit\/|(audit|export)-port\.ts$)|^(cli|sdk\/examples)\//,
  "@aos/server": /^cli\//,
  "string-width": /^cli\/src\/output\//,
  "@aos/sdk": /^(cli|portal|sdk\/examples)\//,
  "openapi-fetch": /^sdk\//,
  "openapi-typescript": /^sdk\/gen\//,
  "openapi-typescript-helpers": /^sdk\//,
  "eventsource-parser": /^sdk\//,
  standardwebhooks: /^sdk\/|^cli\/src\/forwarding\.ts$/,
};

/** Imports of packages outside their place, and of packages that have none. */
export function packageFindings(sources: readonly Source[]): Finding[] {
  return sources
    .filter(({ file }) => /^(server\/src|proof|cli|sdk)\/.*\.ts$/.test(file) && !isTest(file))
    .flatMap(({ file, text }) =>
      importsOf({ file, text })
        .filter(({ target }) => !inPlace(file, target))
        .map(({ line, target }) => ({ file, line, what: `may not import the package ${target}` })),
    );
}

function inPlace(file: string, target: string): boolean {
  if (target.startsWith("node:") || target.startsWith("#") || /^(server|proof|cli|sdk|scripts)\//.test(target))
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

/** Circles that are known. The list may only shrink. */
const knownCircles: readonly string[] = [];

/** Circles among the files of the server: values only, since types are gone when the code runs. Each is told once, by its shortest way round. */
export function circleFindings(sources: readonly Source[]): Finding[] {
  const own = new Set(sources.map(({ file }) => file));
  const graph = new Map(
    sources
      .filter(({ file }) => /\.tsx?$/.test(file))
      .map((source) => [
        source.file,
        importsOf(source).filter(({ target, names }) => own.has(target) && !/^type\s/.test(names)),
      ]),
  );
  const findings: Finding[] = [];
  const done = new Set<string>();
  const visit = (file: string, trail: readonly string[]): void => {
    for (const { target, line } of graph.get(file) ?? []) {
      const at = trail.indexOf(target);
      if (at >= 0) {
        const circle = [...trail.slice(at), target].join(" → ");
        if (!knownCircles.includes(circle)) findings.push({ file, line, what: `closes a circle: ${circle}` });
      }
      if (at < 0 && !done.has(target)) visit(target, [...trail, target]);
    }
    done.add(file);
  };
  for (const file of graph.keys()) if (!done.has(file)) visit(file, [file]);
  return findings;
}
