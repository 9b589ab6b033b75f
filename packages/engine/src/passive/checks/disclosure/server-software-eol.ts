import { definePassiveCheck } from '../../define-passive-check.ts';

/** The oldest version with vendor support at the end of 2025, and the pattern of the product in headers. */
const products: readonly { name: string; pattern: RegExp; supportedFrom: readonly [number, number] }[] = [
  { name: 'Apache httpd', pattern: /\bApache\/(\d{1,4})\.(\d{1,4})/i, supportedFrom: [2, 4] },
  { name: 'nginx', pattern: /\bnginx\/(\d{1,4})\.(\d{1,4})/i, supportedFrom: [1, 28] },
  { name: 'IIS', pattern: /\bMicrosoft-IIS\/(\d{1,4})\.(\d{1,4})/i, supportedFrom: [10, 0] },
  { name: 'PHP', pattern: /\bPHP\/(\d{1,4})\.(\d{1,4})/i, supportedFrom: [8, 2] },
  { name: 'OpenSSL', pattern: /\bOpenSSL\/(\d{1,4})\.(\d{1,4})/i, supportedFrom: [3, 0] },
  { name: 'Python', pattern: /\bPython\/(\d{1,4})\.(\d{1,4})/i, supportedFrom: [3, 10] },
  { name: 'Jetty', pattern: /\bJetty\((\d{1,4})\.(\d{1,4})/i, supportedFrom: [12, 0] },
  { name: 'Tomcat with Coyote', pattern: /\bApache-Coyote\/(\d{1,4})\.(\d{1,4})/i, supportedFrom: [2, 0] },
];

function unsupportedIn(value: string): string[] {
  return products.flatMap(({ name, pattern, supportedFrom: [fromMajor, fromMinor] }) => {
    const [, major, minor] = pattern.exec(value) ?? [];
    if (major === undefined) return [];
    const isOld = Number(major) < fromMajor || (Number(major) === fromMajor && Number(minor) < fromMinor);
    return isOld ? [`${name} ${major}.${minor}`] : [];
  });
}

export default definePassiveCheck({
  id: 'server-software-eol',
  group: 'disclosure',
  severity: 'MEDIUM',
  // Distributions backport fixes without changing the version number.
  confidence: 'TENTATIVE',
  cwe: 1104,
  title: 'Server software is end-of-life',
  why: 'The Server or X-Powered-By header names a version that its vendor no longer supports. Vulnerabilities found in it stay unpatched, and exploits for old ones are public. Linux distributions backport fixes without changing the version number, so confirm the package version.',
  fix: 'Update to a supported version, or confirm that the distribution still maintains the package. Remove the version from the headers.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Vulnerable_Dependency_Management_Cheat_Sheet.html',
    'https://endoflife.date/',
    'https://www.php.net/supported-versions.php',
    'https://cwe.mitre.org/data/definitions/1104.html',
  ],
  needs: ['mainDocument'],

  *run({ mainDocument }) {
    const values = [...mainDocument.headers('server'), ...mainDocument.headers('x-powered-by')];
    const old = values.flatMap(unsupportedIn);
    if (old.length > 0) {
      yield { evidence: `${old.join(', ')}\n${mainDocument.headerLines('server', 'x-powered-by')}` };
    }
  },

  examples: [
    { name: 'Apache', given: { headers: { server: 'Apache/2.2.34 (Unix)' } }, fails: 1 },
    { name: 'OpenSSL in the Apache header', given: { headers: { server: 'Apache/2.4.62 OpenSSL/1.1.1w' } }, fails: 1 },
    { name: 'PHP', given: { headers: { 'x-powered-by': 'PHP/7.4.33' } }, fails: 1 },
    { name: 'nginx', given: { headers: { server: 'nginx/1.9.15' } }, fails: 1 },
    { name: 'IIS', given: { headers: { server: 'Microsoft-IIS/8.5' } }, fails: 1 },
    { name: 'Jetty', given: { headers: { server: 'Jetty(9.4.58.v20250814)' } }, fails: 1 },
    {
      name: 'supported versions',
      given: { headers: { server: 'Apache/2.4.66', 'x-powered-by': 'PHP/8.4.1' } },
      fails: 0,
    },
    { name: 'no version', given: { headers: { server: 'nginx' } }, fails: 0 },
    { name: 'no headers', given: {}, fails: 0 },
  ],
});
