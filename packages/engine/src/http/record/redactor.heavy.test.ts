import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { isFull } from '@sortie/testing/runner/test-size.ts';
import fc from 'fast-check';
import { createRedactor, MASK } from './redactor.ts';

/** Cases of a random test. */
const numRuns = isFull ? 100 : 25;

const SECRET = `p@ss w/rd+"<é>&'\\50%`;

function knowing(...secrets: string[]) {
  const redactor = createRedactor();
  for (const secret of secrets) redactor.learn(secret);
  return redactor;
}

const lowerHexDigits = (text: string) => text.replace(/%[0-9A-F]{2}/g, (byte) => byte.toLowerCase());
const everyByte = (text: string) =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
const html = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
const json = (text: string) => JSON.stringify(text).slice(1, -1);

const forms: Record<string, string> = {
  plain: SECRET,
  'URL-encoded': encodeURIComponent(SECRET),
  'URL-encoded in lower case': lowerHexDigits(encodeURIComponent(SECRET)),
  'URL-encoded as a form': new URLSearchParams({ '': SECRET }).toString().slice(1),
  'URL-encoded as a path': encodeURI(SECRET),
  'with every byte encoded': everyByte(SECRET),
  'with every byte encoded in upper case': everyByte(SECRET).toUpperCase(),
  'in JSON': json(SECRET),
  'in JSON with slashes escaped': json(SECRET).replaceAll('/', '\\/'),
  'in JSON with code units': [...SECRET]
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')
    .replace(/\\u00(6[1-9a-f]|7[0-9a]|3[0-9])/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
  'in HTML': html(SECRET),
  'in HTML with numbers': html(SECRET)
    .replaceAll("'", '&#39;')
    .replaceAll('é', '&#xE9;')
    .replaceAll('&quot;', '&#034;'),
  'in hexadecimal': Buffer.from(SECRET).toString('hex'),
  'in upper-case hexadecimal': Buffer.from(SECRET).toString('hex').toUpperCase(),
};

describe('a redactor', () => {
  for (const [what, form] of Object.entries(forms)) {
    it(`masks a secret ${what}`, () => {
      assert.equal(knowing(SECRET).redact(`before ${form} after`), `before ${MASK} after`);
    });
  }

  for (const before of ['', 'a', 'ab', 'abc']) {
    for (const encoding of ['base64', 'base64url'] as const) {
      it(`masks a secret in ${encoding} after ${before.length} other bytes`, () => {
        const encoded = Buffer.from(`${before}${SECRET}and more`).toString(encoding);
        const redacted = knowing(SECRET).redact(encoded);
        assert.ok(redacted.includes(MASK), redacted);
        assert.ok(!Buffer.from(redacted.replace(MASK, ''), encoding).includes('ss w/rd'));
      });
    }
  }

  it('finds a leak that was planted in a page', () => {
    const page = `<p>${'x'.repeat(50_000)}</p><!-- ${Buffer.from(`user:${SECRET}`).toString('base64')} -->`;
    assert.notEqual(knowing('something else', SECRET).redact(page), page);
  });

  it('leaves nothing of a longer secret that contains a shorter one', () => {
    assert.equal(knowing('token', 'token-of-alice').redact('token-of-alice token'), `${MASK} ${MASK}`);
  });

  it('does not learn what is shorter than four characters', () => {
    assert.equal(knowing('abc').redact('abc'), 'abc');
  });

  it('leaves text without secrets as it is', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        fc.pre(!text.includes('zq') && !text.includes('7a71') && !text.includes('7A71'));
        assert.equal(knowing('zqzqzqzq').redact(text), text);
      }),
    );
  });

  it('masks any secret wherever it stands', () => {
    const secret = fc.string({ minLength: 4, maxLength: 60, unit: 'grapheme' });
    fc.assert(
      fc.property(secret, fc.string(), fc.string(), (text, before, after) => {
        for (const form of [text, encodeURIComponent(text.toWellFormed()), json(text)]) {
          assert.ok(knowing(text).redact(`${before} ${form} ${after}`).includes(MASK), form);
        }
      }),
      { numRuns },
    );
  });

  const longest: Record<string, string> = {
    'a password': `${SECRET}${'correct horse battery staple '.repeat(690)}`.slice(0, 20_000),
    slashes: '/'.repeat(20_000),
    'a client secret': randomBytes(15_000).toString('base64'),
    'instructions with umlauts': 'Grüße, dann "Weiter" & <Los>. '.repeat(340).slice(0, 10_000),
    'a hexadecimal key': randomBytes(4_000).toString('hex'),
  };
  for (const [what, secret] of Object.entries(longest)) {
    it(`masks the longest secrets that the API accepts: ${what}`, () => {
      const [encoded, bytes] = [encodeURIComponent(secret), Buffer.from(secret)];
      for (const form of [secret, encoded, json(secret), html(secret), bytes.toString('hex')]) {
        const redacted = knowing(secret).redact(`before "${form}" after`);
        assert.match(redacted, /^before "[/?#]?\[redacted\]" after$/);
      }
      assert.ok(knowing(secret).redact(bytes.toString('base64')).length < 20);
    });
  }

  it('learns many long secrets at once', () => {
    const secrets = Array.from({ length: 50 }, (_, index) => `${index}-${SECRET.repeat(100)}`);
    const { redact } = knowing(...secrets);
    for (const secret of secrets) assert.equal(redact(`<${json(secret)}>`), `<${MASK}>`);
  });

  it('stays fast with long secrets and long texts', () => {
    const redactor = knowing(...Array.from({ length: 30 }, (_, index) => `${index}-${'aZ9_-.'.repeat(300)}`));
    const text = `${'aZ9_-.'.repeat(100_000)}`;
    const startedAt = performance.now();
    redactor.redact(text);
    redactor.redact('\\'.repeat(200_000));
    // Catastrophic backtracking would take hours.
    assert.ok(performance.now() - startedAt < 30_000);
  });

  it('takes no longer for secrets and texts that repeat one character', () => {
    const text = 'a'.repeat(100_000);
    const cpuMsOf = (tokenOf: (number: number) => string) => {
      const redactor = createRedactor();
      for (let number = 1; number <= 30; number++) redactor.learnToken(tokenOf(number));
      const before = process.cpuUsage();
      assert.equal(redactor.redact(text), text);
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1_000;
    };
    const usual = cpuMsOf(() => randomBytes(250).toString('hex'));
    const repeating = cpuMsOf((number) => `${'a'.repeat(500)}b${number}`);
    assert.ok(repeating < 20 * usual + 300, `${usual} ms and ${repeating} ms`);
  });
});

