import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { titleWithoutPlace, titleWithPlace } from '@sortie/contract';
import { UNWANTED } from '@sortie/testing/reports/unwanted-words.ts';
import cvss from 'ae-cvss-calculator';
import type { ActiveCheck } from './define-active-check.ts';
import { loadActiveChecks } from './load-checks.ts';
import { type ProposedCheck, proposedChecks } from './proposed/proposed-checks.ts';
import { asvsLink } from './texts/asvs.ts';

const MAX_TITLE_LENGTH = 80;
const MIN_SENTENCES = 2;
const MAX_SENTENCES = 6;

/** The name that people search for, by CWE. */
const classNames: Readonly<Record<number, RegExp>> = {
  22: /path traversal/i,
  74: /time-based blind injection/i,
  78: /OS command injection/,
  79: /\(XSS\)|\(CSTI\)/,
  80: /HTML injection/,
  89: /SQL injection/,
  90: /LDAP injection/,
  95: /code injection/i,
  97: /server-side include injection/i,
  98: /\(RFI\)/,
  113: /header injection \(CRLF injection\)/,
  200: /data exposure|GraphQL introspection|API documentation exposed/i,
  204: /user enumeration/i,
  209: /stack trace/i,
  285: /\(BFLA\)|user data exposure/i,
  288: /access control bypass/i,
  290: /access control bypass/i,
  306: /missing authentication/i,
  307: /rate limit/i,
  326: /JWT/,
  327: /weak encryption/i,
  330: /predictable session/i,
  340: /predictable token/i,
  346: /\(XSS\).*postMessage/,
  347: /JWT/,
  349: /web cache poisoning/i,
  352: /CSRF/,
  384: /session fixation/i,
  434: /file upload/,
  524: /web cache deception/i,
  530: /backup file/i,
  538: /sensitive file/i,
  548: /directory listing/i,
  598: /password in the URL/i,
  565: /access control bypass/i,
  601: /open redirect/i,
  611: /\(XXE\)/,
  472: /parameter tampering|price manipulation/i,
  502: /insecure deserialization/i,
  521: /weak password policy/i,
  613: /JWT|insufficient session expiration/i,
  620: /account takeover/i,
  626: /null byte/i,
  639: /IDOR/,
  643: /XPath injection/,
  644: /host header injection/i,
  650: /HTTP PUT/,
  668: /tenant isolation/i,
  693: /missing$/,
  770: /GraphQL/,
  798: /hard-coded credentials/i,
  804: /CAPTCHA/,
  840: /business logic/i,
  841: /business logic|workflow bypass/i,
  863: /authorization bypass/i,
  915: /mass assignment/i,
  916: /password hash/i,
  917: /Log4Shell/,
  918: /SSRF/,
  942: /CORS/,
  943: /NoSQL injection|boolean-based blind injection/i,
  1004: /session cookie/i,
  1021: /clickjacking/i,
  1236: /CSV injection/,
  1321: /prototype pollution/,
  1336: /\(SSTI\)/,
  1392: /default credentials/i,
};

/** Chapters that the stable edition lacks, or has under another name. */
const NAMES_OF_LATEST = /\/10-Testing_JSON_Web_Tokens|\/11\.1-Testing_for_File_Inclusion|\/05-Review_Web_Page_Content/;

const sentencesIn = (text: string) => text.match(/[.!?](?=\s|$)/g)?.length ?? 0;

const MAX_IMPACT_LENGTH = 200;

/** Severity bands of CVSS, which 3.1 and 4.0 share. */
const bandOf = (score: number) => [0, 0.1, 4, 7, 9].findLastIndex((least) => score >= least);

type Texts = Pick<ActiveCheck, 'title' | 'why' | 'fix' | 'references' | 'cwe' | 'cvss' | 'cvss4' | 'impact' | 'asvs'>;

/** The texts of a check, and those of its variants that have others. Files are described by the passive checks. */
function textsOf(check: ActiveCheck | ProposedCheck): Texts[] {
  const variants = /^exposed-/.test(check.id) ? [] : (check.variants as never[]);
  return [check, ...variants.map((variant) => ({ ...check, ...check.describe?.(variant) }))];
}

/** A planner chooses where a proposed check runs; its texts are written like those of the others. */
const checks = [...(await loadActiveChecks()), ...proposedChecks];

