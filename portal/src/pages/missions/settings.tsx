import { useState } from "react";
import { changeMission, type Mission } from "../../api/missions.ts";
import { useChange } from "../../api/queries.ts";
import { useMay } from "../../api/rights.ts";
import { exactly } from "../../lib/time.ts";
import { counted, usd } from "../../lib/words.ts";
import { Button } from "../../ui/button.tsx";
import { Card, Facts } from "../../ui/card.tsx";
import { CopyText, JsonView } from "../../ui/code.tsx";
import { Field, Select, TextArea } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { toast } from "../../ui/toast.tsx";
import { touched } from "./touched.ts";
import { autonomyWords, measureName, targetText } from "./words.ts";

/** What the mission was given: goal, measure, agents, budget, deadline, autonomy and inputs. */
export function Settings({ mission }: { readonly mission: Mission }) {
  const [open, setOpen] = useState(false);
  const mayWrite = useMay("missions:write") && mission.outcome === null;
  const { measure, measured, spend } = mission;
  return (
    <Card
      title="Settings"
      aside={
        mayWrite ? (
          <Button size="small" onClick={() => setOpen(true)}>
            Change
          </Button>
        ) : null
      }
    >
      <Facts
        facts={[
          ["Goal", mission.goal],
          [
            "Measure",
            <code key="measure" className="id">
              {measureName(measure)}
            </code>,
          ],
          ["Target", targetText(measured, measure)],
          ["Agents", mission.agents.join(", ")],
          ["Autonomy", autonomyWords[mission.autonomy]],
          ["Budget", `${usd(spend.limit_usd)}, ${counted(spend.limit_tasks, "task")}`],
          ["Deadline", mission.deadline === null ? "none" : exactly(mission.deadline)],
          mission.labels.length > 0 && ["Labels", mission.labels.join(", ")],
          ["Created", exactly(mission.created_at)],
          mission.cloned_from !== null && ["Made of", <CopyText key="from" text={mission.cloned_from} short />],
        ]}
      />
      <JsonView value={mission.inputs} label="Inputs" />
      {open ? <Change mission={mission} onClose={() => setOpen(false)} /> : null}
    </Card>
  );
}

function Change({ mission, onClose }: { readonly mission: Mission; readonly onClose: () => void }) {
  const change = useChange(changeMission, touched);
  const submit = (form: FormData): void => {
    const text = (name: string): string => String(form.get(name)).trim();
    change.mutate(
      {
        mission: mission.mission_id,
        goal: text("goal"),
        budget: { cost_usd: Number(text("cost")), tasks: Number(text("tasks")) },
        deadline: text("deadline") === "" ? null : new Date(text("deadline")).toISOString(),
        autonomy: text("autonomy") as Mission["autonomy"],
      },
      {
        onSuccess: () => {
          toast("The mission is changed.");
          onClose();
        },
      },
    );
  };
  const { spend } = mission;
  return (
    <FormDialog title="Change mission" word="Save" change={change} onSubmit={submit} onClose={onClose}>
      <TextArea name="goal" label="Goal" rows={3} maxLength={2000} required defaultValue={mission.goal} />
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          name="cost"
          label="Budget, US dollars"
          type="number"
          min={0}
          step="any"
          required
          defaultValue={spend.limit_usd}
        />
        <Field name="tasks" label="Tasks at most" type="number" min={1} required defaultValue={spend.limit_tasks} />
        <Field name="deadline" label="Deadline" type="datetime-local" defaultValue={localTime(mission.deadline)} />
        <Select name="autonomy" label="Autonomy" defaultValue={mission.autonomy}>
          {Object.entries(autonomyWords).map(([value, word]) => (
            <option key={value} value={value}>
              {word}
            </option>
          ))}
        </Select>
      </div>
    </FormDialog>
  );
}

/** A time as a field takes it: in the reader's time zone, to the minute. */
function localTime(time: string | null): string {
  if (time === null) return "";
  const at = new Date(time);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
