import type { BundleFiles, BundleManifest } from "@aos/bundle";
import { type BundleKind, Scorecard } from "../schema-words.ts";
import { readDatasets, readGate, readScorers, readTraining, readTrials } from "./contents-evaluation.ts";
import { checks, fileRefused, type Json, oneFault, readJsonFile, readText, refuseFile } from "./contents-files.ts";
import { readAgent, readBases, readPolicies, readTools, readWorkflow } from "./contents-parts.ts";

/** By kind of part. Names are the bundle's own; an install appends its suffix. */
export interface BundleContents {
  readonly manifest: BundleManifest;
  readonly readme: string | null;
  /** `agent.yaml`, as `agents.createAgent` takes it. */
  readonly agent: Json | null;
  /** `training/<skill>.jsonl`. */
  readonly training: readonly { readonly skill: string; readonly file: string; readonly examples: readonly Json[] }[];
  /** `datasets.json` with `datasets/<name>.jsonl`. */
  readonly datasets: readonly {
    readonly name: string;
    readonly skill: string;
    readonly description: string;
    readonly data: string;
    readonly file: string;
    /** SHA-256 of the items' file, in hexadecimal. */
    readonly digest: string;
    readonly items: readonly Json[];
  }[];
  /** `scorers.json`; each with its name, the rest as `evaluations.setScorer` takes it. */
  readonly scorers: readonly (Json & { readonly name: string })[];
  /** `gate.json`, as `evaluations.setGate` takes it. */
  readonly gate: Json | null;
  /** `knowledge/<base>.json`. */
  readonly bases: readonly {
    readonly name: string;
    readonly description: string;
    readonly language?: string;
    readonly file: string;
    readonly documents: readonly Json[];
  }[];
  /** `policies/<name>.json`, as `governance.createPolicy` takes it. */
  readonly policies: readonly { readonly file: string; readonly name: string; readonly policy: Json }[];
  /** `workflow.yaml`. */
  readonly workflow: Json | null;
  /** `tools.json`. */
  readonly tools: readonly (Json & { readonly name: string })[];
  readonly scorecard: Scorecard | null;
  /** `try.json`. */
  readonly trials: readonly Json[];
}

const anywhere = ["bundle\\.json", "readme\\.md", "scorecard\\.json", "try\\.json"];
const datasetFiles = ["datasets\\.json", "datasets/[a-z][a-z0-9-]*\\.jsonl"];
const policyFiles = "policies/[a-z0-9][a-z0-9._-]*\\.json";

/** By kind: the file that it needs, and the patterns of others that it may have. */
const kinds: Readonly<Record<BundleKind, { readonly needs: string; readonly may: readonly string[] }>> = {
  agent: {
    needs: "agent\\.yaml",
    may: [
      ...datasetFiles,
      ...[
        "training/[a-z][a-z0-9_]*\\.jsonl",
        "scorers\\.json",
        "gate\\.json",
        "knowledge/[a-z][a-z0-9_-]*\\.json",
        policyFiles,
      ],
    ],
  },
  workflow: { needs: "workflow\\.yaml", may: [] },
  tool_set: { needs: "tools\\.json", may: [] },
  policy_pack: { needs: policyFiles, may: [] },
  dataset: { needs: "datasets\\.json", may: datasetFiles },
  scorer: { needs: "scorers\\.json", may: [] },
};

function refuseStrangeFiles(files: BundleFiles, kind: BundleKind): void {
  const { needs, may } = kinds[kind];
  const needed = new RegExp(`^${needs}$`);
  const known = new RegExp(`^(?:${[...anywhere, needs, ...may].join("|")})$`);
  const paths = [...files.keys()];
  const strange = paths.find((file) => !known.test(file));
  if (strange !== undefined)
    throw fileRefused(strange, oneFault("file_strange", `has no place in a bundle of kind ${kind}; leave it out`));
  if (paths.some((file) => needed.test(file))) return;
  const missing = kind === "policy_pack" ? "policies/<name>.json" : needs.replace("\\", "");
  throw fileRefused(missing, oneFault("file_missing", `is missing, and a bundle of kind ${kind} needs it`));
}

const scorecardForm = checks(Scorecard);

function readScorecard(files: BundleFiles): Scorecard | null {
  const scorecard = readJsonFile(files, "scorecard.json");
  if (scorecard === undefined) return null;
  refuseFile("scorecard.json", scorecardForm(scorecard));
  return scorecard as Scorecard;
}

/** Throws `bundle_refused`, naming file and place, if a required file is missing, a file is malformed, or one does not belong into a bundle of this kind. */
export function readContents(files: BundleFiles, manifest: BundleManifest): BundleContents {
  refuseStrangeFiles(files, manifest.kind);
  const agent = readAgent(files);
  const skills = agent?.skills ?? null;
  const datasets = readDatasets(files, skills);
  const scorers = readScorers(files);
  return {
    manifest,
    readme: readText(files, "readme.md"),
    agent: agent as Json | null,
    training: readTraining(files, skills ?? []),
    datasets,
    scorers,
    gate: readGate(files, datasets, scorers),
    bases: readBases(files),
    policies: readPolicies(files),
    workflow: readWorkflow(files),
    tools: readTools(files),
    scorecard: readScorecard(files),
    trials: readTrials(files, skills),
  };
}
