import type { JobParts } from "../../../kernel/machines.ts";
import type { DownloadPort } from "../ports.ts";
import type { Progress } from "./progress.ts";
import type { Claimed } from "./store.ts";

export type IngestParts = Pick<JobParts, "db" | "inside" | "clock" | "newId">;

/** A job at work on a document. */
export interface Working extends IngestParts {
  readonly port: DownloadPort;
  readonly row: Claimed;
  readonly progress: Progress;
  /** Its own, for files. */
  readonly folder: string;
}
