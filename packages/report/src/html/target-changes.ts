import type { Prepared } from '../prepare.ts';
import { cutText } from '../text.ts';
import { html, type Markup } from './markup.ts';
import { type Chapter, pathOf } from './parts.ts';
import { sayingsOf } from './sayings.ts';

export const CHANGES = 'Changes at the target and clean-up';

/** What the run changed at the target, and what it removed again. */
export function changesOf(report: Prepared): Chapter | undefined {
  if (report.kind === 'scan') return undefined;
  if (!report.summary)
    return {
      id: 'target-changes',
      title: CHANGES,
      content: html`<p>The run has no summary: its changes are not known.</p>`,
      isShort: true,
    };
  const { changed } = sayingsOf(report);
  const shown = changed.map((line) => ({ line, table: created(line, report) ?? accepted(line, report) }));
  const plain = shown.filter(({ table }) => !table).map(({ line }) => html`<p dir="auto">${line}</p>`);
  const tables = shown.flatMap(({ table }) => table ?? []);
  const none =
    report.depth === 'LEAD'
      ? 'The run created and changed nothing at the target: the level only reads.'
      : 'The summary of the run names no object that was created, and no change that remains.';
  const content =
    changed.length > 0
      ? html`<p>The run undoes its changes, and deletes what it created where the API of the target offers it.</p>
${plain}${tables}`
      : html`<p>${none}</p>`;
  return { id: 'target-changes', title: CHANGES, content, isShort: tables.length === 0 };
}

/** The engine lists `3 entries created at POST URL, 1 removed, 2 left; …`, which a table shows better. */
function created(line: string, { target }: Prepared): Markup | undefined {
  const parts = line.replace(/\.$/, '').split('; ');
  const rows = parts.map((part) =>
    /^(\d+) entr(?:y|ies) created at ([A-Z]+) (.+), (\d+) removed, (\d+) left$/.exec(part),
  );
  const rest = /^(\d+ more)$/.exec(rows.at(-1) ? '' : (parts.at(-1) ?? ''))?.[1];
  const known = rest === undefined ? rows : rows.slice(0, -1);
  if (known.length === 0 || known.includes(null)) return undefined;
  const row = (found: RegExpExecArray | null) => {
    const [, number = '', method = '', url = '', removed = '', left = ''] = found ?? [];
    return html`<tr>${place(`${method} ${pathOf(url, target)}`)}${[number, removed, left].map((each) => html`<td class="number">${each}</td>`)}</tr>`;
  };
  return html`<h3>Objects that the run created</h3><table class="small"><thead><tr><th scope="col">Request</th><th scope="col" class="number">Created</th>
<th scope="col" class="number">Removed</th><th scope="col" class="number">Left</th></tr></thead><tbody>${known.map(row)}</tbody></table>${rest && html`<p>${rest}</p>`}`;
}

const ACCEPTED = /^Accepted without a sign whether anything was stored: (.+)\. The numbers count requests\.$/;

/** Likewise: `POST URL (58), POST URL (56), 18 more`. */
function accepted(line: string, { target }: Prepared): Markup | undefined {
  const parts = ACCEPTED.exec(line)?.[1]?.split(/, (?=[A-Z]+ \S+:\/\/|\d+ more$)/) ?? [];
  const rows = parts.flatMap((part) => {
    const [, method = '', url = '', number = ''] = /^([A-Z]+) (.+) \((\d+)\)$/.exec(part) ?? [];
    return number === '' ? [] : [{ request: `${method} ${pathOf(url, target)}`, number }];
  });
  if (rows.length === 0) return undefined;
  const rest = parts.length > rows.length && parts.at(-1);
  return html`<h3>Accepted, without a sign whether anything was stored</h3><table class="small"><thead><tr><th scope="col">Request</th><th scope="col" class="number">Times sent</th></tr></thead>
<tbody>${rows.map(({ request, number }) => html`<tr>${place(request)}<td class="number">${number}</td></tr>`)}</tbody></table>${rest && html`<p>${rest}</p>`}`;
}

const place = (request: string) => html`<td><code dir="ltr">${cutText(request, 300)}</code></td>`;
