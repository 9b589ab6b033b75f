import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { judge, nonce } from '@sortie/testing/engine/judging.ts';
import { startTestListener } from '@sortie/testing/targets/outside.ts';
import type { InventoryItem } from '../crawl/inventory/inventory.ts';
import type { OutsideCall } from '../protocol/callback.ts';
import commands from './checks/injection/command-injection-oob.ts';
import log4shell from './checks/injection/log4shell.ts';
import inclusion from './checks/injection/remote-file-inclusion.ts';
import xxe from './checks/injection/xxe-oob.ts';
import forgery from './checks/ssrf/ssrf.ts';
import type { CheckAbout, Known, Point, Subjects } from './define-active-check.ts';

let listener: Awaited<ReturnType<typeof startTestListener>>;
let withoutZone: typeof listener;
before(async () => {
  listener = await startTestListener();
  withoutZone = await startTestListener({ hasZone: false });
});
after(async () => {
  await listener.close();
  await withoutZone.close();
});

const item: InventoryItem = {
  method: 'POST',
  url: 'http://shop.test/',
  parameters: [],
  seenAs: null,
  contentType: 'text/html',
  body: { type: 'text/xml', text: '<a><b>1</b></a>' },
};
const pointOf = (name: string, value: string): Point => {
  const parameter = { location: 'query' as const, name, value };
  return { item: { ...item, method: 'GET', parameters: [parameter] }, parameter };
};
const point = pointOf('src', 'https://pictures.test/');
const call = (kind: OutsideCall['kind'], detail = ''): OutsideCall => ({ label: 'x', kind, detail, at: '', from: '' });
const known = (): Known => ({ inventory: [], accounts: [], outside: listener.outside });

/** Judges the check with these callbacks for its attack and its control. */
function judgeCalls<About extends keyof Subjects, Variant>(
  check: CheckAbout<About, Variant>,
  subject: Subjects[About],
  calls: { attack?: OutsideCall[]; control?: OutsideCall[]; body?: string; variant?: number },
) {
  const variant = check.variants[calls.variant ?? 0] as Variant;
  const plan = check.proof.plan(subject, variant, nonce, known()) ?? assert.fail('nothing is planned');
  const given = Object.entries(plan).map(([key, planned]) => {
    const heard = planned?.calling && (planned.isControl ? calls.control : calls.attack);
    return [key, { body: planned?.calling ? (calls.body ?? '') : '', heard: heard ?? [] }] as const;
  });
  return judge(check, { subject, variant, known: known() }, Object.fromEntries(given));
}

describe('a call from outside', () => {
  const follow = { attack: [call('http')], control: [call('http')] };

  it('proves that the server asks for addresses; a name that was looked up makes it likely', () => {
    assert.equal(judgeCalls(forgery, point, { attack: [call('dns'), call('http')] }), 'PROVED');
    assert.equal(judgeCalls(forgery, point, { attack: [call('dns')] }), 'VOID');
    assert.equal(judgeCalls(forgery, point, { attack: [call('dns')], variant: 4 }), 'LIKELY');
    assert.equal(judgeCalls(forgery, point, {}), 'VOID');
  });

  it('is not needed where the page shows what we have answered', () => {
    const body = `Preview: ${listener.outside.answerTo(`${nonce.word}-attack`)}`;
    assert.equal(judgeCalls(forgery, point, { body }), 'PROVED');
  });

  it('proves nothing where all addresses that pass by are followed', () => {
    assert.equal(judgeCalls(forgery, point, follow), 'REFUTED');
    assert.equal(judgeCalls(xxe, item, follow), 'REFUTED');
    assert.equal(judgeCalls(xxe, item, { attack: [call('http')] }), 'PROVED');
    assert.equal(judgeCalls(xxe, item, { attack: [call('dns')] }), 'LIKELY');
  });

  it('proves a command only by what the shell has computed', () => {
    const product = String(nonce.numbers[0] * nonce.numbers[1]);
    assert.equal(judgeCalls(commands, point, { attack: [call('dns', product)] }), 'PROVED');
    assert.equal(judgeCalls(commands, point, { attack: [call('http', '')] }), 'REFUTED');
    assert.equal(judgeCalls(commands, point, { attack: [call('http', '4711')] }), 'REFUTED');
    assert.equal(judgeCalls(commands, point, {}), 'VOID');
  });

  it('proves an inclusion only by what the program prints, not by the program', () => {
    const { prints } = listener.outside.programFor(nonce.word);
    const attack = [call('http')];
    assert.equal(judgeCalls(inclusion, point, { attack, body: `a${prints}b` }), 'PROVED');
    assert.equal(judgeCalls(inclusion, point, { attack, body: '<?php echo 1*1;?>' }), 'REFUTED');
    assert.equal(judgeCalls(inclusion, point, { body: prints }), 'VOID');
    const unanswered = { base: {}, attack: { isUnanswered: true as const, heard: attack } };
    assert.equal(judge(inclusion, { subject: point, variant: '?', known: known() }, unanswered), 'VOID');
  });

  it('proves a lookup of a log by the year that it has put in; another lookup makes it likely', () => {
    const computed = call('dns', `${new Date().getUTCFullYear()}-${nonce.numbers[0]}`);
    assert.equal(judgeCalls(log4shell, point, { attack: [computed] }), 'PROVED');
    assert.equal(judgeCalls(log4shell, point, { attack: [call('dns', `1999-${nonce.numbers[0]}`)] }), 'LIKELY');
    assert.equal(judgeCalls(log4shell, point, { attack: [call('dns')], control: [call('dns')] }), 'REFUTED');
    assert.equal(judgeCalls(log4shell, point, {}), 'VOID');
  });
});

