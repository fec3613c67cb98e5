import type {
  ConnectorKind,
  FeedSource,
  FolderSource,
  PostgresSource,
  S3Source,
  WebsiteSource,
} from "../source-schemas.ts";
import { listFolder } from "./folder.ts";
import { listRows } from "./postgres.ts";
import type { Looking, SourceItem } from "./source.ts";

/** The items of a source of any kind. Parsers of HTML, XML and feeds are loaded where a source needs them. */
export async function* listItems(kind: ConnectorKind, source: object, looking: Looking): AsyncGenerator<SourceItem> {
  if (kind === "folder") yield* listFolder(source as FolderSource, looking);
  else if (kind === "website") yield* (await import("./website.ts")).listPages(source as WebsiteSource, looking);
  else if (kind === "s3") yield* (await import("./s3.ts")).listObjects(source as S3Source, looking);
  else if (kind === "postgres") yield* listRows(source as PostgresSource, looking);
  else yield* (await import("./feed.ts")).listEntries(source as FeedSource, looking);
}
