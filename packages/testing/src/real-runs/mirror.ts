import { randomUUID } from 'node:crypto';
import { type Answering, escapeHtml, type Visit } from './targets.ts';

/** The encodings in which a page reflects its input. */
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

/** The accounts that the mirror accepts. */
export interface Accounts {
  /** Logs in through the form. */
  form: { user: string; pass: string };
  /** Authenticated by a header, or by the query if `header` is null. */
  tokens: { name: string; header: string | null; value: string }[];
}

/** Limited to two accounts, because each of their pages is tested separately, which takes time. */
const SHOWING_MORE = ['form', 'query'];
const HOME = 'home';

interface Reflection {
  name: string | undefined;
  /** Reflected without encoding. */
  q: string;
  to: string | null;
  /** The status of a page that is not a redirect. */
  status: number;
}

/** Reflects everything that authenticated requests sent, in every part of the response. */
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
  /** The received secrets. */
  kept: Set<string>;
  /** The session cookies it issued. */
  sessions: Set<string>;
}

const PAGE = /^\/(?:\w+\/(?:echo|send))?$/;

/** One page returns 500. Unknown paths return 404, but reflect as much as the others. */
const statusOf = (pathname: string) => (pathname === '/query/echo' ? 500 : PAGE.test(pathname) ? 200 : 404);

/** Encodes characters that headers must not contain. */
const written = (location: string) => location.replace(/[^\x21-\x7e]/g, encodeURIComponent);

/**
 * Returns a target that reflects everything it received from authenticated requests, in every encoding: any part of its
 * responses that is stored would contain the secrets.
 */
export function createMirror({ form, tokens }: Accounts): Mirror {
  const sessions = new Set<string>();
  const kept = new Set<string>();

  /** Returns the account of the request, and stores the secrets it carries. */
  function recognise({ headers, url }: Visit): string | undefined {
    for (const { name, header, value } of tokens) {
      const shown = header === null ? [...url.searchParams.values()] : [String(headers[header] ?? '')];
      const found = shown.find((text) => text.includes(value));
      if (found === undefined) continue;
      kept.add(value);
      // The Cookie header changes with every cookie that the mirror sets.
      if (header !== 'cookie') kept.add(found);
      return name;
    }
    // Only in the cookie `session`: the mirror also sets its value in other cookies, which do not authenticate.
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

/** Turns a wrong password into a host name, which becomes lowercase. */
export const tellTale: Answering = ({ method, body }) => {
  const { pass = '' } = Object.fromEntries(new URLSearchParams(body));
  return method === 'POST' ? { status: 302, headers: { location: `http://${pass}.example/` } } : { body: FORM };
};
