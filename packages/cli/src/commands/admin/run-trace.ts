import type { Admin } from '@sortie/server';
import { fields, shown } from '../../terminal/text.ts';

type Trace = Awaited<ReturnType<Admin['run']['trace']>>;
type Diagnostic = Trace['diagnostics'][number];

/** Groups by insertion point, in the order in which the run came to them. With `check`, other checks are not named. */
export function traceText(trace: Trace, check?: string): string {
  const { id, targetUrl, depth, status, kept, notKept, diagnostics } = trace;
  const facts = fields({
    run: id,
    target: targetUrl,
    depth,
    status,
    diagnostics: `${kept} kept, ${notKept > 0 ? `${notKept} more not kept` : 'none dropped'}`,
  });
  if (diagnostics.length === 0) return `${facts}\n${kept > 0 ? NO_MATCH : notKept > 0 ? NONE_KEPT : NONE}\n`;
  const places = Map.groupBy(diagnostics, placeOf);
  return [facts, ...[...places].map(([place, events]) => placeText(place, events, check))].join('\n');
}

const NONE =
  'No diagnostics are stored. Only real engines send them, from their first test on, and they are deleted with the evidence (SORTIE_EVIDENCE_DAYS).';
const NONE_KEPT =
  'No diagnostics were kept: each contained a secret of a test account, or the database did not store them.';
const NO_MATCH = 'No diagnostics match. Without --check and --url the command shows all.';

function placeOf({ method, url, parameter, location, account }: Diagnostic): string {
  const point = parameter === null ? '' : `, ${location} ${parameter}`;
  return `${method} ${url}${point}${account === null ? '' : `, as ${account}`}`;
}

function placeText(place: string, events: readonly Diagnostic[], check: string | undefined): string {
  return `${shown(place)}\n${events.map((event) => eventText(event, check)).join('')}`;
}

function eventText({ event, epoch, checks, verdict, reason, requests }: Diagnostic, check: string | undefined): string {
  const what = [...(verdict ? [verdict] : []), ...(reason ? [reason] : [])].join(': ');
  const [first = '', ...rest] = what.split('\n');
  const head = [`  ${event.padEnd(WIDTH)}`, check ?? checks.join(', '), first].filter(Boolean).join('  ');
  const lines = [
    `${shown(head)}${epoch > 1 ? `  (epoch ${epoch})` : ''}`,
    ...rest.map((line) => `    ${shown(line)}`),
    ...requests.map(({ label, request, outcome }) => `    ${shown(label)}: ${shown(request)} -> ${shown(outcome)}`),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

const WIDTH = 'NOT_PLANNED'.length;
