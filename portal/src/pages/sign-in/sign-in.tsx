import { getRouteApi } from "@tanstack/react-router";
import { type FormEvent, useCallback, useState } from "react";
import { signInMethods } from "../../api/passkeys.ts";
import { asProblem } from "../../api/problem.ts";
import { useLive } from "../../api/queries.ts";
import { type Session, signInWithKey, signInWithLink } from "../../api/session.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Notice } from "../../ui/states.tsx";
import { useEntry, useToken } from "./entry.ts";
import { InPerson } from "./in-person.tsx";
import { Entry } from "./welcome.tsx";

const route = getRouteApi("/sign-in");

function faultOf(error: unknown, by: "key" | "link"): string {
  const problem = asProblem(error);
  if (problem.status === 0 || problem.status === 429 || problem.status >= 500) return problem.detail;
  if (by === "link") return "This link was already used or has expired. Ask for a new one, or sign in with a key.";
  return problem.status === 401 ? "Invalid key. It may be mistyped, expired or revoked." : problem.detail;
}

export function SignInPage() {
  const { ended, next } = route.useSearch();
  const enter = useEntry(next);
  const [busy, setBusy] = useState<"key" | "link" | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const attempt = useCallback(
    async (by: "key" | "link", open: () => Promise<Session | null>) => {
      setBusy(by);
      setFault(null);
      try {
        await enter(await open());
      } catch (error) {
        setFault(faultOf(error, by));
        setBusy(null);
      }
    },
    [enter],
  );
  useToken(useCallback((token) => void attempt("link", () => signInWithLink(token)), [attempt]));
  return (
    <Entry title="Sign in">
      {busy === "link" ? (
        <p className="mt-3 text-muted" role="status">
          Checking your link…
        </p>
      ) : null}
      {ended && fault === null && busy === null ? (
        <div className="mt-4">
          <Notice tone="warn">Your session has ended. Sign in again, and you go on where you were.</Notice>
        </div>
      ) : null}
      <InPerson onEnter={enter} />
      <KeyForm
        fault={fault}
        busy={busy === "key"}
        onKey={(key) => void attempt("key", () => signInWithKey(key))}
        onFault={setFault}
      />
    </Entry>
  );
}

function KeyForm({
  fault,
  busy,
  onKey,
  onFault,
}: {
  fault: string | null;
  busy: boolean;
  onKey: (key: string) => void;
  onFault: (fault: string) => void;
}) {
  const { data: methods } = useLive(signInMethods);
  const inPerson = methods?.passkeys || typeof methods?.provider === "string";
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const key = String(new FormData(event.currentTarget).get("key")).trim();
    if (key === "") onFault("Enter your key.");
    else if (!/^[!-~]+$/.test(key)) onFault("This is not a key: it contains invalid characters.");
    else onKey(key);
  };
  return (
    <form onSubmit={submit} noValidate className="mt-6 grid gap-4">
      <Field
        name="key"
        label="Your key"
        type="password"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
        placeholder="aos_…"
        hint="Exchanged for a session in the key's environment; not stored in this browser."
        fault={fault}
      />
      <Button type="submit" kind={inPerson ? "plain" : "primary"} size="large" busy={busy}>
        Sign in
      </Button>
      <p className="text-sm text-muted">
        A key or a link signs in for a first look and for administration; it does not prove who you are, so a vote by it
        may not count as a second person&rsquo;s. The first start of the service prints a link that signs in once. It
        also writes an admin key of <em>development</em> to the file <code className="id">admin.key</code> in its data
        folder.
      </p>
    </form>
  );
}
