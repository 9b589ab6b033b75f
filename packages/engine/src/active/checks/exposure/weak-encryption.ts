import { textOf } from '../../../oracle/private-content.ts';
import { definePointCheck } from '../../define-active-check.ts';
import { at, type Nonce } from '../../experiment.ts';
import { mayHoldText, shareKeystream } from '../../shared/ciphertexts.ts';

const LENGTH = 24;

/** Letters and digits in random order, always equally long. */
const texts = ({ word, numbers: [a, b, c] }: Nonce): [string, string] => {
  const fill = (text: string) => text.repeat(LENGTH).slice(0, LENGTH);
  return [fill(`${word}${a}${b}`), fill(`${c}${word.split('').toReversed().join('')}${a}`)];
};

const ALONE = [null];
const ENCRYPTS = /crypt|cipher|encod|seal/i;

export default definePointCheck({
  id: 'weak-encryption',
  title: 'Weak encryption: every text is encrypted with the same keystream',
  cwe: 327,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:L/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:L/VI:L/VA:N/SC:N/SI:N/SA:N',
  impact: 'An attacker computes the key from one text of their own, and reads and forges what others have encrypted.',
  why: 'The server combines each text with the same sequence of bytes (XOR with a fixed key, or a stream cipher whose nonce is used again). An attacker has one known text encrypted, computes the sequence, and decrypts or forges other texts without the key. The test computed it from the response to one random text, and with it predicted the response to another one.',
  fix: 'Encrypt with an authenticated cipher from a maintained library, such as AES-GCM or XChaCha20-Poly1305, with a new random nonce for each text. Encrypt again what is stored with the old cipher, and replace its key.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Cryptographic_Storage_Cheat_Sheet.html',
    'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/09-Testing_for_Weak_Cryptography/04-Testing_for_Weak_Encryption',
    'https://cwe.mitre.org/data/definitions/327.html',
  ],
  risk: 'harmless',
  depth: 'STANDARD',
  locations: ['query', 'form', 'json'],
  appliesTo: () => true,
  // Encrypted texts look like tokens, which comparisons of responses leave out: a page often shows the text as well.
  isWorthTrying: ({ isRead, isReflected }, { item }) =>
    isRead || isReflected || ENCRYPTS.test(new URL(item.url).pathname),
  variants: ALONE,
  async probe(point, nonce, { ask }) {
    const { request } = at(point, 'a random text', texts(nonce)[0]);
    return mayHoldText(textOf(await ask(request)), LENGTH) ? ALONE : [];
  },
  maxRequests: 5,
  proof: {
    plan(point, _variant, nonce) {
      const [one, other] = texts(nonce);
      return {
        first: at(point, 'a random text', one, { isControl: true }),
        second: at(point, 'another random text', other, {
          shows: 'the bytes of the text, combined with the sequence computed from the first response',
        }),
      };
    },
    judge({ first, second }, _variant, nonce) {
      const [one, other] = texts(nonce);
      return shareKeystream({ text: one, body: textOf(first) }, { text: other, body: textOf(second) })
        ? 'PROVED'
        : 'REFUTED';
    },
  },
  lab: () => {
    let nonce = 0;
    const sealed = (value: string, salt: string) =>
      Buffer.from(Buffer.from(value).map((byte, index) => byte ^ `${salt}key of the lab`.charCodeAt(index % 11)));
    const answer = (bytes: Buffer) => ({ body: `<pre>${bytes.toString('base64')}</pre>` });
    return {
      parameter: 'message',
      value: 'hello',
      vulnerable: (value) => answer(sealed(value, '')),
      // The nonce changes with each text, and an encoding is no cipher.
      safe: (value) => ({
        body: `<pre>${Buffer.from(value).toString('base64')}</pre>${answer(sealed(value, `${nonce++ * 7919}`)).body}`,
      }),
    };
  },
});
