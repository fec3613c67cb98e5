import type {
  ConnectorKind,
  FeedSource,
  FolderSource,
  GitSource,
  JsonApiSource,
  PostgresSource,
  S3Source,
  WebsiteSource,
} from "../source-schemas.ts";
import { listFolder } from "./folder.ts";
import { listRows } from "./postgres.ts";
import type { SourceItem, SourceReading } from "./source.ts";

/** Loads parsers only where a source needs them. */
export async function* listItems(
  kind: ConnectorKind,
  source: object,
  reading: SourceReading,
): AsyncGenerator<SourceItem> {
  if (kind === "folder") yield* listFolder(source as FolderSource, reading);
  else if (kind === "website") yield* (await import("./website.ts")).listPages(source as WebsiteSource, reading);
  else if (kind === "s3") yield* (await import("./s3.ts")).listObjects(source as S3Source, reading);
  else if (kind === "postgres") yield* listRows(source as PostgresSource, reading);
  else if (kind === "git") yield* (await import("./git.ts")).listBlobs(source as GitSource, reading);
  else if (kind === "json-api") yield* (await import("./json-api.ts")).listEntries(source as JsonApiSource, reading);
  else yield* (await import("./feed.ts")).listEntries(source as FeedSource, reading);
}