describe('without a zone', () => {
  it('nothing is sent that only names could show', () => {
    const without = { accounts: [], outside: withoutZone.outside };
    assert.equal(log4shell.proof.plan(point, log4shell.variants[0] ?? '', nonce, without), undefined);
    const [byName] = forgery.variants.filter(({ isNameOnly }) => isNameOnly);
    assert.ok(byName);
    assert.equal(forgery.proof.plan(point, byName, nonce, without), undefined);
    const [command] = commands.variants;
    const planned = command && commands.proof.plan(point, command, nonce, without)?.attack;
    assert.ok(planned && !planned.request.url.includes('nslookup'));
  });

  it('a check that has nothing to send says that it needs DNS callbacks, and no other does', () => {
    const without = { accounts: [], outside: withoutZone.outside };
    const isSilent = <About extends keyof Subjects, Variant>(
      { variants, proof }: CheckAbout<About, Variant>,
      subject: Subjects[About],
    ) => variants.every((variant) => proof.plan(subject, variant, nonce, without) === undefined);
    assert.deepEqual([log4shell.needsOutside, isSilent(log4shell, point)], ['dns', true]);
    for (const [needs, silent] of [
      [commands.needsOutside, isSilent(commands, point)],
      [inclusion.needsOutside, isSilent(inclusion, point)],
      [forgery.needsOutside, isSilent(forgery, point)],
      [xxe.needsOutside, isSilent(xxe, item)],
    ]) {
      assert.deepEqual([needs, silent], [true, false]);
    }
  });
});

describe('a parameter that may hold an address', () => {
  const cases: [name: string, value: string, isOne: boolean][] = [
    ['q', 'https://shop.test/', true],
    ['q', '//shop.test/a', true],
    ['q', 'shop.example.com', true],
    ['image_url', '', true],
    ['/profile/avatarUrl', 'x', true],
    ['webhook', '', true],
    ['q', 'tea', false],
    ['q', 'tea.', false],
    ['id', '12', false],
    ['price', '12.50', false],
  ];
  for (const [name, value, isOne] of cases) {
    it(`${isOne ? 'is' : 'is not'} ${name}=${value}`, () =>
      assert.equal(forgery.appliesTo(pointOf(name, value), known()), isOne));
  }

  it('is tried as a whole, without its scheme, and behind the host that is expected', () => {
    const url = 'http://outside.test/x';
    const facts = { accounts: [], outside: { ...listener.outside, urlFor: () => url } };
    const written = (seen: string) => {
      const plans = forgery.variants.map((variant) => forgery.proof.plan(pointOf('src', seen), variant, nonce, facts));
      const sent = plans.map((plan) => plan?.attack && new URL(plan.attack.request.url).searchParams.get('src'));
      return sent.filter(Boolean);
    };
    assert.deepEqual(written('https://pictures.test/a.png'), [
      url,
      'https://pictures.test@outside.test/x',
      `${url}?https://pictures.test/a.png`,
      url,
    ]);
    assert.deepEqual(written(''), [url, 'outside.test/x', url]);
  });
});
