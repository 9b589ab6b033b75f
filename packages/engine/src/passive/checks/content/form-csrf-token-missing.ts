import { formsOf } from '../../../evidence/page/forms.ts';
import { isSameSite } from '../../../evidence/page/same-site.ts';
import type { PageElement } from '../../../html/scan-page.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

const TOKEN = /csrf|xsrf|token|nonce|authenticity|__viewstate|form_?key|_wpnonce|signature/i;
const HARMLESS = /search|query|newsletter|subscribe|lang|locale|currency|^q$|^s$/i;

const nameOf = ({ attributes }: PageElement) => attributes.get('name') ?? attributes.get('id') ?? '';
/** Input fields only: forms and buttons may have similar names. */
const isToken = (field: PageElement) => field.name === 'input' && TOKEN.test(nameOf(field));
const form = (fields: string, action = '/profile') => `<form method=post action="${action}">${fields}</form>`;
const FIELDS = '<input name=mail><input name=phone>';

export default definePassiveCheck({
  id: 'form-csrf-token-missing',
  group: 'content',
  severity: 'LOW',
  confidence: 'TENTATIVE',
  cwe: 352,
  title: 'CSRF: form without token or SameSite session cookie',
  why: 'A POST form has no anti-CSRF token, and no session cookie with SameSite=Lax or Strict protects it. If the form changes data of a signed-in user, an attacker can submit it from another site in the session of that user (CSRF). The check does not submit the form, so confirm that it requires a session.',
  fix: 'Add a CSRF token that is bound to the session, and verify it on the server; most frameworks provide one. Set SameSite=Lax or Strict on the session cookie.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Cross-Site_Request_Forgery_Prevention_Cheat_Sheet.html',
    'https://owasp.org/www-project-web-security-testing-guide/latest/4-Web_Application_Security_Testing/06-Session_Management_Testing/05-Testing_for_Cross_Site_Request_Forgery',
    'https://cwe.mitre.org/data/definitions/352.html',
  ],
  needs: ['mainDocument', 'page', 'cookies'],

  *run({ mainDocument: { url, metaTags }, page, cookies }) {
    const hasSameSite = cookies.some(({ isSession, sameSite }) => isSession && /^(lax|strict)$/i.test(sameSite ?? ''));
    // Single-page applications read the token from a meta tag and send it in a header.
    const hasMetaToken = metaTags.some((tag) => TOKEN.test(tag.get('name') ?? ''));
    if (hasSameSite || hasMetaToken || cookies.some(({ isCsrf }) => isCsrf)) return;
    for (const { element, method, actions, fields } of formsOf(page, url)) {
      const isForeign = actions.some((action) => !isSameSite(action, url));
      const names = [element, ...fields].map(nameOf);
      const isHarmless =
        HARMLESS.test(nameOf(element)) || names.some((name) => HARMLESS.test(name)) || fields.length < 2;
      if (method !== 'POST' || isForeign || isHarmless || fields.some(isToken)) continue;
      yield {
        evidence: `<form method=post action=${actions[0]?.pathname}> with fields ${names.filter(Boolean).join(', ')}`,
      };
    }
  },

  examples: [
    { name: 'form without token', given: { body: form(FIELDS) }, fails: 1 },
    {
      name: 'session cookie with SameSite=None',
      given: { body: form(FIELDS), headers: { 'set-cookie': 'sid=1; SameSite=None; Secure' } },
      fails: 1,
    },
    {
      name: 'form with a name like a token',
      given: { body: `<form method=post action=/profile name=no_csrf_token>${FIELDS}</form>` },
      fails: 1,
    },
    {
      name: 'button with a name like a token',
      given: { body: form(`${FIELDS}<button name=reset_token>Reset</button>`) },
      fails: 1,
    },
    { name: 'token field', given: { body: form(`${FIELDS}<input type=hidden name=csrf_token value=x>`) }, fails: 0 },
    { name: 'token in a meta tag', given: { body: `<meta name=csrf-token content=x>${form(FIELDS)}` }, fails: 0 },
    {
      name: 'session cookie with SameSite=Lax',
      given: { body: form(FIELDS), headers: { 'set-cookie': 'sid=1; SameSite=Lax' } },
      fails: 0,
    },
    { name: 'search form', given: { body: form('<input name=search><input type=submit>') }, fails: 0 },
    {
      name: 'newsletter form',
      given: { body: form('<input name=mail><input type=hidden name=newsletter>') },
      fails: 0,
    },
    { name: 'GET form', given: { body: '<form><input name=a><input name=b></form>' }, fails: 0 },
    { name: 'form to another site', given: { body: form(FIELDS, 'https://pay.example/') }, fails: 0 },
  ],
});
