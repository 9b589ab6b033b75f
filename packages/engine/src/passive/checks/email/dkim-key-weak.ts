import { createPublicKey } from 'node:crypto';
import { tagsOf } from '../../../evidence/dns/dmarc.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

/** Returns the modulus length of an RSA key, undefined for other algorithms and for invalid keys. */
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
  title: 'DKIM key shorter than 2048 bits or in test mode',
  why: 'A DKIM key of this domain is shorter than 2048 bits, or its record is in test mode (t=y). An attacker who factors a short RSA key signs mail as your domain, and it passes DMARC. Receivers treat mail signed with a test key as unsigned. The evidence names the selector and what is wrong with its key.',
  fix: 'Generate a 2048-bit RSA key under a new selector, switch signing over to it and revoke the old key with an empty p= tag. Remove t=y from the record.',
  references: [
    'https://www.rfc-editor.org/rfc/rfc8301#section-3.2',
    'https://www.rfc-editor.org/rfc/rfc6376#section-3.6.1',
    'https://cwe.mitre.org/data/definitions/326.html',
  ],
  needs: ['dkim'],

  *run({ dkim }) {
    for (const { selector, record } of dkim?.keys ?? []) {
      const tags = tagsOf(record);
      const key = tags.get('p') ?? '';
      const bits = bitsOf(key) ?? Infinity;
      const name = `${selector}._domainkey.${dkim?.domain}`;
      if (bits < 2_048) yield { evidence: `${name}: ${bits}-bit RSA key`, severity: bits < 1_024 ? 'HIGH' : 'LOW' };
      // An empty p= tag marks a revoked key.
      else if (key !== '' && /(?:^|:)\s*y\s*(?:$|:)/i.test(tags.get('t') ?? ''))
        yield { evidence: `${name}: test mode (t=y)` };
    }
  },

  examples: [
    { name: '1024 bits', given: has(`v=DKIM1; k=rsa; p=${bits1024}`), fails: 1 },
    { name: '512 bits', given: has(`v=DKIM1; p=${bits512}`), fails: 1, severity: 'HIGH' },
    { name: 'test mode', given: has(`v=DKIM1; t=s:y; p=${bits2048}`), fails: 1 },
    { name: '2048 bits', given: has(`v=DKIM1; t=s; p=${bits2048.slice(0, 200)} ${bits2048.slice(200)}`), fails: 0 },
    { name: 'revoked key', given: has('v=DKIM1; t=y; p='), fails: 0 },
    { name: 'invalid key', given: has('v=DKIM1; p=hello'), fails: 0 },
    { name: 'Ed25519 key', given: {}, fails: 0 },
    { name: 'domain without mail', given: { dns: { dkim: null } }, fails: 0 },
  ],
});
