import { rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { DocumentFault } from "@aos/documents";
import { makeTemporaryFolder } from "../../kernel/temporary-folders.ts";
import type { ReceivedFile } from "./channel-receive.ts";
import type { AttachedFile } from "./email-parse.ts";
import { textIn } from "./files.ts";

/** What was attached to a message, with what an agent reads of it. A file that cannot be read is kept without text. */
export async function withTexts(files: readonly AttachedFile[]): Promise<ReceivedFile[]> {
  if (files.length === 0) return [];
  const folder = await makeTemporaryFolder("mail");
  try {
    const read: ReceivedFile[] = [];
    for (const [at, file] of files.entries())
      read.push({ ...file, text: await textOf(file, path.join(folder, String(at))) });
    return read;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function textOf({ name, mediaType, content }: AttachedFile, file: string): Promise<string | null> {
  await writeFile(file, content);
  try {
    return await textIn({ path: file, mediaType, fileName: name }, AbortSignal.timeout(30_000));
  } catch (error) {
    if (error instanceof DocumentFault) return null;
    throw error;
  }
}
