import { renderCsv } from './csv.ts';
import { renderDefectDojo } from './defectdojo.ts';
import { renderGitlabDast } from './gitlab-dast.ts';
import { renderHtml } from './html/html.ts';
import { renderJson } from './json.ts';
import { renderJunit } from './junit.ts';
import { renderMarkdown } from './markdown.ts';
import type { Report } from './report.ts';
import { renderSarif, type SarifOptions } from './sarif.ts';

export { mask } from './mask.ts';
export {
  type PentestReport,
  type Report,
  reportOfPentest,
  reportOfScan,
  type ScanReport,
  type Verdict,
} from './report.ts';
export { COMMENT_MARKER, renderComment, renderStepSummary } from './summary.ts';
export { isJudged } from './words.ts';

export interface Format {
  /** The file name that consumers expect. */
  fileName: string;
  mediaType: string;
  render(report: Report, options?: RenderOptions): string;
}

export type RenderOptions = SarifOptions;

const byName = {
  sarif: { fileName: 'sortie.sarif', mediaType: 'application/sarif+json', render: renderSarif },
  junit: { fileName: 'sortie-junit.xml', mediaType: 'application/xml', render: renderJunit },
  'gitlab-dast': { fileName: 'gl-dast-report.json', mediaType: 'application/json', render: renderGitlabDast },
  defectdojo: { fileName: 'sortie-defectdojo.json', mediaType: 'application/json', render: renderDefectDojo },
  csv: { fileName: 'sortie.csv', mediaType: 'text/csv', render: renderCsv },
  markdown: { fileName: 'sortie.md', mediaType: 'text/markdown', render: renderMarkdown },
  json: { fileName: 'sortie.json', mediaType: 'application/json', render: renderJson },
  html: { fileName: 'sortie.html', mediaType: 'text/html', render: renderHtml },
} satisfies Record<string, Format>;

export type FormatName = keyof typeof byName;

export const formats: Readonly<Record<FormatName, Format>> = byName;