describe('tokens of a target', () => {
  const tokenOf = (number: number) => `s${number}.x7Kq${number}ZpW-9f3a`;
  function givenMany() {
    const redactor = createRedactor();
    for (let number = 1; number <= 3_000; number++) redactor.learnToken(tokenOf(number));
    return redactor;
  }

  it('stay masked however many come after them', () => {
    const redactor = givenMany();
    for (const number of [1, 2, 1_500, 2_970, 3_000]) {
      const token = tokenOf(number);
      assert.equal(redactor.redact(`Cookie: sid=${token}; a=b`), `Cookie: sid=${MASK}; a=b`);
    }
    const odd = 'a+b/c9F2kd8+w==';
    redactor.learnToken(odd);
    for (let number = 4_000; number < 4_100; number++) redactor.learnToken(tokenOf(number));
    for (const form of [odd, encodeURIComponent(odd), json(odd).replaceAll('/', '\\/')]) {
      assert.equal(redactor.redact(`{"sid":"\\n${form}"}`), `{"sid":"\\n${MASK}"}`);
    }
  });

  it('are masked as a whole and not within other words once they are old', () => {
    const redactor = givenMany();
    assert.equal(redactor.redact(`y${tokenOf(1)}`), `y${tokenOf(1)}`);
    assert.equal(redactor.redact(`${tokenOf(1)}0`), `${tokenOf(1)}0`);
  });

  it('that are plain words or short numbers hide nothing of the site once they are old', () => {
    const redactor = createRedactor();
    const plain = ['products', 'dark-theme', 'consentGiven', 'ACCEPTED', '20261117', 'a long sentence of words'];
    for (const each of plain) redactor.learnToken(each);
    for (let number = 1; number <= 100; number++) redactor.learnToken(tokenOf(number));
    for (const each of plain) assert.equal(redactor.redact(`/shop/${each}?x=1`), `/shop/${each}?x=1`);
  });

  const given = (...tokens: string[]) => {
    const redactor = createRedactor();
    for (const token of tokens) redactor.learnToken(token);
    for (let number = 1; number <= 40; number++) redactor.learnToken(tokenOf(number));
    return redactor;
  };

  it('of random letters or digits stay masked, also in the shape of a word', () => {
    for (const token of ['qwkzjhvbnmplokj', 'Xkqvbzjw', 'HGZTRWQPLKJ', 'qzx-wvk-jhg', '482910477261839', '99482301']) {
      assert.equal(given(token).redact(`<p>${token}</p> id=${token};`), `<p>${MASK}</p> id=${MASK};`);
    }
  });

  it('of random letters are nearly never taken for words', () => {
    const letter = fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz');
    const letters = fc.array(letter, { minLength: 8, maxLength: 15 }).map((each) => each.join(''));
    const tokens = fc.sample(letters, { numRuns: numRuns * 4, seed: 1 });
    const shown = tokens.filter((token) => given(token).redact(token) !== MASK);
    assert.ok(shown.length <= numRuns / 25, shown.join(' '));
  });

  it('are masked as they are and in every escaped form, whatever they are made of', () => {
    const token = fc.string({ minLength: 8, maxLength: 40, unit: 'grapheme' }).filter((text) => /[a-z0-9]/i.test(text));
    fc.assert(
      fc.property(token, (each) => {
        fc.pre(!/^(?:[\s._-]*[A-Za-z]+)+$/.test(each) && each.isWellFormed());
        const redactor = given(each);
        for (const form of [each, encodeURIComponent(each), json(each), html(each), everyByte(each)]) {
          const redacted = redactor.redact(`<a b="${form}">`);
          assert.match(redacted, /^<a b="[/?#]?\[redacted\]">$/, form);
        }
      }),
      { examples: [['\ufffd A\u0300 1 2']], numRuns },
    );
  });

  it('of words hide no prose: neither the sentence nor a word of it', () => {
    const redactor = given('Your%20user%20name%20or%20password%20are%20wrong');
    const prose = 'Your order and your password are fine. Prices are wrong; the name of the user is not.';
    assert.equal(redactor.redact(prose), prose);
  });

  it('that hold a path leave URLs of the same origin', () => {
    const path = fc.webPath().filter((text) => text.length >= 8 && text.startsWith('/'));
    fc.assert(
      fc.property(path, fc.webQueryParameters(), (token, query) => {
        for (const redactor of [given(token), tokensOf(token)]) {
          const redacted = redactor.redact(`https://shop.test:8443${token}?${query}`);
          assert.equal(URL.parse(redacted)?.origin, 'https://shop.test:8443', redacted);
        }
      }),
      { numRuns },
    );
  });

  it('are masked in lower case and in the escapes of scripts, also once they are old', () => {
    const token = 'aB3=x7Kq/9F2kd8-W';
    const forms = [token.toLowerCase(), token.replaceAll('=', '\\x3d').replaceAll('/', '\\x2F')];
    for (const redactor of [given(token), tokensOf(token)]) {
      for (const form of forms) assert.equal(redactor.redact(`a="${form}"`), `a="${MASK}"`);
    }
  });

  it('are masked where a script shows them decoded', () => {
    for (const redactor of [given('s%3Ax7Kq9F2kd8.W4'), tokensOf('s%3Ax7Kq9F2kd8.W4')]) {
      assert.equal(redactor.redact('id "s:x7Kq9F2kd8.W4"'), `id "${MASK}"`);
    }
  });

  it('that overlap leave nothing of either', () => {
    const redactor = given('Zq8.head.Kp3xv9w2');
    redactor.learnToken('Kp3xv9w2.tail.Bn7');
    assert.equal(redactor.redact('a=Zq8.head.Kp3xv9w2.tail.Bn7;'), `a=${MASK};`);
  });
});

/** The newest tokens are masked within words, too. */
function tokensOf(...tokens: string[]) {
  const redactor = createRedactor();
  for (const token of tokens) redactor.learnToken(token);
  return redactor;
}
