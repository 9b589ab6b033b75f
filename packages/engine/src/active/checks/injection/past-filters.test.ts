import assert from 'node:assert/strict';
import { posix } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { openLabs } from '@sortie/testing/engine/labs.ts';
import type { PointCheck } from '../../define-active-check.ts';
import type { LabAnswer, PointLab } from '../../lab.ts';
import { quoteForShell, runShell } from '../../labs/shell.ts';
import { asPage, openTeaShop } from '../../labs/sql.ts';
import command from './command-injection-filtered.ts';
import path from './path-traversal.ts';
import sql from './sql-injection-filtered.ts';

/** What stands before the interpreter: it returns the value that the interpreter reads, or undefined to refuse it. */
type Gate = (value: string) => string | undefined;

const BLOCKED: LabAnswer = { status: 403, body: 'That looks odd' };
const refusing =
  (odd: RegExp): Gate =>
  (value) =>
    odd.test(value) ? undefined : value;
/** Removes each text once, as a single replacement does. */
const removing =
  (odd: RegExp): Gate =>
  (value) =>
    value.replace(odd, '');
const decoded =
  (gate: Gate, decode: (value: string) => string): Gate =>
  (value) => {
    const passed = gate(value);
    return passed === undefined ? undefined : decode(passed);
  };
const byPercent = (value: string) => value.replace(/%[0-9a-f]{2}/gi, (code) => decodeURIComponent(code));
const byForm = (value: string) => value.normalize('NFKC');

const SQL_WORDS = /\b(?:and|or|union|select|case|like)\b/i;
const gates: Record<string, { check: PointCheck; gate: Gate; value?: string }> = {
  'SQL without spaces': { check: sql as PointCheck, gate: refusing(/\s/) },
  'SQL without spaces and comments': { check: sql as PointCheck, gate: refusing(/\s|\/\*|--|#/) },
  'SQL without the usual case of words': { check: sql as PointCheck, gate: refusing(/\b(?:and|AND|or|OR)\b|--|#/) },
  'SQL without words': {
    check: sql as PointCheck,
    gate: removing(/and|or|union|select|case|like|--/gi),
  },
  'SQL of a number without spaces': { check: sql as PointCheck, gate: refusing(/\s|--|#/), value: '7' },
  'SQL without equals signs': { check: sql as PointCheck, gate: refusing(/=|--|#/) },
  'SQL that is decoded behind the filter': {
    check: sql as PointCheck,
    gate: decoded(refusing(new RegExp(`['"]|${SQL_WORDS.source}`, 'i')), byPercent),
  },
  'SQL that is normalised behind the filter': {
    check: sql as PointCheck,
    gate: decoded(refusing(new RegExp(`['"=]|${SQL_WORDS.source}`, 'i')), byForm),
  },
  'a path without its steps': { check: path as PointCheck, gate: removing(/\.\.\//g) },
  'a path without its steps and files': { check: path as PointCheck, gate: removing(/\.\.\/|passwd/g) },
  'a path that is decoded behind the filter': {
    check: path as PointCheck,
    gate: decoded(refusing(/\.\.|\//), byPercent),
  },
  'a path that is normalised behind the filter': {
    check: path as PointCheck,
    gate: decoded(refusing(/[./\\](?!txt$)/), byForm),
  },
  'a command without spaces and line breaks': { check: command as PointCheck, gate: refusing(/[ ;&\n]/) },
  'a command without spaces, dollar signs and pipes': { check: command as PointCheck, gate: refusing(/[ $|&;]/) },
  'a command without the names of programs': { check: command as PointCheck, gate: refusing(/[ ;]|expr|echo/) },
  'a command that is decoded behind the filter': {
    check: command as PointCheck,
    gate: decoded(refusing(/[^\w.%]/), byPercent),
  },
};

const FOLDER = '/srv/shop/documents';
function readFile(name: string): LabAnswer {
  const at = posix.resolve(FOLDER, name);
  if (at === '/etc/passwd') return { body: 'root:x:0:0:root:/root:/bin/sh\n' };
  return at === `${FOLDER}/terms.txt` ? { body: 'Be kind.' } : { status: 404, body: 'No such file' };
}

/** The handler behind the gate, with the flaw and without it. */
function handlersOf(check: PointCheck, value: string): { value: string; unsafe: Read; safe: Read } {
  if (check.id === path.id)
    return { value: 'terms.txt', unsafe: readFile, safe: (name) => readFile(posix.basename(name)) };
  if (check.id === command.id) {
    const run = (host: string) => ({ body: runShell(`echo Looking for ${host}`).output });
    return { value: 'shop.test', unsafe: run, safe: (host) => run(quoteForShell(host)) };
  }
  const ask = openTeaShop(asPage);
  const isNumber = /^\d+$/.test(value);
  return {
    value: value || 'green',
    unsafe: (kind) => ask(`select name from tea where ${isNumber ? `id = ${kind}` : `kind = '${kind}'`}`),
    safe: (kind) => ask(`select name from tea where ${isNumber ? 'id' : 'kind'} = ?`, kind),
  };
}
type Read = (value: string) => LabAnswer;

function labOf({ check, gate, value: given = '' }: (typeof gates)[string]): PointLab {
  const { value, unsafe, safe } = handlersOf(check, given);
  const behind = (read: Read) => (sent: string) => {
    const passed = gate(sent);
    return passed === undefined ? BLOCKED : read(passed);
  };
  return { parameter: 'file', value, vulnerable: behind(unsafe), safe: behind(safe) };
}

const cases = Object.entries(gates).map(([name, context], index) => ({
  name,
  check: { ...context.check, id: `case-${index}`, lab: () => labOf(context) },
}));

/** Nothing is refused or removed: the usual checks find the flaw. */
const unfiltered = {
  ...(sql as PointCheck),
  id: 'unfiltered',
  lab: () => labOf({ check: sql as PointCheck, gate: (value) => value }),
};
const MOST_WITHOUT_FILTER = 12;

let labs: Awaited<ReturnType<typeof openLabs>>;
before(async () => {
  labs = await openLabs([unfiltered, ...cases.map(({ check }) => check)]);
});
after(() => labs.close());

describe('behind a filter', () => {
  it('payloads are sent only if something is filtered', async () => {
    const { verified, requests } = await labs.test(unfiltered, 'vulnerable');
    assert.equal(verified, undefined);
    assert.ok(requests <= MOST_WITHOUT_FILTER, `${requests} requests`);
  });

  for (const { name, check } of cases) {
    it(`the flaw is found in ${name}`, async () => {
      const { verified, requests } = await labs.test(check, 'vulnerable');
      assert.equal(verified?.confidence, 'CONFIRMED');
      assert.ok(requests <= check.maxRequests, `${requests} requests`);
    });

    it(`nothing is found where there is no flaw, in ${name}`, async () => {
      const { verified, requests } = await labs.test(check, 'safe');
      assert.equal(verified, undefined);
      assert.ok(requests <= check.maxRequests, `${requests} requests`);
    });
  }
});
