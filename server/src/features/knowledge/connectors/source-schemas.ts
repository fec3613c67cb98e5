import { type Static, Type } from "typebox";
import { closed } from "../../../kernel/schema-words.ts";

export const connectorKinds = ["folder", "website", "s3", "postgres", "feed", "git", "json-api"] as const;
export type ConnectorKind = (typeof connectorKinds)[number];
export const ConnectorKindName = Type.Enum(connectorKinds, {
  description:
    "`folder`: files of the host, below folders that its operator allowed. `website`: pages, by links or sitemap. `s3`: objects of a bucket. `postgres`: rows of a " +
    "query, as records. `feed`: entries of an RSS or Atom feed. `git`: files of a repository at a commit. `json-api`: items that an API lists in pages.",
});

const globs = (what: string) =>
  Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 500 }), {
      maxItems: 100,
      description: `${what}, such as \`guides/**/*.md\`. \`**\` matches any folders, \`*\` any characters of a name, \`?\` for one, \`[a-z]\` for one of a set, \`{a,b}\` for one of several. Together they may have 4,000 characters.`,
    }),
  );
const selection = {
  include: globs("Take only paths that match one of these patterns"),
  exclude: globs("Leave out paths that match one of these patterns"),
};
const Address = (description: string) =>
  Type.String({ minLength: 1, maxLength: 2000, pattern: "^https?://[^\\s]+$", description });
const most = (standard: number, maximum: number, what: string) =>
  Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum,
      default: standard,
      description: `${what}. More are left out, and nothing is removed then.`,
    }),
  );

export const FolderSource = Type.Object(
  {
    path: Type.String({
      minLength: 1,
      maxLength: 4000,
      pattern: "^/[^\\u0000]*$",
      description: "The folder, absolute. It lies below a folder in AOS_KNOWLEDGE_FOLDERS of the host.",
    }),
    ...selection,
    most_items: most(100_000, 1_000_000, "Files that are taken"),
  },
  { ...closed, description: "Hidden files, symbolic links and special files are left out." },
);
export type FolderSource = Static<typeof FolderSource>;

export const WebsiteSource = Type.Object(
  {
    url: Type.Optional(Address("Where to begin. Its links are followed. This or `sitemap` is needed.")),
    sitemap: Type.Optional(
      Address("A sitemap or an index of sitemaps. Its pages are taken; links are followed only if `url` is given."),
    ),
    origins: Type.Optional(
      Type.Array(Address("An origin, such as `https://docs.example.com`."), {
        maxItems: 20,
        description: "Further origins whose pages are taken. Default: only that of the start.",
      }),
    ),
    ...selection,
    most_items: most(1000, 50_000, "Pages that are taken"),
    most_depth: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 50, default: 10, description: "Links from the start to a page at most." }),
    ),
    delay_seconds: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 60,
        default: 0.2,
        description: "Pause between two requests. The `Crawl-delay` of robots.txt counts where it is longer.",
      }),
    ),
  },
  { ...closed, description: "robots.txt, `noindex`, `nofollow` and canonical links are followed." },
);
export type WebsiteSource = Static<typeof WebsiteSource>;

export const S3Source = Type.Object(
  {
    endpoint: Address("Where the service is, such as `https://s3.eu-central-1.amazonaws.com`."),
    region: Type.Optional(Type.String({ pattern: "^[a-z0-9-]{1,40}$", default: "us-east-1" })),
    bucket: Type.String({ pattern: "^[a-z0-9][a-z0-9.-]{1,62}$" }),
    prefix: Type.Optional(
      Type.String({ maxLength: 1000, default: "", description: "Take only objects whose keys begin so." }),
    ),
    ...selection,
    most_items: most(100_000, 1_000_000, "Objects that are taken"),
  },
  { ...closed, description: "An S3-compatible bucket." },
);
export type S3Source = Static<typeof S3Source>;

