import { useChange } from "../../api/queries.ts";
import type { Workflow } from "../../api/workflow-types.ts";
import { archiveWorkflow, pauseWorkflow, publishWorkflow, rollback } from "../../api/workflows.ts";
import { Field } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { toast, toastWarned } from "../../ui/toast.tsx";

interface Parts {
  readonly workflow: Workflow;
  readonly onClose: () => void;
}

export const touched = [
  "/v1/workflows",
  "/v1/workflows/{workflow}",
  "/v1/workflows/{workflow}/versions",
  "/v1/workflows/{workflow}/triggers",
] as const;

/** Findings that the page of the workflow does not show already. */
const newIn = (findings: Workflow["findings"], { findings: known }: Workflow): Workflow["findings"] =>
  findings.filter(({ code, pointer }) => !known.some((one) => one.code === code && one.pointer === pointer));

const reasonField = (
  <Field name="reason" label="Why" hint="Kept, and shown with the workflow." maxLength={500} required />
);

/** Freezes the draft as a version, which is live at once; or makes an earlier version live. */
export function Publish({ workflow, version, onClose }: Parts & { readonly version?: number }) {
  const change = useChange(publishWorkflow, touched);
  const submit = (form: FormData): void => {
    const note = String(form.get("note")).trim();
    change.mutate(
      {
        workflow: workflow.name,
        revision: workflow.revision,
        ...(note === "" ? {} : { note }),
        ...(version === undefined ? {} : { version }),
      },
      {
        onSuccess: ({ number, findings }) => {
          toastWarned(`Version ${number} of ${workflow.name} is live.`, newIn(findings, workflow));
          onClose();
        },
      },
    );
  };
  return (
    <FormDialog
      title={version === undefined ? `Publish ${workflow.name}` : `Publish version ${version}`}
      word="Publish"
      change={change}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>
        {version === undefined ? "The draft is frozen as a version. " : ""}New runs and triggers take it at once; runs
        that are under way stay on their version.
      </p>
      <Field name="note" label="What is new" maxLength={500} data-autofocus />
    </FormDialog>
  );
}

export function RollBack({ workflow, onClose }: Parts) {
  const change = useChange(rollback, touched);
  const submit = (form: FormData): void =>
    change.mutate(
      { workflow: workflow.name, reason: String(form.get("reason")) },
      {
        onSuccess: ({ number, findings }) => {
          toastWarned(`Version ${number} of ${workflow.name} is live again.`, newIn(findings, workflow));
          onClose();
        },
      },
    );
  return (
    <FormDialog
      title={`Roll back ${workflow.name}`}
      word="Roll back"
      kind="danger"
      change={change}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>The version that was live before version {workflow.live_version} takes new runs again, at once.</p>
      {reasonField}
    </FormDialog>
  );
}

export function Pause({ workflow, onClose }: Parts) {
  const change = useChange(pauseWorkflow, touched);
  const submit = (form: FormData): void =>
    change.mutate(
      { workflow: workflow.name, reason: String(form.get("reason")) },
      {
        onSuccess: () => {
          toast(`The triggers of ${workflow.name} are off.`);
          onClose();
        },
      },
    );
  return (
    <FormDialog
      title={`Pause ${workflow.name}`}
      word="Pause triggers"
      change={change}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>Its triggers start no further runs in this environment. Runs that are under way go on.</p>
      {reasonField}
    </FormDialog>
  );
}

export function Archive({ workflow, onClose }: Parts) {
  const change = useChange(archiveWorkflow, touched);
  const submit = (form: FormData): void =>
    change.mutate(
      { workflow: workflow.name, reason: String(form.get("reason")) },
      {
        onSuccess: ({ environment, live_elsewhere: elsewhere }) => {
          toast(
            elsewhere.length === 0
              ? `${workflow.name} is archived.`
              : `${workflow.name} is out of service in ${environment}. It is still live in ${elsewhere.join(" and ")}: archive it there too.`,
          );
          onClose();
        },
      },
    );
  return (
    <FormDialog
      title={`Archive ${workflow.name}`}
      word="Archive"
      kind="danger"
      change={change}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>
        {workflow.live_version === null
          ? "It is not live in this environment."
          : `Version ${workflow.live_version} is taken out of service in this environment, and its triggers here are removed. Runs under way continue.`}{" "}
        If it is live in no other environment, it cannot be changed, published or run afterwards. Its versions and runs
        stay readable.
      </p>
      {reasonField}
    </FormDialog>
  );
}
