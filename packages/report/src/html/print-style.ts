/** For paper and PDF: always light, a cover of its own, page numbers, and no break within what belongs together. */
export const printStyle = `
@media print {
  :root { color-scheme: light; --ink: #15191e; --soft: #4b5561; --paper: #fff; --panel: #f3f5f8; --line: #c9d1da;
    --brand: #14304f; --accent: #1d5a94; --mark: #ffe08a; --mark-ink: #2a2000; --critical: #8f1d2c; --high: #a83a14;
    --medium: #7d5700; --low: #0b5cad; --info: #4a5568; --none: #515c69; --pass: #256041; }
  * { print-color-adjust: exact; }
  html { font-size: 9.5pt; }
  body { max-width: none; padding: 0; orphans: 3; widows: 3; }
  h2 { margin-top: 0; }
  h1, h2, h3, h4, h5, figcaption, .label, caption { break-after: avoid; }
  section.chapter, nav.contents { break-before: page; }
  #summary { font-size: .94em; }
  .priorities > li { padding-block: .35rem; margin: .4rem 0; }
  section.follows { break-before: auto; margin-top: 12mm; }
  .pentest .cover { height: 250mm; display: flex; flex-direction: column; border-bottom-width: 5mm; padding: 10mm 0 0; }
  .pentest .cover h1 { font-size: 25pt; } .pentest .cover .brand { margin-bottom: 45mm; }
  .pentest .cover .facts { margin-top: auto; margin-bottom: 14mm; }
  .risk { align-self: flex-start; }
  .scan section.chapter { break-before: auto; margin-top: 12mm; }
  .scan .cover { padding-top: 0; } .scan .brand { margin-bottom: 6mm; }
  tr, .priorities > li, .charts, .risk, article > header, .together { break-inside: avoid; }
  thead { break-after: avoid; } tbody tr:first-child { break-before: avoid; }
  thead { display: table-header-group; } tfoot { display: table-row-group; }
  article { border: 0; border-left: 1.5mm solid var(--tone); border-radius: 0; padding: 0 0 0 5mm; margin-bottom: 10mm;
    box-decoration-break: clone; }
  .small th, .small td { padding-block: .22rem; } dl.terms { columns: 2; column-gap: 8mm; }
  pre { box-decoration-break: clone; } figure pre { break-inside: avoid; }
  a { text-decoration: none; }
}
@page { size: A4; margin: 18mm 17mm 20mm;
  @bottom-left { content: "Sortie report · Confidential"; font: 8pt "Inter", "Helvetica Neue", "DejaVu Sans", Arial, sans-serif; color: #4b5561; }
  @bottom-right { content: "Page " counter(page) " of " counter(pages); font: 8pt "Inter", "Helvetica Neue", "DejaVu Sans", Arial, sans-serif;
    color: #4b5561; } }
@page :first { @bottom-left { content: none; } @bottom-right { content: none; } }
`;
