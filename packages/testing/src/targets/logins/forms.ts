import { account, type Seen } from '../login-site.ts';
import { form, hidden, home, isRight, type LoginKind, PASSWORD, page, SESSION, to } from './kit.ts';

const USER = '<input name="username">';
const wrongAgain = (body: string) => page(`<p>Wrong user name or password.</p>${body}`);

/** A form at /login that is evaluated by `logIn`. */
const atLogin = (shown: (seen: Seen) => string, logIn: (seen: Seen) => ReturnType<typeof to> | undefined) => () => {
  return (seen: Seen) => {
    if (seen.path !== '/login') return seen.path === '/' ? home(seen) : { status: 404 };
    if (seen.method === 'GET') return page(shown(seen));
    return logIn(seen) ?? wrongAgain(shown(seen));
  };
};

const fits = ({ body }: Seen, user = 'username') => isRight(body.get(user), body.get('password'));

const twoPages = (seen: Seen) => {
  const { path, method, body, cookie } = seen;
  if (path === '/login' && method === 'GET') return page(form('/login', '<input name="identifier">'));
  if (path === '/login') {
    return body.get('identifier') === account.user
      ? to('/login/password', 'step=2')
      : wrongAgain(form('/login', '<input name="identifier">'));
  }
  if (path === '/login/password' && method === 'GET') return page(form('/login/password', PASSWORD));
  if (path === '/login/password') {
    const isIn = cookie.includes('step=2') && body.get('password') === account.pass;
    return isIn ? to('/', SESSION) : wrongAgain(form('/login/password', PASSWORD));
  }
  return path === '/' ? home(seen) : { status: 404 };
};

/** The session of before the login is replaced while a chain of redirects is followed. */
const chain = (seen: Seen) => {
  const { path, method, cookie } = seen;
  if (path === '/login' && method === 'GET')
    return page(form('/login', USER + PASSWORD), { 'Set-Cookie': 'sid=early' });
  if (path === '/login') {
    const isIn = cookie.includes('sid=early') && fits(seen);
    return isIn ? to('/login/check', 'half=way') : wrongAgain(form('/login', USER + PASSWORD));
  }
  if (path === '/login/check') return cookie.includes('half=way') ? to('/welcome', SESSION) : { status: 403 };
  if (path === '/welcome') return to('/');
  return path === '/' ? home(seen) : { status: 404 };
};

/** Every page looks the same to everyone; only the response to the form shows who is in. */
const answerOnly = (seen: Seen) => {
  const { path, method } = seen;
  const shown = form('/enter', USER + PASSWORD);
  if (path === '/enter' && method === 'POST') {
    const inside =
      '<p>Your colour</p><form method="post" action="/colour"><input name="colour"><button>Save</button></form>';
    return fits(seen) ? page(inside, { 'Set-Cookie': `${SESSION}; Path=/` }) : wrongAgain(shown);
  }
  return path === '/' ? page(shown) : { status: 404 };
};

const tenant =
  '<select name="tenant"><option value="north">North</option><option value="south">South</option></select>';
let nonces = 0;

