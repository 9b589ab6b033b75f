import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { inspect } from 'node:util';
import { isFull } from '@sortie/testing/runner/test-size.ts';
import { createCanary, findLeaks } from '@sortie/testing/secrets/leak-scanner.ts';
import fc from 'fast-check';
import type { Credential } from '../db/schema.ts';
import { SealError } from '../secrets/sealing.ts';
import { openRun, type SealedRun, sealedFields, sealRun } from './sealed-run.ts';

const vaultKey = { id: 'vault-1', key: createSecretKey(randomBytes(32)) };
const canaries = Object.fromEntries(sealedFields.map((field) => [field, createCanary()]));

/** Validity does not matter here: every field is filled, so that every field can be tampered with. */
const full = { ...canaries, kind: 'BEARER_TOKEN' } as unknown as Credential;
const credentials: Credential[] = [
  { ...full, name: 'first' },
  { ...full, name: 'second' },
];

/** One run, another one of the same account, and one of another account with the same id and content. */
const run = sealRun(vaultKey, { accountId: 'acc_1', runId: 'run_1' }, credentials);
const sibling = sealRun(vaultKey, { accountId: 'acc_1', runId: 'run_2' }, credentials);
const stranger = sealRun(vaultKey, { accountId: 'acc_2', runId: 'run_1' }, credentials);

/** One sealed value of a run: its wrapped key, or a field of one of its test accounts. */
type Place = 'wrappedKey' | { row: number; field: (typeof sealedFields)[number] };

const rowOf = (sealed: SealedRun, row: number) => {
  const found = sealed.credentials[row];
  assert.ok(found);
  return found;
};

function read(sealed: SealedRun, place: Place): Buffer {
  const value = place === 'wrappedKey' ? sealed.wrappedKey : rowOf(sealed, place.row).sealed[place.field];
  assert.ok(value);
  return value;
}

function write(sealed: SealedRun, place: Place, value: Buffer): void {
  if (place === 'wrappedKey') sealed.wrappedKey = value;
  else rowOf(sealed, place.row).sealed[place.field] = value;
}

interface Tampered {
  what: string;
  sealed: SealedRun;
  opener?: typeof vaultKey;
}

function tamper(what: string, change: (copy: SealedRun) => void): Tampered {
  const sealed = structuredClone(run);
  for (const credential of sealed.credentials) {
    for (const field of sealedFields) {
      const value = credential.sealed[field];
      if (value) credential.sealed[field] = Buffer.from(value);
    }
  }
  sealed.wrappedKey = Buffer.from(sealed.wrappedKey);
  change(sealed);
  return { what, sealed };
}

const row = fc.nat(credentials.length - 1);
const field = fc.constantFrom(...sealedFields);
const place = fc.oneof(fc.constant<Place>('wrappedKey'), fc.record({ row, field }));

const bitFlips = fc.tuple(place, fc.nat(), fc.nat(7)).map(([at, byte, bit]) =>
  tamper('bit flip', (copy) => {
    const value = read(copy, at);
    const index = byte % value.length;
    value.writeUInt8(value.readUInt8(index) ^ (1 << bit), index);
  }),
);
const truncations = fc.tuple(place, fc.nat(), fc.boolean()).map(([at, length, fromFront]) =>
  tamper('truncation', (copy) => {
    const value = read(copy, at);
    const kept = length % value.length;
    write(copy, at, fromFront ? value.subarray(value.length - kept) : value.subarray(0, kept));
  }),
);
const extensions = fc
  .tuple(place, fc.uint8Array({ minLength: 1, maxLength: 40 }))
  .map(([at, extra]) =>
    tamper('extension', (copy) => write(copy, at, Buffer.concat([read(copy, at), Buffer.from(extra)]))),
  );
const replacements = fc
  .tuple(place, fc.uint8Array({ maxLength: 100 }))
  .map(([at, bytes]) => tamper('replacement', (copy) => write(copy, at, Buffer.from(bytes))));
const fieldSwaps = fc
  .tuple(row, field, field)
  .filter(([, to, from]) => to !== from)
  .map(([at, to, from]) =>
    tamper('other field', (copy) => write(copy, { row: at, field: to }, read(run, { row: at, field: from }))),
  );
const rowSwaps = fc
  .tuple(row, field)
  .map(([at, name]) =>
    tamper('other row', (copy) => write(copy, { row: at, field: name }, read(run, { row: 1 - at, field: name }))),
  );
