import { exampleBase } from "../example.ts";
import type { SearchAnswer, SearchBody } from "../search-schemas.ts";

const output: SearchAnswer = {
  data: [
    {
      citation: "cit_01jd8x0000000000000000000d11111111",
      base: exampleBase.name,
      base_id: exampleBase.base_id,
      document_id: "doc_01jd8x0000000000000000000d",
      external_id: "handbook",
      title: "Handbook of returns",
      headings: ["Returns", "Deadlines"],
      kind: "text",
      first_page: 3,
      last_page: 3,
      text: "Parcels are sent back within thirty days.",
      highlights: [{ start: 12, end: 16 }],
      data_classes: [],
      score: 7.4211,
    },
  ],
  answered: true,
  coverage: 0.82,
  corrected: [],
  took_ms: 6.2,
};

export const exampleSearch: { body: SearchBody; output: SearchAnswer } = {
  body: { query: 'until when can a parcel be "sent back"', filters: { metadata: { product: "shop" } } },
  output,
};
