import { definePassiveCheck } from '../../check.ts';
import { isMissing } from '../../evidence/missing.ts';
import { readJson } from '../../exposure-check.ts';

const USERS = '/wp-json/wp/v2/users';

export default definePassiveCheck({
  id: 'wp-user-enumeration',
  group: 'exposure',
  severity: 'LOW',
  cwe: 200,
  title: 'WordPress names the users of the site to everybody',
  why: 'Whoever knows the names for signing in has only the passwords left to guess.',
  fix: 'Let only signed-in users ask for /wp-json/wp/v2/users, by a security plugin or the filter rest_endpoints.',
  references: ['https://developer.wordpress.org/rest-api/reference/users/'],
  needs: ['files', 'mainDocument'],
  probes: [{ path: USERS }],

  *run({ files, mainDocument }) {
    const answer = files[`GET ${USERS}`];
    if (!answer || isMissing(answer) || answer.status !== 200) return;
    if (!/\/wp-(content|includes|json)\//.test(mainDocument.body)) return;
    const users = readJson(answer.body);
    if (!Array.isArray(users)) return;
    const named = users.filter((user) => typeof user?.slug === 'string').length;
    if (named > 0) yield { url: answer.url, evidence: `GET ${USERS} lists ${named} users with their slug` };
  },

  examples: [
    {
      name: 'a user',
      given: { body: '<link href="/wp-content/a.css">', files: { [USERS]: { body: '[{"id": 1, "slug": "admin"}]' } } },
      fails: 1,
    },
    { name: 'nothing there', given: { body: '<link href="/wp-content/a.css">' }, fails: 0 },
    { name: 'a site that is no WordPress', given: { files: { [USERS]: { body: '[{"slug": "admin"}]' } } }, fails: 0 },
    {
      name: 'a refusal',
      given: { body: '<link href="/wp-content/a.css">', files: { [USERS]: { body: '{"code": "rest_forbidden"}' } } },
      fails: 0,
    },
  ],
});
