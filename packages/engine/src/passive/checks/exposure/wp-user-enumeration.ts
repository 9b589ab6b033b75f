import { isMissing } from '../../../evidence/missing.ts';
import { readJson } from '../../define-exposure-check.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

const USERS = '/wp-json/wp/v2/users';

export default definePassiveCheck({
  id: 'wp-user-enumeration',
  group: 'exposure',
  severity: 'LOW',
  cwe: 200,
  title: 'User enumeration through the WordPress REST API',
  why: 'The WordPress REST API lists the users of the site without authentication. An attacker takes the login names from it and only has to guess the passwords. The evidence shows how many users the endpoint returned.',
  fix: 'Require authentication for /wp-json/wp/v2/users with a security plugin or the rest_endpoints filter. Limit login attempts and require a second factor for administrators.',
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/v42/4-Web_Application_Security_Testing/03-Identity_Management_Testing/04-Testing_for_Account_Enumeration_and_Guessable_User_Account',
    'https://developer.wordpress.org/rest-api/reference/users/',
    'https://cwe.mitre.org/data/definitions/200.html',
  ],
  needs: ['files', 'mainDocument'],
  probes: [{ path: USERS }],

  *run({ files, mainDocument }) {
    const answer = files[`GET ${USERS}`];
    if (!answer || isMissing(answer) || answer.status !== 200) return;
    if (!/\/wp-(content|includes|json)\//.test(mainDocument.body)) return;
    const users = readJson(answer.body);
    if (!Array.isArray(users)) return;
    const named = users.filter((user) => typeof user?.slug === 'string').length;
    if (named > 0) yield { url: answer.url, evidence: `GET ${USERS} lists ${named} users with their slugs` };
  },

  examples: [
    {
      name: 'one user',
      given: { body: '<link href="/wp-content/a.css">', files: { [USERS]: { body: '[{"id": 1, "slug": "admin"}]' } } },
      fails: 1,
    },
    { name: '404', given: { body: '<link href="/wp-content/a.css">' }, fails: 0 },
    { name: 'not a WordPress site', given: { files: { [USERS]: { body: '[{"slug": "admin"}]' } } }, fails: 0 },
    {
      name: 'endpoint restricted',
      given: { body: '<link href="/wp-content/a.css">', files: { [USERS]: { body: '{"code": "rest_forbidden"}' } } },
      fails: 0,
    },
  ],
});
