import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { UNWANTED } from '@sortie/testing/reports/unwanted-words.ts';
import { STACK, type StackName } from '../../../crawl/readers/stack.ts';
import { loadActiveChecks } from '../../load-checks.ts';
import { browserFixes } from './browser.ts';
import { fixForStack, fixTables } from './fix-for-stack.ts';

const sql = { id: 'sql-injection-error', cwe: 89, fix: 'Bind the value.' };
const checks = await loadActiveChecks();

describe('the fix for the detected technologies', () => {
  it('is only the general one if nothing is known, or nothing that the flaw has a fix for', () => {
    assert.equal(fixForStack(sql, []), sql.fix);
    assert.equal(fixForStack(sql, ['nginx']), sql.fix);
    assert.equal(fixForStack({ ...sql, id: 'http-put-upload', cwe: 650 }, ['express']), sql.fix);
  });

  it('follows the general one, each component on a line', () => {
    const [general, , heading, ...lines] = fixForStack(sql, ['postgresql', 'express', 'nginx']).split('\n');
    assert.deepEqual([general, heading], [sql.fix, 'For the detected technologies:']);
    assert.deepEqual(
      lines.map((line) => line.slice(0, line.indexOf(':'))),
      ['Node.js', 'PostgreSQL'],
    );
    assert.match(lines[0] ?? '', /pool\.query\('SELECT .* \$1', \[id\]\)/);
  });

  it('is that of the framework instead of its platform', () => {
    const named = (detected: Parameters<typeof fixForStack>[1]) =>
      fixForStack(sql, detected).match(/^[A-Z][\w. ]*(?=: )/gm);
    assert.deepEqual(named(['django', 'python']), ['Django']);
    assert.deepEqual(named(['laravel', 'php', 'mysql']), ['Laravel', 'MySQL or MariaDB']);
    assert.equal(fixForStack(sql, ['aspnet']), fixForStack(sql, ['dotnet']), 'a framework implies its platform');
  });

  it('differs by check where a CWE stands for several flaws', () => {
    const xss = { cwe: 79, fix: 'Encode it.' };
    assert.match(fixForStack({ ...xss, id: 'reflected-xss' }, ['express']), /EJS/);
    assert.equal(fixForStack({ ...xss, id: 'dom-xss' }, ['express']), xss.fix);
    assert.match(fixForStack({ ...xss, id: 'dom-xss' }, ['express', 'react']), /dangerouslySetInnerHTML/);
  });

  it('checks who owns an object before it is changed', () => {
    const fixOf = (id: string, name: StackName) => fixForStack({ id, cwe: 639, fix: 'Check the owner.' }, [name]);
    assert.match(fixOf('idor-read', 'spring'), /@PostAuthorize/);
    assert.match(fixOf('idor-write', 'spring'), /findByIdAndOwner.*@PreAuthorize/);
    assert.doesNotMatch(fixOf('idor-write', 'spring'), /@PostAuthorize/);
    assert.match(fixOf('idor-write', 'laravel'), /authorize\('update'/);
    assert.match(fixOf('idor-write', 'django'), /user=request\.user/);
  });

  it('names the change for classes whose general one has many forms', () => {
    const cases: readonly (readonly [string, StackName, RegExp])[] = [
      ['session-fixation', 'flask', /session\.clear\(\)/],
      ['insecure-deserialization', 'java', /setObjectInputFilter/],
      ['crlf-injection', 'nginx', /\$request_uri instead of \$uri/],
      ['remote-file-inclusion', 'php', /allow_url_include = Off/],
      ['ssi-injection', 'apache', /IncludesNOEXEC/],
      ['user-enumeration-login', 'spring', /hideUserNotFoundExceptions/],
      ['user-enumeration-reset', 'laravel', /Password::INVALID_USER/],
      ['missing-login-rate-limit', 'aspnet', /lockoutOnFailure: true/],
      ['directory-listing', 'java', /listings/],
      ['backup-source-disclosure', 'nginx', /bak\|old/],
      ['exposed-internal-files', 'spring', /exposure\.include=health/],
      ['server-prototype-pollution', 'express', /reviver/],
      ['client-prototype-pollution', 'vue', /route\.query/],
      ['password-change-without-current', 'aspnet', /ChangePasswordAsync/],
      ['registration-overwrites-account', 'postgresql', /CREATE UNIQUE INDEX/],
      ['weak-password-policy', 'django', /CommonPasswordValidator/],
      ['graphql-alias-overloading', 'go', /FixedComplexityLimit/],
      ['graphql-batching', 'node', /allowBatchedHttpRequests/],
      ['csv-injection', 'dotnet', /InjectionOptions\.Escape/],
    ];
    for (const [id, component, change] of cases) {
      const check = checks.find((each) => each.id === id) ?? assert.fail(`no check ${id}`);
      assert.match(fixForStack(check, [component]), change, id);
    }
  });

  it('does not advise [Bind], which has no effect on JSON bodies', () => {
    assert.doesNotMatch(fixForStack({ id: 'mass-assignment', cwe: 915, fix: '' }, ['aspnet']), /\[Bind/);
  });

  it('takes the key of a token from the configuration where tokens can bring their own', () => {
    for (const name of ['node', 'python', 'java', 'php', 'rails', 'dotnet', 'go'] as const) {
      const fix = fixForStack({ id: 'jwt-header-injection', cwe: 347, fix: '' }, [name]);
      assert.match(fix, /keys|kid that is not in/i, name);
      assert.notEqual(fix, fixForStack({ id: 'jwt-alg-none', cwe: 347, fix: '' }, [name]));
    }
  });

  it('begins with a CSP that only reports, as the general one does', () => {
    const csp = checks.find(({ id }) => id === 'csp-missing');
    assert.ok(csp?.fix.startsWith('Start with Content-Security-Policy-Report-Only'));
    for (const [name, text] of Object.entries(browserFixes['csp-missing'] ?? {})) {
      assert.match(text, /first .*report.?only/i, name);
      assert.doesNotMatch(text, /default-src|default_src/, name);
    }
  });

  it('is left out where responses show more components than one application has', () => {
    assert.equal(fixForStack(sql, ['django', 'flask', 'fastapi', 'postgresql', 'mysql']), sql.fix);
  });

  it('is left out where responses show two platforms of servers', () => {
    assert.equal(fixForStack(sql, ['express', 'laravel', 'mysql']), sql.fix);
    assert.equal(fixForStack(sql, ['rails', 'java']), sql.fix);
    assert.match(fixForStack(sql, ['flask', 'fastapi', 'nginx']), /Flask: .*\nFastAPI: /);
  });

  it('belongs to a check, and is written for people', () => {
    const keys = new Set(checks.flatMap(({ id, cwe }) => [id, String(cwe)]));
    // Cookies without the Secure attribute have a CWE of their own.
    keys.add('614');
    const all = fixTables.flatMap((table) => Object.entries(table));
    assert.equal(new Set(all.map(([key]) => key)).size, all.length, 'no key is in two tables');
    for (const [key, fixes] of all) {
      assert.ok(keys.has(key), `no check has the id or CWE ${key}`);
      for (const [name, text] of Object.entries(fixes)) {
        assert.ok(Object.hasOwn(STACK, name) && text.length <= 300, `${key} ${name}: ${text.length}`);
        for (const words of UNWANTED) assert.doesNotMatch(text, words);
      }
    }
  });
});
