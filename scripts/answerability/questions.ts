/** A question put to PostgreSQL's manual, with the pages that answer it. */
export interface PageQuestion {
  readonly text: string;
  readonly pages: readonly string[];
}

export const asked = (text: string, ...pages: string[]): PageQuestion => ({
  text,
  pages: pages.map((page) => `${page}.html`),
});

/** As users would ask, written before any search and used for no choice; the pages of the first twenty are hidden for the near misses. */
export const manualQuestions: readonly PageQuestion[] = [
  asked("How can I abort any statement that takes longer than a minute?", "runtime-config-client"),
  asked("How do I take a backup of one database into a file?", "app-pgdump", "backup-dump"),
  asked("Restore a single table from a custom format dump", "app-pgrestore"),
  asked(
    "What do I write into pg_hba.conf so that only encrypted connections are accepted?",
    "auth-pg-hba-conf",
    "ssl-tcp",
  ),
  asked("How do I recover the database to the state of yesterday noon?", "continuous-archiving", "runtime-config-wal"),
  asked("Does an index on two columns help a query that filters only by the second one?", "indexes-multicolumn"),
  asked("Insert a row or update it if it already exists", "sql-insert"),
  asked("How many columns can a table have at most?", "limits"),
  asked("Can I index only the rows that are not yet billed?", "indexes-partial"),
  asked("Which isolation levels are there and what anomalies does each allow?", "transaction-iso"),
  asked("How do I see which queries are running right now?", "monitoring-stats"),
  asked("Why does the planner not use my index?", "indexes-examine", "using-explain", "planner-stats"),
  asked("Difference between char(n), varchar and text", "datatype-character"),
  asked("How do I make a column that fills itself with ascending numbers?", "datatype-numeric", "sql-createtable"),
  asked("Let users see only their own rows of a table", "ddl-rowsecurity", "sql-createpolicy"),
  asked("How to split a big table by month", "ddl-partitioning"),
  asked("What happens when transaction ids run out?", "routine-vacuuming"),
  asked(
    "Search text regardless of upper and lower case",
    "functions-matching",
    "citext",
    "collation",
    "indexes-expressional",
  ),
  asked("How do I load a CSV file into a table?", "sql-copy", "populate"),
  asked("Rename a column", "ddl-alter", "sql-altertable"),
  asked("How can I find duplicates with a misspelled name?", "fuzzystrmatch", "pgtrgm"),
  asked("Upgrade to a new major version without dumping everything", "pgupgrade", "upgrading"),
  asked("How does a standby server answer read queries?", "hot-standby"),
  asked(
    "Replicate only some tables to another server",
    "logical-replication",
    "logical-replication-publication",
    "sql-createpublication",
  ),
  asked("Which memory settings should I change first?", "runtime-config-resource"),
  asked("Get the first day of the month of a date", "functions-datetime"),
  asked("How can I remove a user who owns objects?", "role-removal", "sql-drop-owned", "sql-reassign-owned"),
  asked("Where is the password stored so that psql does not ask for it?", "libpq-pgpass"),
  asked("How do I wait for notifications from another session?", "sql-listen", "libpq-notify"),
  asked("Turn rows into a comma separated list", "functions-aggregate"),
  asked("What does deadlock detected mean and how can it be avoided?", "explicit-locking"),
  asked("Query a hierarchy of employees and managers recursively", "queries-with"),
  asked("How do I read a file on the server as if it were a table?", "file-fdw"),
  asked("Running total per customer", "tutorial-window", "functions-window", "sql-expressions"),
  asked("How do I change the encoding of a database?", "multibyte", "manage-ag-templatedbs", "sql-createdatabase"),
  asked("Log all statements that are slower than half a second", "runtime-config-logging"),
  asked("How do I store IP addresses and find those within a subnet?", "datatype-net-types", "functions-net"),
  asked("Make a function run with the rights of its owner", "sql-createfunction"),
  asked("How can I benchmark my server?", "pgbench"),
  asked(
    "Can two sessions be kept from running the same job at once with a lock of the application's own?",
    "explicit-locking",
  ),
];

/** Asked of the same manual by mistake. */
export const elsewhereQuestions: readonly string[] = [
  "Where is my parcel?",
  "How do I cook rice without a rice cooker?",
  "What time does the pharmacy close on Sundays?",
  "Can I bring my dog to the hotel?",
  "How many vacation days do I have left this year?",
  "My washing machine shows error E18, what now?",
  "Who won the football world cup in 2014?",
  "Do you ship to Norway, and what does it cost?",
  "How do I reset the filter light of the coffee machine?",
  "Which visa do I need for a month in Japan?",
  "I would like to cancel my gym membership",
  "What is the capital of Mongolia?",
  "Are the tyres of my bicycle under warranty?",
  "When must the tax return be handed in?",
  "Is parental leave paid by the company?",
  "My card was swallowed by the cash machine",
  "How long does paint need to dry before a second coat?",
  "Can I swap my theatre tickets for another evening?",
  "What does the breakfast buffet include?",
  "How do I get red wine out of a carpet?",
];