const Column = (description: string) => Type.String({ minLength: 1, maxLength: 63, description });
export const PostgresSource = Type.Object(
  {
    host: Type.String({ pattern: "^[A-Za-z0-9]([A-Za-z0-9.:-]{0,252})$", description: "A name or an address." }),
    port: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535, default: 5432 })),
    database: Type.String({ minLength: 1, maxLength: 63 }),
    tls: Type.Optional(
      Type.Boolean({ default: true, description: "Without TLS only what plain http may reach is reached." }),
    ),
    query: Type.String({
      minLength: 1,
      maxLength: 20_000,
      description: "One statement that returns rows. It runs in a read-only transaction.",
    }),
    columns: Type.Object(
      {
        id: Column("Tells the rows apart; becomes the `external_id`."),
        title: Type.Optional(Column("The document's title.")),
        text: Type.Optional(Column("The document's text. Without it the row is a record alone.")),
        updated: Type.Optional(
          Column("Changes whenever the row does, such as a time of change. Default: all columns are compared."),
        ),
      },
      { ...closed, description: "What columns mean. All columns become the record's fields, but for `text`." },
    ),
    timeout_seconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 3600, default: 300 })),
    most_items: most(100_000, 1_000_000, "Rows that are taken"),
  },
  { ...closed, description: "A query on a PostgreSQL database, whose rows become records." },
);
export type PostgresSource = Static<typeof PostgresSource>;

export const FeedSource = Type.Object(
  { url: Address("The feed.") },
  {
    ...closed,
    description: "An RSS or Atom feed. Entries that it no longer lists stay, unless `keep_removed` is false.",
  },
);
export type FeedSource = Static<typeof FeedSource>;

export const GitSource = Type.Object(
  {
    url: Type.String({
      minLength: 1,
      maxLength: 2000,
      pattern: "^https?://[^?#\\s]+$",
      description: "The repository, as `git clone` takes it by https, such as `https://github.com/acme/handbook.git`.",
    }),
    ref: Type.Optional(
      Type.String({
        pattern: "^[^\\s~^:?*\\[\\\\\\u0000-\\u0020\\u007f]{1,250}$",
        description: "A branch, a tag or a commit (40 hexadecimal digits). Default: the branch that the server names.",
      }),
    ),
    path: Type.Optional(
      Type.String({
        maxLength: 1000,
        pattern: "^[^\\u0000]*$",
        description: "Take only files below this folder of the repository.",
      }),
    ),
    ...selection,
    link: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 2000,
        pattern: "^https?://[^/{}\\s]+/[^\\s]*$",
        description:
          "The address of a file on the web, with `{path}`, `{ref}` and `{commit}`. Default: known for github.com, gitlab.com, bitbucket.org and codeberg.org; elsewhere none.",
      }),
    ),
    shallow: Type.Optional(
      Type.Boolean({
        default: true,
        description:
          "Fetch the commit alone. False fetches the history too, which a commit as `ref` needs where the server hands out branches and tags only.",
      }),
    ),
    most_megabytes: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 512,
        default: 128,
        description: "The largest pack that is fetched. Unpacked it may be four times as large.",
      }),
    ),
    most_items: most(100_000, 1_000_000, "Files that are taken"),
  },
  {
    ...closed,
    description:
      "Patterns are compared with whole paths. Hidden files, symbolic links, submodules and pointers of Git LFS are left out.",
  },
);
export type GitSource = Static<typeof GitSource>;

const Place = (description: string) =>
  Type.String({
    minLength: 1,
    maxLength: 200,
    pattern: "^[^\\s{}]+$",
    description: `${description}, by names with dots between them, such as \`attributes.title\`.`,
  });
const Template = (description: string, more: { maxLength?: number; pattern?: string } = {}) =>
  Type.String({ minLength: 1, maxLength: 2000, ...more, description });
const Parameter = (description: string) =>
  Type.String({ pattern: "^[^\\s&=?#]{1,100}$", description: `${description}, in the query.` });
export const JsonApiPages = Type.Object(
  {
    by: Type.Enum(["cursor", "link", "page", "offset"] as const, {
      description:
        '`cursor`: an answer has the cursor of the next page. `link`: an answer names the next page, in the header `Link` with `rel="next"` or at `next`. `page`: by number. ' +
        "`offset`: by the number of earlier items. The last two end at the first page without items.",
    }),
    cursor: Type.Optional(Place("For `cursor`: where an answer has it; the last page has none")),
    next: Type.Optional(
      Place("For `link`: where an answer has the address of the next page. Default: the header `Link`"),
    ),
    parameter: Type.Optional(Parameter("Where cursor, page or offset stands. Default: `cursor`, `page` or `offset`")),
    first: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 1, default: 1, description: "For `page`: the number of the first page." }),
    ),
    size: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 10_000, description: "Items of a page. Default: the API's own." }),
    ),
    size_parameter: Type.Optional(Parameter("Where `size` stands. Default: `limit`")),
  },
  { ...closed, description: "How the list goes on. Default: one answer has all items." },
);
export type JsonApiPages = Static<typeof JsonApiPages>;

