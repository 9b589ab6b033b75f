import { withoutCommands } from './ci-commands.ts';
import { type Exchange, excerpt, labelOf, type Marked, requestOf, responseOf, tellingOf } from './exchange.ts';
import type { ReportFinding } from './report-finding.ts';
import { cutText, oneLine } from './text.ts';

/** Text formats are read in a browser window or a log: more would hide the rest. */
const MOST_EXCHANGES = 3;
const MOST_REQUEST = 1000;
const MOST_RESPONSE = 700;
const MOST_SPANS = 3;
const MOST_SPAN = 80;

const lookAt = ({ text, spans }: Marked) =>
  spans.slice(0, MOST_SPANS).map(({ start, end }) => cutText(oneLine(text.slice(start, end)), MOST_SPAN));

function exchangeText(exchange: Exchange, number: number): { title: string; text: string } {
  const marks = [...lookAt(requestOf(exchange)), ...lookAt(responseOf(exchange))];
  return {
    title: `Exchange ${number}: ${labelOf(exchange)}`,
    text: [
      excerpt(requestOf(exchange), MOST_REQUEST).text,
      '',
      excerpt(responseOf(exchange), MOST_RESPONSE).text,
      ...(marks.length > 0 ? ['', `Look at: ${[...new Set(marks)].join(' | ')}`] : []),
    ].join('\n'),
  };
}

/** Returns the exchanges of a finding that tell the most, as plain text. */
export const evidenceTexts = ({ exchanges = [] }: ReportFinding): { title: string; text: string }[] =>
  tellingOf(exchanges, MOST_EXCHANGES).map(({ exchange, number }) => exchangeText(exchange, number));

/** Returns the command for text formats. One that would have to be changed is left out: it would send something else. */
export const shownCurl = ({ curl }: ReportFinding): string | null =>
  curl !== null && withoutCommands(curl) === curl ? curl : null;

/**
 * Returns the exchange that shows the finding best: the decisive one, or else the first with a payload and its effect.
 * Controls have no payload, and they may follow the proof.
 */
export function bestExchange({ exchanges = [] }: ReportFinding): Exchange | undefined {
  const attacks = exchanges.filter(({ isControl }) => !isControl);
  return (
    attacks.find(({ isDecisive }) => isDecisive) ??
    attacks.find(({ highlights }) => highlights.request.length > 0 && highlights.response.length > 0) ??
    attacks.find(({ highlights }) => highlights.response.length > 0) ??
    attacks.find(({ highlights }) => highlights.request.length > 0) ??
    attacks.at(-1) ??
    exchanges.at(-1)
  );
}
