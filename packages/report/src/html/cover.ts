import type { Prepared } from '../prepare.ts';
import { overallRisk } from '../risk.ts';
import { cutText, oneLine } from '../text.ts';
import { isJudged, standing, TOOL } from '../words.ts';
import { html, type Markup } from './markup.ts';
import { fact, shownDuration, shownTime } from './parts.ts';

const levels: Record<string, string> = {
  LEAD: 'Light',
  STANDARD: 'Standard',
  DEEP: 'Deep',
  EXTENDED: 'Extended',
  MAXIMUM: 'Maximum',
};

export const levelWords = (depth: string): string => (levels[depth] ? `${levels[depth]} (${depth})` : depth);

export const begunOf = ({ startedAt, createdAt }: Prepared): Markup =>
  startedAt === null ? fact('Created', shownTime(createdAt)) : fact('Started', shownTime(startedAt));

/** The first page of a pentest, or the head of a scan. */
export function coverOf(report: Prepared): Markup {
  const { severity, word } = overallRisk(report);
  const isPentest = report.kind === 'pentest';
  return html`<header class="cover ${severity?.toLowerCase() ?? 'none'}"><p class="brand">${TOOL}</p>
<p class="kind">${isPentest ? 'Penetration test report' : 'Passive security scan'}</p>
<h1 dir="auto">${cutText(oneLine(report.target), 300)}</h1>
<p class="risk"><span>Overall risk</span><strong>${word}</strong></p>
${!isJudged(report) && html`<p class="verdict undecided"><strong>Not a final report.</strong> ${standing(report)}</p>`}
<dl class="facts">${[
    fact('Target', report.target),
    fact('Level', isPentest ? levelWords(report.depth) : null),
    begunOf(report),
    fact('Ended', shownTime(report.completedAt)),
    fact('Duration', shownDuration(report.startedAt, report.completedAt)),
    fact('Run', report.id),
    fact('Status', report.status),
    fact('Written by', `${TOOL} ${report.toolVersion}`),
    isPentest && fact('Handling', 'Confidential: it describes how to attack the target.'),
  ].filter((each) => each !== false)}</dl></header>
`;
}
