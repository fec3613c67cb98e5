import { useQueryClient } from "@tanstack/react-query";
import { getRouteApi, useRouter } from "@tanstack/react-router";
import { type FormEvent, useCallback, useEffect, useState } from "react";
import { asProblem } from "../../api/problem.ts";
import { type Session, sessionQuery, signInWithKey, signInWithLink } from "../../api/session.ts";
import { Mark } from "../../layouts/rail.tsx";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Notice } from "../../ui/states.tsx";

const route = getRouteApi("/sign-in");

/** The token of a one-time link stands behind the `#`, which no server and no log sees; it is taken out of the address at once. */
function takeToken(): string | null {
  const token = new URLSearchParams(location.hash.slice(1)).get("token");
  if (token !== null) history.replaceState(history.state, "", location.pathname + location.search);
  return token;
}

function faultOf(error: unknown, by: "key" | "link"): string {
  const problem = asProblem(error);
  if (problem.status === 0 || problem.status === 429 || problem.status >= 500) return problem.detail;
  if (by === "link") return "This link was used before, or is too old. Ask for a new one, or sign in with a key.";
  return problem.status === 401 ? "This key was not accepted. It may be mistyped, expired or revoked." : problem.detail;
}

/** Goes on to where one wanted to be once someone is signed in. */
function useEntry() {
  const queryClient = useQueryClient();
  const router = useRouter();
  const { next } = route.useSearch();
  return useCallback(
    async (session: Session | null) => {
      if (session === null) throw new Error("the service opened no session");
      queryClient.clear();
      queryClient.setQueryData(sessionQuery.queryKey, session);
      await router.navigate({ href: next ?? "/", replace: true });
    },
    [queryClient, router, next],
  );
}

export function SignInPage() {
  const { ended } = route.useSearch();
  const enter = useEntry();
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
  useEffect(() => {
    const token = takeToken();
    if (token !== null) void attempt("link", () => signInWithLink(token));
  }, [attempt]);
  return (
    <div className="grid min-h-dvh lg:grid-cols-[minmax(20rem,2fr)_3fr]">
      <Welcome />
      <main className="grid content-center justify-items-center px-5 py-12">
        <div className="w-full max-w-sm">
          <h1 id="page-title" tabIndex={-1} className="text-2xl font-semibold tracking-tight">
            Sign in
          </h1>
          {busy === "link" ? (
            <p className="mt-3 text-muted" role="status">
              Your link is being checked…
            </p>
          ) : null}
          {ended && fault === null && busy === null ? (
            <div className="mt-4">
              <Notice tone="warn">Your session has ended. Sign in again, and you go on where you were.</Notice>
            </div>
          ) : null}
          <KeyForm fault={fault} busy={busy === "key"} onKey={(key) => void attempt("key", () => signInWithKey(key))} onFault={setFault} />
        </div>
      </main>
    </div>
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
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const key = String(new FormData(event.currentTarget).get("key")).trim();
    if (key === "") onFault("Enter your key.");
    else if (!/^[!-~]+$/.test(key)) onFault("This cannot be a key: it has characters that no key has.");
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
        hint="It is exchanged for a session of its environment, and not kept in this browser."
        fault={fault}
      />
      <Button type="submit" kind="primary" size="large" busy={busy}>
        Sign in
      </Button>
      <p className="text-sm text-muted">
        The first start of the service prints a link that signs in once. It also writes an admin key of <em>development</em> to the file{" "}
        <code className="id">admin.key</code> in its data folder.
      </p>
    </form>
  );
}

/** What this is, for who sees it for the first time. */
function Welcome() {
  return (
    <header className="on-rail flex flex-col justify-between gap-10 bg-rail px-6 py-6 text-rail-ink lg:px-10 lg:py-10">
      <Mark />
      <div className="max-lg:hidden">
        <p className="text-3xl leading-snug font-semibold tracking-tight text-balance">Every call governed, every answer provable.</p>
        <p className="mt-4 max-w-sm text-rail-muted">
          Agents work. You see what they do, decide what needs a person, and prove what happened.
        </p>
      </div>
      <Scale />
    </header>
  );
}

/** The mark at large: scores with their intervals on scales. */
function Scale() {
  const rows = [
    { low: 0.55, score: 0.71, high: 0.83 }, { low: 0.78, score: 0.9, high: 0.95 }, { low: 0.2, score: 0.46, high: 0.68 }, { low: 0.66, score: 0.79, high: 0.88 },
  ]; // biome-ignore format: a picture's figures
  return (
    <svg viewBox="0 0 320 120" aria-hidden="true" className="hidden w-full max-w-sm lg:block" strokeLinecap="round">
      {rows.map(({ low, score, high }, row) => (
        <g key={score} transform={`translate(0 ${16 + row * 28})`}>
          <line x1="4" x2="316" y1="0" y2="0" stroke="#7fa497" strokeOpacity="0.35" strokeWidth="1.5" />
          <rect x={4 + low * 312} width={(high - low) * 312} y="-5" height="10" rx="5" fill="#f2b84b" opacity={row === 2 ? 0.55 : 0.9} />
          <line x1={4 + score * 312} x2={4 + score * 312} y1="-10" y2="10" stroke="#fdfcf7" strokeWidth="3" />
        </g>
      ))}
    </svg>
  );
}
