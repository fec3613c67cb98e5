import { useState } from "react";
import { changeDeployment } from "../../../api/agents.ts";
import { useChange } from "../../../api/queries.ts";
import type { Schema } from "../../../api/types.ts";
import { Button } from "../../../ui/button.tsx";
import { Field, Select } from "../../../ui/field.tsx";
import { FormDialog } from "../../../ui/form-dialog.tsx";
import { toast } from "../../../ui/toast.tsx";
import { deployed } from "../touched.ts";

type Deployment = Schema<"Deployment">;
type Asked = "share" | "promote" | "abort";

/** What can be done with a canary that runs: another share, promote, abort. */
export function CanaryActions({ canary }: { readonly canary: Deployment }) {
  const [asked, setAsked] = useState<Asked | null>(null);
  return (
    <div className="flex flex-wrap gap-2">
      <Button onClick={() => setAsked("share")}>Change share</Button>
      <Button kind="primary" onClick={() => setAsked("promote")}>
        Promote
      </Button>
      <Button kind="refuse" onClick={() => setAsked("abort")}>
        Abort
      </Button>
      {asked === null ? null : <ChangeDialog canary={canary} asked={asked} onClose={() => setAsked(null)} />}
    </div>
  );
}

const titles = {
  share: { title: "Change the canary's share", word: "Change share", done: "Its share changed." },
  promote: { title: "Promote the canary", word: "Promote", done: "It is live." },
  abort: { title: "Abort the canary", word: "Abort", done: "It takes no new tasks." },
} as const;

interface ChangeProps {
  readonly canary: Deployment;
  readonly asked: Asked;
  readonly onClose: () => void;
}

function ChangeDialog({ canary, asked, onClose }: ChangeProps) {
  // The canary as it was when this was opened: what changed since is refused, not overwritten.
  const [before] = useState(canary);
  const change = useChange(changeDeployment, deployed);
  const { title, word, done } = titles[asked];
  const submit = (form: FormData): void => {
    const { agent, deployment_id: deployment, revision } = before;
    const body =
      asked === "share"
        ? { share: Number(form.get("share")) }
        : {
            action: asked,
            reason: String(form.get("reason")),
            ...(asked === "abort" ? { open_tasks: String(form.get("open_tasks")) as "finish" | "move" } : {}),
          };
    change.mutate(
      { agent, deployment, revision, ...body },
      {
        onSuccess: () => {
          toast(`Version ${before.version} of ${agent}: ${done}`);
          onClose();
        },
      },
    );
  };
  return (
    <FormDialog
      title={title}
      word={word}
      kind={asked === "abort" ? "danger" : "primary"}
      change={change}
      onSubmit={submit}
      onClose={onClose}
    >
      <ChangeFields canary={before} asked={asked} />
    </FormDialog>
  );
}

function ChangeFields({ canary: { version, share }, asked }: Omit<ChangeProps, "onClose">) {
  if (asked === "share")
    return (
      <Field
        name="share"
        label="Percent of new tasks"
        type="number"
        min={1}
        max={99}
        step={1}
        required
        defaultValue={share}
        hint="Calls with a sticky key that went to the canary still do when its share grows."
        data-autofocus
      />
    );
  return (
    <>
      <p>
        {asked === "promote"
          ? `Version ${version} goes live and takes all new tasks, as after a deployment. The evaluation gate and the policies are asked.`
          : `Version ${version} takes no new tasks from now on; version and tasks stay.`}
      </p>
      <Field
        name="reason"
        label="Why"
        required
        maxLength={2000}
        hint="Recorded and shown with the agent."
        data-autofocus
      />
      {asked === "abort" ? (
        <Select name="open_tasks" label="Its open tasks">
          <option value="finish">end on their version</option>
          <option value="move">queued ones go to the live version, where it takes them</option>
        </Select>
      ) : null}
    </>
  );
}
