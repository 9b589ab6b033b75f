import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Asked, type ClaimTarget, claim } from '@sortie/testing/engine/claims.ts';

const page = (body: string) => ({ headers: { 'content-type': 'text/html' }, body });
const moved = (location: string) => ({ status: 303, headers: { location } });

interface Trip {
  paid: number;
  done: Set<string>;
}

/** Trips of three steps: start, `charge`, and finish, which shows what was paid. */
function trips({ label = 'To settle', paid }: { label?: string; paid(trip: Trip, count: number): number }) {
  const kept: Trip[] = [];
  const target: ClaimTarget = ({ method, path }: Asked) => {
    const [, id, action] = /^\/trips(?:\/(\d+))?(?:\/(\w+))?$/.exec(path) ?? [];
    if (method === 'POST' && id === undefined) return moved(`/trips/${kept.push({ paid: 0, done: new Set() }) - 1}`);
    const trip = kept[Number(id)] ?? assert.fail(path);
    if (method === 'POST') {
      if (action === 'finish' && !trip.done.has(action)) trip.paid = paid(trip, kept.length);
      trip.done.add(action ?? '');
      return moved(`/trips/${id}`);
    }
    return page(action === 'ticket' ? `<p>Your ticket. Paid: ${trip.paid}</p>` : `<p>${label}: 30</p>`);
  };
  return { target };
}

const amount = (name: string, before: string) => ({ name, from: 'text', by: `${before}\\D*(\\d+)` });
const step = (key: string, path: string, more: object = {}) => ({ key, label: key, as: 'alice', path, ...more });
const post = (key: string, path: string, more: object = {}) => step(key, path, { method: 'POST', ...more });

function course(name: string, charge?: string): { key: string }[] {
  const at = `/trips/{{${name}new.id}}`;
  return [
    post(`${name}new`, '/trips', { take: [{ name: 'id', from: 'location', by: '/(\\d+)$' }] }),
    step(`${name}page`, at, { take: [amount('due', ':')] }),
    ...(charge === undefined ? [] : [post(`${name}charge`, `${at}/${charge}`)]),
    post(`${name}finish`, `${at}/finish`),
    step(`${name}result`, `${at}/ticket`, { take: [amount('paid', 'Paid')] }),
  ];
}

const skipped = (charge: string, order: 'honest first' | 'honest last' = 'honest first') => {
  const [honest, attack] = [course('h', charge), course('a')];
  const of = (steps: { key: string }[], name: string) => ({
    steps: steps.map(({ key }) => key),
    after: `${name}result.paid`,
  });
  return {
    class: 'workflow-bypass',
    steps: order === 'honest first' ? [...honest, ...attack] : [...attack, ...honest],
    oracle: { kind: 'difference', shown: 'hpage.due', honest: of(honest, 'h'), attack: of(attack, 'a') },
  };
};

const ifCharged = (charge: string) => (trip: Trip) => (trip.done.has(charge) ? 30 : 0);

describe('a difference', () => {
  it('is confirmed where a flow ends without the step that charges', async () => {
    const { target } = trips({ paid: ifCharged('settle') });
    const { verdict, reason } = await claim(skipped('settle'), target);
    assert.equal(verdict, 'CONFIRMED', reason);
  });

  it('is FIRM at most if what was left out seems to be optional', async () => {
    for (const [charge, label] of [
      ['donate', 'To settle'],
      ['cover', 'Travel insurance'],
    ] as const) {
      const { target } = trips({ label, paid: ifCharged(charge) });
      const { verdict, reason } = await claim(skipped(charge), target);
      assert.deepEqual([verdict, /users may leave out/.test(reason)], ['FIRM', true], reason);
    }
  });

  it('is FIRM at most if the honest course does not cost the same once more', async () => {
    // What is left in stock, for example, which a pattern may take for an amount.
    const { target } = trips({ paid: (_trip, count) => 30 - ((count - 1) % 3) });
    const { verdict, reason } = await claim(skipped('settle'), target);
    assert.deepEqual([verdict, /Once more, the honest course costs/.test(reason)], ['FIRM', true], reason);
  });

  it('needs the honest course first: a first order may be cheaper', async () => {
    const { target } = trips({ paid: (_trip, count) => (count % 3 === 1 ? 20 : 30) });
    const { verdict, reason } = await claim(skipped('settle', 'honest last'), target);
    assert.equal(verdict, 'REFUSED');
    assert.match(reason, /a first order may be cheaper/);
  });

  it('needs the same number of both courses', async () => {
    const experiment = skipped('settle');
    const json = JSON.stringify(experiment).replace(/("key":"aresult".*?)Paid/, '$1Shipping');
    const { target } = trips({ paid: () => 30 });
    const { verdict, reason } = await claim(JSON.parse(json), target);
    assert.deepEqual([verdict, reason], ['REFUSED', 'Both courses must take before and after in the same way.']);
  });
});
