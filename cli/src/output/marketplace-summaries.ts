import { printable, type Terminal } from "../terminal.ts";
import { type Column, columns, type Fields, fieldsOf, intervalOf, listOf, rounded, tableLines } from "./table.ts";
import { counted } from "./text.ts";

// Listings and installs of the marketplace: what they ask for, what was measured, what is left to do.

type Lines = readonly string[];

const marks: Readonly<Record<string, string>> = { low: "·", elevated: "!", high: "!!" };

/** Permissions, one sentence a line, with `!` before elevated and `!!` before high ones. */
export const permissionLines = (permissions: unknown): Lines =>
  listOf(permissions).length === 0
    ? ["  nothing"]
    : listOf(permissions).map(({ level, text }) => printable(`  ${(marks[String(level)] ?? "").padEnd(2)} ${text}`));

/** What an update asks for that the installed version does not, and the reverse. */
export function differenceLines(difference: unknown): Lines {
  const { added, removed, changed } = fieldsOf(difference);
  const lines = [
    ...listOf(added).map(({ text }) => `  + ${text}`),
    ...listOf(removed).map(({ text }) => `  - ${text}`),
    ...listOf(changed).flatMap(({ before, after }) => [`  - ${fieldsOf(before).text}`, `  + ${fieldsOf(after).text}`]),
  ];
  return lines.length === 0 ? ["  nothing more and nothing less"] : lines.map(printable);
}

/** A scorecard in a few words: `note-right-reason 0.64, note-right-risk 0.84`. */
const scoresOf = (scorecard: unknown): string | null =>
  scorecard === null || scorecard === undefined
    ? null
    : listOf(fieldsOf(scorecard).results)
        .map(({ scorer, mean }) => `${scorer} ${rounded(mean)}`)
        .join(", ");

export const listingColumns: readonly Column[] = [
  ...columns("NAME=name KIND=kind VERSION=version STATE=state TITLE=title*"),
  { title: "STARS", of: ({ rating }) => starsOf(rating) },
  { title: "MEASURED", of: ({ scorecard }) => scoresOf(scorecard), long: true },
  { title: "PUBLISHER", of: ({ publisher }) => fieldsOf(publisher).name },
  ...columns("LISTING=listing_id"),
];

const starsOf = (rating: unknown): string | null => {
  const { mean, ratings } = fieldsOf(rating);
  return mean === undefined ? null : `${rounded(mean, 1)} (${ratings})`;
};

function scorecardLines(scorecard: unknown, terminal: Terminal): Lines {
  if (scorecard === null || scorecard === undefined) return ["Nothing was measured."];
  const { model, training, results, datasets, gate } = fieldsOf(scorecard);
  const learnt = training === null ? "" : `, trained on ${counted(Number(fieldsOf(training).examples), "example")}`;
  const { state, floor } = fieldsOf(gate);
  const rows = listOf(results).map(({ low, high, confidence, ...result }) => ({
    ...result,
    mean: rounded(result.mean, 3),
    interval: intervalOf(low, high),
    confidence: `${Math.round(Number(confidence) * 100)} %`,
  }));
  return [
    printable(
      `Measured on ${model === "builtin" ? "the built-in model" : model}${learnt}${state === undefined ? "" : `; gate ${state} at floor ${floor}`}:`,
    ),
    ...indented(
      tableLines(
        rows,
        columns("DATASET=dataset SCORER=scorer ITEMS=items MEAN=mean INTERVAL=interval OF=confidence"),
        terminal,
      ),
    ),
    ...listOf(datasets).map(({ name, data }) => printable(`  ${name}: ${data}`)),
  ];
}

const indented = (lines: Lines): Lines => lines.map((line) => `  ${line}`);
const bullets = (title: string, items: unknown): Lines =>
  Array.isArray(items) && items.length > 0 ? ["", title, ...items.map((item) => printable(`  - ${item}`))] : [];

export function scanLine(scan: unknown): string {
  const { error, warning, note } = fieldsOf(scan);
  return `Scan: ${counted(Number(error), "error")}, ${counted(Number(warning), "warning")}, ${counted(Number(note), "note")}.`;
}

export function publisherLine(publisher: unknown): string {
  const { name, own, pinned, key_id } = fieldsOf(publisher);
  const known = own === true ? "this organization" : pinned === true ? "accepted before" : "not accepted yet";
  return printable(`Signed by ${name} (${known}), key ${key_id}.`);
}