export const formKinds: readonly LoginKind[] = [
  {
    name: 'a classic form',
    site: atLogin(
      () => form('/login', USER + PASSWORD),
      (seen) => (fits(seen) ? to('/', SESSION) : undefined),
    ),
    instructions: 'The form is at /login.',
  },
  {
    name: 'a form with a CSRF token',
    site: atLogin(
      () => form('/login', hidden('csrf', 'of-this-page') + USER + PASSWORD),
      (seen) => (seen.body.get('csrf') === 'of-this-page' && fits(seen) ? to('/', SESSION) : undefined),
    ),
    instructions: 'Log in at /login; user field: username, password field: password.',
  },
  {
    name: 'a form with a nonce per request, in a cookie and in a hidden field',
    site: () => (seen) => {
      const shown = () => {
        const nonce = `n${++nonces}`;
        return {
          headers: { 'Set-Cookie': `nonce=${nonce}; Path=/` },
          body: form('/login', hidden('nonce', nonce) + USER + PASSWORD),
        };
      };
      if (seen.path !== '/login') return seen.path === '/' ? home(seen) : { status: 404 };
      if (seen.method === 'GET') return shown();
      const isOfThisPage = seen.cookie.includes(`nonce=${seen.body.get('nonce')}`);
      return isOfThisPage && fits(seen) ? to('/', SESSION) : wrongAgain(shown().body);
    },
    instructions: 'Go to /login',
  },
  { name: 'a form in two pages', site: () => twoPages, instructions: 'It begins at /login.' },
  {
    name: 'a form with fields that say nothing',
    site: atLogin(
      () => form('/login', '<input name="f1"><input type="password" name="f2">'),
      ({ body }) => (isRight(body.get('f1'), body.get('f2')) ? to('/', SESSION) : undefined),
    ),
    instructions: 'At /login; user field: f1, password field: f2',
  },
  {
    name: 'a form that asks for an e-mail address, with an account that has a name',
    user: 'alice',
    site: atLogin(
      () => form('/login', `<input type="email" name="email">${PASSWORD}`),
      ({ body }) => (isRight(body.get('email'), body.get('password'), 'alice') ? to('/', SESSION) : undefined),
    ),
    instructions: 'The form is at /login.',
  },
  {
    name: 'a form with a second page for a one-time code',
    totpSecret: 'JBSWY3DPEHPK3PXP',
    site: () => (seen) => {
      const { path, method, body, cookie } = seen;
      if (path === '/login' && method === 'GET') return page(form('/login', USER + PASSWORD));
      if (path === '/login') return fits(seen) ? to('/code', 'half=way') : wrongAgain(form('/login', USER + PASSWORD));
      if (path === '/code' && method === 'GET')
        return page(`Your authenticator ${form('/code', '<input name="otp">')}`);
      if (path === '/code')
        return cookie.includes('half=way') && /^\d{6}$/.test(body.get('otp') ?? '') ? to('/', SESSION) : page('No');
      return path === '/' ? home(seen) : { status: 404 };
    },
    instructions: 'The form is at /login, the code comes after it.',
  },
  {
    name: 'a form that answers with status 200 and an error text',
    site: () => (seen) => {
      if (seen.path === '/' || seen.path === '/welcome') return home(seen);
      if (seen.path !== '/login') return { status: 404 };
      if (seen.method === 'GET') return page(form('/login', USER + PASSWORD));
      if (!fits(seen)) return page(`<div class="error">Invalid credentials</div>${form('/login', USER + PASSWORD)}`);
      return page('<meta http-equiv="refresh" content="0; url=/">Welcome', { 'Set-Cookie': `${SESSION}; Path=/` });
    },
    instructions: 'The form is at /login.',
  },
  {
    name: 'a form with a choice of tenants, the first of which is right',
    site: atLogin(
      () => form('/login', tenant + USER + PASSWORD),
      (seen) => (seen.body.get('tenant') === 'north' && fits(seen) ? to('/', SESSION) : undefined),
    ),
    instructions: 'At /login with tenant=north',
  },
  {
    name: 'a form with a choice of tenants, another of which is right',
    site: () => (seen) => {
      if (seen.path !== '/login') return seen.path === '/' ? home(seen) : { status: 404 };
      if (seen.method === 'GET') return page(form('/login', tenant + USER + PASSWORD));
      // The wrong tenant is answered without a word.
      if (seen.body.get('tenant') !== 'south') return page(form('/login', tenant + USER + PASSWORD));
      return fits(seen) ? to('/', SESSION) : wrongAgain(form('/login', tenant + USER + PASSWORD));
    },
    instructions: 'At /login with tenant=south',
    needs: /returned the identical page\. Write the values of its other fields .*tenant.* in the instructions/,
  },
  { name: 'a form whose response alone shows the login', site: () => answerOnly, instructions: 'See the front page.' },
  { name: 'a form whose session is replaced in a chain of redirects', site: () => chain, instructions: 'See /login' },
];
