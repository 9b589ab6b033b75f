import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { codeOf, createOneTimeCodes, readAuthenticator } from './totp.ts';

const base32 = (text: string) => {
  const bits = [...Buffer.from(text)].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const letters = bits.match(/.{1,5}/g) ?? [];
  return letters.map((five) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[Number.parseInt(five.padEnd(5, '0'), 2)]).join('');
};

describe('a one-time code', () => {
  it('is that of RFC 6238, appendix B', () => {
    const seeds = {
      SHA1: '12345678901234567890',
      SHA256: '12345678901234567890123456789012',
      SHA512: '1234567890123456789012345678901234567890123456789012345678901234',
    };
    const expected = {
      SHA1: ['94287082', '07081804', '14050471', '89005924', '69279037', '65353130'],
      SHA256: ['46119246', '68084774', '67062674', '91819424', '90698825', '77737706'],
      SHA512: ['90693936', '25091201', '99943326', '93441116', '38618901', '47863826'],
    };
    const times = [59, 1111111109, 1111111111, 1234567890, 2000000000, 20000000000];
    for (const [algorithm, seed] of Object.entries(seeds)) {
      const uri = `otpauth://totp/Shop:alice?secret=${base32(seed)}&algorithm=${algorithm}&digits=8&issuer=Shop`;
      const authenticator = readAuthenticator(uri);
      assert.ok(authenticator);
      assert.deepEqual(
        times.map((seconds) => codeOf(authenticator, Math.floor(seconds / 30))),
        expected[algorithm as keyof typeof expected],
      );
    }
  });

  it('comes from a secret however it is written, and from nothing else', () => {
    const plain = readAuthenticator('JBSWY3DPEHPK3PXP');
    assert.equal(plain?.key.toString('latin1'), 'Hello!\xde\xad\xbe\xef');
    for (const text of [' jbsw y3dp ehpk 3pxp ', 'JBSW-Y3DP-EHPK-3PXP', 'JBSWY3DPEHPK3PXP======']) {
      assert.deepEqual(readAuthenticator(text), plain, text);
    }
    const wrong = [
      '',
      '   ',
      'not base32!',
      '123456',
      'otpauth://hotp/x?secret=JBSWY3DP&counter=1',
      'otpauth://totp/x',
    ];
    for (const text of [...wrong, 'otpauth://totp/x?secret=JBSWY3DP&algorithm=md5', 'otpauth://']) {
      assert.equal(readAuthenticator(text), undefined, text);
    }
  });
});

describe('one-time codes of a run', () => {
  const secret = 'JBSWY3DPEHPK3PXP';
  const codeAt = (milliseconds: number) => {
    const authenticator = readAuthenticator(secret);
    return authenticator && codeOf(authenticator, Math.floor(milliseconds / 30_000));
  };

  function codesFrom(start: number) {
    let time = start;
    const slept: number[] = [];
    const codes = createOneTimeCodes({
      now: () => time,
      async sleep(milliseconds) {
        slept.push(milliseconds);
        time += milliseconds;
      },
    });
    return { codes, slept };
  }

  it('are given out at once, but not one that is about to end', async () => {
    const early = codesFrom(60_000);
    assert.equal(await early.codes.next(secret), codeAt(60_000));
    assert.deepEqual(early.slept, []);
    const late = codesFrom(88_000);
    assert.equal(await late.codes.next(secret), codeAt(90_000));
    assert.deepEqual(late.slept, [2_000]);
  });

  it('are given out once each, also to two accounts with the same secret', async () => {
    const { codes, slept } = codesFrom(60_000);
    const given = [await codes.next(secret), await codes.next(secret.toLowerCase()), await codes.next(secret)];
    assert.deepEqual(given, [codeAt(60_000), codeAt(90_000), codeAt(120_000)]);
    assert.deepEqual(slept, [30_000, 30_000]);
  });

  it('do not come from what is no secret', async () => {
    assert.equal(await codesFrom(0).codes.next('hunter2!'), undefined);
  });
});
