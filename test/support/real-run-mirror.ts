import { randomUUID } from 'node:crypto';
import { type Answering, escapeHtml, type Visit } from './real-run-targets.ts';

/** How a page shows what it was sent. */
const forms: Record<string, (text: string) => string> = {
  plain: (text) => text,
  HTML: (text) => escapeHtml(text),
  JSON: (text) => JSON.stringify({ text }),
  'JSON in ASCII': (text) =>
    JSON.stringify(text).replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  URL: encodeURIComponent,
  form: (text) => new URLSearchParams({ text }).toString(),
  'strict URL': (text) => Buffer.from(text).toString('hex').replace(/../g, '%$&'),
  base64: (text) => Buffer.from(text).toString('base64'),
  'base64, one byte later': (text) => Buffer.from(`1${text}`).toString('base64'),
  'base64, two bytes later': (text) => Buffer.from(`12${text}`).toString('base64'),
  base64url: (text) => Buffer.from(text).toString('base64url'),
  hex: (text) => Buffer.from(text).toString('hex'),
};

const everyForm = (text: string) => Object.values(forms).map((write) => write(text));

/** Who the mirror lets in. */
export interface Accounts {
  /** Through its form. */
  form: { user: string; pass: string };
  /** Without a form, by what a request carries: in which header, or null for the query. */
  tokens: { name: string; header: string | null; value: string }[];
}

/** Each page of theirs is another one to test, and takes its time. */
const SHOWING_MORE = ['form', 'query'];
const HOME = 'home';

interface Reflection {
  name: string | undefined;
  /** Shown as it came. */
  q: string;
  to: string | null;
  /** Of a page that shows itself. */
  status: number;
}

/** Everything that the mirror was sent by whoever logs in, wherever a page has room for it. */
function reflect(kept: readonly string[], { name = 'public', q, to, status }: Reflection) {
  const hasMore = SHOWING_MORE.includes(name);
  const links = [
    ...(hasMore ? [`/${name}/echo?q=hello&kept=${encodeURIComponent(kept[0] ?? '')}`] : []),
    `/${name}/leave?to=${HOME}`,
    `/${name}/${encodeURIComponent(kept.at(-1) ?? 'nothing')}`,
  ].map((link) => `<a href="${escapeHtml(link)}">${escapeHtml(link)}</a>`);
  const fields = (hasMore ? kept.slice(0, 2) : []).map(
    (text) => `<input type="hidden" name="${escapeHtml(text)}" value="${escapeHtml(text)}">`,
  );
  return {
    status: to === null ? status : 302,
    headers: {
      'x-mirror': kept.map((text) => `${forms.URL?.(text)} ${forms.base64?.(text)} ${forms.hex?.(text)}`).join(' '),
      'set-cookie': kept.slice(0, 3).map((text, index) => `kept${index}=${encodeURIComponent(text)}; Path=/`),
      ...(to !== null && { location: to === HOME ? `/?${kept.map(encodeURIComponent).join('&')}` : written(to) }),
    },
    body: `<title>${escapeHtml(kept.join(' '))}</title><h1>Hello ${name}</h1><p>${q}</p>${links.join(' ')}
      <form action="/${name}/send" method="post">${fields.join('')}<input name="path"></form>
      <pre>${kept.flatMap(everyForm).join(' | ')}</pre>`,
  };
}

const LOGIN = '<a href="/login">Log in</a>';
const FORM = '<form method="post" action="/login"><input name="user"><input name="pass" type="password"></form>';

interface Mirror {
  answer: Answering;
  /** What it was sent. */
  kept: Set<string>;
  /** What it gave to whoever logged in. */
  sessions: Set<string>;
}

const PAGE = /^\/(?:\w+\/(?:echo|send))?$/;

/** One of its pages is broken. Whatever is asked for that it does not have shows as much, and says that it is not there. */
const statusOf = (pathname: string) => (pathname === '/query/echo' ? 500 : PAGE.test(pathname) ? 200 : 404);

/** No header may have other characters. */
const written = (location: string) => location.replace(/[^\x21-\x7e]/g, encodeURIComponent);

/**
 * A target that shows everything it was ever sent by whoever logs in, in every form: whatever is kept of its answers
 * would contain the secrets.
 */
export function createMirror({ form, tokens }: Accounts): Mirror {
  const sessions = new Set<string>();
  const kept = new Set<string>();

  /** Answers who it is, and keeps what they have shown. */
  function recognise({ headers, url }: Visit): string | undefined {
    for (const { name, header, value } of tokens) {
      const shown = header === null ? [...url.searchParams.values()] : [String(headers[header] ?? '')];
      const found = shown.find((text) => text.includes(value));
      if (found === undefined) continue;
      kept.add(value);
      // A header of cookies changes with every cookie that the mirror sets.
      if (header !== 'cookie') kept.add(found);
      return name;
    }
    // Under its own name only: the mirror gives it to everybody in a cookie that lets nobody in.
    const session = [...sessions].find((each) => headers.cookie?.includes(`session=${each}`));
    if (session !== undefined) kept.add(session);
    return session && 'form';
  }

  function logIn({ body }: Visit) {
    const { user = '', pass = '' } = Object.fromEntries(new URLSearchParams(body));
    kept.add(user).add(pass);
    if (user !== form.user || pass !== form.pass) {
      return { status: 303, headers: { location: `/?told=${encodeURIComponent(`${user} and ${pass} are wrong`)}` } };
    }
    const session = randomUUID();
    sessions.add(session);
    return { status: 303, headers: { location: '/', 'set-cookie': `session=${session}; Path=/` } };
  }

  return {
    kept,
    sessions,
    answer(visit) {
      const { method, url } = visit;
      const { pathname, searchParams } = url;
      if (/^\/(?:robots\.txt|favicon\.ico|\.well-known)/.test(pathname)) return undefined;
      const name = recognise(visit);
      if (pathname === '/login') return method === 'POST' ? logIn(visit) : { body: FORM };
      if (pathname === '/' && name === undefined) return { body: `<p>Nobody knows you here.</p>${LOGIN}` };
      const q = /^\/(?:form|query)\/echo$/.test(pathname) ? (searchParams.get('q') ?? '') : '';
      return reflect([...kept], { name, q, to: searchParams.get('to'), status: statusOf(pathname) });
    },
  };
}

/** Makes a host name of a wrong password, which then is in lower case. */
export const tellTale: Answering = ({ method, body }) => {
  const { pass = '' } = Object.fromEntries(new URLSearchParams(body));
  return method === 'POST' ? { status: 302, headers: { location: `http://${pass}.example/` } } : { body: FORM };
};
