import type { NewConnector } from "../../api/knowledge.ts";
import { listOf } from "./words.ts";

export type Kind = NewConnector["kind"];

export interface KindField {
  /** The place in the body: `source.url`, `credentials.user`. */
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly placeholder?: string;
  readonly required?: boolean;
  /** `list`: patterns, with spaces or commas. */
  readonly type?: "url" | "number" | "password" | "list" | "long";
  readonly options?: readonly (readonly [value: string, word: string])[];
}

const selection: readonly KindField[] = [
  { name: "source.include", label: "Only these paths", type: "list", placeholder: "guides/**, *.md" },
  { name: "source.exclude", label: "Except these paths", type: "list", placeholder: "drafts/**" },
];

/** What each kind of source is, and what it needs to know. */
export const kinds: Readonly<
  Record<
    Kind,
    {
      readonly title: string;
      readonly about: string;
      /** Its requests may carry a connection's secret. */
      readonly connected?: boolean;
      readonly fields: readonly KindField[];
    }
  >
> = {
  website: {
    title: "Website",
    about: "Pages, by links or by sitemap. robots.txt and noindex are followed.",
    connected: true,
    fields: [
      {
        name: "source.url",
        label: "Start page",
        type: "url",
        placeholder: "https://docs.example.com/",
        hint: "Its links are followed within the same origin. Leave it out where a sitemap lists all pages.",
      },
      { name: "source.sitemap", label: "Sitemap", type: "url", placeholder: "https://docs.example.com/sitemap.xml" },
      ...selection,
      { name: "source.most_items", label: "Maximum pages", type: "number", placeholder: "1000" },
    ],
  },
  feed: {
    title: "RSS or Atom feed",
    about: "Entries of a feed. Those that it no longer lists stay.",
    connected: true,
    fields: [
      {
        name: "source.url",
        label: "Feed",
        type: "url",
        placeholder: "https://example.com/news/feed.xml",
        required: true,
      },
    ],
  },
  s3: {
    title: "S3 bucket",
    about: "Objects of an S3-compatible bucket.",
    fields: [
      {
        name: "source.endpoint",
        label: "Endpoint",
        type: "url",
        placeholder: "https://s3.eu-central-1.amazonaws.com",
        required: true,
      },
      { name: "source.bucket", label: "Bucket", required: true },
      { name: "source.region", label: "Region", placeholder: "us-east-1" },
      { name: "source.prefix", label: "Keys begin with", placeholder: "handbook/" },
      ...selection,
      {
        name: "credentials.access_key_id",
        label: "Access key id",
        hint: "Stored encrypted. Leave both out for a public bucket.",
      },
      { name: "credentials.secret_access_key", label: "Secret access key", type: "password" },
    ],
  },
  postgres: {
    title: "PostgreSQL query",
    about: "Rows of a query become records, with an external id each.",
    fields: [
      { name: "source.host", label: "Host", required: true },
      { name: "source.port", label: "Port", type: "number", placeholder: "5432" },
      { name: "source.database", label: "Database", required: true },
      { name: "credentials.user", label: "User", hint: "A role that may only read.", required: true },
      { name: "credentials.password", label: "Password", type: "password", required: true },
      {
        name: "source.query",
        label: "Query",
        type: "long",
        placeholder: "select id, title, body, updated_at from articles",
        hint: "One statement. It runs in a read-only transaction.",
        required: true,
      },
      { name: "source.columns.id", label: "Id column", placeholder: "id", required: true },
      { name: "source.columns.title", label: "Title column", placeholder: "title" },
      { name: "source.columns.text", label: "Text column", placeholder: "body" },
      {
        name: "source.columns.updated",
        label: "Version or time column",
        placeholder: "updated_at",
        hint: "Changes with the row. Empty: all columns are compared.",
      },
    ],
  },
  git: {
    title: "Git repository",
    about: "Files of a branch, a tag or a commit.",
    connected: true,
    fields: [
      {
        name: "source.url",
        label: "Repository",
        type: "url",
        placeholder: "https://github.com/acme/handbook.git",
        required: true,
      },
      {
        name: "source.ref",
        label: "Branch, tag or commit",
        placeholder: "main",
        hint: "Empty: the branch that the server names.",
      },
      { name: "source.path", label: "Folder", placeholder: "docs", hint: "Empty: the whole repository." },
      { name: "source.include", label: "Only these paths", type: "list", placeholder: "docs/**/*.md" },
      { name: "source.exclude", label: "Except these paths", type: "list", placeholder: "docs/drafts/**" },
      {
        name: "source.link",
        label: "Link to a file",
        placeholder: "https://git.example.com/acme/handbook/blob/{ref}/{path}",
        hint: "Not needed for GitHub, GitLab, Bitbucket and Codeberg.",
      },
    ],
  },
  "json-api": {
    title: "JSON API",
    about: "Items that an API lists in pages become records, or documents if there is a text.",
    connected: true,
    fields: [
      {
        name: "source.url",
        label: "List",
        type: "url",
        placeholder: "https://api.example.com/articles?status=published",
        required: true,
      },
      { name: "source.items", label: "Items at", placeholder: "data", hint: "Empty: the answer is the list." },
      { name: "source.id", label: "Id at", placeholder: "id", required: true },
      {
        name: "source.pages.by",
        label: "Pages",
        options: [
          ["", "All in one answer"],
          ["cursor", "By cursor"],
          ["link", "By address of the next page"],
          ["page", "By number"],
          ["offset", "By offset"],
        ],
      },
      {
        name: "source.pages.cursor",
        label: "Next cursor at",
        placeholder: "meta.next_cursor",
        hint: "For pages by cursor.",
      },
      { name: "source.pages.size", label: "Items of a page", type: "number", hint: "Empty: the API’s own." },
      {
        name: "source.item",
        label: "Address of one item",
        placeholder: "https://api.example.com/articles/{id}",
        hint: "Where the list does not have all of it.",
      },
      { name: "source.title", label: "Title", placeholder: "{title}" },
      {
        name: "source.text",
        label: "Text",
        type: "long",
        placeholder: "{summary}\n\n{body}",
        hint: "Empty: the item becomes a record of its fields.",
      },
      {
        name: "source.media_type",
        label: "Text is",
        options: [
          ["", "Plain text"],
          ["text/markdown", "Markdown"],
          ["text/html", "HTML"],
        ],
      },
      {
        name: "source.fields",
        label: "Fields",
        type: "list",
        placeholder: "team.name, updated_at",
        hint: "Metadata of documents, or fields of records.",
      },
      { name: "source.link", label: "Link", placeholder: "{html_url}" },
      { name: "source.updated", label: "Time of change at", placeholder: "updated_at" },
      { name: "source.deleted", label: "Deleted mark at", placeholder: "deleted_at" },
      {
        name: "source.since.parameter",
        label: "Parameter for changes since",
        placeholder: "updated_since",
        hint: "Only what changed is listed then; once a day all is.",
      },
    ],
  },
  folder: {
    title: "Folder of the host",
    about: "Files below a folder that the operator allowed in AOS_KNOWLEDGE_FOLDERS.",
    fields: [{ name: "source.path", label: "Folder", placeholder: "/srv/handbook", required: true }, ...selection],
  },
};