export function listing(body: Fields, terminal: Terminal): Lines | null {
  const { title, name, version, state, kind, listing_id, summary, rating, installs, requires, versions } = body;
  if (typeof title !== "string" || !Array.isArray(body.permissions)) return null;
  const { connections, notes } = fieldsOf(requires);
  const needs = [...listOfText(connections).map((one) => `the connection ${one}`), ...listOfText(notes)];
  return [
    printable(`${title} ${version}: ${name} (${listing_id}), ${String(kind).replaceAll("_", " ")}, ${state}`),
    printable(String(summary)),
    publisherLine(body.publisher),
    `Rated ${starsOf(rating) ?? "by nobody yet"}; ${counted(Number(installs), "install")}. ${scanLine(body.scan)}`,
    "",
    "It asks for:",
    ...permissionLines(body.permissions),
    "",
    ...scorecardLines(body.scorecard, terminal),
    ...bullets("It needs:", needs),
    ...bullets("Its limits:", body.limits),
    ...(listOf(versions).length === 0
      ? []
      : [
          "",
          ...tableLines(
            listOf(versions),
            columns("VERSION=version STATE=state CREATED=created_at REASON=reason* CHANGES=changes* DIGEST=digest"),
            terminal,
          ),
        ]),
  ];
}

const listOfText = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : []);

/** A preview: what an install or update would make and ask for. */
export function preview(body: Fields, terminal: Terminal): Lines | null {
  const { title, version, difference, parts, connections, faults, limits, key_change } = body;
  if (typeof title !== "string" || !Array.isArray(parts)) return null;
  const absent = listOf(connections).filter(({ present }) => present !== true);
  const rows = listOf(parts).map(({ permitted, taken, ...part }) => ({
    ...part,
    problem: taken === true ? "the name is taken" : permitted === false ? `your key lacks ${part.permission}` : null,
  }));
  return [
    printable(`${title} ${version}`),
    publisherLine(body.publisher),
    ...(key_change === "rotated" ? ["The publisher has a new key; the one that was accepted vouches for it."] : []),
    scanLine(body.scan),
    "",
    "It asks for:",
    ...permissionLines(body.permissions),
    ...(difference === null ? [] : ["", "Compared with what is installed:", ...differenceLines(difference)]),
    ...bullets("Its limits:", limits),
    "",
    ...tableLines(rows, columns("PART=kind NAME=name ACTION=action PROBLEM=problem"), terminal),
    ...absent.map(({ name }) => printable(`The connection ${name} is missing: add it before use.`)),
    ...listOf(faults).map(({ detail }) => printable(`It cannot be installed like this: ${detail}`)),
  ];
}

export function install(body: Fields, terminal: Terminal): Lines | null {
  const { install_id, title, version, state, drift, update, recall, parts, next_steps } = body;
  if (typeof install_id !== "string" || !Array.isArray(parts)) return null;
  const newer = fieldsOf(update).version;
  const { kind, reason } = fieldsOf(recall);
  return [
    printable(`${title} ${version}: ${install_id}, ${state}${drift === "changed" ? ", changed here" : ""}`),
    ...(newer === undefined ? [] : [`Version ${newer} is available: aos marketplace update ${install_id}`]),
    ...(kind === undefined ? [] : [printable(`Held by a ${kind}: ${reason}`)]),
    "",
    ...tableLines(
      listOf(parts).map(({ problem, ...part }) => ({ ...part, problem: fieldsOf(problem).detail ?? null })),
      columns("PART=kind NAME=name STATE=state DRIFT=drift RECORD=audit_ref PROBLEM=problem*"),
      terminal,
    ),
    ...stepLines(next_steps),
  ];
}

export const stepLines = (steps: unknown): Lines =>
  listOf(steps).length === 0
    ? []
    : [
        "",
        "Next steps:",
        ...listOf(steps).map(({ done, title }) => printable(`  [${done === true ? "x" : " "}] ${title}`)),
      ];

export function installResult(body: Fields, terminal: Terminal): Lines | null {
  const { succeeded, failed, results } = body;
  if (!Array.isArray(results)) return null;
  const failures = listOf(results).filter(({ problem }) => problem !== null);
  const whole = body.install === null ? null : install(fieldsOf(body.install), terminal);
  return [
    `${counted(Number(succeeded), "part")} done, ${failed} failed.`,
    ...failures.map(({ kind, name, problem }) =>
      printable(`  ${String(kind).replaceAll("_", " ")} ${name}: ${fieldsOf(problem).detail}`),
    ),
    ...(whole ?? []),
  ];
}

/** What answers of the marketplace come to, by operation. */
export const marketplaceSummaries = {
  "marketplace.readListing": listing,
  "marketplace.createListing": listing,
  "marketplace.createVersion": listing,
  "marketplace.changeListing": listing,
  "marketplace.reviewListing": listing,
  "marketplace.withdrawListing": listing,
  "marketplace.previewInstall": preview,
  "marketplace.readInstall": install,
  "marketplace.installListing": installResult,
  "marketplace.updateInstall": installResult,
  "marketplace.resetInstall": installResult,
  "marketplace.removeInstall": installResult,
};
