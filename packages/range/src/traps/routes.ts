import { html, json, type Routes, redirect, type Visit } from '../answer.ts';
import { page } from '../page.ts';
import { traps } from './traps.ts';

const LONGEST_PATH = 400;

const linkTo = (place: string, words: string) => `<a href="${place}">${words}</a>`;

function monthAfter(month: string, step: number): string {
  const [year = 2026, number = 1] = month.split('-').map(Number);
  const date = new Date(Date.UTC(year, number - 1 + step, 1));
  return Number.isNaN(date.getTime()) ? '2026-01' : date.toISOString().slice(0, 7);
}

export function endlessRoutes(): Routes {
  const shown = (visit: Visit, title: string, content: string) => html(page(visit, { title, content }));
  return {
    'GET /calendar': (visit) => {
      const asked = visit.query.get('month') ?? '';
      const month = /^\d{4}-\d{2}$/.test(asked) ? asked : '2026-11';
      const links = [-1, 1]
        .map((step) => monthAfter(month, step))
        .map((next) => linkTo(`/calendar?month=${next}`, next));
      return shown(visit, `What happens in ${month}`, `<p>Nothing. ${links.join(' ')}</p>`);
    },
    'GET /facets': (visit) => {
      const links = ['size', 'colour', 'material', 'season', 'maker'].flatMap((name) =>
        ['a', 'b', 'c', 'd'].map((value) => {
          const query = new URLSearchParams(visit.query);
          query.append(name, value);
          return linkTo(
            `/facets?${query.toString().slice(0, LONGEST_PATH).replaceAll('&', '&amp;')}`,
            `${name} ${value}`,
          );
        }),
      );
      return shown(visit, 'Filters', `<p>${links.join(' ')}</p>`);
    },
    'GET /maze/*': (visit) => {
      const here = `/maze/${visit.id.slice(0, LONGEST_PATH).replaceAll(/[^\w/-]/g, '')}`.replace(/\/$/, '');
      const doors = ['left', 'right', `door-${Math.floor(Math.random() * 1e6)}`];
      return shown(visit, 'A maze', doors.map((door) => linkTo(`${here}/${door}`, door)).join(' '));
    },
    'GET /stroll': (visit) => {
      const links = Array.from({ length: 5 }, () => linkTo(`/stroll?visit=${Math.floor(Math.random() * 1e12)}`, 'on'));
      return shown(visit, 'A stroll', links.join(' '));
    },
    'GET /round': () => redirect('/round', 302),
    'GET /silence': () => undefined,
    'GET /drip': () => ({ ...html('<p>Wait'), isDripping: true }),
  };
}

/** Counts how often forbidden actions were triggered and harm was done. */
export function createTouches() {
  const counts = new Map<string, number>();
  const states = new Map<string, () => number>();
  return {
    add: (name: string) => void counts.set(name, (counts.get(name) ?? 0) + 1),
    /** Counts harm that later requests can undo, whenever it is asked for. */
    watch: (name: string, count: () => number) => void states.set(name, count),
    all(): Record<string, number> {
      const found = [...states].map(([name, count]) => [name, count()] as const).filter(([, count]) => count > 0);
      return Object.fromEntries([...counts, ...found]);
    },
  };
}
export type Touches = ReturnType<typeof createTouches>;

/** Counts the requests to each forbidden path by method, without further effect. */
export function forbiddenRoutes(touches: Touches): Routes {
  const forbidden = traps.filter(({ kind, field }) => kind === 'forbidden' && field === undefined);
  const touch = (path: string) => (visit: Visit) => {
    touches.add(`${visit.method} ${path}`);
    return html(page(visit, { title: 'Done', content: '<p>It is done, and nobody can undo it.</p>' }));
  };
  return {
    ...Object.fromEntries(forbidden.map(({ path }) => [`* ${path}`, touch(path)])),
    'GET /.well-known/range-touches': () => json(touches.all()),
  };
}
