import assert from 'node:assert/strict';
import { posix, win32 } from 'node:path';
import querystring from 'node:querystring';
import { after, before, describe, it } from 'node:test';
import { runInNewContext } from 'node:vm';
import { openLabs } from '@sortie/testing/engine/labs.ts';
import type { ActiveCheck } from '../../define-active-check.ts';
import type { LabAnswer, PointLab, RequestLab } from '../../lab.ts';
import { findPeople } from '../../labs/ldap.ts';
import { findTeas } from '../../labs/mongo.ts';
import { runShell } from '../../labs/shell.ts';
import { readElement } from '../../labs/xml.ts';
import { findByPath } from '../../labs/xpath.ts';
import code from './code-injection.ts';
import command from './command-injection.ts';
import ldap from './ldap-injection.ts';
import script from './nosql-injection-javascript.ts';
import nosql from './nosql-injection-operator.ts';
import traversal from './path-traversal.ts';
import login from './sql-injection-login.ts';
import template from './ssti.ts';
import xpath from './xpath-injection.ts';
import xxe from './xxe.ts';

const PASSWD = 'root:x:0:0:root:/root:/bin/sh\n';
const read = (path: string): LabAnswer => {
  if (path === '/etc/passwd') return { body: PASSWD };
  if (path === 'C:\\windows\\win.ini') return { body: '; for 16-bit app support\r\n[fonts]\r\n' };
  return /documents.terms.txt$/.test(path) ? { body: 'Be kind.' } : { status: 404, body: 'No such file' };
};
const inDocuments = (value: string) => read(posix.resolve('/srv/shop/documents', value));
const cutAtNull = (text: string) => text.replace(/\0.*$/s, '');
/** Rejects paths that climb above the root. */
const noFurther = (value: string): LabAnswer => {
  const ups = value.split('/').filter((part) => part === '..').length;
  return ups > 3 || value.startsWith('/') ? { status: 404, body: 'No such file' } : inDocuments(value);
};
const trying = (answer: () => string): LabAnswer => {
  try {
    return { body: answer() };
  } catch {
    return { status: 500, body: 'Something went wrong' };
  }
};

