import { useNavigate } from "@tanstack/react-router";
import { useChange, useLive } from "../../api/queries.ts";
import type { Workflow } from "../../api/workflow-types.ts";
import { readVersion, startRun } from "../../api/workflows.ts";
import { fieldsOf, inputOf } from "../../lib/input-form.ts";
import { Field } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { InputOf } from "../../ui/input-of.tsx";
import { Skeleton } from "../../ui/states.tsx";

/** Starts a run of the live version, with a form made from its input's schema. */
export function StartRun({ workflow, onClose }: { readonly workflow: Workflow; readonly onClose: () => void }) {
  const navigate = useNavigate();
  const version = useLive(readVersion(workflow.name, workflow.live_version ?? 1));
  const change = useChange(startRun, ["/v1/workflows/runs", "/v1/workflows/{workflow}/runs", "/v1/workflows"]);
  const definition = version.data?.definition;
  const fields = fieldsOf((definition?.input ?? {}) as Record<string, unknown>);
  const fault = (name: string): string | null =>
    change.error?.faults.find(({ pointer }) => pointer?.split("/").includes(name))?.detail ?? null;
  const placed = fields.some(({ name }) => fault(name) !== null);
  const submit = (form: FormData): void => {
    const key = String(form.get("business key") ?? "").trim();
    change.mutate(
      { workflow: workflow.name, input: inputOf(fields, form), ...(key === "" ? {} : { key }) },
      {
        onSuccess: ({ run_id: run }) =>
          void navigate({ to: "/workflows/$workflow/runs/$run", params: { workflow: workflow.name, run }, search: {} }),
      },
    );
  };
  return (
    <FormDialog
      title={`Run ${workflow.name}, version ${workflow.live_version}`}
      word="Start run"
      change={change}
      atFields={placed}
      onSubmit={submit}
      onClose={onClose}
    >
      {definition === undefined ? (
        <Skeleton lines={3} />
      ) : fields.length === 0 ? (
        <p className="text-muted">It takes no input.</p>
      ) : (
        fields.map((field) => <InputOf key={field.name} field={field} fault={fault(field.name)} />)
      )}
      {definition !== undefined && definition.key === undefined ? (
        <Field name="business key" label="Business key" hint="Optional: one open run per key." maxLength={200} />
      ) : null}
    </FormDialog>
  );
}
