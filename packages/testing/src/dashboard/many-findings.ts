import type { Person } from './browse.ts';

const severities = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'INFO'];

const findingOf = (index: number, count: number) => ({
  id: `fnd_${index}`,
  runId: 'pen_1',
  targetUrl: 'https://shop.example.com/',
  title: `Reflected cross-site scripting in parameter q${index}`,
  severity: severities[Math.floor((index / count) * severities.length)],
  confidence: 'CONFIRMED',
  affectedUrl: `https://shop.example.com/search/${index}?q=tea`,
  ...{ method: 'GET', parameter: `q${index}`, cvssScore: '6.1', cweId: 'CWE-79', checkId: 'reflected' },
  ...{ state: 'OPEN', acceptedUntil: null, closedAt: null, history: 'NEW', assignee: null, notes: 0, runs: 1 },
  ...{ firstSeenAt: '2026-01-01T00:00:00.000Z', lastSeenAt: '2026-01-01T00:00:00.000Z' },
});

/** Opens the list of findings with as many findings as no account of a test has. */
export async function openManyFindings({ page }: Person, count: number): Promise<void> {
  const findings = Array.from({ length: count }, (_, index) => findingOf(index, count));
  const body = JSON.stringify({ findings, total: count });
  await page.unrouteAll();
  await page.route('**/api/**/findings', (route) => route.fulfill({ contentType: 'application/json', body }));
  // The home screen has read the list already.
  await page.reload();
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('f');
  await page.getByText(`${count.toLocaleString('en-US')} findings`, { exact: true }).waitFor();
}

export interface Scrolled {
  /** The most rows that the page had at once. */
  mostRows: number;
  /** The longest task of the page, 0 if none took 50 ms. */
  longestTaskMs: number;
}

const scroll = `new Promise((resolve) => {
  let [mostRows, longestTaskMs] = [0, 0];
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longestTaskMs = Math.max(longestTaskMs, duration);
  }).observe({ type: 'longtask' });
  // Not whether it still moves: the router scrolls a new page to its top, at a moment of its own.
  const isAtEnd = () => scrollY + innerHeight >= document.documentElement.scrollHeight - 1;
  const step = () => {
    mostRows = Math.max(mostRows, document.querySelectorAll('tbody tr').length);
    if (isAtEnd()) return resolve({ mostRows, longestTaskMs });
    scrollBy(0, 4_000);
    requestAnimationFrame(() => requestAnimationFrame(step));
  };
  step();
})`;

/** Scrolls to the end of the page, several screens at once. */
export const scrollToEnd = ({ page }: Person): Promise<Scrolled> => page.evaluate<Scrolled>(scroll);
