import { type Finding, lineAt, type Source } from "./sources.ts";

// Whatever evaluates what a caller wrote has a bound (docs/decisions/0065): expressions by the environments of packages/cel, patterns by RE2.

const service = /^(?:packages\/[\w-]+|server)\/src\/(?!.*\.(?:test|fixture)\.ts$).*\.ts$/;

/** Makers of environments of cel-js: the counted one, and two that allow no comprehension that multiplies and no pattern. */
const environments: ReadonlySet<string> = new Set([
  "packages/cel/src/meter.ts",
  "server/src/pipeline/compliance/cel.ts",
  "server/src/features/analytics/rollups/where.ts",
]);

/** Files that make a pattern of the platform's engine, which backtracks, from something that is not written there: whose it is. The list only shrinks. */
const ownPatterns: Readonly<Record<string, string>> = {
  "packages/data-classes/src/credentials.ts": "formats of the package",
  "packages/data-classes/src/testing/corpus.ts": "groups of a test",
  "packages/json-schema/src/linear-pattern.ts": "parses a caller's pattern, and never runs it",
  "packages/user-texts/src/person.ts": "the constants above it, on 4,000 characters at most",
  "packages/workflow/src/duration.ts": "the constant above it",
  "server/src/features/admin/connections/resource.ts": "the schema's constant",
  "server/src/features/admin/teams/resource.ts": "the schema's constant",
  "server/src/features/agents/definitions/store.ts": "the schema's constant",
  "server/src/features/chat/channels/resource.ts": "the schema's constant",
  "server/src/features/chat/turns/reply-filter.ts": "the constant above it",
  "server/src/features/chat/turns/reply-links.ts": "the constant above it",
  "server/src/features/evaluations/scorers/resource.ts": "the schema's constant",
  "server/src/features/knowledge/connectors/sources/page.ts": "two words of the file",
  "server/src/features/knowledge/search/tokens.ts": "the constants above it",
  "server/src/features/marketplace/bundles/contents.ts": "kinds of contents",
  "server/src/features/missions/work/store.ts": "ids of steps, which are words",
  "server/src/features/tasks/runs/copied-from.ts": "the constant above it",
  "server/src/features/workflows/definitions/store.ts": "the schema's constant",
  "server/src/features/workflows/hooks/resource.ts": "the schema's constant",
  "server/src/features/workflows/hooks/operations/receive-hook.ts": "the schema's constant",
  "server/src/features/workflows/definitions/templates.ts": "words of the templates",
  "server/src/pipeline/form.ts": "the constant above it",
};

const makesEnvironment = /\bnew Environment\(/g;
const makesPattern = /\bnew RegExp\(|\bmatchesGlob\(/g;

/** Evaluators without a bound. `own`: files whose patterns are no caller's. */
export function evaluatorFindings(
  sources: readonly Source[],
  own: Readonly<Record<string, string>> = ownPatterns,
): Finding[] {
  const used = new Set<string>();
  const findings = sources
    .filter(({ file }) => service.test(file))
    .flatMap(({ file, text }): Finding[] => {
      const at = (pattern: RegExp, what: string) =>
        [...text.matchAll(pattern)].map(({ index }) => ({ file, line: lineAt(text, index), what }));
      const made = environments.has(file)
        ? []
        : at(makesEnvironment, "evaluates CEL without counting; use createEnvironment of @aos/cel");
      const patterns = at(makesPattern, "may run a caller's pattern in an engine that backtracks; use RE2 (re2js)");
      if (patterns.length > 0) used.add(file);
      return [...made, ...(file in own ? [] : patterns)];
    });
  const stale = Object.keys(own).filter((file) => !used.has(file));
  return [
    ...findings,
    ...stale.map((file) => ({ file, line: 1, what: "makes no pattern any more; take it off the list" })),
  ];
}
