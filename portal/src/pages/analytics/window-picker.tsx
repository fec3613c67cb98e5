import { SlidersHorizontal, X } from "lucide-react";
import { type FormEvent, useState } from "react";
import { listAgents } from "../../api/agents.ts";
import { useLive } from "../../api/queries.ts";
import { useMay } from "../../api/rights.ts";
import { type Grain, grains, isZone, type Range, ranges, type WindowSearch } from "../../lib/window.ts";
import { bounds, ownZone, wallClock } from "../../lib/window-request.ts";
import { spoken } from "../../lib/words.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Chips, Field, Select } from "../../ui/field.tsx";

interface PickerProps {
  readonly window: WindowSearch;
  readonly onChange: (window: WindowSearch) => void;
}

/** Presets of the window, and all else that narrows figures behind a button. What narrows them stands beside it, to be taken off. */
export function WindowPicker({ window, onChange }: PickerProps) {
  const [open, setOpen] = useState(false);
  const { range = "30d" } = window;
  const choose = (next: string[]): void => {
    const chosen = next.find((one) => one !== range) as Range | undefined;
    if (chosen === "custom") setOpen(true);
    else if (chosen !== undefined)
      onChange({ ...window, range: chosen, from: undefined, to: undefined, grain: undefined });
  };
  const options = Object.entries(ranges).map(([value, { title }]) => [value, title] as const);
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <Chips label="Window of time" options={options} chosen={[range]} onChange={choose} />
        <Button
          size="small"
          aria-haspopup="dialog"
          icon={<SlidersHorizontal className="size-4" aria-hidden="true" />}
          onClick={() => setOpen(true)}
        >
          Filter
        </Button>
      </div>
      <Narrowings window={window} onChange={onChange} />
      {open ? (
        <WindowDialog
          window={window}
          onClose={() => setOpen(false)}
          onChange={(next) => {
            setOpen(false);
            onChange(next);
          }}
        />
      ) : null}
    </div>
  );
}

const narrowings = ["agent", "skill", "label", "grain", "zone"] as const;
const narrowingWords = { agent: "Agent", skill: "Skill", label: "Label", grain: "Points by", zone: "Time zone" };

function Narrowings({ window, onChange }: PickerProps) {
  const given = narrowings.filter((name) => window[name] !== undefined);
  if (given.length === 0) return null;
  return (
    <ul aria-label="Filters" className="flex flex-wrap gap-2 text-sm">
      {given.map((name) => (
        <li key={name}>
          <button
            type="button"
            className="inline-flex items-center gap-1.5 rounded-full bg-accent-soft px-3 py-1 text-accent pointer-coarse:min-h-11"
            onClick={() => onChange({ ...window, [name]: undefined })}
          >
            {narrowingWords[name]}: {window[name]}
            <X className="size-3.5" aria-hidden="true" />
            <span className="sr-only">, remove this filter</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

/** The window that a form names, or why it names none. */
function chosenIn(form: FormData): WindowSearch | { readonly faults: Readonly<Record<string, string>> } {
  const text = (name: string): string | undefined => String(form.get(name) ?? "").trim() || undefined;
  const [from, to, zone] = [text("from"), text("to"), text("zone")];
  const faults = {
    ...(zone !== undefined && !isZone(zone) ? { zone: "Name a time zone such as Europe/Vienna." } : {}),
    ...(from !== undefined && to !== undefined && from >= to ? { to: "Must be after the beginning." } : {}),
    ...(text("label") !== undefined && !/^[^:]+:.+/.test(text("label") as string)
      ? { label: "Name and value with a colon between: customer:acme" }
      : {}),
  };
  if (Object.keys(faults).length > 0) return { faults };
  return {
    range: (text("range") ?? "30d") as Range,
    grain: text("grain") as Grain | undefined,
    from,
    to,
    zone: zone === ownZone() ? undefined : zone,
    agent: text("agent"),
    skill: text("skill"),
    label: text("label"),
  };
}

function WindowDialog({ window, onChange, onClose }: PickerProps & { readonly onClose: () => void }) {
  const [faults, setFaults] = useState<Readonly<Record<string, string>>>({});
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const chosen = chosenIn(new FormData(event.currentTarget));
    if ("faults" in chosen) setFaults(chosen.faults);
    else onChange(chosen);
  };
  const footer = (
    <>
      <Button onClick={onClose}>Leave it</Button>
      <Button kind="primary" type="submit" form="figures-window">
        Show
      </Button>
    </>
  );
  return (
    <Dialog open onClose={onClose} title="Window and filters" footer={footer}>
      <form id="figures-window" onSubmit={submit} className="grid gap-4 text-sm" noValidate>
        <Times window={window} faults={faults} />
        <div className="grid gap-4 sm:grid-cols-2">
          <Select name="grain" label="Points by" defaultValue={window.grain ?? ""}>
            <option value="">what fits the window</option>
            {grains.map((grain) => (
              <option key={grain} value={grain}>
                {grain}
              </option>
            ))}
          </Select>
          <Field
            name="zone"
            label="Time zone"
            defaultValue={window.zone ?? ownZone()}
            fault={faults.zone ?? null}
            list="time-zones"
          />
          <datalist id="time-zones">
            {Intl.supportedValuesOf("timeZone").map((zone) => (
              <option key={zone} value={zone} />
            ))}
          </datalist>
        </div>
        <div className="grid gap-4 sm:grid-cols-3">
          <AgentField agent={window.agent} />
          <Field name="skill" label="Skill" defaultValue={window.skill} placeholder="all" />
          <Field
            name="label"
            label="Label"
            defaultValue={window.label}
            placeholder="customer:acme"
            fault={faults.label ?? null}
          />
        </div>
      </form>
    </Dialog>
  );
}

interface TimesProps {
  readonly window: WindowSearch;
  readonly faults: Readonly<Record<string, string>>;
}

/** Which window; its ends where it is none of the presets. */
function Times({ window, faults }: TimesProps) {
  const [range, setRange] = useState<Range>(window.range ?? "custom");
  const zone = window.zone ?? ownZone();
  const now = Date.now();
  const [from, to] = bounds(window, now);
  return (
    <>
      <Select
        name="range"
        label="Window"
        value={range}
        onChange={(event) => setRange(event.currentTarget.value as Range)}
      >
        {Object.entries(ranges).map(([value, { title }]) => (
          <option key={value} value={value}>
            {title}
          </option>
        ))}
      </Select>
      {range === "custom" ? (
        <div className="grid gap-4 sm:grid-cols-2">
          <Field type="datetime-local" name="from" label="From" defaultValue={wallClock(from, zone)} />
          <Field
            type="datetime-local"
            name="to"
            label="To"
            defaultValue={wallClock(to ?? now, zone)}
            fault={faults.to ?? null}
          />
        </div>
      ) : null}
    </>
  );
}

function AgentField({ agent }: { readonly agent: string | undefined }) {
  const may = useMay("agents:read");
  const { data } = useLive(listAgents({ limit: 100 }), { when: may });
  return (
    <>
      <Field name="agent" label="Agent" defaultValue={agent} placeholder="all" list="known-agents" />
      <datalist id="known-agents">
        {data?.data.map((one) => (
          <option key={one.agent} value={one.agent}>
            {spoken(one.agent)}
          </option>
        ))}
      </datalist>
    </>
  );
}