interface Place extends Partial<Omit<PointLab, 'vulnerable' | 'safe'>> {
  check: unknown;
  answer(value: string): LabAnswer;
}
const file = { check: traversal, parameter: 'file', value: 'terms.txt' };
const isFound: Record<string, Place> = {
  'files whose way up is taken out once': { ...file, answer: (value) => inDocuments(value.replaceAll('../', '')) },
  'files that are shown after a blank': {
    ...file,
    answer: (value) => ({ body: `<p> ${read(posix.resolve('/srv/shop/documents', value)).body} </p>` }),
  },
  'files that are decoded before and after the check': {
    ...file,
    answer(value) {
      const decoded = querystring.unescape(value);
      return decoded.includes('../')
        ? { status: 404, body: 'No such file' }
        : inDocuments(querystring.unescape(decoded));
    },
  },
  'files that are decoded once more': {
    ...file,
    answer: (value) =>
      value.includes('../') ? { status: 400 } : inDocuments(value.replaceAll('%2f', '/').replaceAll('%2e', '.')),
  },
  'files that must be in a folder': {
    ...file,
    value: 'documents/terms.txt',
    answer: (value) => (value.startsWith('documents/') ? read(posix.resolve('/srv', value)) : { status: 404 }),
  },
  'files whose ending is added': {
    ...file,
    value: 'terms',
    answer: (value) => inDocuments(cutAtNull(`${value}.txt`)),
  },
  'files that go up no further than to the top': { ...file, answer: noFurther },
  'files of Windows': { ...file, answer: (value) => read(win32.resolve('C:\\shop\\documents', value)) },
  'files in a name that says nothing': { ...file, parameter: 'q', answer: inDocuments },
  'commands with single quotes': {
    check: command,
    answer: (value) => ({ body: runShell(`echo Looking for '${value}'`).output }),
  },
  'commands with double quotes': {
    check: command,
    answer: (value) => ({ body: runShell(`echo Looking for "${value}"`).output }),
  },
  'commands on one line without semicolons': {
    check: command,
    answer: (value) => ({ body: runShell(`echo Looking for ${value.replace(/[;|]/g, '')}`).output }),
  },
  'code in a text': { check: code, answer: (value) => trying(() => `${runInNewContext(`"Hello " + "${value}"`)}`) },
  'code whose result only the message of an error shows': {
    check: code,
    answer: (value) => {
      try {
        runInNewContext(value);
        return { body: 'Thank you for your order.' };
      } catch (error) {
        return { status: 500, body: String(error) };
      }
    },
  },
  'templates of another kind': {
    check: template,
    answer: (value) => trying(() => String(runInNewContext(`\`Hello ${value}\``))),
  },
  'templates whose error message quotes them': {
    check: template,
    answer: (value) => {
      if (/\{%|\{\{=|\{#/.test(value)) return { body: `ERROR: unexpected token in "${value}"` };
      return { body: `Hello ${value.replace(/\{\{([\d*]+)\}\}/g, (_, text) => String(runInNewContext(text)))}` };
    },
  },
  'templates, within one already': {
    check: template,
    answer: (value) =>
      trying(() =>
        `Hello {{${value}}}`.replace(/\{\{(.*?)\}\}/g, (_, text) => String(runInNewContext(text, { green: 'Bo' }))),
      ),
  },
  'a database with scripts in which nothing is found': {
    check: script,
    value: 'white',
    answer: (value) => trying(() => findTeas({ where: `this.kind == '${value}'` }).join()),
  },
  'a database with scripts, where what was not found is shown': {
    check: script,
    parameter: 'id',
    value: '1',
    answer: (value) =>
      trying(() => {
        const found = findTeas({ where: `this.kind == '${value}'` });
        return JSON.stringify({ data: found.length > 0 ? found : [{ kind: value }] });
      }),
  },
  'a directory that shows only what was found': {
    check: ldap,
    answer: (value) => trying(() => findPeople(`(&(uid=${value})(mail=*))`).join()),
    value: 'bob',
  },
  'a document, in double quotes': {
    check: xpath,
    answer: (value) => trying(() => findByPath(`kind="${value}"`).join()),
  },
  'a document in which nothing is found': {
    check: xpath,
    value: 'white',
    answer: (value) => trying(() => findByPath(`kind='${value}'`).join()),
  },
};
const isNotFound: Record<string, Place> = {
  'a page that shows the file to everybody': { ...file, answer: (value) => ({ body: `${PASSWD} for ${value}` }) },
  'a page that refuses what looks like an attack': {
    check: command,
    answer: (value) => (/[;|&$`]/.test(value) ? { status: 403, body: 'Blocked' } : { body: `For ${value}` }),
  },
  'a redirect to an address with all kinds of templates in it, by one request': {
    check: { ...template, maxRequests: 1 },
    answer: (value) => ({ status: 302, headers: { location: `/search?q=${encodeURIComponent(value)}` } }),
  },
  'a page that shows only letters and numbers of templates, by one request': {
    check: { ...template, maxRequests: 1 },
    answer: (value) => ({ status: 404, body: `Nothing is called ${value.replaceAll(/\W/g, '')}` }),
  },
  'a directory that knows wildcards': {
    check: ldap,
    answer: (value) => trying(() => findPeople(`(uid=${value.replace(/[()\\]/g, '')})`).join()),
  },
};

const loginByJson: RequestLab = {
  ...login.lab(),
  item: {
    method: 'POST',
    url: '/api/session',
    parameters: [
      { location: 'json', name: '/email', value: 'x' },
      { location: 'json', name: '/password', value: 'x' },
    ],
    seenAs: null,
    contentType: 'application/json',
    body: { type: 'application/json', text: '{"email":"x","password":"x"}' },
  },
  async vulnerable({ body }) {
    const { email, password } = JSON.parse(body) as Record<string, string>;
    const asForm = new URLSearchParams({ user: email ?? '', password: password ?? '' }).toString();
    const request = { method: 'POST', path: '/', headers: {}, body: asForm, account: null };
    const { status } = await login.lab().vulnerable(request);
    if (status !== 302) return { status: 401, body: '{"error":"wrong"}' };
    return { body: JSON.stringify({ token: `${Math.random()}`.padEnd(20, '0') }) };
  },
};
/** Responds with status 200 to every login; only the page tells whether it succeeded. */
const loginByPage = (isInjectable: boolean): RequestLab => ({
  ...login.lab(),
  async vulnerable(request) {
    if (!isInjectable && /\bOR\s+(\d+)=\1\b/i.test(new URLSearchParams(request.body).get('user') ?? ''))
      return { body: '<h1>Request blocked</h1>' };
    const { status } = await login.lab()[isInjectable ? 'vulnerable' : 'safe'](request);
    if (status === 302) return { body: '<h1>Welcome</h1>' };
    return {
      body: '<h1>Log in</h1><form method="post"><input name="user"><input name="password" type="password"></form>',
    };
  },
});
const xmlInPlaceOfJson: RequestLab = {
  ...xxe.lab(),
  item: {
    method: 'POST',
    url: '/orders',
    parameters: [{ location: 'json', name: '/tea', value: 'Sencha' }],
    seenAs: null,
    contentType: 'application/json',
    body: { type: 'application/json', text: '{"tea":"Sencha"}' },
  },
};

/** Stores other files unchanged; for a document it rejects, it returns the escaped content. */
const xmlInFile = (isFollowing: boolean): RequestLab => ({
  ...xxe.lab(),
  item: {
    method: 'POST',
    url: '/upload',
    parameters: [
      { location: 'multipart', name: 'bill', value: 'test' },
      { location: 'fileName', name: 'bill', value: 'test.txt' },
    ],
    seenAs: null,
    contentType: 'text/html',
  },
  vulnerable({ body }) {
    if (!/filename="[^"]*\.xml"\r\nContent-Type: text\/xml/.test(body)) return { status: 204 };
    const told = trying(() => readElement(body, 'name', isFollowing));
    return { status: 410, body: `<h2>No longer read: &lt;name&gt;${told.body}&lt;/name&gt;</h2>` };
  },
});

const places = Object.entries({ ...isFound, ...isNotFound }).map(([name, { check, answer, ...place }], index) => {
  const lab: PointLab = { parameter: 'q', value: 'green', ...place, vulnerable: answer, safe: answer };
  return { name, isFlawed: name in isFound, check: { ...(check as ActiveCheck), id: `c${index}`, lab: () => lab } };
});
const requests = [
  { name: 'a login for programs', isFlawed: true, check: { ...login, id: 'r1', lab: () => loginByJson } },
  { name: 'a login page', isFlawed: true, check: { ...login, id: 'r5', lab: () => loginByPage(true) } },
  {
    name: 'a login page behind a filter for conditions that are always true',
    isFlawed: false,
    check: { ...login, id: 'r6', lab: () => loginByPage(false) },
  },
  {
    name: 'a service that reads XML as well as JSON',
    isFlawed: true,
    check: { ...xxe, id: 'r2', lab: () => xmlInPlaceOfJson },
  },
  {
    name: 'files that are read as XML',
    isFlawed: true,
    check: { ...xxe, id: 'r3', lab: () => xmlInFile(true) },
  },
  {
    name: 'files that are read as XML without what they refer to',
    isFlawed: false,
    check: { ...xxe, id: 'r4', lab: () => xmlInFile(false) },
  },
];
const cases = [...places, ...requests] as { name: string; isFlawed: boolean; check: ActiveCheck }[];

let labs: Awaited<ReturnType<typeof openLabs>>;
before(async () => {
  labs = await openLabs(cases.map(({ check }) => check));
});
after(() => labs.close());

describe('injection', () => {
  for (const { name, check, isFlawed } of cases) {
    it(`is ${isFlawed ? '' : 'not '}found at: ${name}`, async () => {
      const { isApplied, verified, requests } = await labs.test(check as Parameters<typeof labs.test>[0], 'vulnerable');
      assert.ok(isApplied);
      assert.equal(verified?.confidence, isFlawed ? 'CONFIRMED' : undefined);
      assert.ok(requests <= check.maxRequests, `${requests} requests`);
    });
  }

  it('of operators is written into the names of a query, and lets nobody in for later', () => {
    const parameter = { location: 'form' as const, name: 'user name', value: 'x' };
    const item = {
      method: 'POST' as const,
      url: 'http://shop.test/',
      parameters: [parameter],
      seenAs: null,
      contentType: '',
    };
    const nonce = { word: 'word', numbers: [1, 2, 3] as const };
    const plan = Object.values(nosql.proof.plan({ item, parameter }, 'brackets', nonce, { accounts: [] }) ?? {});
    assert.deepEqual(
      plan.map(({ request }) => request.body),
      [
        'user%20name=word',
        'user%20name[$ne]=word',
        'user%20name[$eq]=word',
        'user%20name[$nin][]=word',
        'user%20name[$in][]=word',
        'user%20name[$word]=word',
      ],
    );
    assert.ok(plan.slice(1).every(({ session }) => session?.isNew));
  });

  it('at logins is not tried where accounts are made or passwords changed', () => {
    const fields = (...names: string[]) => names.map((name) => ({ location: 'form' as const, name, value: 'x' }));
    const applies = (path: string, ...names: string[]) =>
      login.appliesTo(
        { method: 'POST', url: `http://shop.test${path}`, parameters: fields(...names), seenAs: null, contentType: '' },
        { inventory: [], accounts: [] },
      );
    assert.ok(applies('/login', 'user', 'password'));
    assert.ok(!applies('/register', 'user', 'password'));
    assert.ok(!applies('/api/users', 'email', 'password'));
    assert.ok(!applies('/account', 'user', 'password', 'passwordAgain'));
    assert.ok(!applies('/search', 'q'));
  });
});
