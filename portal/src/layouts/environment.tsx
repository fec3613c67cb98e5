import { Link } from "@tanstack/react-router";
import { clsx } from "clsx";
import { useState } from "react";
import type { Session } from "../api/session.ts";
import { CodeBlock } from "../ui/code.tsx";
import { Dialog } from "../ui/dialog.tsx";

type Environment = Session["environment"];

const grounds: Readonly<Record<Environment, string>> = {
  development: "border-line-strong/50 text-muted",
  staging: "border-transparent bg-info-soft text-info",
  production: "border-transparent bg-bad-soft text-bad",
};
const all = Object.keys(grounds) as readonly Environment[];

/** Where one is: production is never mistaken for anything else. Pressed, it says how to get to another environment. */
export function EnvironmentButton({ environment }: { readonly environment: Environment }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        title="The environment of this session"
        onClick={() => setOpen(true)}
        className="inline-flex items-center justify-center pointer-coarse:min-h-11"
      >
        <span className={clsx("rounded-full border px-2.5 py-0.5 text-xs font-medium", grounds[environment])}>
          <span className="sr-only">Environment: </span>
          {environment}
        </span>
      </button>
      <Dialog open={open} onClose={() => setOpen(false)} title={`You are in ${environment}`}>
        <OtherEnvironments environment={environment} onGo={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

/** That a session has one environment, as its key or link has, and how one gets to the others. */
export function OtherEnvironments({
  environment,
  onGo,
}: {
  readonly environment: Environment;
  readonly onGo: () => void;
}) {
  const others = all.filter((one) => one !== environment);
  return (
    <div className="grid gap-3 text-sm">
      <p>
        Everything shown and done here belongs to <strong>{environment}</strong>: a session has the one environment of
        the key or the link that opened it. What belongs to {others.join(" or ")} is not found here.
      </p>
      <p>
        To switch, sign in with a key of that environment or with a link created on the host. This session then ends.{" "}
        <Link to="/sign-in" onClick={onGo} className="font-medium text-accent underline underline-offset-2">
          Sign in to another environment
        </Link>
      </p>
      <CodeBlock code={others.map((one) => `bin/aos link --environment ${one}`).join("\n")} label="commands" />
    </div>
  );
}
