import { Link } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useState } from "react";
import { useChange, usePrefetched } from "../../api/queries.ts";
import { useMay } from "../../api/rights.ts";
import type { Trigger, TriggerDefinition, Workflow } from "../../api/workflow-types.ts";
import { addTrigger, listTriggers, removeTrigger } from "../../api/workflows.ts";
import { spoken } from "../../lib/words.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { JsonView } from "../../ui/code.tsx";
import { Field, Select, TextArea } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { EmptyState, Notice } from "../../ui/states.tsx";
import { RelativeTime } from "../../ui/time.tsx";
import { toast } from "../../ui/toast.tsx";
import { SecondLook, Stopped } from "../accountability/public.tsx";

const touched = ["/v1/workflows/{workflow}/triggers"] as const;

/** What starts runs of a workflow by itself: schedules, events, inbound hooks. */
export function Triggers({ workflow }: { readonly workflow: Workflow }) {
  const { data } = usePrefetched(listTriggers(workflow.name), { every: 10_000 });
  const mayWrite = useMay("workflows:write") && workflow.status !== "archived";
  const [asked, setAsked] = useState<"add" | Trigger | null>(null);
  const close = (): void => setAsked(null);
  return (
    <div className="grid gap-4">
      {mayWrite ? (
        <div>
          <Button icon={<Plus className="size-4" aria-hidden="true" />} onClick={() => setAsked("add")}>
            Add trigger
          </Button>
        </div>
      ) : null}
      {data.data.length === 0 ? (
        <EmptyState title="No triggers">
          Triggers that stand in the file come with the version that is live. One that is added here stays when another
          version is published.
        </EmptyState>
      ) : (
        <ol className="grid gap-3">
          {data.data.map((trigger) => (
            <TriggerRow key={trigger.trigger_id} trigger={trigger} onRemove={mayWrite ? setAsked : null} />
          ))}
        </ol>
      )}
      {asked === "add" ? <Add workflow={workflow.name} onClose={close} /> : null}
      {asked === null || asked === "add" ? null : <Remove trigger={asked} onClose={close} />}
    </div>
  );
}

interface TriggerRowProps {
  readonly trigger: Trigger;
  readonly onRemove: ((trigger: Trigger) => void) | null;
}

function TriggerRow({ trigger, onRemove }: TriggerRowProps) {
  const { kind, definition, origin, active, next_at: next, last_at: last, last_run: run, last_error: error } = trigger;
  const object = `trigger:${trigger.trigger_id}`;
  return (
    <li className="grid gap-2 rounded-lg border border-line bg-surface px-4 py-4 text-sm shadow-card sm:px-5">
      <p className="flex flex-wrap items-center gap-2">
        <Badge>{spoken(kind)}</Badge>
        <code className="id font-semibold">{nameOf(definition)}</code>
        {trigger.stopped_reason === null ? (
          <Badge tone={active ? "good" : "warn"}>{active ? "active" : "off"}</Badge>
        ) : (
          <Badge tone="bad">stopped</Badge>
        )}
        <span className="text-muted">{origin === "version" ? "from the live version" : "added here"}</span>
        {onRemove && origin === "added" ? (
          <Button size="small" kind="refuse" className="ml-auto" onClick={() => onRemove(trigger)}>
            Remove
          </Button>
        ) : null}
      </p>
      <p className="text-muted">
        {next === null ? null : (
          <>
            Next <RelativeTime time={next} />.{" "}
          </>
        )}
        Last run:{" "}
        {run === null ? (
          "never"
        ) : (
          <Link
            to="/workflows/$workflow/runs/$run"
            params={{ workflow: trigger.workflow, run }}
            className="font-medium text-accent underline underline-offset-2"
          >
            <RelativeTime time={last} />
          </Link>
        )}
        .
      </p>
      {error === null ? null : (
        <Notice tone="bad">
          <code className="id font-semibold">{error.code}</code> {error.detail} <RelativeTime time={error.at} />
        </Notice>
      )}
      <Stopped object={object} reason={trigger.stopped_reason} stale={touched} />
      <JsonView value={definition} label="Definition" />
      <SecondLook object={object} shown />
    </li>
  );
}

