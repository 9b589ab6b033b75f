import type { Prepared } from '../prepare.ts';
import type { CoverageOfRun, Engagement } from '../report.ts';
import { cutText } from '../text.ts';
import { begunOf, levelWords } from './cover.ts';
import { html, type Markup } from './markup.ts';
import { type Chapter, cutList, fact, plural, shownDuration, shownTime } from './parts.ts';
import { CHANGES } from './target-changes.ts';

const MOST_PATHS = 50;

const methods: Record<string, string> = {
  dns: 'DNS record',
  file: 'file on the target',
  meta: 'meta element of the start page',
  attestation: 'written attestation',
};

/** The engine's own rules for every run of the level, not what a run did: it may not have started, or have failed. */
function rulesOf(depth: string): string[] {
  return [
    'A run sends requests only to hosts that the verified target covers.',
    'It does not trigger links and buttons that log out, delete, pay, send or reset, unless it created the object.',
    depth === 'LEAD'
      ? 'It sends no write requests: the level only reads.'
      : `It changes only objects that it created and objects of the test accounts, and restores the originals. “${CHANGES}” lists what could not be undone.`,
    'It does not change passwords of the test accounts, and requests no resets or one-time codes for them.',
    'Reports replace secrets in requests and responses by “[redacted]”.',
  ];
}

export function scopeOf(report: Prepared): Chapter | undefined {
  if (report.kind === 'scan') return undefined;
  const { target, depth, startedAt, completedAt, engagements = [] } = report;
  const content = html`<h3>Scope</h3><dl>${[
    fact('Target', target),
    fact('Level', levelWords(depth)),
    begunOf(report),
    fact('Ended', shownTime(completedAt)),
    fact('Duration', shownDuration(startedAt, completedAt)),
    ...engagements.map(verification),
  ]}</dl>
${engagements.length > 0 && html`<h3>Rules of the owner</h3><p class="soft">As they were when this report was written.</p>${ownRules(engagements)}`}
<h3>Rules of engagement</h3><ul>${rulesOf(depth).map((rule) => html`<li>${rule}</li>`)}</ul>`;
  return { id: 'scope', title: 'Scope and rules of engagement', content };
}

function verification({ method, coveredName, coveredOrigin, verifiedAt, expiresAt }: Engagement): Markup {
  const covered = coveredName === null ? coveredOrigin : `${coveredName} and its subdomains`;
  const times = [verifiedAt && `verified ${shownTime(verifiedAt)}`, expiresAt && `valid until ${shownTime(expiresAt)}`];
  const parts = [`${methods[method] ?? method}: ${covered ?? 'the target'}`, ...times].filter(Boolean);
  return fact('Verification', parts.join(', '));
}

function ownRules(engagements: readonly Engagement[]): Markup {
  const rates = engagements.flatMap(({ rules }) => rules.requestsPerSecond ?? []);
  const windows = engagements.flatMap(({ rules }) =>
    rules.window ? [`${rules.window.from} to ${rules.window.to} UTC`] : [],
  );
  const excluded = [...new Set(engagements.flatMap(({ rules }) => rules.excludedPaths))];
  const { listed, rest } = cutList(excluded, MOST_PATHS);
  const paths = listed.map((path, index) => html`${index > 0 && ', '}<code>${cutText(path, 200)}</code>`);
  return html`<dl>${[
    fact('Request rate', rates.length > 0 ? `at most ${Math.min(...rates)} per second` : 'default of the level'),
    fact('Time window', windows.join(', ') || 'any time'),
    fact('Excluded', excluded.length > 0 ? html`${paths}${rest > 0 && html` and ${rest} more`}` : 'nothing'),
  ]}</dl>`;
}

type Request = CoverageOfRun['requests'][number];

const isTested = ({ tested, partlyTested }: Request) => tested.length + partlyTested.length > 0;

/** Names only: a report never contains user names or passwords. */
export function accountsOf(report: Prepared): Chapter | undefined {
  if (report.kind === 'scan' || !report.coverage) return undefined;
  const { requests, accounts: names = [] } = report.coverage;
  const byAccount = Map.groupBy(requests, ({ account }) => account);
  for (const name of names) if (!byAccount.has(name)) byAccount.set(name, []);
  const accounts = [...byAccount]
    .map(([name, of]) => ({ name, tested: of.filter(isTested).length, all: of.length }))
    .toSorted((one, other) => Number(one.name === null) - Number(other.name === null) || compare(one.name, other.name));
  const row = ({ name, tested, all }: (typeof accounts)[number]) =>
    html`<tr><th scope="row" dir="auto">${name === null ? 'without a login' : cutText(name, 100)}</th><td class="number">${tested}</td><td class="number">${all - tested}</td></tr>`;
  const content = html`<p>${testedAs(accounts, report.coverage)} User names and passwords are not part of this report.</p>
${
  accounts.length > 0 &&
  html`<table class="small"><caption>Kinds of requests, by account</caption><thead><tr><th scope="col">Account</th><th scope="col" class="number">Tested, at least partly</th><th scope="col" class="number">Not tested</th></tr></thead>
<tbody>${accounts.map(row)}</tbody></table>`
}${accounts.some(({ all }) => all === 0) && html`<p class="soft">An account without requests met none that others had not met before; the tests of access control compare with it.</p>`}`;
  return { id: 'accounts', title: 'Accounts used', content, isShort: true };
}

const compare = (one: string | null, other: string | null) => (String(one) < String(other) ? -1 : 1);

interface Account {
  name: string | null;
  /** Numbers of requests. */
  tested: number;
  all: number;
}

function testedAs(accounts: readonly Account[], { requests, omittedRequests }: CoverageOfRun): string {
  const isTested = accounts.some((each) => each.tested > 0);
  const named = accounts.filter(({ name, tested, all }) => name !== null && (tested > 0 || all === 0)).length;
  const ways = [
    named > 0 && `with ${plural(named, 'test account')}, given by the customer`,
    accounts.some(({ name, tested }) => name === null && tested > 0) && 'without a login',
  ].filter(Boolean);
  if (isTested) return `The target was tested ${ways.join(', and ')}.`;
  return omittedRequests > 0
    ? `None of the ${requests.length} requests that the service keeps was tested.`
    : 'No request was tested.';
}
