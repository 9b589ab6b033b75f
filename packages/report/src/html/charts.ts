import { confidences, type Severity, severities } from '@sortie/contract';
import type { ReportFinding } from '../report-finding.ts';
import { severityWords } from '../words.ts';
import { html, type Markup } from './markup.ts';

const BAR_HEIGHT = 20;
const BAR_STEP = 30;
const BAR_LEFT = 70;
const BAR_WIDTH = 215;
const LEGEND_STEP = 90;

type Counts = Record<Severity, readonly number[]>;

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

/** Returns the number of findings of each severity, by confidence. */
export function countFindings(findings: readonly ReportFinding[]): Counts {
  const count = (severity: Severity) =>
    confidences.map(
      (confidence) => findings.filter((each) => each.severity === severity && each.confidence === confidence).length,
    );
  return Object.fromEntries(severities.map((severity) => [severity, count(severity)] as const)) as Record<
    string,
    readonly number[]
  > as Counts;
}

function bar(severity: Severity, counts: readonly number[], most: number, index: number): Markup {
  const top = index * BAR_STEP;
  const middle = top + BAR_HEIGHT / 2 + 5;
  const toWidth = (count: number) => (most === 0 ? 0 : Math.round((BAR_WIDTH * count) / most));
  const parts = counts.flatMap((count, position) => {
    if (count === 0) return [];
    // Half of the stroke is outside of the rectangle, and one unit separates it from the next.
    const left = BAR_LEFT + toWidth(sum(counts.slice(0, position))) + 0.5;
    const width = Math.max(1, toWidth(count) - 2);
    const name = confidences[position]?.toLowerCase();
    return html`<rect class="bar ${name}" x="${left}" y="${top + 0.5}" width="${width}" height="${BAR_HEIGHT - 1}"/>`;
  });
  return html`<g class="${severity.toLowerCase()}"><text x="0" y="${middle}">${severityWords[severity]}</text>
<rect class="track" x="${BAR_LEFT}" y="${top}" width="${BAR_WIDTH}" height="${BAR_HEIGHT}"/>${parts}
<text x="${BAR_LEFT + BAR_WIDTH + 10}" y="${middle}">${sum(counts)}</text></g>`;
}

function legend(top: number): Markup {
  return html`${confidences.map((confidence, index) => {
    const left = BAR_LEFT + index * LEGEND_STEP;
    const name = confidence.toLowerCase();
    return html`<rect class="key ${name}" x="${left}" y="${top}" width="14" height="14"/><text x="${left + 20}" y="${top + 12}">${name}</text>`;
  })}`;
}

export function severityBars(findings: readonly ReportFinding[]): Markup {
  const counts = countFindings(findings);
  const most = Math.max(...Object.values(counts).map(sum));
  const words = severities.map((severity) => `${severityWords[severity]} ${sum(counts[severity])}`).join(', ');
  const top = severities.length * BAR_STEP;
  return html`<svg role="img" width="335" height="${top + 20}" viewBox="0 0 335 ${top + 20}" aria-label="Findings by severity: ${words}">
${severities.map((severity, index) => bar(severity, counts[severity], most, index))}${legend(top + 2)}</svg>`;
}

const RADIUS = 56;
const ROUND = 2 * Math.PI * RADIUS;

/** The colours of the gauge follow the grade. */
/** The bands of the dashboard. */
const toneOf = (score: number) => (score >= 90 ? 'pass' : score >= 50 ? 'medium' : 'high');

export function scoreGauge(score: number, grade: string): Markup {
  const filled = ((ROUND * score) / 100).toFixed(1);
  return html`<svg role="img" class="${toneOf(score)}" width="150" height="150" viewBox="0 0 150 150" aria-label="Score ${score} of 100, grade ${grade}">
<circle class="ring" cx="75" cy="75" r="${RADIUS}" stroke-width="14"/>
<circle class="arc" cx="75" cy="75" r="${RADIUS}" stroke-width="14" stroke-dasharray="${filled} ${ROUND.toFixed(1)}" transform="rotate(-90 75 75)"/>
<text class="big" x="75" y="82" text-anchor="middle">${score}</text><text x="75" y="104" text-anchor="middle">grade ${grade}</text></svg>`;
}

const SHARE_WIDTH = 120;

/** A small bar of what is tested, partly tested and not tested. The numbers stand beside it, so it has no text. */
export function shareBar(numbers: readonly number[]): Markup {
  const all = sum(numbers) || 1;
  const parts = numbers.flatMap((number, index) => {
    if (number === 0) return [];
    const left = (SHARE_WIDTH * sum(numbers.slice(0, index))) / all;
    const width = Math.max(1, (SHARE_WIDTH * number) / all - 1);
    const name = ['tested', 'partly', 'missing'][index];
    return html`<rect class="${name}" x="${left.toFixed(1)}" y="0" width="${width.toFixed(1)}" height="10"/>`;
  });
  return html`<svg aria-hidden="true" width="${SHARE_WIDTH}" height="10" viewBox="0 0 ${SHARE_WIDTH} 10"><rect class="track" width="${SHARE_WIDTH}" height="10"/>${parts}</svg>`;
}
