import { hash } from "node:crypto";
import { strongEtag } from "../../../../kernel/etag.ts";
import { DATASET_LIMITS } from "../../../evaluations/schemas.ts";
import type { BundleContents } from "../../bundles/contents.ts";
import { type NewPart, type PlanOptions, pagesOf } from "./calls.ts";

type Json = Readonly<Record<string, unknown>>;

const longestName = 64;
/** Replaces nobody else's gate. */
const noGate = strongEtag(0, "json");

/** The dataset of a skill's training examples. */
function trainingName(agent: string, skill: string): string {
  const name = `${agent}-${skill.replaceAll("_", "-")}-training`;
  if (name.length <= longestName) return name;
  const mark = hash("sha256", name).slice(0, 8);
  return `${name.slice(0, longestName - mark.length - 1)}-${mark}`;
}

/** A dataset for each skill to be trained. */
export function trainingParts({ training, agent: own }: BundleContents, agent: string): NewPart[] {
  return training.map(({ skill, file, examples }) => {
    const name = trainingName(agent, skill);
    const items = examples.map(({ input, output }) => ({ input, expected: output }));
    const description = `Examples by which ${skill} of ${agent} can be trained.`;
    return datasetPart({ name, file, agent, skill, description, items, needs: own ? [`agent:${agent}`] : [] });
  });
}

export function datasetParts(
  { datasets, agent: own }: BundleContents,
  { suffix }: PlanOptions,
  agent: string,
): NewPart[] {
  return datasets.map(({ name, skill, description, file, items }) => {
    const needs = own ? [`agent:${agent}`] : [];
    return datasetPart({ name: name + suffix, file, agent, skill, description, items, needs });
  });
}

interface NewDataset {
  readonly name: string;
  readonly file: string;
  readonly agent: string;
  readonly skill: string;
  readonly description: string;
  readonly items: readonly Json[];
  readonly needs: readonly string[];
}

function datasetPart({ file, items, needs, ...said }: NewDataset): NewPart {
  const [first = [], ...others] = pagesOf(items, DATASET_LIMITS.itemsOfCall);
  const create = { operation: "evaluations.createDataset" as const, body: { ...said, items: first } };
  const more = others.map((page) => ({
    operation: "evaluations.addItems" as const,
    params: { dataset: said.name },
    body: { items: page },
  }));
  return { kind: "dataset", name: said.name, file, needs, calls: [create, ...more] };
}

export function scorerParts({ scorers }: BundleContents, { suffix }: PlanOptions): NewPart[] {
  return scorers.map(({ name: own, ...body }) => {
    const name = own + suffix;
    const calls = [{ operation: "evaluations.setScorer", params: { scorer: name }, body }] as const;
    return { kind: "scorer", name, file: "scorers.json", calls };
  });
}

/** Pins the versions that the install made. */
export function gateParts(
  { gate, datasets, scorers }: BundleContents,
  { suffix }: PlanOptions,
  agent: string,
): NewPart[] {
  if (!gate) return [];
  const named = (gate.datasets as (string | Json)[]).map((one) => (typeof one === "string" ? { dataset: one } : one));
  const rules = (gate.scorers as (string | Json)[]).map((one) => (typeof one === "string" ? { scorer: one } : one));
  const body = {
    ...gate,
    datasets: named.map(({ dataset }) => `${dataset}${suffix}`),
    scorers: rules.map(({ version: _version, ...rule }: Json) => ({ ...rule, scorer: `${rule.scorer}${suffix}` })),
  };
  const needs = [
    `agent:${agent}`,
    ...datasets.map(({ name }) => `dataset:${name}${suffix}`),
    ...scorers.map(({ name }) => `scorer:${name}${suffix}`),
  ];
  const calls = [{ operation: "evaluations.setGate", params: { agent }, body, ifMatch: noGate }] as const;
  return [{ kind: "gate", name: agent, file: "gate.json", needs, calls }];
}
