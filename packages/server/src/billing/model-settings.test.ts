import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { inspect } from 'node:util';
import { readModelSettings } from '../config/config.ts';
import { StartupError } from '../errors/startup-error.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'sortie-models-'));
after(() => rmSync(folder, { recursive: true }));

let files = 0;
function write(content: unknown): string {
  const file = path.join(folder, `${files++}.json`);
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

const refuses = (variables: NodeJS.ProcessEnv, message: RegExp) =>
  assert.throws(
    () => readModelSettings(variables),
    (error: unknown) => error instanceof StartupError && message.test(error.message),
  );

const one = {
  SORTIE_MODEL_PROVIDER: 'anthropic',
  SORTIE_MODEL_NAME: 'large-1',
  SORTIE_MODEL_KEY: 'key-of-the-operator',
  SORTIE_MODEL_PRICES: '3/15.5',
  SORTIE_MODEL_PRICES_DATE: '2026-11-01',
};
const local = {
  provider: 'openai-compatible',
  model: 'small',
  url: 'http://127.0.0.1:11434/v1/',
  prices: { input: 0, output: 0 },
};
const strong = {
  provider: 'openai',
  model: 'large',
  keyVariable: 'MY_KEY',
  prices: { input: 1.25, output: 10, cachedInput: 0.125 },
};
const file = (over: object = {}) => ({
  pricesAsOf: '2026-11-01',
  models: { local, strong },
  depths: { LEAD: 'local', DEEP: 'strong' },
  ...over,
});

describe('the models of a node', () => {
  it('are none when nothing is said', () => {
    assert.deepEqual(readModelSettings({ SORTIE_MODEL_NAME: '' }), { byDepth: {}, pricesAsOf: null });
  });

  it('are one for all depths from variables, with prices in microdollars', () => {
    const { byDepth, pricesAsOf } = readModelSettings(one);
    assert.deepEqual(Object.keys(byDepth), ['LEAD', 'STANDARD', 'DEEP', 'EXTENDED', 'MAXIMUM']);
    assert.equal(pricesAsOf, '2026-11-01');
    const { key, ...lead } = byDepth.LEAD ?? assert.fail();
    assert.equal(key?.reveal(), 'key-of-the-operator');
    assert.deepEqual(lead, {
      name: 'main',
      provider: 'anthropic',
      model: 'large-1',
      url: null,
      price: { input: 3_000_000, output: 15_500_000 },
      contextTokens: 128_000,
      maxOutputTokens: 8_000,
      isExternal: true,
      callsAtOnce: 4,
    });
  });

  it('are chosen per depth by a file, with their keys from variables or files', () => {
    const keyFile = write('key-in-a-file\n');
    const models = { local: { ...local, keyFile }, strong };
    const read = readModelSettings({ SORTIE_MODEL_FILE: write(file({ models })), MY_KEY: 'key-in-a-variable' });
    const { LEAD, STANDARD, DEEP } = read.byDepth;
    assert.equal(STANDARD, undefined);
    assert.equal(LEAD?.key?.reveal(), 'key-in-a-file');
    assert.equal(LEAD?.url, 'http://127.0.0.1:11434/v1');
    assert.equal(DEEP?.key?.reveal(), 'key-in-a-variable');
    assert.deepEqual(DEEP?.price, { input: 1_250_000, output: 10_000_000, cachedInput: 125_000 });
    assert.ok(!inspect(read, { depth: 9 }).includes('key-in-'));
  });

  it('are external unless they are in the own network, or the operator says otherwise', () => {
    const isExternal = (url: string, external?: boolean) =>
      readModelSettings({
        SORTIE_MODEL_FILE: write(file({ models: { local: { ...local, url, external } }, depths: { LEAD: 'local' } })),
      }).byDepth.LEAD?.isExternal;
    for (const url of ['http://localhost:1/v1', 'http://10.1.2.3/v1', 'http://[::1]:1/v1', 'http://192.168.1.1/v1']) {
      assert.equal(isExternal(url), false, url);
    }
    for (const url of ['https://models.example.com/v1', 'http://172.32.0.1/v1', 'http://10.example.com/v1']) {
      assert.equal(isExternal(url), true, url);
    }
    assert.equal(isExternal('https://models.example.com/v1', false), false);
    assert.equal(isExternal('http://127.0.0.1:1/v1', true), true);
  });

  it('are refused with what is wrong, and never with the key', () => {
    const { SORTIE_MODEL_PRICES, ...unpriced } = one;
    refuses(unpriced, /^SORTIE_MODEL_PRICES is missing/);
    refuses({ ...one, SORTIE_MODEL_PRICES: '3' }, /^SORTIE_MODEL_PRICES must be dollars per million tokens/);
    refuses(
      { ...one, SORTIE_MODEL_PROVIDER: 'openai-compatible' },
      /^The model of SORTIE_MODEL_\* is invalid: url: is missing/,
    );
    refuses({ ...one, SORTIE_MODEL_FILE: write(file()) }, /^SORTIE_MODEL_PROVIDER and SORTIE_MODEL_FILE are both set/);
    refuses({ SORTIE_MODEL_FILE: write(file()) }, /^MY_KEY is not set, and model strong/);
    refuses({ SORTIE_MODEL_FILE: path.join(folder, 'none.json') }, /^File not found: .*Correct SORTIE_MODEL_FILE/);
    refuses({ SORTIE_MODEL_FILE: write('{') }, /^The models in .* are invalid: /);
    refuses(
      { SORTIE_MODEL_FILE: write(file({ depths: { LEAD: 'other' } })), MY_KEY: 'k' },
      /depths\.LEAD: there is no model "other"/,
    );
    refuses({ SORTIE_MODEL_FILE: write(file({ pricesAsOf: 'today' })) }, /pricesAsOf: must be a day/);
    refuses(
      { SORTIE_MODEL_FILE: write(file({ models: { local: { ...local, maxOutputTokens: 100_000 } } })) },
      /at most half of contextTokens/,
    );
  });
});
