import { type Answering, escapeHtml } from '../real-runs/targets.ts';
import { keeper } from './note-book.ts';

const text = { type: 'string', example: 'some words' };
const bodyOf = (properties: object) => ({
  content: { 'application/json': { schema: { type: 'object', properties, required: Object.keys(properties) } } },
});
const id = [{ name: 'itemId', in: 'path', required: true, schema: { type: 'integer' } }];
const answers = { responses: { 200: { description: 'done' } } };
const writing = (properties: object) => ({ requestBody: bodyOf(properties), ...answers });
const description = {
  openapi: '3.0.0',
  info: { title: 'Care', version: '1' },
  paths: {
    '/api/items/{itemId}': {
      get: { parameters: id, ...answers },
      put: { parameters: id, ...writing({ title: text, price: { type: 'integer', example: 5 } }) },
      patch: { parameters: id, ...writing({ title: text }) },
      delete: { parameters: id, ...answers },
    },
    '/api/notes': { get: answers, post: writing({ text, colour: text, place: text }) },
    '/api/entries': { post: writing({ text }) },
    '/api/entries/{itemId}': { get: { parameters: id, ...answers }, delete: { parameters: id, ...answers } },
    '/api/me': { get: answers, patch: writing({ nickname: { type: 'string', example: 'Kee' } }) },
    '/api/badge': { get: answers, put: writing({ motto: { type: 'string', example: 'Onward' } }) },
    '/api/export': { post: writing({ folder: { type: 'string', example: 'reports' }, format: text }) },
    '/api/password/forgot': { post: writing({ email: { type: 'string', example: 'keeper@care.test' } }) },
  },
};

/** What a run has done to a target whose data it must not harm. */
export interface CareTarget {
  answer: Answering;
  /** Writes to things that existed before, or to IDs that nobody gave out. */
  harmed: string[];
  notes: string[];
  entries: Map<number, string>;
  /** Folders that the target was told to write to. */
  folders: Set<string>;
  nickname(): string;
  motto(): string;
}

function fieldsIn(sent: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(sent));
  } catch {
    return {};
  }
}

/**
 * Creates a target with a trap for each kind of harm: things of other people that forms and operations can change, an
 * API that stores every entry, a value that decides where a file is written, and a profile that changes only once.
 */
export function createCareTarget(): CareTarget {
  const harmed: string[] = [];
  const notes: string[] = [];
  const entries = new Map<number, string>();
  const folders = new Set<string>();
  let [nickname, motto, mood] = ['Kee', 'Onward', 'Cheerful'];
  const json = (value: unknown, status = 200) => ({
    status,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(value),
  });
  const pages: Record<string, Answering> = {
    '/': () => ({
      body: '<title>Care</title><a href="/articles">Articles</a> <a href="/mood">Mood</a> <a href="/api/items/3">Item</a>',
    }),
    '/openapi.json': () => json(description),
    '/articles': ({ method, body }) => {
      const sent = new URLSearchParams(body);
      if (method === 'POST' && sent.get('id')) harmed.push(`article ${sent.get('id')}`);
      const title = `<input name="title" value="${escapeHtml('News')}">`;
      return {
        body: `<title>Articles</title><form method="post"><input type="hidden" name="id">${title}<button>Write</button></form>`,
      };
    },
    '/mood': ({ method, body, headers }) => {
      if (!headers.authorization) return { status: 401 };
      if (method === 'POST') mood = new URLSearchParams(body).get('feeling') ?? mood;
      return {
        body: `<p>${escapeHtml(mood)}</p><form method="post"><input name="feeling"><button>Tell</button></form>`,
      };
    },
    '/api/notes': ({ method, body }) => {
      if (method === 'POST') notes.push(body);
      return method === 'POST' ? json({ id: notes.length }, 201) : json({ notes: notes.length });
    },
    '/api/entries': ({ method, body }) => {
      if (method !== 'POST') return undefined;
      const number = 1_000 + entries.size;
      entries.set(number, body);
      return json({ id: number }, 201);
    },
    '/api/me': ({ method, body }) => {
      const sent = fieldsIn(body).nickname;
      // Ignores every further change, as a limit of one change a day would.
      if (method === 'PATCH' && typeof sent === 'string' && nickname === 'Kee') nickname = sent;
      return json({ nickname });
    },
    '/api/badge': ({ method, body }) => {
      const sent = fieldsIn(body).motto;
      if (method === 'PUT' && typeof sent === 'string') motto = sent;
      return json({ motto });
    },
    '/api/export': ({ method, body }) => {
      const { folder, format } = fieldsIn(body);
      if (method === 'POST' && folder !== undefined) folders.add(String(folder));
      return json({ written: String(format) });
    },
    '/api/password/forgot': () => {
      harmed.push('reset of a password');
      return json({ sent: true });
    },
  };
  return {
    harmed,
    notes,
    entries,
    folders,
    nickname: () => nickname,
    motto: () => motto,
    answer(visit) {
      const { method, url, headers } = visit;
      const item = /^\/api\/items\/([^/]+)$/.exec(url.pathname)?.[1];
      if (item !== undefined && method !== 'GET') harmed.push(`${method} item ${item}`);
      if (item !== undefined)
        return /^\d$/.test(item) ? json({ id: Number(item), title: 'Kettle', price: 5 }) : undefined;
      const entry = Number(/^\/api\/entries\/(\d+)$/.exec(url.pathname)?.[1] ?? Number.NaN);
      if (method === 'DELETE' && !entries.delete(entry)) harmed.push(`DELETE ${url.pathname}`);
      if (!Number.isNaN(entry)) return entries.has(entry) || method === 'DELETE' ? json({ id: entry }) : undefined;
      const isKnown = headers.authorization === `Bearer ${keeper.pass}`;
      if (!isKnown && url.pathname === '/api/me') return { status: 401 };
      return pages[url.pathname]?.(visit);
    },
  };
}