describe('the texts of the active checks', () => {
  it('have titles that differ', () => {
    const titles = checks.map(({ title }) => title.toLowerCase());
    assert.deepEqual(
      titles.filter((title, index) => titles.indexOf(title) !== index),
      [],
    );
  });

  it('refer to chapters of the WSTG by the names of their edition', () => {
    const names = checks.flatMap((check) => textsOf(check).flatMap(({ references }) => references));
    const stable = names.filter((url) => url.includes('web-security-testing-guide/stable/'));
    assert.ok(stable.length > 0);
    for (const url of stable) assert.doesNotMatch(url, NAMES_OF_LATEST);
  });

  it('have a class name for each CWE, and no other', () => {
    const cwes = new Set(checks.map(({ cwe }) => cwe));
    assert.deepEqual(
      Object.keys(classNames).map(Number),
      [...cwes].sort((one, other) => one - other),
    );
  });

  for (const check of checks) {
    it(`are in the words of the field: ${check.id}`, () => {
      for (const { title, why, fix, references, cwe } of textsOf(check)) {
        assert.ok(title.length <= MAX_TITLE_LENGTH, `${title.length} characters: ${title}`);
        assert.match(title, /^[A-Z].*[^.!?\s]$/s, 'the title begins with a capital and ends without punctuation');
        assert.doesNotMatch(title, /^(A|An|The) /, 'the title begins without an article');
        const className = classNames[cwe];
        assert.ok(className, `add CWE-${cwe} with the name of its class to classNames in this file`);
        const known = `${className}, or classNames in this file has another one for CWE-${cwe}`;
        assert.match(title, className, `the title contains the name of its class, ${known}: ${title}`);
        for (const text of [why, fix]) {
          const count = sentencesIn(text);
          assert.ok(count >= MIN_SENTENCES && count <= MAX_SENTENCES, `${count} sentences, not 2 to 6: ${text}`);
          assert.match(text, /^[A-Z].*\.$/s, `the text begins with a capital and ends with a full stop: ${text}`);
        }
        for (const text of [title, why, fix]) for (const words of UNWANTED) assert.doesNotMatch(text, words);
        assert.ok(references.length > 0 && references.every((reference) => reference.startsWith('https://')));
        assert.ok(references.some((reference) => reference.startsWith('https://cwe.mitre.org/')));
        assert.equal(new Set(references).size, references.length);
      }
    });

    it(`say in one sentence what an attacker gains, and name the requirement of the ASVS: ${check.id}`, () => {
      for (const { impact, cwe, asvs } of textsOf(check)) {
        assert.match(impact, /^An attacker\b.*\.$/, impact);
        assert.equal(sentencesIn(impact), 1, impact);
        assert.ok(impact.length <= MAX_IMPACT_LENGTH, `${impact.length} characters: ${impact}`);
        for (const words of UNWANTED) assert.doesNotMatch(impact, words);
        const advice = `add the requirement for CWE-${cwe} to texts/asvs.ts, or \`asvs\` to the check`;
        assert.match(asvsLink({ cwe, asvs }) ?? '', /0x\d\d-V(\d+)-[\w-]+\.md#:~:text=\1\.\d+\.\d+$/, advice);
      }
    });

    it(`are rated alike by CVSS 3.1 and 4.0, with a login and without: ${check.id}`, () => {
      for (const texts of textsOf(check)) {
        for (const privileges of ['/PR:N', '/PR:L']) {
          const [old, recent] = [texts.cvss, texts.cvss4].map((vector) => vector.replace(/\/PR:\w/, privileges));
          const scores = [
            new cvss.Cvss3P1(old ?? '').calculateScores().overall,
            new cvss.Cvss4P0(recent ?? '').calculateScores().overall,
          ];
          const [first = 0, second = 0] = scores.map(bandOf);
          assert.ok(second > 0 && Math.abs(first - second) <= 1, `${scores.join(' and ')}: ${old} and ${recent}`);
        }
        assert.equal(/\/UI:N/.test(texts.cvss), /\/UI:N/.test(texts.cvss4), 'both need a user, or none');
      }
    });

    it(`are told from the place that follows the title: ${check.id}`, () => {
      const url = 'https://shop.test/search';
      const parameter = { kind: 'parameter', name: 'q' } as const;
      for (const place of [{}, { parameter }, { fields: ['role', 'plan'] }]) {
        assert.equal(titleWithoutPlace(titleWithPlace(check.title, { url, ...place })), check.title);
      }
    });
  }
});
