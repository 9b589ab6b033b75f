import type { EngineCredential } from '../../../engine/src/protocol/messages.ts';
import { type Answering, escapeHtml } from '../real-runs/targets.ts';

export const keeper: EngineCredential = {
  name: 'keeper',
  kind: 'BEARER_TOKEN',
  mode: 'auto',
  location: 'header',
  user: 'keeper',
  pass: 'token-of-the-note-book',
  totpSecret: null,
  instructions: null,
  tokenUrl: null,
  scope: null,
  audience: null,
};

const profile = { type: 'object', properties: { name: { type: 'string', example: 'Keeper' } }, required: ['name'] };
const body = { content: { 'application/json': { schema: profile } } };
const answers = { responses: { 200: { description: 'the profile', ...body } } };
const description = {
  openapi: '3.0.0',
  info: { title: 'Note book', version: '1' },
  paths: { '/me': { get: answers, patch: { requestBody: body, ...answers } } },
};

function fieldsIn(text: string): object | undefined {
  try {
    const read: unknown = JSON.parse(text);
    return typeof read === 'object' && read !== null ? read : undefined;
  } catch {
    return undefined;
  }
}

/** What an account can change, and the current state. */
export interface NoteBook {
  answer: Answering;
  profile: Record<string, unknown>;
  nickname(): string;
  /** Changed by a form with a token. */
  motto(): { text: string; mood: string; isPublic: boolean };
  notes: string[];
  /** Refuses all further changes. */
  close(): void;
}

/**
 * Creates a small target with mass assignment and CSRF: it stores all fields of a profile, and accepts forms of other
 * sites.
 */
export function createNoteBook(): NoteBook {
  const shown: Record<string, unknown> = { name: 'Keeper', role: 'reader' };
  const notes: string[] = [];
  let nickname = 'Kee';
  let motto = { text: 'Onward', mood: 'calm', isPublic: false };
  let isClosed = false;
  const json = { 'content-type': 'application/json' };
  const pages: Record<string, Answering> = {
    '/openapi.json': () => ({ headers: json, body: JSON.stringify(description) }),
    '/': () => ({
      body: '<title>Note book</title><a href="/profile">Profile</a> <a href="/notes">Notes</a> <a href="/motto">Motto</a>',
    }),
    '/me': ({ method, body: sent }) => {
      const fields = method === 'PATCH' ? fieldsIn(sent) : {};
      if (!fields) return { status: 400, body: 'That is no profile.' };
      Object.assign(shown, fields);
      return { headers: json, body: JSON.stringify(shown) };
    },
    '/profile': ({ method, body: sent }) => {
      if (method === 'POST') nickname = new URLSearchParams(sent).get('nickname') ?? '';
      const field = `<input name="nickname" value="${escapeHtml(nickname)}">`;
      return { body: `<title>Profile</title><form method="post" action="/profile">${field}</form>` };
    },
    '/motto': ({ method, body: sent }) => {
      const fields = new URLSearchParams(sent);
      if (method === 'POST') {
        if (fields.get('page_token') !== 't1') return { status: 403, body: 'The page has expired.' };
        const { mood, text } = Object.fromEntries(fields);
        motto = { text: text ?? '', mood: mood ?? '', isPublic: fields.has('public') };
      }
      const moods = ['calm', 'merry'].map(
        (each) => `<option${each === motto.mood ? ' selected' : ''}>${each}</option>`,
      );
      const controls = [
        '<input type="hidden" name="page_token" value="t1">',
        `<textarea name="text">${escapeHtml(motto.text)}</textarea>`,
        `<select name="mood">${moods.join('')}</select>`,
        `<input type="checkbox" name="public"${motto.isPublic ? ' checked' : ''}>`,
        '<button name="do" value="save">Save</button>',
      ];
      return { body: `<title>Motto</title><form method="post">${controls.join('')}</form>` };
    },
    '/notes': ({ method, body: sent }) => {
      if (method === 'POST') notes.push(new URLSearchParams(sent).get('text') ?? '');
      return {
        body: '<title>Notes</title><form method="post" action="/notes"><textarea name="text"></textarea></form>',
      };
    },
  };
  return {
    profile: shown,
    nickname: () => nickname,
    motto: () => motto,
    notes,
    close() {
      isClosed = true;
    },
    answer(visit) {
      const isKnown = visit.headers.authorization === `Bearer ${keeper.pass}`;
      if (!isKnown && visit.url.pathname !== '/') return { status: 401, body: 'Who goes there?' };
      if (isClosed && visit.method !== 'GET') return { status: 403, body: 'It is closed.' };
      return pages[visit.url.pathname]?.(visit);
    },
  };
}
