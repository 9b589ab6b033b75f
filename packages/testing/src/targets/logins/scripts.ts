import { account, json, type Reply, type Seen, type Site } from '../login-site.ts';
import { isRight, type LoginKind, readBody, SESSION, TOKEN } from './kit.ts';

const no = json({ error: 'Access Denied' }, 401);
const html = (body: string): Reply => ({ body: `<!doctype html><title>Parcels</title>${body}` });

/** Sends what `body` evaluates to, then does `done` with the response. */
const post = (url: string, body: string, done: string) => `
  const asked = new XMLHttpRequest();
  asked.open('POST', '${url}');
  asked.setRequestHeader('Content-Type', 'application/json');
  asked.onload = () => { if (asked.status === 200) { const got = JSON.parse(asked.responseText); ${done} } else alert('Try again'); };
  asked.send(JSON.stringify(${body}));`;

/** Shows the page that lists parcels, which scripts read with the header that `headers` evaluates to. */
const listing = (headers: string) =>
  html(`<main></main><script>
  fetch('/parcels', { headers: ${headers} }).then((got) => got.text()).then((text) => {
    document.querySelector('main').textContent = text;
  });</script>`);

interface Parts {
  front: string;
  /** Page behind the login. */
  behind?: Reply;
  logIn(seen: Seen): Reply;
  isIn(seen: Seen): boolean;
}

/** Static pages around one API. Refusals contain the time, so that no two are the same. */
const application =
  ({ front, behind = html(''), logIn, isIn }: Parts): Site =>
  (seen) => {
    if (seen.path === '/parcels') {
      return isIn(seen) ? json([{ id: 7, to: 'Anna' }]) : json({ error: 'No', at: process.hrtime().join(' ') }, 400);
    }
    if (seen.path === '/enter' && seen.method === 'POST') return logIn(seen);
    if (seen.path === '/list.html') return behind;
    return seen.path === '/' ? html(front) : { status: 404 };
  };

const byJson = (answer: () => Reply) => (seen: Seen) => {
  const { name, word } = readBody(seen);
  // Like an application that does not expect an unknown user.
  if (name !== account.user) return json({ error: 'Internal Server Error' }, 500);
  return isRight(name, word) ? answer() : no;
};

const FIELDS = '<input type="username" id="who"><input type="password" id="word"><button id="go">Sign in</button>';
const VALUES = "{ name: document.querySelector('#who').value, word: document.querySelector('#word').value }";
const onClick = (script: string) => `document.querySelector('#go').onclick = () => { ${script} };`;
const stored = post('/enter', VALUES, "localStorage.ticket = got.ticket; location.replace('list.html');");

const cookieForAll = (reply: Reply): Reply => ({
  ...reply,
  headers: {
    ...reply.headers,
    'Set-Cookie': ['XSRF-TOKEN=d0uble-subm1t; Path=/', ...[reply.headers?.['Set-Cookie'] ?? []].flat()],
  },
});

/** Logins that scripts of a page send: they need a browser. */
export const scriptKinds: readonly LoginKind[] = [
  {
    name: 'fields without a form, with a token that scripts send in a header of their own',
    site: () =>
      application({
        front: `${FIELDS}<script>${onClick(stored)}</script>`,
        behind: listing("{ 'Parcel-Ticket': localStorage.ticket }"),
        logIn: byJson(() => json({ ticket: TOKEN })),
        isIn: ({ headers }) => headers['parcel-ticket'] === TOKEN,
      }),
    instructions: 'POST /enter {"name": "{user}", "word": "{pass}"}, then Parcel-Ticket: {token}. See /parcels',
  },
  {
    name: 'a form that a script renders',
    site: () =>
      application({
        front: `<div id="app"></div><script>setTimeout(() => {
          document.querySelector('#app').innerHTML = '<form>${FIELDS}</form>';
          document.querySelector('form').onsubmit = (event) => { event.preventDefault(); ${stored} };
        }, 100);</script>`,
        behind: listing("{ Authorization: 'Bearer ' + localStorage.ticket }"),
        logIn: byJson(() => json({ ticket: TOKEN })),
        isIn: ({ headers }) => headers.authorization === `Bearer ${TOKEN}`,
      }),
    instructions: 'The form is on the front page.',
  },
  {
    name: 'a dialog behind a button',
    site: () =>
      application({
        front: `<p>Parcels</p><button id="open">Sign in</button><dialog>${FIELDS}</dialog><script>
          document.querySelector('#open').onclick = () => document.querySelector('dialog').showModal();
          ${onClick(post('/enter', VALUES, "location.assign('/list.html');"))}</script>`,
        behind: listing('{}'),
        logIn: byJson(() => json({ ok: true }, 200, { 'Set-Cookie': `${SESSION}; Path=/` })),
        isIn: ({ cookie }) => cookie.includes(SESSION),
      }),
    instructions: 'Click on "Sign in" on the front page.',
  },
  {
    name: 'a script that repeats a cookie in a header (double submit)',
    site: () => {
      const isTwice = (seen: Seen) =>
        seen.headers['x-xsrf-token'] === 'd0uble-subm1t' && seen.cookie.includes('d0uble-subm1t');
      const inner = application({
        front: `${FIELDS}<script>${onClick(`fetch('/enter', { method: 'POST', body: JSON.stringify(${VALUES}),
          headers: { 'Content-Type': 'application/json', 'X-XSRF-TOKEN': document.cookie.replace(/.*XSRF-TOKEN=([^;]*).*/, '$1') } })
          .then((got) => { if (got.ok) location = '/list.html'; else alert('Try again'); });`)}</script>`,
        behind: listing("{ 'X-XSRF-TOKEN': document.cookie.replace(/.*XSRF-TOKEN=([^;]*).*/, '$1') }"),
        logIn: (seen) =>
          isTwice(seen)
            ? byJson(() => json({ ok: true }, 200, { 'Set-Cookie': `${SESSION}; Path=/` }))(seen)
            : json({ error: 'CSRF token mismatch' }, 403),
        isIn: (seen) => isTwice(seen) && seen.cookie.includes(SESSION),
      });
      return (seen) => cookieForAll(inner(seen));
    },
    instructions: 'The fields are on the front page.',
  },
];
