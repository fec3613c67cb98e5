import type { InstallPart, InstallSummary, NextStep } from "../../api/installs.ts";
import type { Tone } from "../../ui/badge.tsx";

type Word = readonly [word: string, tone: Tone];

export const stateWords: Readonly<Record<InstallSummary["state"], Word>> = {
  installing: ["Installing", "accent"],
  installed: ["Installed", "good"],
  incomplete: ["Incomplete", "warn"],
  removed: ["Removed", "neutral"],
};

export const driftWords: Readonly<Record<InstallPart["drift"], Word>> = {
  none: ["As installed", "neutral"],
  changed: ["Changed here", "warn"],
  missing: ["Gone", "bad"],
  unknown: ["Not known", "neutral"],
};

export const recallWords = { quarantine: "Quarantine", recall: "Recall" } as const;

const stepNeeds: Readonly<Record<NextStep["step"], string>> = {
  connect: "admin:write",
  train: "agents:write",
  measure: "evaluations:write",
  gate: "evaluations:write",
  activate: "governance:write",
  deploy: "agents:deploy",
  try: "tasks:write",
};

/** The permission that a step needs. */
export const needsOf = ({ step, operation }: NextStep): string =>
  operation === "workflows.publishWorkflow" ? "workflows:write" : stepNeeds[step];

const holders: Readonly<Record<string, string>> = {
  "agents:write": "Builders and admins have it.",
  "agents:deploy": "Builders and admins have it.",
  "evaluations:write": "Evaluators and admins have it.",
  "tasks:write": "Operators, builders and admins have it.",
};

/** What somebody lacks, and who can do it. */
export const lackText = (permission: string): string =>
  `Your role lacks the permission ${permission}. ${holders[permission] ?? "Admins have it."}`;

/** What the button of a step says. */
export const stepVerbs: Readonly<Record<NextStep["step"], string>> = {
  connect: "Connect",
  train: "Train",
  measure: "Measure",
  gate: "Set the gate",
  activate: "Activate",
  deploy: "Deploy",
  try: "Try it",
};
