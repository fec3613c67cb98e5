import { getRouteApi, Link } from "@tanstack/react-router";
import { type Install, readInstall } from "../../api/installs.ts";
import { usePrefetched } from "../../api/queries.ts";
import { useMay } from "../../api/rights.ts";
import { counted, visible } from "../../lib/words.ts";
import { buttonClass } from "../../ui/button.tsx";
import { Card, Facts, PageHead } from "../../ui/card.tsx";
import { CopyText, DigestText } from "../../ui/code.tsx";
import { useDocumentTitle } from "../../ui/document-title.ts";
import { Markdown } from "../../ui/markdown.tsx";
import { Notice } from "../../ui/states.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { RelativeTime } from "../../ui/time.tsx";
import { InstallActions } from "./install-actions.tsx";
import { InstallParts } from "./install-parts.tsx";
import { Person } from "./install-person.tsx";
import { RecallBanner } from "./install-recall.tsx";
import type { InstallSearch } from "./install-search.ts";
import { SetupSteps } from "./install-steps.tsx";
import { UpdateDialog } from "./install-update.tsx";
import { StateOf } from "./installs.tsx";
import { PermissionGroups } from "./permissions.tsx";
import { kindWords } from "./words.ts";

const route = getRouteApi("/shell/marketplace/installs/$install");
const link = "font-medium text-accent underline underline-offset-2";

/** One install: what is left to do, what it made, what it may do, and what holds it. */
export function InstallPage() {
  const { install: id } = route.useParams();
  const { tab = "setup", update } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: install } = usePrefetched(readInstall(id), {
    every: (known) => (known?.state === "installing" ? 1500 : 10_000),
  });
  const mayInstall = useMay("marketplace:install");
  useDocumentTitle(`${visible(install.title)}: install`);
  return (
    <>
      <PageHead
        title={visible(install.title)}
        lead={<Lead install={install} />}
        above={
          <>
            <Link to="/marketplace/installs" search={{}}>
              Installs
            </Link>
            <StateOf install={install} />
          </>
        }
        actions={mayInstall && install.state !== "removed" ? <InstallActions install={install} /> : null}
      />
      <Attention install={install} mayInstall={mayInstall} />
      <Tabs
        label="Install sections"
        current={tab}
        onChange={(next) => void navigate({ search: { tab: next as InstallSearch["tab"] }, resetScroll: false })}
        tabs={[
          { id: "setup", title: "Setup", content: () => <SetupSteps install={install} /> },
          { id: "parts", title: `Parts (${install.parts.length})`, content: () => <InstallParts install={install} /> },
          { id: "permissions", title: "Permissions", content: () => <Consented install={install} /> },
          { id: "about", title: "About", content: () => <About install={install} /> },
        ]}
      />
      {update === "yes" && install.update !== null && mayInstall ? (
        <UpdateDialog
          install={install}
          target={install.update}
          onClose={() => void navigate({ search: { tab }, resetScroll: false })}
        />
      ) : null}
    </>
  );
}

function Lead({
  install: { version, kind, listing_id: listing, installed_by, created_at },
}: {
  readonly install: Install;
}) {
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
      <span>
        {kindWords[kind]}, version {version}
      </span>
      <span>
        installed by <Person member={installed_by} /> <RelativeTime time={created_at} />
      </span>
      <Link to="/marketplace/listings/$listing" params={{ listing }} search={{}} className={link}>
        Its listing
      </Link>
    </span>
  );
}

/** What has to be seen first: what holds it, what failed, and what is newer. */
function Attention({ install, mayInstall }: { readonly install: Install; readonly mayInstall: boolean }) {
  const { recall, state, update, parts } = install;
  const failed = parts.filter((part) => part.state === "failed").length;
  return (
    <div className="mb-5 grid grid-cols-[minmax(0,1fr)] gap-3 empty:hidden">
      {recall === null ? null : <RecallBanner install={install} recall={recall} />}
      {state === "installing" ? <Notice>It is being installed. Its parts appear as they are made.</Notice> : null}
      {state === "incomplete" ? (
        <Notice tone="warn">
          <span className="font-semibold">
            {failed > 0 ? `${counted(failed, "part")} could not be made.` : "It is not complete."}
          </span>{" "}
          The parts say why. Once the reason is gone, “Reset” tries again and leaves alone what is there.
        </Notice>
      ) : null}
      {state === "removed" ? (
        <Notice>
          It was removed. Datasets, scorers and what something else uses stay, as its parts say. Install it again from{" "}
          <Link
            to="/marketplace/listings/$listing"
            params={{ listing: install.listing_id }}
            search={{ install: "yes" }}
            className={link}
          >
            its listing
          </Link>
          .
        </Notice>
      ) : null}
      {update !== null && state !== "removed" ? (
        <Notice tone={update.asks_more ? "warn" : "info"}>
          <span className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
            <span>
              <span className="font-semibold">Version {update.version} is available.</span>{" "}
              {update.asks_more ? "It asks for more than the one that is installed." : "It asks for nothing more."}
            </span>
            {mayInstall ? (
              <Link to="." search={{ update: "yes" }} className={buttonClass("plain", "small")}>
                Review the update
              </Link>
            ) : null}
          </span>
        </Notice>
      ) : null}
    </div>
  );
}

function Consented({ install: { consent } }: { readonly install: Install }) {
  return (
    <Card
      title="Consented to"
      aside={
        <span className="text-sm text-muted">
          by <Person member={consent.by} /> <RelativeTime time={consent.at} />
        </span>
      }
    >
      <div className="grid gap-5">
        <PermissionGroups permissions={consent.permissions} exact />
        <Facts facts={[["Publisher's key", <DigestText key="key" digest={consent.publisher_key} label="key id" />]]} />
      </div>
    </Card>
  );
}

function About({ install }: { readonly install: Install }) {
  const { readme, install_id, digest, suffix, agent } = install;
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
      <Card title="Readme">
        {readme === null ? (
          <p className="text-sm text-muted">The bundle has none.</p>
        ) : (
          <div className="max-w-prose text-sm">
            <Markdown text={readme} />
          </div>
        )}
      </Card>
      <Card title="Details">
        <Facts
          facts={[
            ["Install", <CopyText key="id" text={install_id} short />],
            ["Bundle", <DigestText key="digest" digest={digest} />],
            suffix !== "" && [
              "Suffix",
              <code key="suffix" className="id">
                {suffix}
              </code>,
            ],
            agent !== null && [
              "Agent",
              <Link key="agent" to="/agents/$agent" params={{ agent }} className={link}>
                {agent}
              </Link>,
            ],
          ]}
        />
      </Card>
    </div>
  );
}
