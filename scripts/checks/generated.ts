import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { publishedSchema } from "@aos/workflow";
import { operationsOf } from "../../sdk/gen/document.ts";
import { sdkFiles } from "../../sdk/gen/files.ts";
import { entryOf } from "../../sdk/gen/operations.ts";
import { openApiDocument } from "../../server/src/openapi/document.ts";
import { groups } from "../../server/src/openapi/tags.ts";
import { agentFilePage } from "./agent-file.ts";
import { commandExamples, typescriptExamples } from "./examples.ts";
import { eventsPage, pipelineMatrix, problemsPage } from "./reference.ts";
import { publishedOperations } from "./registry.ts";
import { tableTypes } from "./table-types.ts";

const schemaFile = new URL("../../server/src/db/schema.sql", import.meta.url);

/** A file that is made from the declarations, with the text that it should have. */
export interface Generated {
  /** Relative to the repository. */
  readonly file: string;
  readonly text: string;
}

/** Every generated file that needs no database. */
export async function generate(): Promise<readonly Generated[]> {
  const document = `${JSON.stringify(openApiDocument(publishedOperations()), null, 2)}\n`;
  const parsed = JSON.parse(document);
  return [
    { file: "openapi/openapi.json", text: document },
    { file: "openapi/workflow.schema.json", text: `${JSON.stringify(publishedSchema(), null, 2)}\n` },
    ...(await sdkFiles(parsed)),
    { file: "sdk/src/generated/examples.ts", text: typescriptExamples() },
    { file: "openapi/commands.json", text: commandExamples(operationsOf(parsed).map((one) => entryOf(parsed, one))) },
    { file: "cli/src/groups.json", text: groupWords() },
    { file: "docs/reference/pipeline-matrix.md", text: pipelineMatrix() },
    { file: "docs/reference/problems.md", text: problemsPage() },
    { file: "docs/reference/events.md", text: eventsPage() },
    { file: "docs/reference/agent-file.md", text: agentFilePage() },
    { file: "server/src/db/generated/tables.ts", text: tableTypes(await readFile(schemaFile, "utf8")) },
  ];
}

/** The groups with what they are about: the command line shows them without loading the operations. */
const groupWords = (): string =>
  `${JSON.stringify(Object.fromEntries(groups.map(({ name, description }) => [name, description])), null, 2)}\n`;

/** Which of these files are not, on disk under `root`, what they should be; a missing one is among them. */
export async function staleFiles(root: string, generated: readonly Generated[]): Promise<string[]> {
  const onDisk = await Promise.all(
    generated.map(({ file }) => readFile(path.join(root, file), "utf8").catch(() => undefined)),
  );
  return generated.filter(({ text }, at) => onDisk[at] !== text).map(({ file }) => file);
}

/** Writes those that are stale; answers their names. */
export async function writeStale(root: string, generated: readonly Generated[]): Promise<string[]> {
  const stale = await staleFiles(root, generated);
  for (const { file, text } of generated.filter((one) => stale.includes(one.file))) {
    await mkdir(path.dirname(path.join(root, file)), { recursive: true });
    await writeFile(path.join(root, file), text);
  }
  return stale;
}