const connection: KindField = {
  name: "connection",
  label: "Connection",
  placeholder: "docs-reader",
  hint: "Of kind http, for its secret. Empty: read as anybody may.",
};

export const fieldsOf = (kind: Kind): readonly KindField[] =>
  kinds[kind].connected ? [...kinds[kind].fields, connection] : kinds[kind].fields;

/** The body of a new connector: what was filled in, each value at its place. */
export function connectorBody(kind: Kind, form: FormData): Record<string, unknown> {
  const body: Record<string, unknown> = { kind, name: String(form.get("name") ?? "").trim(), source: {} };
  for (const { name, type } of fieldsOf(kind)) {
    const text = String(form.get(name) ?? "").trim();
    if (text !== "") put(body, name.split("."), formValue(text, type));
  }
  const cron = String(form.get("cron") ?? "").trim();
  const time_zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return cron === "" ? body : { ...body, schedule: { cron, time_zone } };
}

const formValue = (text: string, type: KindField["type"]): unknown =>
  type === "number" ? Number(text) : type === "list" ? listOf(text) : text;

function put(body: Record<string, unknown>, [first = "", ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    body[first] = value;
    return;
  }
  const inner = (body[first] ?? {}) as Record<string, unknown>;
  body[first] = inner;
  put(inner, rest, value);
}

export const schedules = [
  ["", "Only when you start it"],
  ["17 * * * *", "Every hour at :17"],
  ["17 3 * * *", "Every night at 03:17"],
  ["17 3 * * 1", "Every Monday at 03:17"],
] as const;

/** Where a source is, in one line. */
export function sourceText(source: Readonly<Record<string, unknown>>): string {
  const { url, sitemap, endpoint, bucket, prefix, host, database, path } = source;
  if (typeof bucket === "string") return `${endpoint}/${bucket}/${prefix ?? ""}`;
  if (typeof host === "string") return `${host}/${database}`;
  return String(url ?? sitemap ?? path ?? "");
}
