import { account, json, type Reply, type Seen } from './login-site.ts';

export interface Application {
  /**
   * Where the session is stored: a token in web storage that scripts send, one that they never send here, or a cookie.
   */
  keeps: 'storage and headers' | 'storage' | 'cookie' | 'cookie of a script';
  /** Asks for the user first, and for the password once the user is known. */
  inSteps?: boolean;
  /** Requested after the password; with `inDigits` in one field per digit. */
  code?: () => string;
  inDigits?: boolean;
  /** Whether the form appears only after a click. */
  isBehindButton?: boolean;
  captcha?: boolean;
  inShadow?: boolean;
}

const TOKEN = 'eyJhbGciOiJub25lIn0.eyJ1c2VyIjoxfQ.c2lnbmF0dXJl';

/** Returns a single-page application with one account: its page is the same for all users and built by its script. */
export function createApplication(options: Application): (seen: Seen) => Reply {
  return ({ path, method, text, headers, cookie }) => {
    if (path === '/app.js') return { headers: { 'Content-Type': 'text/javascript' }, body: scriptOf(options) };
    if (path === '/rest/enter' && method === 'POST') return enter(options, JSON.parse(text));
    if (path === '/rest/about-me') {
      const isKnown = headers.authorization === `Bearer ${TOKEN}` || cookie.includes(`sid=${TOKEN}`);
      return isKnown ? json({ mail: account.user, orders: 3 }) : json({ message: 'Unauthorized' }, 401);
    }
    if (path !== '/' || method !== 'GET') return { status: 404 };
    return { body: '<!doctype html><title>Shop</title><main></main><script src="/app.js"></script>' };
  };
}

function enter({ keeps, inSteps, code }: Application, sent: Record<string, string>): Reply {
  if (sent.who !== account.user) return json({ message: 'Wrong' }, 401);
  if (inSteps && sent.secret === undefined) return json({ next: 'secret' });
  if (sent.secret !== account.pass) return json({ message: 'Wrong' }, 401);
  if (code && sent.code === undefined) return json({ next: 'code' });
  if (code && sent.code !== code()) return json({ message: 'Wrong code' }, 401);
  return json({ key: TOKEN }, 200, keeps === 'cookie' ? { 'Set-Cookie': `sid=${TOKEN}; HttpOnly; Path=/` } : {});
}

/** Returns the script that shows the fields which the API requests next. */
function scriptOf({ keeps, inSteps, inDigits, isBehindButton, captcha, inShadow }: Application): string {
  return `
    const root = ${inShadow ? "document.querySelector('main').attachShadow({ mode: 'open' })" : "document.querySelector('main')"};
    const sent = {};
    function show(html) { root.innerHTML = html; }
    function ask(fields) {
      const captcha = ${captcha ? `'<div class="h-captcha"></div>'` : "''"};
      show('<input name="find" type="search">' + fields + captcha + '<button>Go on</button>');
      const inputs = [...root.querySelectorAll('input:not([type=search])')];
      root.querySelector('button').onclick = () => go(inputs);
      for (const input of inputs) input.onkeydown = (event) => { if (event.key === 'Enter' && !${captcha === true}) go(inputs); };
    }
    const who = '<input id="email" placeholder="E-mail">';
    const secret = '<input type="password">';
    const code = ${inDigits ? `Array(6).fill('<input maxlength="1" data-code>').join('')` : `'<input autocomplete="one-time-code" data-code>'`};
    async function go(inputs) {
      for (const input of inputs) {
        if ('code' in input.dataset) sent.code = inputs.map((each) => each.value).join('');
        else sent[input.type === 'password' ? 'secret' : 'who'] = input.value;
      }
      const answer = await fetch('/rest/enter', { method: 'POST', body: JSON.stringify(sent) });
      const { next, key, message } = await answer.json();
      if (message) { show('<p>' + message + '</p>'); setTimeout(start, 50); }
      else if (next) ask(next === 'code' ? code : secret);
      else enter(key);
    }
    async function enter(key) {
      if (${keeps.startsWith('storage')}) localStorage.setItem('session', JSON.stringify({ token: key }));
      if (${keeps === 'cookie of a script'}) document.cookie = 'sid=' + key;
      const headers = ${keeps === 'storage and headers' ? `{ Authorization: 'Bearer ' + key }` : '{}'};
      const me = await (await fetch('/rest/about-me', { headers })).text();
      show('<p>Welcome ' + me + '</p>');
    }
    const start = () => ask(${inSteps ? 'who' : 'who + secret'});
    if (${isBehindButton === true}) { show('<button>Sign in</button>'); root.querySelector('button').onclick = start; }
    else setTimeout(start, 30);
  `;
}
