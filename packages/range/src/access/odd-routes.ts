import { type Answer, json, type Routes, readJson, text, type Visit } from '../answer.ts';
import { createShelf } from '../services.ts';

/** The source path in stack traces, which would reveal the location of this program. */

const OWN_FOLDER = new RegExp(`(?:file://)?${import.meta.dirname.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}`, 'g');

/** Returns the real stack trace with a made-up installation path. */
function traceOf(error: unknown): Answer {
  const trace = error instanceof Error ? (error.stack ?? '') : String(error);
  const lines = trace.replaceAll(OWN_FOLDER, '/srv/shop/app').split('\n');
  return text(lines.filter((line) => !line.includes('file://')).join('\n'), 500);
}

export function traceRoutes(): Routes {
  const parse = (problem: (error: unknown) => Answer) => (visit: Visit) => {
    try {
      return json({ keys: Object.keys(JSON.parse(visit.body.toString())) });
    } catch (error) {
      return problem(error);
    }
  };
  const convert = (problem: (error: unknown) => Answer) => (visit: Visit) => {
    try {
      return json({ coins: Number(BigInt(visit.query.get('amount') ?? '1') * 3n) });
    } catch (error) {
      return problem(error);
    }
  };
  const tidy = () => json({ error: 'we did not understand that' }, 400);
  return {
    'POST /api/parse': parse(traceOf),
    'POST /api/read': parse(tidy),
    'GET /api/convert': convert(traceOf),
    'GET /api/exchange': convert(tidy),
  };
}

type Tree = { [name: string]: unknown };

const MOST_KEYS = 30;
const LONGEST_VALUE = 100;

/** The flaw, unless names are refused: prototype pollution, because `__proto__` leads to the shared prototype. */
function merge(target: Tree, source: Tree, isRefused: (name: string) => boolean): void {
  for (const [name, value] of Object.entries(source).slice(0, MOST_KEYS)) {
    if (isRefused(name)) continue;
    const known = target[name];
    if (typeof value === 'object' && value !== null) {
      if (typeof known === 'object' && known !== null) merge(known as Tree, value as Tree, isRefused);
    } else if (Object.hasOwn(target, name) || Object.keys(target).length < MOST_KEYS) {
      target[name] = typeof value === 'string' ? value.slice(0, LONGEST_VALUE) : value;
    }
  }
}

/** Other names are not stored. */
const NAMES = ['colour', 'size', '__proto__'];

export function preferenceRoutes(): Routes {
  const preferences = (path: string, isRefused: (name: string) => boolean): Routes => {
    /** The prototype of this shop's preferences only, so that pollution does not reach the rest of the process. */
    const shared: Tree = Object.create(null);
    // Objects without Object.prototype have no `__proto__` accessor, so it is defined here.
    const create = (): Tree => Object.defineProperty(Object.create(shared), '__proto__', { get: () => shared });
    let current = create();
    return {
      [`PATCH ${path}`]: (visit) => {
        current = create();
        const known = Object.entries(readJson(visit) ?? {}).filter(([name]) => NAMES.includes(name));
        merge(current, Object.fromEntries(known), isRefused);
        return json({ state: 'kept' });
      },
      [`GET ${path}`]: () => {
        const spaces = Number(create()['json spaces']) || 0;
        const body = JSON.stringify({ colour: 'green', ...current }, undefined, Math.min(spaces, 10));
        return { ...json({}), body };
      },
    };
  };
  return {
    ...preferences('/api/preferences', () => false),
    ...preferences('/api/choices', (name) => ['__proto__', 'constructor', 'prototype'].includes(name)),
  };
}

const LONGEST = 2_000;

export function leafletRoutes(): Routes {
  const leaflets = createShelf<string>(50);
  const closed = () => text('Method not allowed.\n', 405);
  return {
    'PUT /leaflets/{id}': ({ id, body }) => {
      leaflets.put(body.toString().slice(0, LONGEST), id);
      return text('Created.\n', 201);
    },
    'GET /leaflets/{id}': ({ id }) =>
      text(leaflets.get(id) ?? 'No such leaflet.\n', leaflets.get(id) === undefined ? 404 : 200),
    'PUT /brochures/{id}': closed,
    'GET /brochures/{id}': () => text('No such brochure.\n', 404),
    'GET /api/reviewers': () => json({ reviewers: reviewers(true) }),
    'GET /api/critics': () => json({ reviewers: reviewers(false) }),
  };
}

function reviewers(isAll: boolean): unknown[] {
  const hash = '$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy';
  return ['mallory', 'niaj', 'olivia'].map((name) => ({
    name,
    reviews: 3,
    ...(isAll ? { email: `${name}@example.test`, passwordHash: hash } : {}),
  }));
}
