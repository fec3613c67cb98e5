import type {
  ConnectorKind,
  FeedSource,
  FolderSource,
  PostgresSource,
  S3Source,
  WebsiteSource,
} from "../source-schemas.ts";
import { listEntries } from "./feed.ts";
import { listFolder } from "./folder.ts";
import { listRows } from "./postgres.ts";
import { listObjects } from "./s3.ts";
import type { Looking, SourceItem } from "./source.ts";
import { listPages } from "./website.ts";

/** The items of a source of any kind. */
export function listItems(kind: ConnectorKind, source: object, looking: Looking): AsyncIterable<SourceItem> {
  if (kind === "folder") return listFolder(source as FolderSource, looking);
  if (kind === "website") return listPages(source as WebsiteSource, looking);
  if (kind === "s3") return listObjects(source as S3Source, looking);
  if (kind === "postgres") return listRows(source as PostgresSource, looking);
  return listEntries(source as FeedSource, looking);
}
