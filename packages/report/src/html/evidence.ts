import { type Exchange, excerpt, labelOf, type Marked, requestOf, responseOf, tellingOf } from '../exchange.ts';
import type { Prepared } from '../prepare.ts';
import type { ReportFinding } from '../report-finding.ts';
import { html, type Markup } from './markup.ts';
import { plural, shownTime } from './parts.ts';

/** More of them would fill pages without telling more. */
const MOST_EXCHANGES = 4;
const MOST_REQUEST = 1500;
const MOST_RESPONSE = 1200;
/** Of a response without anything to look at, status, headers and the beginning of the page tell the most. */
const MOST_UNMARKED = 500;

/** Returns the text with what to look at in `mark` elements. */
function marked({ text, spans }: Marked): Markup {
  const parts = spans.map(
    ({ start, end }, index) =>
      html`${text.slice(spans[index - 1]?.end ?? 0, start)}<mark>${text.slice(start, end)}</mark>`,
  );
  return html`${parts}${text.slice(spans.at(-1)?.end ?? 0)}`;
}

export function evidenceOf(finding: ReportFinding, { id, kind }: Prepared): Markup | false {
  if (kind === 'scan')
    return finding.evidence !== null && html`<h5>Evidence</h5><pre dir="ltr">${finding.evidence}</pre>`;
  const { exchanges, evidenceDeletedAt } = finding;
  const view = html`<code>sortie finding view ${id} ${finding.id}</code>`;
  if (evidenceDeletedAt !== null)
    return html`<h5>Evidence</h5><p>Deleted on ${shownTime(evidenceDeletedAt)}: the service keeps evidence for a limited time.</p>`;
  if (exchanges === undefined) return html`<h5>Evidence</h5><p>Not included. View it with: ${view}</p>`;
  if (exchanges.length === 0) return html`<h5>Evidence</h5><p>None is stored for this finding.</p>`;
  const shown = tellingOf(exchanges, MOST_EXCHANGES);
  const rest = exchanges.length - shown.length;
  return html`<h5>Evidence</h5>${shown.map(({ exchange, number }) => figure(exchange, number))}
${rest > 0 && html`<p class="soft">${plural(rest, 'more exchange')} of this proof: ${view}</p>`}`;
}

function figure(exchange: Exchange, number: number): Markup {
  const { highlights } = exchange;
  const received = excerpt(responseOf(exchange), highlights.response.length > 0 ? MOST_RESPONSE : MOST_UNMARKED);
  return html`<figure><figcaption dir="auto">Exchange ${number}: ${labelOf(exchange)}</figcaption>
<span class="label">Request</span><pre dir="ltr">${marked(excerpt(requestOf(exchange), MOST_REQUEST))}</pre>
<span class="label">Response</span><pre dir="ltr">${marked(received)}</pre></figure>`;
}

export function curlOf({ curl }: ReportFinding): Markup | false {
  return curl !== null && html`<h5>curl command</h5><pre dir="ltr">${curl}</pre>`;
}
