import { thoseThere } from '../../../evidence/missing.ts';
import { inlineScripts } from '../../../evidence/page/page-texts.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

/** Formats of password hashes only: plain digests have many other uses. */
const HASHES = [
  /\$2[abxy]\$[01]\d\$[./A-Za-z0-9]{53}(?![./A-Za-z0-9])/,
  /\$argon2(?:id?|d)\$v=\d{1,3}\$m=\d{1,9},t=\d{1,5},p=\d{1,4}\$[A-Za-z0-9+/]{11,90}\$[A-Za-z0-9+/]{16,180}/,
  /\$6\$(?:rounds=\d{1,9}\$)?[./A-Za-z0-9]{1,16}\$[./A-Za-z0-9]{86}/,
  /\$5\$(?:rounds=\d{1,9}\$)?[./A-Za-z0-9]{1,16}\$[./A-Za-z0-9]{43}/,
  /\$(?:apr1|1)\$[./A-Za-z0-9]{1,8}\$[./A-Za-z0-9]{22}/,
];
const PREFIX = 7;

const hashIn = (text: string) =>
  text.includes('$')
    ? HASHES.map((pattern) => pattern.exec(text)?.[0]).find((found) => found !== undefined)
    : undefined;

const bcrypt = `$2y$10$${'a1B2c3D4'.repeat(7).slice(0, 53)}`;

export default definePassiveCheck({
  id: 'hash-disclosure',
  group: 'content',
  severity: 'HIGH',
  cwe: 497,
  title: 'Password hash disclosed in response',
  why: 'The page or one of its scripts contains a password hash such as bcrypt, Argon2 or SHA-crypt. An attacker can crack it offline, without rate limits, and sign in with the password. Hashes in the visible text may be documentation and are reported as informational.',
  fix: 'Remove the hash from the response and select the fields of API responses explicitly. Change the password of the account.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html',
    'https://cwe.mitre.org/data/definitions/497.html',
  ],
  needs: ['mainDocument', 'page', 'scripts'],

  *run({ mainDocument: { url, isHtml, body }, page, scripts }) {
    const hidden = isHtml ? [...page.comments, ...inlineScripts(page)] : [body];
    const own = hidden.map((text) => ({ url: url.href, body: text }));
    for (const { url: at, body: text } of [...own, ...thoseThere(scripts)]) {
      const hash = hashIn(text);
      if (hash !== undefined) yield { url: at, evidence: `${hash.slice(0, PREFIX)}… in ${at}` };
    }
    const visible = hashIn(page.text);
    // The visible text may be documentation.
    if (visible !== undefined)
      yield {
        severity: 'INFO',
        confidence: 'TENTATIVE',
        evidence: `${visible.slice(0, PREFIX)}… in the page text`,
      };
  },

  examples: [
    { name: 'bcrypt in a script', given: { body: `<script>user={hash:"${bcrypt}"}</script>` }, fails: 1 },
    {
      name: 'bcrypt in JSON',
      given: { headers: { 'content-type': 'application/json' }, body: `["${bcrypt}"]` },
      fails: 1,
    },
    {
      name: 'Argon2 in a comment',
      given: { body: `<!-- $argon2id$v=19$m=65536,t=3,p=4$${'c2FsdA'.repeat(3)}$${'aGFzaA'.repeat(6)} -->` },
      fails: 1,
    },
    { name: 'SHA-512 crypt', given: { scripts: { '/a.js': `"$6$salt$${'aB3'.repeat(30).slice(0, 86)}"` } }, fails: 1 },
    {
      name: 'bcrypt in the text',
      given: { body: `<p>A hash looks like ${bcrypt} and has 60 characters.</p>` },
      fails: 1,
      severity: 'INFO',
    },
    { name: 'MD5 digest', given: { body: '<p>d41d8cd98f00b204e9800998ecf8427e</p>' }, fails: 0 },
    { name: 'in a code sample', given: { body: `<pre>${bcrypt}</pre>` }, fails: 0 },
    { name: 'truncated hash', given: { body: '<p>$2y$10$abc</p>' }, fails: 0 },
  ],
});
