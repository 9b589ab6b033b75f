import { POLYGLOT, pressing, writePayload } from '../../../oracle/payloads.ts';
import { defineRequestCheck } from '../../define-active-check.ts';
import { isAskedOften, isOwnProgram, scriptsOf } from '../../shared/page-scripts.ts';

/** Property names that the page reads from a message. */
type Variant = readonly string[];

const LISTENS = /addEventListener\(\s{0,5}["'`]message["'`]|\bonmessage\s{0,5}=/;
const NAMES = /\b(?:data|message|msg|payload)\.([A-Za-z_]\w{0,30})/g;
const USUAL = ['html', 'text', 'content', 'message', 'url'];
const MOST_NAMES = 15;

/** What the page returns when its handlers have got all messages. */
const DELIVERED = 'delivered';
/** Time for what a message inserted to load or fail. */
const REACTION_MS = 250;

/** Sends from a sandboxed frame with an opaque origin: as text, as an object, and as JSON. */
function sending(names: Variant, word: string): string {
  const value = writePayload({ text: POLYGLOT }, word);
  const named = Object.fromEntries(names.map((name) => [name, value]));
  const messages = JSON.stringify([value, named, JSON.stringify(named)]).replaceAll('<', '\\u003c');
  const page = `<script>for (const each of ${messages}) parent.postMessage(each, '*')</script>`;
  return `new Promise((resolve) => {
    const frame = document.createElement('iframe');
    const press = () => { ${pressing(word)}; setTimeout(resolve, ${REACTION_MS}, '${DELIVERED}'); };
    let left = 3;
    addEventListener('message', ({ source }) => {
      if (source === frame.contentWindow && --left === 0) setTimeout(press, ${REACTION_MS});
    }, true);
    Object.assign(frame, { sandbox: 'allow-scripts', srcdoc: ${JSON.stringify(page)} });
    document.body.append(frame);
  })`;
}

export default defineRequestCheck({
  id: 'postmessage-missing-origin-check',
  title: 'Cross-site scripting (XSS) through postMessage without origin check',
  cwe: 346,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:P/VC:N/VI:N/VA:N/SC:L/SI:L/SA:N',
  needsNoAccount: true,
  impact:
    'An attacker runs scripts in the session of every visitor of a malicious site, reads their data and acts in their name.',
  why: 'A message handler of the page accepts postMessage data from any origin and writes it to a sink that executes it. An attacker whose site opens or frames the page runs scripts in the session of the visitor. A message from a foreign origin ran a payload in the browser.',
  fix: 'Compare event.origin with an allowlist of complete origins at the start of every message handler. Insert message data with textContent.',
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/11-Client-side_Testing/11-Testing_Web_Messaging',
    'https://cheatsheetseries.owasp.org/cheatsheets/HTML5_Security_Cheat_Sheet.html',
    'https://cwe.mitre.org/data/definitions/346.html',
  ],
  risk: 'harmless',
  needsBrowser: true,
  appliesTo: isOwnProgram,
  variants: [] as Variant[],
  maxRequests: 60,
  async probe(item, _nonce, asking) {
    const scripts = await scriptsOf(item, asking);
    if (!LISTENS.test(scripts) || isAskedOften('postmessage-missing-origin-check', scripts, asking)) return [];
    const read = [...scripts.matchAll(NAMES)].map(([, name = '']) => name);
    return [[...new Set([...USUAL, ...read])].slice(0, MOST_NAMES)];
  },
  proof: {
    plan: ({ url }, names, { word }) => ({
      attack: {
        label: 'page that receives messages from another origin, in a browser',
        request: { method: 'GET', url },
        browser: { awaited: word, look: sending(names, word) },
        shows: `the payload came from a frame of another origin by parent.postMessage(message, '*'), as text and as an object with the names ${names.join(', ')}`,
      },
    }),
    judge({ attack: { calls, seen } }, _variant, { word }) {
      if (calls?.includes(word)) return 'PROVED';
      return calls && seen === DELIVERED ? 'REFUTED' : 'VOID';
    },
  },
  lab: () => ({
    item: { method: 'GET', url: '/widget', parameters: [], seenAs: null, contentType: 'text/html' },
    vulnerable: () => page(''),
    safe: () => page('if (event.origin !== location.origin) return;'),
  }),
});

const page = (guard: string) => ({
  headers: { 'content-type': 'text/html' },
  body: `<div id="box"></div><script>
    window.addEventListener('message', (event) => { ${guard} box.innerHTML = event.data.html; });
  </script>`,
});
