import { defineExposureCheck } from '../../exposure-check.ts';

const SECRET =
  /^[ \t]*(- ?)?["']?\w{0,40}(password|secret|token|api_?key)\w{0,40}["']?[ \t]*[:=][ \t]*["']?(?![$"'<\s{])\S/im;

/** A value that is written out, not a variable that is filled in later. */
const severity = (body: string) => (SECRET.test(body) ? 'CRITICAL' : undefined);

export default defineExposureCheck({
  id: 'exposed-container-ci-config',
  severity: 'MEDIUM',
  cwe: 538,
  title: 'The recipe by which the site is built can be downloaded',
  why: 'It names the services, versions and ports behind the site, and sometimes the passwords between them.',
  fix: 'Deploy without these files or refuse them in the web server; keep secrets in the variables of the platform.',
  references: ['https://cwe.mitre.org/data/definitions/538.html'],
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
      name: 'a password in it',
      given: {
        files: {
          '/docker-compose.yml': { body: 'services:\n  db:\n    environment:\n      POSTGRES_PASSWORD: hunter2\n' },
        },
      },
      fails: 1,
      severity: 'CRITICAL',
    },
    {
      name: 'a password that is filled in later',
      given: {
        files: {
          '/docker-compose.yml': {
            body: 'services:\n  db:\n    environment:\n      - POSTGRES_PASSWORD=$PASSWORD\n',
          },
        },
      },
      fails: 1,
    },
    { name: 'nothing there', given: {}, fails: 0 },
    { name: 'another text', given: { files: { '/Dockerfile': { body: 'Letters from home' } } }, fails: 0 },
  ],
});
