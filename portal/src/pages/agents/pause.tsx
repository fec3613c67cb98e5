import { type FormEvent, useState } from "react";
import { pauseAgent, resumeAgent } from "../../api/agents.ts";
import { useChange } from "../../api/queries.ts";
import { useMay } from "../../api/rights.ts";
import type { Schema } from "../../api/types.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field, Select } from "../../ui/field.tsx";
import { ErrorState } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";

/** Stops an agent from taking work here, and lets it again; both with a reason that is kept. */
export function PauseResume({ agent }: { readonly agent: Schema<"Agent"> }) {
  // What was asked for when the dialog was opened: the agent may be paused, or work again, by the time that it is sent.
  const [asked, setAsked] = useState<"pause" | "resume" | null>(null);
  const pause = useChange(pauseAgent, ["/v1/agents", "/v1/agents/{agent}"]);
  const resume = useChange(resumeAgent, ["/v1/agents", "/v1/agents/{agent}"]);
  const paused = agent.paused !== null;
  const mayPause = useMay("agents:pause");
  if (agent.deployment === null || !mayPause) return null;
  const resumes = asked === "resume";
  const error = resumes ? resume.error : pause.error;
  const close = (): void => setAsked(null);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = String(form.get("reason"));
    const told = {
      onSuccess: () => {
        toast(resumes ? `${agent.agent} takes work again.` : `${agent.agent} takes no work.`);
        close();
      },
    };
    if (resumes) resume.mutate({ agent: agent.agent, note: text }, told);
    else pause.mutate({ agent: agent.agent, reason: text, mode: String(form.get("mode")) as "drain" | "cancel" }, told);
  };
  const footer = (
    <>
      <Button onClick={close}>Leave it</Button>
      <Button
        kind={resumes ? "primary" : "danger"}
        type="submit"
        form="pause-agent"
        busy={pause.isPending || resume.isPending}
      >
        {resumes ? "Resume" : "Pause"}
      </Button>
    </>
  );
  return (
    <>
      <Button kind={paused ? "primary" : "plain"} onClick={() => setAsked(paused ? "resume" : "pause")}>
        {paused ? "Resume" : "Pause"}
      </Button>
      <Dialog
        open={asked !== null}
        onClose={close}
        title={resumes ? `Resume ${agent.agent}` : `Pause ${agent.agent}`}
        footer={footer}
      >
        <form id="pause-agent" onSubmit={submit} className="grid gap-4 text-sm">
          <Field
            name="reason"
            label={resumes ? "What was fixed" : "Why"}
            required
            maxLength={500}
            hint="Recorded and shown with the agent."
          />
          {resumes ? null : (
            <Select name="mode" label="Open tasks">
              <option value="drain">finish</option>
              <option value="cancel">are cancelled, running ones within two seconds</option>
            </Select>
          )}
          {error ? <ErrorState error={error} /> : null}
        </form>
      </Dialog>
    </>
  );
}
