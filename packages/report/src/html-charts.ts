import { type Severity, severities } from '@sortie/contract';
import { html, type Markup } from './html-markup.ts';
import { severityWords } from './words.ts';

const BAR_HEIGHT = 22;
const BAR_STEP = 32;
const BAR_LEFT = 76;
const BAR_WIDTH = 280;

function bar(severity: Severity, count: number, most: number, index: number): Markup {
  const top = index * BAR_STEP;
  const middle = top + BAR_HEIGHT / 2 + 5;
  const width = most === 0 ? 0 : Math.round((BAR_WIDTH * count) / most);
  return html`<g class="${severity.toLowerCase()}"><text x="0" y="${middle}">${severityWords[severity]}</text>
<rect class="track" x="${BAR_LEFT}" y="${top}" width="${BAR_WIDTH}" height="${BAR_HEIGHT}" rx="3"/>
<rect class="bar" x="${BAR_LEFT}" y="${top}" width="${width}" height="${BAR_HEIGHT}" rx="3"/>
<text x="${BAR_LEFT + BAR_WIDTH + 10}" y="${middle}">${count}</text></g>`;
}

export function severityBars(counts: Record<Severity, number>): Markup {
  const most = Math.max(...Object.values(counts));
  const words = severities.map((severity) => `${severityWords[severity]} ${counts[severity]}`).join(', ');
  const height = severities.length * BAR_STEP;
  return html`<svg role="img" width="420" height="${height}" viewBox="0 0 420 ${height}" aria-label="Findings by severity: ${words}">
${severities.map((severity, index) => bar(severity, counts[severity], most, index))}</svg>`;
}

const RADIUS = 56;
const ROUND = 2 * Math.PI * RADIUS;

export function scoreGauge(score: number, grade: string): Markup {
  const filled = ((ROUND * score) / 100).toFixed(1);
  return html`<svg role="img" width="150" height="150" viewBox="0 0 150 150" aria-label="Score ${score} of 100, grade ${grade}">
<circle class="ring" cx="75" cy="75" r="${RADIUS}" stroke-width="14"/>
<circle class="arc" cx="75" cy="75" r="${RADIUS}" stroke-width="14" stroke-dasharray="${filled} ${ROUND.toFixed(1)}" transform="rotate(-90 75 75)"/>
<text class="big" x="75" y="82" text-anchor="middle">${score}</text><text x="75" y="104" text-anchor="middle">grade ${grade}</text></svg>`;
}