export const JsonApiSource = Type.Object(
  {
    url: Address("The list, with its query."),
    items: Type.Optional(Place("Where an answer has the list. Default: the answer is the list")),
    id: Place("What tells items apart; becomes the `external_id`"),
    pages: Type.Optional(JsonApiPages),
    item: Type.Optional(
      Template(
        "The address of one item, such as `https://api.example.com/articles/{id}`. Default: the list has all of it.",
        {
          pattern: "^https?://[^/{}\\s]+/[^\\s]*$",
        },
      ),
    ),
    item_at: Type.Optional(Place("Where the answer at `item` has the item. Default: the answer is the item")),
    title: Type.Optional(Template("The title, with places in braces, such as `{attributes.title}`.")),
    text: Type.Optional(
      Template("The text, such as `{summary}\\n\\n{body}`. Without it the item is a record of `fields`.", {
        maxLength: 10_000,
      }),
    ),
    media_type: Type.Optional(
      Type.Enum(["text/plain", "text/markdown", "text/html"] as const, {
        default: "text/plain",
        description: "What `text` is.",
      }),
    ),
    fields: Type.Optional(
      Type.Array(Place("A value"), {
        minItems: 1,
        maxItems: 100,
        description:
          "With `text`, they become metadata, by which searches filter. Without it, the fields of a record; default: all of the item.",
      }),
    ),
    link: Type.Optional(Template("The item's address on the web, such as `{html_url}`.")),
    updated: Type.Optional(
      Place("Changes whenever the item does, such as a time of change. Default: contents are compared"),
    ),
    deleted: Type.Optional(
      Place("Where an item says that it was deleted: anything but null, false, 0, an empty text and a missing value"),
    ),
    since: Type.Optional(
      Type.Object(
        {
          parameter: Parameter("Where the time stands; the list then has only what changed since"),
          full_hours: Type.Optional(
            Type.Integer({
              minimum: 1,
              maximum: 8760,
              default: 24,
              description: "Hours after which the whole list is read again, which finds items that vanished.",
            }),
          ),
        },
        {
          ...closed,
          description: "Needs `updated`, a time or a number. A minute before the latest is asked for again.",
        },
      ),
    ),
    delay_seconds: Type.Optional(
      Type.Number({ minimum: 0, maximum: 60, default: 0, description: "Pause between two requests." }),
    ),
    most_items: most(100_000, 1_000_000, "Items that are taken"),
  },
  { ...closed, description: "A list of an API that answers in JSON. `Retry-After` is followed." },
);
export type JsonApiSource = Static<typeof JsonApiSource>;

export interface SourceOfKind {
  readonly folder: FolderSource;
  readonly website: WebsiteSource;
  readonly s3: S3Source;
  readonly postgres: PostgresSource;
  readonly feed: FeedSource;
  readonly git: GitSource;
  readonly "json-api": JsonApiSource;
}

const secret = (description: string) =>
  Type.String({ minLength: 1, maxLength: 1000, pattern: "^[^\\u0000]+$", description });
export const S3Credentials = Type.Object(
  { access_key_id: secret("The access key's id."), secret_access_key: secret("Its secret.") },
  closed,
);
export type S3Credentials = Static<typeof S3Credentials>;
export const PostgresCredentials = Type.Object(
  { user: secret("A role that may only read."), password: secret("Its password.") },
  closed,
);
export type PostgresCredentials = Static<typeof PostgresCredentials>;

export const sourceSchemas = {
  folder: FolderSource,
  website: WebsiteSource,
  s3: S3Source,
  postgres: PostgresSource,
  feed: FeedSource,
  git: GitSource,
  "json-api": JsonApiSource,
} as const;
/** The other kinds name a connection. */
export const credentialSchemas = { s3: S3Credentials, postgres: PostgresCredentials } as const;
