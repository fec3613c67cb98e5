import type { DocumentDetails as Document } from "../../api/knowledge.ts";
import { exactly } from "../../lib/time.ts";
import { Card, Facts } from "../../ui/card.tsx";
import { CopyText, DigestText, JsonView } from "../../ui/code.tsx";
import { RelativeTime } from "../../ui/time.tsx";
import { sizeText } from "./words.ts";

/** What is known of a document besides its text. */
export function DocumentFacts({ document }: { readonly document: Document }) {
  const { data_classes, metadata } = document;
  return (
    <Card title="Details" className="max-w-3xl">
      <Facts
        facts={[
          ["Id", <CopyText key="id" text={document.document_id} />],
          document.external_id !== null && ["External id", <CopyText key="external" text={document.external_id} />],
          ["Version", document.version],
          ["Came as", document.source],
          document.file_name !== null && ["File", document.file_name],
          document.media_type !== null && ["Type", document.media_type],
          document.size !== null && ["Size", sizeText(document.size)],
          document.pages !== null && ["Pages", document.pages],
          document.url !== null && ["Address", document.url],
          ["Data classes", data_classes.length === 0 ? "none found" : data_classes.join(", ").replaceAll("_", " ")],
          document.digest !== null && ["SHA-256", <DigestText key="digest" digest={document.digest} />],
          document.review_at !== null && ["Review due", <RelativeTime key="review" time={document.review_at} />],
          ["Added", exactly(document.created_at)],
          ["Changed", exactly(document.updated_at)],
          [
            "By",
            <code key="author" className="id">
              {document.author}
            </code>,
          ],
        ]}
      />
      {Object.keys(metadata).length === 0 ? null : <JsonView value={metadata} label="Metadata" open />}
      {document.fields === null ? null : <JsonView value={document.fields} label="Fields" />}
    </Card>
  );
}