const runSwaps = fc
  .tuple(fc.constantFrom({ what: 'other run', from: sibling }, { what: 'other account', from: stranger }), place)
  .map(([{ what, from }, at]) => tamper(what, (copy) => write(copy, at, read(from, at))));
const wholeMoves = fc
  .constantFrom({ what: 'whole other run', from: sibling }, { what: 'whole other account', from: stranger })
  .map(({ what, from }) =>
    tamper(what, (copy) => Object.assign(copy, { wrappedKey: from.wrappedKey, credentials: from.credentials })),
  );
const clearChanges = fc
  .tuple(
    row,
    fc.constantFrom({ name: 'third' }, { kind: 'API_KEY' }, { mode: 'json' }, { location: 'query' }, { name: '' }),
  )
  .map(([at, change]) => tamper('changed clear part', (copy) => Object.assign(rowOf(copy, at), change)));
const wrongKeys = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes): Tampered => {
  const opener = { id: vaultKey.id, key: createSecretKey(bytes) };
  return { what: 'wrong key', sealed: run, opener };
});

const kinds = [
  bitFlips,
  truncations,
  extensions,
  replacements,
  fieldSwaps,
  rowSwaps,
  runSwaps,
  wholeMoves,
  clearChanges,
  wrongKeys,
];

const TAMPERED = isFull ? 10_000 : 1_000;

describe('the sealed test accounts of a run', () => {
  it('open again', () => {
    for (const sealed of [run, sibling, stranger]) {
      const opened = openRun(vaultKey, sealed);
      assert.deepEqual(
        opened.map(({ name }) => name),
        ['first', 'second'],
      );
      for (const one of opened) for (const name of sealedFields) assert.equal(one[name]?.reveal(), canaries[name]);
    }
  });

  it('are refused in any tampered form, by an error that says nothing of what is in them', (test) => {
    const refused = new Map<string, number>();
    const shown = new Set<string>();
    fc.assert(
      fc.property(fc.oneof(...kinds), ({ what, sealed, opener = vaultKey }) => {
        assert.throws(
          () => openRun(opener, sealed),
          (error) => error instanceof SealError && shown.add(inspect(error)).size > 0,
          what,
        );
        refused.set(what, (refused.get(what) ?? 0) + 1);
      }),
      { numRuns: TAMPERED },
    );
    const total = [...refused.values()].reduce((sum, count) => sum + count, 0);
    test.diagnostic(`${total} refused: ${[...refused].map(([what, count]) => `${count} ${what}`).join(', ')}`);
    assert.equal(total, TAMPERED);
    assert.equal(refused.size, 12);
    assert.deepEqual(findLeaks([...shown].join('\n'), canaries), []);
  });

  it('are refused with every single bit of a value flipped', () => {
    const at: Place = { row: 0, field: 'pass' };
    for (let bit = 0; bit < read(run, at).length * 8; bit++) {
      const { sealed } = tamper('bit', (copy) => {
        const value = read(copy, at);
        value.writeUInt8(value.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      });
      assert.throws(() => openRun(vaultKey, sealed), SealError, `bit ${bit}`);
    }
  });

  it('are refused with a tag shortened to any length', () => {
    for (const at of ['wrappedKey', { row: 1, field: 'user' }] as const) {
      for (let cut = 1; cut <= 16; cut++) {
        const { sealed } = tamper('tag', (copy) => write(copy, at, read(copy, at).subarray(0, -cut)));
        assert.throws(() => openRun(vaultKey, sealed), SealError, `${cut} bytes fewer`);
      }
    }
  });

  it('are refused when they were wrapped by another vault key', () => {
    const other = { id: 'vault-2', key: vaultKey.key };
    assert.throws(() => openRun(other, run), SealError);
    assert.throws(() => openRun(other, { ...run, keyId: other.id }), SealError);
  });

  it('are refused with the data key of another run or account, even before a field is opened', () => {
    for (const { wrappedKey } of [sibling, stranger]) {
      assert.throws(() => openRun(vaultKey, { ...run, wrappedKey, credentials: [] }), SealError);
    }
  });

  it('never look the same twice', () => {
    const again = sealRun(vaultKey, run, credentials);
    const everything = [run, again].flatMap((sealed) => [
      sealed.wrappedKey,
      ...sealed.credentials.flatMap((credential) => sealedFields.map((name) => credential.sealed[name])),
    ]);
    const nonces = everything.map((value) => value?.subarray(1, 13).toString('hex'));
    assert.equal(new Set(nonces).size, 2 * (1 + 2 * sealedFields.length));
  });
});
