import { getRouteApi, Link } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";
import { readApproval } from "../../api/approvals.ts";
import { usePrefetched } from "../../api/queries.ts";
import { asksText, titleOf } from "../../lib/asking.ts";
import { Badge, RiskBadge } from "../../ui/badge.tsx";
import { PageHead } from "../../ui/card.tsx";
import { useDocumentTitle } from "../../ui/document-title.ts";
import { useShortcuts } from "../../ui/shortcuts.ts";
import { RelativeTime } from "../../ui/time.tsx";
import { useDecision } from "./decide.ts";
import { Decision } from "./decision.tsx";
import { liveEvery } from "./live.ts";
import { ApprovalView, useDigestFits } from "./view.tsx";
import { type Detail, nameOf, roundText, standing } from "./words.ts";

const route = getRouteApi("/shell/approvals/$task");

/** The page behind `approve_url`. Opening it decides nothing. */
export function ApprovalPage() {
  const { task } = route.useParams();
  const navigate = route.useNavigate();
  const { data: approval } = usePrefetched(readApproval(task), { every: liveEvery });
  const fits = useDigestFits(approval);
  const making = useDecision(approval);
  useShortcuts("This page", [
    { keys: "u", label: "Back to all approvals", run: () => void navigate({ to: "/approvals" }) },
  ]);
  useDocumentTitle(`${standing(approval)[0]}: ${titleOf(approval)}`);
  return (
    <>
      <Head approval={approval} />
      <ApprovalView
        approval={approval}
        fits={fits}
        decision={<Decision approval={approval} fits={fits} making={making} sticky />}
      />
      {/* Room under the page for the buttons that stay in sight. */}
      <div aria-hidden="true" className="h-28 lg:hidden" />
    </>
  );
}

function Head({ approval }: { readonly approval: Detail }) {
  const [word, tone] = standing(approval);
  const round = roundText(approval);
  return (
    <PageHead
      above={
        <>
          <Link to="/approvals" className="inline-flex items-center gap-1 hover:text-ink">
            <ArrowLeft className="size-4" aria-hidden="true" />
            Approvals
          </Link>
          <Badge tone={tone}>{word}</Badge>
          <RiskBadge level={approval.risk} />
        </>
      }
      title={titleOf(approval)}
      lead={
        <p className="text-sm">
          {approval.title === null ? "" : `${asksText(approval)}. `}Requested by {nameOf(approval.requester)}{" "}
          <RelativeTime time={approval.created_at} />. {round}
        </p>
      }
    />
  );
}
