import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Given, judge, nonce } from '@sortie/testing/engine/judging.ts';
import type { InventoryItem } from '../crawl/inventory/inventory.ts';
import chosen from './checks/access/field-selection-exposure.ts';
import file from './checks/exposure/linked-sensitive-file.ts';
import { createRunMemory } from './run-memory.ts';

const site = { origin: 'http://shop.test' };
const nothing = { status: 404, body: 'nothing here' };
const item = (url: string, changes: Partial<InventoryItem> = {}): InventoryItem => ({
  method: 'GET',
  url: `http://shop.test${url}`,
  parameters: [],
  seenAs: null,
  contentType: 'application/json',
  ...changes,
});

describe('a parameter that names fields', () => {
  const parameter = { location: 'query' as const, name: 'fields', value: 'name,email' };
  const asked = item('/me?fields=name,email', { parameters: [parameter] });
  const hash = '{"password":"5f4dcc3b5aa765d61d8327deb882cf99"}';
  const plain = { body: '{"name":"alice"}' };
  const verdict = (changes: Partial<Record<'base' | 'secret' | 'unknown' | 'again', Given>>) =>
    judge(
      chosen,
      { subject: asked, variant: { parameter, field: 'password' } },
      { base: plain, secret: { body: hash }, unknown: { body: '{}' }, again: plain, ...changes },
    );

  it('is proved to give out secrets by one that nothing else shows', () => {
    assert.equal(verdict({}), 'PROVED');
    assert.equal(verdict({ secret: { body: '{"password":"Summer24"}' } }), 'LIKELY');
    assert.equal(verdict({ secret: { body: '{"password":"****"}' } }), 'REFUTED');
    assert.equal(verdict({ secret: { status: 400, body: hash } }), 'REFUTED');
    assert.equal(verdict({ base: { body: hash } }), 'REFUTED');
    assert.equal(verdict({ again: { body: hash } }), 'REFUTED');
    assert.equal(verdict({ unknown: { body: hash } }), 'REFUTED');
    assert.equal(verdict({ unknown: undefined }), 'VOID');
  });

  it('is one by its name and its value, in what only reads', () => {
    const known = { inventory: [], accounts: [] };
    const applies = (changes: Partial<InventoryItem>) => chosen.appliesTo({ ...asked, ...changes }, known);
    assert.ok(applies({}));
    assert.ok(!applies({ method: 'POST' }) && !applies({ contentType: 'text/html' }));
    assert.ok(!applies({ parameters: [{ ...parameter, name: 'q' }] }));
    assert.ok(!applies({ parameters: [{ ...parameter, value: '42' }] }));
  });

  it('is asked as an account that has met it', () => {
    const sightings = [{ as: 'bob', url: asked.url, status: 200 }];
    const accounts = ['alice', 'bob'].map((name) => ({ name, marks: [] }));
    const plan = chosen.proof.plan({ ...asked, sightings }, { parameter, field: 'password' }, nonce, { accounts });
    assert.deepEqual([...new Set(Object.values(plan ?? {}).map(({ as }) => as))], ['bob']);
  });
});

describe('a file that is not for everybody', () => {
  const kindOf = (url: string) => {
    const known = { inventory: [item(url)], accounts: [] };
    return file.appliesTo(site, known);
  };
  const probing = async (url: string, body: Buffer) => {
    const response = { status: 200, headers: [], body, isCut: false };
    const [variant] =
      (await file.probe?.(site, nonce, {
        known: { inventory: [item(url)], accounts: [] },
        memory: createRunMemory(),
        credentialsOf: () => assert.fail('nobody is asked who they are'),
        willChange: () => assert.fail('nothing is changed'),
        askAsNewVisitor: () => assert.fail('nobody comes for the first time'),
        open: () => assert.fail('nothing is shown in a browser'),
        async ask(request) {
          const told = { failure: null, remote: null, firstByteMs: 1, durationMs: 1 };
          return { request: { ...request, purpose: 'test' }, response, ...told };
        },
      })) ?? [];
    return variant;
  };
  const key = '-----BEGIN PRIVATE KEY-----';

  it('is looked at by its ending, where everybody is shown it', () => {
    assert.ok(kindOf('/ftp/staff.kdbx') && kindOf('/backup/shop.sql?v=2') && kindOf('/home/.ssh/id_rsa'));
    assert.ok(!kindOf('/ftp/terms.md') && !kindOf('/key'));
    assert.ok(!file.appliesTo(site, { inventory: [item('/shop.key', { seenAs: 'alice' })], accounts: [] }));
  });

  it('is known by how it begins', async () => {
    const safe = Buffer.from('03d9a29a67fb4bb50100', 'hex');
    const found = await probing('/ftp/staff.kdbx', safe);
    assert.match((found && file.describe?.(found).why) ?? '', /contains a password manager/);
    assert.equal(await probing('/ftp/staff.kdbx', Buffer.from('<h1>Welcome</h1>')), undefined);
    assert.equal(await probing('/shop.pem', Buffer.from('-----BEGIN CERTIFICATE-----')), undefined);
    assert.equal(await probing('/shop.sql', Buffer.from('create table tea (name text);')), undefined);
  });

  it('is proved where a file next to it is not the same; what may be public is likely', async () => {
    const verdict = async (url: string, body: string, changes: { sibling?: Given } = {}) => {
      const variant = await probing(url, Buffer.from(body));
      assert.ok(variant);
      return judge(file, { subject: site, variant }, { file: { body }, sibling: nothing, ...changes });
    };
    assert.equal(await verdict('/shop.key', key), 'PROVED');
    assert.equal(await verdict('/shop.key', key, { sibling: { body: key } }), 'REFUTED');
    assert.equal(await verdict('/shop.key', key, { sibling: undefined }), 'VOID');
    assert.equal(await verdict('/shop.sql', '-- MySQL dump 10.13'), 'LIKELY');
  });

  it('is not kept, and is compared with one of the same kind in the same folder', async () => {
    const variant = await probing('/papers/shop.key', Buffer.from(key));
    assert.ok(variant);
    const plan = file.proof.plan(site, variant, nonce, { accounts: [] });
    assert.equal(plan?.file.answer?.isConfidential, true);
    assert.equal(plan?.sibling.request.url, `http://shop.test/papers/${nonce.word}.key`);
  });
});