function nameOf(definition: Trigger["definition"]): string {
  if ("schedule" in definition) return `${definition.schedule} ${definition.time_zone ?? "UTC"}`;
  return "hook" in definition ? definition.hook : definition.event;
}

interface AddProps {
  readonly workflow: string;
  readonly onClose: () => void;
}

function Add({ workflow, onClose }: AddProps) {
  const change = useChange(addTrigger, touched);
  const [kind, setKind] = useState<Trigger["kind"]>("schedule");
  const [unread, setUnread] = useState<string | null>(null);
  const submit = (form: FormData): void => {
    try {
      setUnread(null);
      change.mutate(
        { workflow, definition: definitionOf(kind, form) },
        {
          onSuccess: () => {
            toast("Trigger added.");
            onClose();
          },
        },
      );
    } catch {
      setUnread("is no JSON: check quotes, commas and braces");
    }
  };
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <FormDialog title="Add trigger" word="Add" change={change} onSubmit={submit} onClose={onClose}>
      <Select label="Kind" value={kind} onChange={(event) => setKind(event.target.value as Trigger["kind"])}>
        <option value="schedule">Schedule</option>
        <option value="event">Event</option>
        <option value="hook">Inbound hook</option>
      </Select>
      {kind === "schedule" ? (
        <>
          <Field
            name="name"
            label="Schedule"
            placeholder="0 7 * * MON-FRI"
            hint="Minute, hour, day, month, weekday."
            required
          />
          <Field name="time_zone" label="Time zone" defaultValue={zone} />
        </>
      ) : (
        <Field
          name="name"
          label={kind === "event" ? "Event" : "Hook"}
          placeholder={kind === "event" ? "order.refund_requested" : "shop"}
          required
        />
      )}
      {kind === "event" ? <Field name="where" label="Only where" hint="An expression in CEL over event." /> : null}
      <TextArea
        name="input"
        mono
        rows={3}
        label={kind === "schedule" ? "Input" : "Input from the event"}
        hint={kind === "schedule" ? "JSON, as it is." : "JSON. Texts are expressions in CEL, such as event.order_id."}
        fault={unread}
        spellCheck={false}
      />
    </FormDialog>
  );
}

function definitionOf(kind: Trigger["kind"], form: FormData): TriggerDefinition {
  const text = (name: string): string => String(form.get(name) ?? "").trim();
  const given = text("input");
  const input = given === "" ? undefined : (JSON.parse(given) as Record<string, unknown>);
  if (kind === "schedule")
    return {
      schedule: text("name"),
      ...(text("time_zone") === "" ? {} : { time_zone: text("time_zone") }),
      ...(input === undefined ? {} : { input }),
    };
  const map = input === undefined ? {} : { map: input };
  if (kind === "hook") return { hook: text("name"), ...map };
  return { event: text("name"), ...(text("where") === "" ? {} : { where: text("where") }), ...map };
}

function Remove({ trigger, onClose }: { readonly trigger: Trigger; readonly onClose: () => void }) {
  const change = useChange(removeTrigger, touched);
  const remove = (): void =>
    change.mutate(
      { workflow: trigger.workflow, trigger: trigger.trigger_id },
      {
        onSuccess: () => {
          toast("Trigger removed.");
          onClose();
        },
      },
    );
  return (
    <FormDialog title="Remove trigger" word="Remove" kind="danger" change={change} onSubmit={remove} onClose={onClose}>
      <p>
        <code className="id">{nameOf(trigger.definition)}</code> starts no further runs. Runs that it started go on.
      </p>
    </FormDialog>
  );
}
