import { useState } from "react";
import { deployVersion } from "../../api/agents.ts";
import { useChange } from "../../api/queries.ts";
import type { Schema } from "../../api/types.ts";
import { Field, Select } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Notice } from "../../ui/states.tsx";
import { toastWarned } from "../../ui/toast.tsx";
import { CanaryFields, canaryOf, ShadowFields, shadowOf } from "./canary/start.tsx";
import { deployed } from "./touched.ts";
import { Trained } from "./trained.tsx";

interface DeployProps {
  readonly agent: Schema<"Agent">;
  readonly version: Schema<"AgentVersion">;
  readonly onClose: () => void;
}

type Mode = "whole" | "canary" | "shadow";

const modes = {
  whole: { word: "Deploy", done: "is live" },
  canary: { word: "Start canary", done: "runs as a canary" },
  shadow: { word: "Start shadow", done: "runs in shadow" },
} as const;

const meaning = (mode: Mode, live: number | undefined): string => {
  if (mode === "whole") return "New work goes to it at once; open tasks end on the version that they were given.";
  return mode === "canary"
    ? `The live version ${live} keeps the other new tasks; both are compared by judged outcomes. A worse canary is aborted by itself.`
    : `Tasks of the live version ${live} are carried out by it too, with its writes withheld: nothing that it does has an effect. What it costs is bounded here.`;
};

/** Deploys a version: in the place of the live one, or as a canary or in shadow beside it. */
export function Deploy({ agent: { agent, deployment }, version, onClose }: DeployProps) {
  const change = useChange(deployVersion, deployed);
  const [mode, setMode] = useState<Mode>("whole");
  const { word, done } = modes[mode];
  const submit = (form: FormData): void => {
    const note = String(form.get("note"));
    const more = mode === "canary" ? canaryOf(form) : mode === "shadow" ? shadowOf(form) : {};
    change.mutate(
      { agent, version: version.version, ...(note === "" ? {} : { note }), ...more },
      {
        onSuccess: ({ warnings }) => {
          toastWarned(`Version ${version.version} of ${agent} ${done}.`, warnings);
          onClose();
        },
      },
    );
  };
  return (
    <FormDialog
      title={`Deploy version ${version.version}`}
      word={word}
      change={change}
      onSubmit={submit}
      onClose={onClose}
    >
      {deployment === null ? null : (
        <Select label="How" value={mode} onChange={(event) => setMode(event.currentTarget.value as Mode)}>
          <option value="whole">for all new tasks</option>
          <option value="canary">as a canary, for a share of new tasks</option>
          <option value="shadow">in shadow, with its effects withheld</option>
        </Select>
      )}
      <p>{meaning(mode, deployment?.version)}</p>
      {mode === "canary" ? <CanaryFields /> : mode === "shadow" ? <ShadowFields /> : null}
      {version.training === null ? null : <Trained training={version.training} />}
      {version.verdict.state === "open" ? null : (
        <Notice tone="warn">
          Its evaluation gate is not open here ({version.verdict.state}). The gate decides whether its tasks run.
        </Notice>
      )}
      <Field name="note" label="Why" maxLength={500} />
    </FormDialog>
  );
}
