import { BadgeCheck, CircleX } from "lucide-react";
import { type ListingDetail, readPublisher } from "../../api/marketplace.ts";
import { useLive } from "../../api/queries.ts";
import { sizeText } from "../../lib/size.ts";
import { exactly } from "../../lib/time.ts";
import { counted, visible } from "../../lib/words.ts";
import { Badge } from "../../ui/badge.tsx";
import { Card, Facts } from "../../ui/card.tsx";
import { CopyText, DigestText } from "../../ui/code.tsx";
import { ErrorState, Notice, Skeleton } from "../../ui/states.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { RelativeTime } from "../../ui/time.tsx";

/** Who signed it, whether the key is known here, and the files that were signed. */
export function Signature({ listing }: { readonly listing: ListingDetail }) {
  const { signature, digest, publisher, files } = listing;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <Card title="Signature">
        <div className="grid gap-4">
          <p className="flex items-center gap-2 text-sm font-medium">
            {signature.verified ? (
              <BadgeCheck className="size-5 text-good" aria-hidden="true" />
            ) : (
              <CircleX className="size-5 text-bad" aria-hidden="true" />
            )}
            {signature.verified
              ? `Verified here: these are the files that ${visible(publisher.name)} signed.`
              : "Not verified: these are not the files that were signed."}
          </p>
          <Facts
            facts={[
              ["Bundle", <CopyText key="bundle" text={digest} label="digest of the bundle" />],
              ["Key", <CopyText key="key" text={signature.key_id} label="key id" />],
              ["Signed", exactly(signature.signed_at)],
            ]}
          />
        </div>
      </Card>
      <Publisher listing={listing} />
      <Card title={`Files (${files.length})`} flush>
        <Table label="Files" columns={columns} rows={files} rowKey={({ path }) => path} />
      </Card>
    </div>
  );
}

type File = ListingDetail["files"][number];

const columns: readonly Column<File>[] = [
  { name: "Path", cell: ({ path }) => <code className="id">{visible(path)}</code> },
  { name: "Size", right: true, cell: ({ bytes }) => sizeText(bytes) },
  { name: "SHA-256", cell: ({ digest, path }) => <DigestText digest={digest} label={`digest of ${path}`} /> },
];

/** The publisher's keys, each vouched for by the one before, and which of them this organization accepted. */
function Publisher({ listing: { publisher, signature } }: { readonly listing: ListingDetail }) {
  const { data, error } = useLive(readPublisher(publisher.publisher_id));
  return (
    <Card title="Publisher">
      {error ? <ErrorState error={error} /> : null}
      {data === undefined && !error ? <Skeleton lines={4} /> : null}
      {data === undefined ? null : (
        <div className="grid gap-4">
          <Facts
            facts={[
              ["Name", visible(data.name)],
              ["Id", <CopyText key="id" text={data.publisher_id} label="publisher id" />],
              ["Here", counted(data.listings, "listing")],
              ["Accepted", acceptedText(data)],
            ]}
          />
          {data.own || data.pinned !== null ? null : (
            <Notice tone="warn">
              Nobody here accepted a key of this publisher yet: the first install does. A name is no proof; compare the
              key with the publisher over another channel before.
            </Notice>
          )}
          <ol aria-label="Keys, the first one first" className="grid gap-2">
            {data.keys.map(({ key_id, signs, vouched_by }) => (
              <li
                key={key_id}
                className="flex flex-wrap items-center gap-x-3 gap-y-1 border-l-2 border-line pl-3 text-sm"
              >
                <CopyText text={key_id} label="key id" />
                {key_id === signature.key_id ? <Badge tone="accent">signed this version</Badge> : null}
                {signs ? <Badge>signs now</Badge> : null}
                {data.pinned?.key_id === key_id ? <Badge tone="good">accepted here</Badge> : null}
                <span className="text-muted">
                  {vouched_by === null ? "the first key" : "the key before vouches for it"}
                </span>
              </li>
            ))}
          </ol>
        </div>
      )}
    </Card>
  );
}

function acceptedText({
  own,
  pinned,
}: {
  readonly own: boolean;
  readonly pinned: { readonly at: string; readonly by: string } | null;
}) {
  if (own) return "this organization's own";
  if (pinned === null) return "not yet";
  return (
    <>
      <RelativeTime time={pinned.at} /> by <span className="id">{pinned.by}</span>
    </>
  );
}
