import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import {
  cancelMission,
  cloneMission,
  completeMission,
  type Mission,
  pauseMission,
  proposePlan,
  startMission,
} from "../../api/missions.ts";
import { useChange } from "../../api/queries.ts";
import { useMay } from "../../api/rights.ts";
import { Button } from "../../ui/button.tsx";
import { TextArea } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { toast, toastProblem } from "../../ui/toast.tsx";
import { touched } from "./touched.ts";

type Asked = "pause" | "cancel" | "complete" | "clone";

const final = new Set(["completed", "cancelled"]);

/** What can be done about a mission in the state that it is in. */
export function Actions({ mission }: { readonly mission: Mission }) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const start = useChange(startMission, touched);
  const mayRun = useMay("missions:run");
  const mayWrite = useMay("missions:write");
  const { status, plan, mission_id: id } = mission;
  const over = final.has(status);
  const startable = plan !== null && (status === "ready" || status === "paused");
  return (
    <>
      {mayWrite && over ? <Button onClick={() => setAsked("clone")}>Run it again…</Button> : null}
      {mayRun && !over ? <Button onClick={() => setAsked("cancel")}>Cancel…</Button> : null}
      {mayRun && (status === "running" || status === "blocked") ? (
        <Button onClick={() => setAsked("pause")}>Pause…</Button>
      ) : null}
      {mayWrite && !over && plan !== null ? <ProposeButton mission={mission} /> : null}
      {mayRun && !over && plan !== null && status !== "ready" ? (
        <Button kind={status === "finished" ? "primary" : "plain"} onClick={() => setAsked("complete")}>
          Complete…
        </Button>
      ) : null}
      {mayRun && startable ? (
        <Button
          kind="primary"
          busy={start.isPending}
          onClick={() =>
            start.mutate({ mission: id }, { onSuccess: () => toast("The mission goes on."), onError: toastProblem })
          }
        >
          {status === "paused" ? "Resume" : "Start"}
        </Button>
      ) : null}
      {asked === null ? null : <Asking asked={asked} mission={mission} onClose={() => setAsked(null)} />}
    </>
  );
}

/** Has a plan proposed from goal, measure, agents and inputs: the first one, or another. */
export function ProposeButton({ mission }: { readonly mission: Mission }) {
  const propose = useChange(proposePlan, touched);
  if (!useMay("missions:write")) return null;
  const first = mission.accepted_plan === null;
  return (
    <Button
      kind={first ? "primary" : "plain"}
      busy={propose.isPending}
      onClick={() =>
        propose.mutate(
          { mission: mission.mission_id },
          { onSuccess: () => toast("A plan is proposed."), onError: toastProblem },
        )
      }
    >
      {first ? "Propose a plan" : "Plan again"}
    </Button>
  );
}

interface AskingProps {
  readonly asked: Asked;
  readonly mission: Mission;
  readonly onClose: () => void;
}

const words: Readonly<Record<Asked, { title: string; word: string; said: string; text: string; field: string }>> = {
  pause: {
    title: "Pause mission",
    word: "Pause",
    said: "The mission is paused.",
    text: "No further task begins. Tasks that run go on to their end.",
    field: "Why",
  },
  cancel: {
    title: "Cancel mission",
    word: "Cancel mission",
    said: "The mission is cancelled.",
    text: "Open tasks are cancelled. What was done stays done; the report says what that is.",
    field: "Why",
  },
  complete: {
    title: "Complete mission",
    word: "Complete",
    said: "The mission is completed.",
    text: "It is closed with the measure as it stands now. Nothing runs any more.",
    field: "What came of it",
  },
  clone: {
    title: "Run it again",
    word: "Create",
    said: "A new mission was created.",
    text: "A new mission with the same measure, agents, budget and inputs is made. It begins without a plan.",
    field: "Goal",
  },
};

function Asking({ asked, mission, onClose }: AskingProps) {
  const navigate = useNavigate();
  const { title, word, said, text, field } = words[asked];
  const change = useChange(async (given: string): Promise<string | null> => {
    const which = { mission: mission.mission_id };
    const reason = given === "" ? which : { ...which, reason: given };
    if (asked === "pause") await pauseMission(reason);
    else if (asked === "cancel") await cancelMission(reason);
    else if (asked === "complete") await completeMission(given === "" ? which : { ...which, note: given });
    else return (await cloneMission({ ...which, goal: given })).mission_id;
    return null;
  }, touched);
  const submit = (form: FormData): void =>
    change.mutate(String(form.get("text")).trim(), {
      onSuccess: (cloned) => {
        toast(said);
        onClose();
        if (cloned !== null) void navigate({ to: "/missions/$mission", params: { mission: cloned }, search: {} });
      },
    });
  return (
    <FormDialog
      title={title}
      word={word}
      kind={asked === "cancel" ? "danger" : "primary"}
      change={change}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>{text}</p>
      <TextArea
        name="text"
        label={field}
        rows={3}
        maxLength={2000}
        required={asked === "clone"}
        defaultValue={asked === "clone" ? mission.goal : ""}
      />
    </FormDialog>
  );
}
