import assert from 'node:assert/strict';
import { createCipheriv, createHash, randomBytes } from 'node:crypto';
import { it } from 'node:test';
import { shareKeystream } from './ciphertexts.ts';

const [ONE, OTHER] = ['a1b2c3d4e5f6g7h8i9j0k1l2', '9z8y7x6w5v4u3t2s1r0q9p8o'];
const KEY = randomBytes(32);

const combined = (text: string, key: string) =>
  Buffer.from(Buffer.from(text).map((byte, index) => byte ^ key.charCodeAt(index % key.length)));
const encrypted = (mode: string, nonce: Buffer) => (text: string) => {
  const cipher = createCipheriv(mode, KEY, nonce);
  return Buffer.concat([nonce, cipher.update(text), cipher.final()]);
};
const NONCE = randomBytes(16);

const judge = (write: (text: string) => string) =>
  shareKeystream({ text: ONE, body: `<p>${write(ONE)}</p>` }, { text: OTHER, body: `<p>${write(OTHER)}</p>` });

const weak: Record<string, (text: string) => string> = {
  'a fixed key, in Base64': (text) => combined(text, 'some key').toString('base64'),
  'a fixed key, in hexadecimal digits': (text) => combined(text, 'some key').toString('hex'),
  'a single byte': (text) => combined(text, 'k').toString('base64url'),
  'a nonce that is used again, sent before the text': (text) =>
    encrypted('aes-256-ctr', NONCE)(text).toString('base64'),
  'escaped characters': (text) =>
    combined(text, 'some key')
      .toString('base64')
      .replace(/[+/=]/g, (sign) => `&#${sign.charCodeAt(0)};`),
};

for (const [how, write] of Object.entries(weak)) it(`recognizes a keystream: ${how}`, () => assert.ok(judge(write)));

const other: Record<string, (text: string) => string> = {
  Base64: (text) => Buffer.from(text).toString('base64'),
  'hexadecimal digits of capitals': (text) => Buffer.from(text.toUpperCase()).toString('hex'),
  'an echo beside a constant text': (text) => `${text} ${Buffer.from(KEY).toString('base64')}`,
  'a hash': (text) => createHash('sha256').update(text).digest('hex'),
  'a new nonce for each text': (text) => encrypted('aes-256-ctr', randomBytes(16))(text).toString('base64'),
  'chained blocks': (text) => encrypted('aes-256-cbc', NONCE)(text).toString('base64'),
  'shifted letters': (text) =>
    Buffer.from(
      text.replace(/[a-z]/g, (letter) => String.fromCharCode(((letter.charCodeAt(0) - 84) % 26) + 97)),
    ).toString('base64'),
  'random bytes': () => randomBytes(40).toString('base64'),
};

for (const [what, write] of Object.entries(other))
  it(`takes no keystream from ${what}`, () => assert.equal(judge(write), false));
