import { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import type { AosClient, Output } from "@aos/sdk";
import { serviceOf } from "../../cli/src/http.ts";
import { setUp } from "../../cli/src/marketplace/set-up.ts";
import type { Target } from "../journeys/target.ts";
import type { Dataset, Json, Starter } from "./files.ts";

// A starter by way of the marketplace: installed from the catalogue, trained, measured and deployed as its next steps say.

export interface Course {
  readonly aos: AosClient;
  readonly target: Pick<Target, "url" | "key">;
  /** Told while it goes on. */
  readonly say: (line: string) => void;
  /** Put behind names, so that a starter meets nothing on a service that others use. */
  readonly suffix: string;
}

export type Run = Output<"evaluations.readRun">;
type Listing = Output<"marketplace.readListing">;

export interface Made {
  readonly agent: string;
  readonly version: number;
  /** The run over each dataset of the gate. */
  readonly runs: readonly { readonly dataset: Dataset; readonly run: Run }[];
  readonly gate: { readonly state: string; readonly reasons: readonly string[] };
}

const POLL_MS = 250;
/** How long a service may take to put the starters into its catalogue (milliseconds). */
const PATIENCE_MS = 120_000;

/** Installs the starter with consent to what it asks for, and follows its next steps until it is deployed, or its gate does not open. */
export async function make(course: Course, starter: Starter): Promise<Made> {
  const { listing_id, files } = await inCatalogue(course, starter.manifest.name);
  checkFiles(starter, files);
  return installAndSetUp(course, starter, listing_id);
}

/** The same with a listing of the catalogue, whoever published it. */
export async function installAndSetUp(course: Course, starter: Starter, listing: string): Promise<Made> {
  const { aos, suffix, say, target } = course;
  const named = suffix === "" ? {} : { suffix };
  const shown = await aos.marketplace.previewInstall({ listing, ...named });
  const consent = { permissions: shown.permissions_digest, publisher_key: shown.publisher.key_id };
  const outcome = await aos.marketplace.installListing({ listing, digest: shown.digest, consent, ...named });
  const { install, failed, results } = outcome;
  if (install === null || failed > 0)
    throw new Error(`not installed: ${JSON.stringify(results.filter(({ problem }) => problem !== null))}`);
  say(`installed as ${install.install_id}: ${install.parts.length} parts`);
  const access = { url: target.url, key: target.key, profile: "default", source: "AOS_KEY", file: null } as const;
  await setUp({ service: serviceOf(access), terminal: silent, say }, install.install_id);
  return standingOf(course, starter, install.agent as string);
}

/** Where nobody reads: what is done is reported by `say`. */
const silent = {
  stdin: Readable.from([]),
  stdout: { write: () => true },
  stderr: { write: () => true },
  env: {},
  isTTY: false,
};

/** The starter in the catalogue of the service, which adds starters after its start. */
async function inCatalogue({ aos }: Course, name: string): Promise<Listing> {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await delay(POLL_MS))
    for await (const listing of aos.marketplace.listListings({ origin: "starter", q: name }))
      if (listing.name === name) return aos.marketplace.readListing({ listing: listing.listing_id });
  throw new Error(`the service has no starter ${name} in its catalogue`);
}

/** Throws where the catalogue holds other files than the folder; `bundle.json` gets its permissions when it is packed, and the scorecard may be about to be written. */
function checkFiles({ manifest, digests }: Starter, files: Listing["files"]): void {
  const differs = files.find(
    ({ path, digest }) => !/^(bundle|scorecard)\.json$/.test(path) && digests.get(path) !== digest,
  );
  if (differs !== undefined)
    throw new Error(
      `the service's catalogue has another ${differs.path} than starters/${manifest.name}: raise the version and start the service again`,
    );
}

/** What came of it: the newest version, its runs, and the verdict of the gate. */
async function standingOf(course: Course, starter: Starter, agent: string): Promise<Made> {
  const { aos, suffix, say } = course;
  const { versions } = await aos.evaluations.readGate({ agent });
  const { version, state, reasons, runs: ids } = versions.reduce((a, b) => (b.version > a.version ? b : a));
  const runs: { dataset: Dataset; run: Run }[] = [];
  for (const id of ids) {
    const run = await aos.evaluations.readRun({ run: id, limit: 1 });
    const dataset = starter.datasets.find(({ name }) => name + suffix === run.dataset);
    if (dataset === undefined) continue;
    runs.push({ dataset, run });
    for (const { scorer, score } of run.figures) say(`${dataset.name}, ${scorer}: ${figure(score)}`);
  }
  const order = starter.gate.datasets;
  runs.sort((a, b) => order.indexOf(a.dataset.name) - order.indexOf(b.dataset.name));
  say(`gate ${state}${reasons.length > 0 ? `: ${reasons.join("; ")}` : ""}`);
  return { agent, version, runs, gate: { state, reasons } };
}

const figure = ({ mean, low, high, n }: Run["figures"][number]["score"]): string =>
  `${mean.toFixed(3)} (${low?.toFixed(3)} to ${high?.toFixed(3)}) on ${n} items`;

export interface Failure {
  readonly input: Json;
  readonly expected: Json;
  readonly output: Json | null;
}

/** The items that a scorer did not give the full score, to see what the starter cannot do. */
export async function failuresOf({ aos }: Course, run: string): Promise<Failure[]> {
  const found: Failure[] = [];
  for (let cursor: string | undefined; ; ) {
    const { items } = await aos.evaluations.readRun({ run, limit: 100, ...(cursor && { cursor }) });
    for (const { input, expected, scores, repeats } of items.data)
      if (Object.values(scores).some((score) => score !== null && score < 1))
        found.push({ input: input as Json, expected: expected as Json, output: (repeats[0]?.output ?? null) as Json });
    if (items.next_cursor === null) return found;
    cursor = items.next_cursor;
  }
}
