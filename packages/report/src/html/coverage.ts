import type { Prepared } from '../prepare.ts';
import type { CoverageOfRun } from '../report.ts';
import { cutText } from '../text.ts';
import { byReason } from '../words.ts';
import { shareBar } from './charts.ts';
import { html, type Markup } from './markup.ts';
import { type Chapter, cutList, pathOf } from './parts.ts';
import { sayingsOf } from './sayings.ts';

const MOST_ROWS = 80;
/** Requests in one row, with gaps and without. */
const MOST_OPEN = 25;
const MOST_TESTED = 6;

const method = `The engine crawls the target, first without a login and then as each test account, and records every kind of
request with its insertion points. It then runs the checks that apply to each of them. A check sends requests that show a
weakness together with controls that must not show it. A finding is confirmed only if its proof holds twice, the second time
with new random values over a new connection. Appendix A explains the confidence levels.`;

const statuses: Record<string, string> = {
  TESTED: 'tested',
  PARTLY_TESTED: 'partly tested',
  NOT_TESTED: 'not tested',
  NOT_APPLICABLE: 'not applicable',
};

type Group = CoverageOfRun['groups'][number];
type Request = CoverageOfRun['requests'][number];

export function coverageOf(report: Prepared): Chapter | undefined {
  if (report.kind === 'scan') return undefined;
  const { tested } = sayingsOf(report);
  const title = report.status === 'FAILED' ? 'Why it failed' : 'What was tested';
  const content = html`<p>${method.replaceAll('\n', ' ')}</p>
${tested.length > 0 && html`<h3>${title}</h3><ul>${tested.map((line) => html`<li dir="auto">${line}</li>`)}</ul>`}
${report.coverage ? covered(report.coverage, report.target) : html`<p>The coverage of this run is not known.</p>`}`;
  return { id: 'coverage', title: 'Method and coverage', content };
}

function covered(coverage: CoverageOfRun, target: string): Markup {
  return html`<h3>Coverage by group of checks</h3>
<table class="small"><caption>Number of requests, counted once per account</caption><thead><tr><th scope="col">Group</th><th scope="col">Result</th>
<th scope="col" class="number">Tested</th><th scope="col" class="number">Partly</th><th scope="col" class="number">Not</th><td></td></tr></thead>
<tbody>${coverage.groups.map(groupRow)}</tbody></table>
${reasonsOf(coverage.groups)}${requestTable(coverage, target)}`;
}

function groupRow({ group, status, tested, partlyTested, notTested }: Group): Markup {
  const number = (value: number) => html`<td class="number">${value}</td>`;
  return html`<tr><th scope="row">${group}</th><td>${statuses[status] ?? status}</td>${[tested, partlyTested, notTested].map(number)}
<td>${status !== 'NOT_APPLICABLE' && shareBar([tested, partlyTested, notTested])}</td></tr>`;
}

function reasonsOf(groups: readonly Group[]): Markup | false {
  const open = groups.flatMap(({ group, reasons }) => reasons.map((reason) => ({ group, ...reason })));
  if (open.length === 0) return false;
  const row = ({ group, reason, cure }: (typeof open)[number]) =>
    html`<tr><th scope="row">${group}</th><td>${reason} ${cure}</td></tr>`;
  return html`<h3>What was not tested everywhere, and why</h3><table class="small fixed"><thead><tr><th scope="col" class="narrow">Groups</th>
<th scope="col">Reason, and how to fix it</th></tr></thead><tbody>${byReason(open).map(row)}</tbody></table>`;
}

/** The reasons are long and few, so the table refers to them by number. */
function requestTable({ requests, omittedRequests }: CoverageOfRun, target: string): Markup | false {
  if (requests.length === 0) return false;
  const reasons = [...new Set(requests.flatMap((each) => openIn(each).map(({ reason }) => reason)))];
  const { listed, rest } = cutList(rowsOf(requests, reasons, target), MOST_ROWS);
  const cut = rest > 0 ? ` ${rest} more rows are left out.` : '';
  return html`<h3>Coverage by request and account</h3>
<p>Requests with the same result share a row. ${
    omittedRequests > 0 &&
    `The service keeps ${requests.length} of ${requests.length + omittedRequests} requests; those that are not fully tested take precedence.`
  }${cut}</p>
<table class="small fixed"><thead><tr><th scope="col" class="wide">Requests</th><th scope="col" class="narrow">Account</th><th scope="col">Tested</th>
<th scope="col">Partly or not tested</th></tr></thead><tbody>${listed.map(requestRow)}</tbody></table>
${reasons.length > 0 && html`<p class="soft">Reasons</p><ol class="small">${reasons.map((reason) => html`<li>${reason}</li>`)}</ol>`}`;
}

const openIn = ({ partlyTested, notTested }: Request) => [
  ...partlyTested.map((each) => ({ ...each, word: 'partly' })),
  ...notTested.map((each) => ({ ...each, word: 'not' })),
];

interface Row {
  places: readonly string[];
  account: string;
  tested: string;
  open: string;
}

/** Rows in the order of the service: requests that are not fully tested come first. */
function rowsOf(requests: readonly Request[], reasons: readonly string[], target: string): Row[] {
  const told = requests.map((each) => ({
    place: [each.method, pathOf(each.url, target), each.operation].filter(Boolean).join(' '),
    account: each.account ?? '–',
    tested: each.tested.join(', ') || '–',
    open: openIn(each)
      .map(({ groups, reason, word }) => `${word}: ${groups.join(', ')} (${reasons.indexOf(reason) + 1})`)
      .join('; '),
  }));
  const alike = Map.groupBy(told, ({ account, tested, open }) => JSON.stringify([account, tested, open]));
  return [...alike.values()]
    .flatMap((of) => (of[0] ? [{ ...of[0], places: of.map(({ place }) => place) }] : []))
    .toSorted((one, other) => Number(other.open !== '') - Number(one.open !== ''));
}

function requestRow({ places, account, tested, open }: Row): Markup {
  const { listed, rest } = cutList(places, open === '' ? MOST_TESTED : MOST_OPEN);
  const lines = listed.map((place) => html`<code dir="ltr">${cutText(place, 200)}</code><br>`);
  return html`<tr><td>${lines}${rest > 0 && html`<span class="soft">and ${rest} more</span>`}</td><td dir="auto">${account}</td>
<td>${tested}</td><td>${open || '–'}</td></tr>`;
}
