import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { UNWANTED } from '@sortie/testing/reports/unwanted-words.ts';
import { toEvidence } from '../evidence/evidence.ts';
import { type PassiveCheck, toArtifacts } from './define-passive-check.ts';
import { loadPassiveChecks } from './load-checks.ts';
import { runCheck } from './run-checks.ts';

const MAX_TITLE_LENGTH = 80;
const MIN_SENTENCES = 2;
const MAX_SENTENCES = 6;

/** The name that people search for, by the part of the check id that stands for it. Every match applies. */
const classNames: readonly (readonly [id: RegExp, title: RegExp])[] = [
  [/^cert-/, /certificate/i],
  [/ocsp/, /OCSP/],
  [/^cookie-(?!jwt)/, /cookie/i],
  [/samesite/, /SameSite/],
  [/httponly/, /HttpOnly/],
  [/^cookie(-session)?-insecure$/, /Secure/],
  [/jwt/, /JWT/],
  [/^cors-/, /CORS/],
  [/^csp-/, /CSP/],
  [/nonce/, /nonce/],
  [/frame-ancestors/, /frame-ancestors/],
  [/unsafe-inline/, /'unsafe-inline'/],
  [/unsafe-eval/, /'unsafe-eval'/],
  [/^trusted-types-/, /Trusted Types/],
  [/clickjacking/, /^Clickjacking/],
  [/^hsts-/, /HSTS/],
  [/^sri-/, /SRI/],
  [/csrf/, /CSRF/],
  [/^mixed-content-/, /^Mixed content/],
  [/^js-library-/, /JavaScript library/],
  [/viewstate/, /ViewState/],
  [/source-map/, /Source map/],
  [/stack-trace/, /Stack trace/],
  [/^form-(action-http|on-http-page)$/, /HTTP/],
  [/etag/, /ETag/],
  [/x-powered-by/, /X-Powered-By/],
  [/^nosniff-/, /X-Content-Type-Options/],
  [/^referrer-policy-/, /Referrer-Policy/],
  [/^permissions-policy-/, /Permissions-Policy/],
  [/^xfo-/, /X-Frame-Options/],
  [/^xss-protection-/, /X-XSS-Protection/],
  [/^coop-missing$/, /Cross-Origin-Opener-Policy|COOP/],
  [/^corp-missing$/, /Cross-Origin-Resource-Policy|CORP/],
  [/^spf-/, /SPF/],
  [/^dkim-/, /DKIM/],
  [/^dmarc-/, /DMARC/],
  [/^mta-sts-/, /MTA-STS/],
  [/^tls-rpt-/, /TLS-RPT|TLS reporting/],
  [/caa/, /CAA/],
  [/dnssec/, /DNSSEC/],
  [/^tlsa-/, /TLSA|DANE/],
  [/dangling-cname/, /subdomain takeover/i],
  [/^tls-(?!rpt|http3|sslv|alpn)/, /TLS/],
  [/sslv2/, /SSLv2|SSL 2/],
  [/sslv3/, /SSLv3|SSL 3/],
  [/forward-secrecy/, /forward secrecy/],
  [/^graphql-/, /GraphQL/],
  [/^jwks-/, /JWK/],
  [/user-enumeration/, /user enumeration/i],
  [/directory-listing/, /Directory listing/],
  [/exposed-git$/, /Git/],
  [/exposed-svn/, /SVN|Subversion/],
  [/phpinfo/, /phpinfo/],
  [/htpasswd/, /htpasswd/],
  [/actuator/, /Actuator/],
  [/^basic-auth-/, /Basic authentication/i],
  [/method-trace/, /TRACE/],
];

/** Titles that begin with a name that is written in lower case. */
const LOWER_CASE_NAME = /^(robots\.txt|phpinfo\(\))/;
/** Proper names and header values of one capital. Abbreviations and hyphenated headers need no entry. */
const properNames = new Set(
  `Actuator Adminer Bazaar Boot Certificate Digest Domain Fonts Google Integrity Logjam Origin Playground Sandbox
  Secure Subresource Swagger Transparency Types Vary`.split(/\s+/),
);

const sentencesIn = (text: string) => text.match(/[.!?](?=\s|$)/g)?.length ?? 0;

/** "HSTS header missing", not "HSTS Header Missing": a capital marks the first word or a name. */
const titleCaseWords = (title: string) =>
  title
    .split(/[\s/(),:'"]+/)
    .slice(1)
    .filter((word) => /^[A-Z][a-z]+$/.test(word) && !properNames.has(word));

const evidenceOf = (check: PassiveCheck) =>
  check.examples
    .flatMap(({ given }) => runCheck(check, toEvidence(toArtifacts(given, check.probes))))
    .map(({ evidence }) => evidence ?? '');

const checks = await loadPassiveChecks();

describe('the texts of the passive checks', () => {
  it('have titles that differ', () => {
    const titles = checks.map(({ title }) => title.toLowerCase());
    assert.deepEqual(
      titles.filter((title, index) => titles.indexOf(title) !== index),
      [],
    );
  });

  it('have a class name for each row of the table', () => {
    const ids = checks.map(({ id }) => id);
    const unused = classNames.filter(([pattern]) => !ids.some((id) => pattern.test(id)));
    assert.deepEqual(unused, []);
  });

  for (const check of checks) {
    const { id, title, why, fix, references, examples } = check;
    it(`are in the words of the field: ${id}`, () => {
      assert.ok(title.length <= MAX_TITLE_LENGTH, `${title.length} characters: ${title}`);
      assert.match(title, /[^.!?\s]$/, 'the title ends without punctuation');
      assert.doesNotMatch(title, /^(A|An|The) /, 'the title begins without an article');
      if (!LOWER_CASE_NAME.test(title))
        assert.match(
          title,
          /^[A-Z]/,
          `begin with a capital, or add the name to LOWER_CASE_NAME in this file: ${title}`,
        );
      assert.deepEqual(
        titleCaseWords(title),
        [],
        `sentence case, or add the name to properNames in this file: ${title}`,
      );
      for (const [pattern, name] of classNames)
        if (pattern.test(id)) assert.match(title, name, `the title names its class ${name}: ${title}`);
      for (const text of [why, fix]) {
        const count = sentencesIn(text);
        assert.ok(count >= MIN_SENTENCES && count <= MAX_SENTENCES, `${count} sentences, not 2 to 6: ${text}`);
        assert.match(text, /^[A-Z].*\.$/s, `the text begins with a capital and ends with a full stop: ${text}`);
      }
      for (const text of [title, why, fix, ...evidenceOf(check), ...examples.map(({ name }) => name)])
        for (const words of UNWANTED) assert.doesNotMatch(text, words);
      assert.ok(references.length > 0 && references.every((reference) => reference.startsWith('https://')));
      assert.equal(new Set(references).size, references.length);
    });
  }
});
