import { type ErrorComponentProps, Link, useRouter } from "@tanstack/react-router";
import { useCallback, useEffect } from "react";
import { askingAgain, askWhetherBack } from "../api/connection.ts";
import { asProblem } from "../api/problem.ts";
import { buttonClass } from "../ui/button.tsx";
import { PageHead } from "../ui/card.tsx";
import { ErrorState, Skeleton } from "../ui/states.tsx";

/** A page that could not be shown, and why. */
export function FaultPage({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const problem = asProblem(error);
  const again = useCallback((): void => {
    reset();
    void router.invalidate();
  }, [reset, router]);
  useRecovery(problem.retryable, again);
  return (
    <>
      <PageHead
        title={problem.status === 404 ? "Not found here" : "This page could not be loaded"}
        lead={
          problem.status === 404 ? (
            <p>It may belong to another environment: what you see is that of your session alone.</p>
          ) : null
        }
      />
      <ErrorState error={error} onRetry={again} />
    </>
  );
}

/** Kept beside the page, which is left for each attempt. */
const recovery = { isTime: askingAgain(), asked: 0 };

/** While the page could not be shown for a passing reason, asks every 2 s whether the service is ready; then tries again, ever more rarely. */
function useRecovery(passing: boolean, again: () => void): void {
  useEffect(() => {
    if (!passing) return;
    if (Date.now() - recovery.asked > 10_000) recovery.isTime = askingAgain();
    const ask = async (): Promise<void> => {
      recovery.asked = Date.now();
      if (recovery.isTime(await askWhetherBack())) again();
    };
    const timer = setInterval(() => void ask(), 2000);
    return () => clearInterval(timer);
  }, [passing, again]);
}

/** An address without a page. */
export function MissingPage() {
  return (
    <div className="mx-auto max-w-3xl">
      <PageHead title="Page not found" lead={<p>The address may be mistyped, or what it led to was renamed.</p>} />
      <Link to="/" className={buttonClass("primary")}>
        Go home
      </Link>
    </div>
  );
}

/** While a page is on its way for longer than people wait without asking themselves why. */
export function PendingPage() {
  return (
    <div role="status" aria-label="Loading" className="grid gap-6">
      <Skeleton className="h-8 w-64" />
      <div className="grid gap-4 rounded-lg border border-line bg-surface p-5">
        <Skeleton lines={6} />
      </div>
    </div>
  );
}
