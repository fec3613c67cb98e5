import { exampleOf } from "../../cli/src/operations/example.ts";
import { commandsOf } from "../../cli/src/operations/names.ts";
import type { OperationEntry } from "../../sdk/src/operation.ts";
import { docsModel } from "../../server/src/http/docs/model.ts";
import { typescript } from "../../server/src/http/docs/typescript.ts";
import { publishedOperations } from "./registry.ts";

/** Commands of the operations' examples, by id: what the pages of the reference show beside `curl`. */
export function commandExamples(entries: readonly OperationEntry[]): string {
  const lines = commandsOf(entries).map((command) => [command.operation.id, exampleOf(command)] as const);
  return `${JSON.stringify(Object.fromEntries(lines), null, 2)}\n`;
}

/** The examples of the reference in TypeScript, as one file that is held against the types of the SDK with everything else. */
export function typescriptExamples(): string {
  const { operations } = docsModel(publishedOperations(), "http://127.0.0.1:4000");
  const calls = operations.map(
    (operation) =>
      `  {\n${typescript(operation)
        .replace(/^const answer = /, "")
        .replaceAll(/^/gm, "    ")}\n  }`,
  );
  return [
    "// Made by `npm run gen` from the examples of the operations, as the reference shows them. Not for editing.",
    'import type { AosClient } from "../client.ts";',
    "",
    "/** Every example of the reference: that it compiles is what it is for. */",
    "export async function examples(aos: AosClient, etag: string): Promise<void> {",
    ...calls,
    "}",
    "",
  ].join("\n");
}
