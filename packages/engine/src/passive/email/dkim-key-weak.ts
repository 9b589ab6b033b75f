import { createPublicKey } from 'node:crypto';
import { definePassiveCheck } from '../../check.ts';
import { tagsOf } from '../../evidence/dns/dmarc.ts';

/** Of an RSA key; undefined for all others, and for what is no key. */
function bitsOf(key: string): number | undefined {
  try {
    const der = Buffer.from(key.replace(/\s/g, ''), 'base64');
    return createPublicKey({ key: der, format: 'der', type: 'spki' }).asymmetricKeyDetails?.modulusLength;
  } catch {
    return undefined;
  }
}

const has = (record: string) => ({ dns: { dkim: { keys: [{ selector: 'default', record }] } } });
const bits512 =
  'MFwwDQYJKoZIhvcNAQEBBQADSwAwSAJBANZlQICOc/9cjzbO8hiPYavio3yU4cCE5xhFJF654155l0Hbr7MhjdCVtEFuGkkcEL1oyh6EMATyPS+jiYUiWgsCAwEAAQ==';
const bits1024 =
  'MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQC4lja/MJiVzPIswyHkiI8t5jseGVhuM5I2cEpb2rxsYdORXOMv3864KLwWDZDEJhZ00yNkwRqLRGzC7DJSD8XRfOe/xz+dLLaYbxS5CIjqTQwI2yaKQBCYmo8TZ8H3u8eY28sh0LXogJGkEvSt4tCg5OyM0VvGAhYol99O9BL8LQIDAQAB';
const bits2048 =
  'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAwqByHtlzhso4DVwN4GKImcohlNlqRYJWmPMCVmrDcZKNvKAtZaKoK+2vkw0LsArMwMDf2SDU31PtYYkv9G5WyH3YUewrHc3rkxwzvY1MdQnmp3SqQofPtgUqzckA5iepLMZHMd1Kz3jPUW/tT6+WBH3anhUGbTT1bfUUTL4SFV2vp+vqW2MdIzKcgTpHEpw8Go88iwLVBvMbZOpTs+1f0gKJg415vjgtVasW41YOeLBOREuIzQ9wOdX8fhUgSp0OeX4zIpPVXeEs8BuIMrV5mapCG/ZYmG4axEm6fy/WZ4iWW5oaSHqcmKLucQYVoziksBw07yo0vbaxj+bzF2Q+MwIDAQAB';

export default definePassiveCheck({
  id: 'dkim-key-weak',
  group: 'email',
  severity: 'LOW',
  cwe: 326,
  title: 'A key that signs mail is weak or only tried out',
  why: 'Whoever works out a short key signs mail as you; what is signed with a key marked as a test counts as not signed.',
  fix: 'Use an RSA key of 2048 bits, and remove t=y; withdraw the old key once nothing is signed with it.',
  references: [
    'https://www.rfc-editor.org/rfc/rfc8301#section-3.2',
    'https://www.rfc-editor.org/rfc/rfc6376#section-3.6.1',
  ],
  needs: ['dkim'],

  *run({ dkim }) {
    for (const { selector, record } of dkim?.keys ?? []) {
      const tags = tagsOf(record);
      const key = tags.get('p') ?? '';
      const bits = bitsOf(key) ?? Infinity;
      const name = `${selector}._domainkey.${dkim?.domain}`;
      if (bits < 2_048) yield { evidence: `${name}: RSA with ${bits} bits`, severity: bits < 1_024 ? 'HIGH' : 'LOW' };
      // An empty key is one that was withdrawn.
      else if (key !== '' && /(?:^|:)\s*y\s*(?:$|:)/i.test(tags.get('t') ?? '')) yield { evidence: `${name}: t=y` };
    }
  },

  examples: [
    { name: '1024 bits', given: has(`v=DKIM1; k=rsa; p=${bits1024}`), fails: 1 },
    { name: '512 bits', given: has(`v=DKIM1; p=${bits512}`), fails: 1, severity: 'HIGH' },
    { name: 'a key that is tried out', given: has(`v=DKIM1; t=s:y; p=${bits2048}`), fails: 1 },
    { name: '2048 bits', given: has(`v=DKIM1; t=s; p=${bits2048.slice(0, 200)} ${bits2048.slice(200)}`), fails: 0 },
    { name: 'a key that was withdrawn', given: has('v=DKIM1; t=y; p='), fails: 0 },
    { name: 'no key at all', given: has('v=DKIM1; p=hello'), fails: 0 },
    { name: 'another kind of key', given: {}, fails: 0 },
    { name: 'a domain without mail', given: { dns: { dkim: null } }, fails: 0 },
  ],
});
