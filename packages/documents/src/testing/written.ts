import { Document, HeadingLevel, Packer, Paragraph, Table, TableCell, TableRow, TextRun } from "docx";
import PdfWriter from "pdfkit";

// Files for tests, made by libraries that are not those which read them.

type Drawing = (pdf: PDFKit.PDFDocument) => void;

/** A PDF of pages that are drawn one by one. */
export async function pdfOf(pages: readonly Drawing[], options: PDFKit.PDFDocumentOptions = {}): Promise<Buffer> {
  const pdf = new PdfWriter({ autoFirstPage: false, size: "A4", ...options });
  const parts: Buffer[] = [];
  pdf.on("data", (part: Buffer) => parts.push(part));
  const ended = new Promise((resolve) => pdf.once("end", resolve));
  for (const draw of pages) {
    pdf.addPage();
    draw(pdf);
  }
  pdf.end();
  await ended;
  return Buffer.concat(parts);
}

const paragraph = "Amber Looms weaves carpets in Porto and delivers them within ten working days. ";

export const handbook = (options: PDFKit.PDFDocumentOptions = {}): Promise<Buffer> =>
  pdfOf(
    [
      (pdf) => {
        pdf.fontSize(24).text("Handbook").moveDown();
        pdf.fontSize(16).text("Delivery").moveDown(0.5);
        pdf.fontSize(11).text(paragraph.repeat(4)).moveDown();
        pdf.text("Returns are free for thirty days.");
      },
      (pdf) => {
        pdf.fontSize(16).text("Prices").moveDown(0.5);
        pdf.fontSize(11).text("A carpet of two metres costs 400 euros.");
      },
    ],
    options,
  );

export async function contract(): Promise<Buffer> {
  const cell = (text: string) => new TableCell({ children: [new Paragraph(text)] });
  const row = (cells: string[], tableHeader = false) => new TableRow({ tableHeader, children: cells.map(cell) });
  const document = new Document({
    title: "Contract",
    sections: [
      {
        children: [
          new Paragraph({ text: "Terms", heading: HeadingLevel.HEADING_1 }),
          new Paragraph({
            children: [
              new TextRun("Payment is due in "),
              new TextRun({ text: "30 days", bold: true }),
              new TextRun("."),
            ],
          }),
          new Paragraph({ text: "Services", heading: HeadingLevel.HEADING_2 }),
          new Paragraph({ text: "Weaving", bullet: { level: 0 } }),
          new Paragraph({ text: "of wool", bullet: { level: 1 } }),
          new Paragraph({ text: "Repair", bullet: { level: 0 } }),
          new Table({ rows: [row(["service", "price"], true), row(["Weaving", "400"]), row(["Repair", "90"])] }),
        ],
      },
    ],
  });
  return Packer.toBuffer(document);
}
