import { defineExposureCheck } from '../../define-exposure-check.ts';

const SECRET =
  /^[ \t]*(- ?)?["']?\w{0,40}(password|secret|token|api_?key)\w{0,40}["']?[ \t]*[:=][ \t]*["']?(?![$"'<\s{])\S/im;

/** CRITICAL if a secret has a literal value instead of a variable reference. */
const severity = (body: string) => (SECRET.test(body) ? 'CRITICAL' : undefined);

export default defineExposureCheck({
  id: 'exposed-container-ci-config',
  severity: 'MEDIUM',
  cwe: 538,
  title: 'Container or CI configuration exposed',
  why: 'A Dockerfile, Compose file or CI pipeline definition can be downloaded. It tells an attacker which services, versions and ports are behind the site, and sometimes contains their passwords. The evidence shows the path and the marker in the file.',
  fix: "Do not deploy these files, or block them in the web server. Keep secrets in the platform's secret store and rotate any that the file contains.",
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Docker_Security_Cheat_Sheet.html',
    'https://cheatsheetseries.owasp.org/cheatsheets/CI_CD_Security_Cheat_Sheet.html',
    'https://cwe.mitre.org/data/definitions/538.html',
  ],
  files: [
    { path: '/docker-compose.yml', signature: /^services:\s*$/m, severity },
    { path: '/Dockerfile', signature: /^FROM\s+[\w./:@-]{1,100}/m, severity },
    { path: '/.gitlab-ci.yml', signature: /^(stages|image|before_script|script):/m, severity },
  ],
  examples: [
    {
      name: 'Compose',
      given: { files: { '/docker-compose.yml': { body: 'services:\n  web:\n    image: web\n' } } },
      fails: 1,
    },
    { name: 'Docker', given: { files: { '/Dockerfile': { body: 'FROM node:24\nCOPY . .\n' } } }, fails: 1 },
    { name: 'GitLab', given: { files: { '/.gitlab-ci.yml': { body: 'stages:\n  - test\n' } } }, fails: 1 },
    {
      name: 'literal password',
      given: {
        files: {
          '/docker-compose.yml': { body: 'services:\n  db:\n    environment:\n      POSTGRES_PASSWORD: hunter2\n' },
        },
      },
      fails: 1,
      severity: 'CRITICAL',
    },
    {
      name: 'password from a variable',
      given: {
        files: {
          '/docker-compose.yml': {
            body: 'services:\n  db:\n    environment:\n      - POSTGRES_PASSWORD=$PASSWORD\n',
          },
        },
      },
      fails: 1,
    },
    { name: '404', given: {}, fails: 0 },
    { name: 'unrelated text', given: { files: { '/Dockerfile': { body: 'Letters from home' } } }, fails: 0 },
  ],
});
