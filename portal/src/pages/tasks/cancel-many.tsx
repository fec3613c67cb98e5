import { useState } from "react";
import { useChange } from "../../api/queries.ts";
import { useMay } from "../../api/rights.ts";
import { cancelTasks } from "../../api/tasks.ts";
import type { Schema } from "../../api/types.ts";
import { counted } from "../../lib/words.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Notice } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import { groups, type TasksSearch } from "./loaders.ts";

type Filter = Schema<"CancelTasksBody">["filter"];

const open: ReadonlySet<string> = new Set(groups.open);

/** The filter of the list, in so far as tasks can be cancelled by it; null: the list is not narrowed, or by something else besides. */
function filterOf(search: TasksSearch): Filter | null {
  const { status, risk, agent, label, task, created_after, created_before, cursor: _cursor, ...others } = search;
  if (Object.values(others).some((value) => value !== undefined)) return null;
  const statuses = status?.split(",").filter((one) => open.has(one));
  const filter = {
    ...(statuses === undefined ? {} : { status: statuses }),
    ...(risk === undefined ? {} : { risk: risk.split(",") }),
    ...(agent === undefined ? {} : { agent: agent.split(",") }),
    ...(label === undefined ? {} : { label }),
    ...(task === undefined ? {} : { task }),
    ...(created_after === undefined ? {} : { created_after }),
    ...(created_before === undefined ? {} : { created_before }),
  } as Filter;
  return statuses?.length === 0 || Object.keys(filter).length === 0 ? null : filter;
}

/** Cancels all open tasks that the list is narrowed to: counted first, and cancelled by that number. */
export function CancelMany({ search }: { readonly search: TasksSearch }) {
  const filter = filterOf(search);
  const [asking, setAsking] = useState(false);
  const count = useChange(cancelTasks);
  const cancel = useChange(cancelTasks, ["/v1/tasks"]);
  if (!useMay("tasks:write") || filter === null) return null;
  const matched = count.data?.matched ?? 0;
  const begin = (): void => {
    cancel.reset();
    count.mutate({ filter });
    setAsking(true);
  };
  const go = (form: FormData): void => {
    const reason = String(form.get("reason"));
    const body = { filter, count: matched, ...(reason === "" ? {} : { reason }) };
    cancel.mutate(body, {
      onSuccess: ({ succeeded, failed }) => {
        toast(`Cancelled ${counted(succeeded, "task")}${failed > 0 ? `; ${failed} could not be` : ""}.`);
        setAsking(false);
      },
    });
  };
  return (
    <>
      <Button onClick={begin}>Cancel these …</Button>
      {asking ? (
        <FormDialog
          title="Cancel open tasks"
          word={matched > 0 ? `Cancel ${counted(matched, "task")}` : "Cancel"}
          kind="danger"
          change={{ isPending: cancel.isPending, error: cancel.error ?? count.error }}
          ready={matched > 0 && matched <= 1000}
          onSubmit={go}
          onClose={() => setAsking(false)}
        >
          {count.isPending ? (
            <p>Counting …</p>
          ) : matched > 1000 ? (
            <Notice tone="warn">The filter finds more than 1,000 open tasks. Narrow it first.</Notice>
          ) : (
            <p>
              The filter finds {counted(matched, "open task")}, on all pages of the list. What their running steps have
              already done stays done.
            </p>
          )}
          <Field name="reason" label="Reason" hint="Kept with each task." maxLength={500} />
        </FormDialog>
      ) : null}
    </>
  );
}
