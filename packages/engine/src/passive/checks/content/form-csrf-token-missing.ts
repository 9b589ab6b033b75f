import { formsOf } from '../../../evidence/page/forms.ts';
import type { PageElement } from '../../../evidence/page/read-page.ts';
import { isSameSite } from '../../../evidence/page/same-site.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

const TOKEN = /csrf|xsrf|token|nonce|authenticity|__viewstate|form_?key|_wpnonce|signature/i;
const HARMLESS = /search|query|newsletter|subscribe|lang|locale|currency|^q$|^s$/i;

const nameOf = ({ attributes }: PageElement) => attributes.get('name') ?? attributes.get('id') ?? '';
/** A field that is sent along without being asked for; the form itself may be named anything. */
const isToken = (field: PageElement) => field.name === 'input' && TOKEN.test(nameOf(field));
const form = (fields: string, action = '/profile') => `<form method=post action="${action}">${fields}</form>`;
const FIELDS = '<input name=mail><input name=phone>';

export default definePassiveCheck({
  id: 'form-csrf-token-missing',
  group: 'content',
  severity: 'LOW',
  confidence: 'TENTATIVE',
  cwe: 352,
  title: 'A form may be sent by other sites in the name of a visitor',
  why: 'Nothing secret goes along with the form, and no cookie keeps other sites from sending it. If it does something for a visitor who is signed in, another site can do so as well.',
  fix: 'Put a token into the form that belongs to the session, and set the session cookie with SameSite=Lax or Strict.',
  references: ['https://cheatsheetseries.owasp.org/cheatsheets/Cross-Site_Request_Forgery_Prevention_Cheat_Sheet.html'],
  needs: ['mainDocument', 'page', 'cookies'],

  *run({ mainDocument: { url, metaTags }, page, cookies }) {
    const isKept = cookies.some(({ isSession, sameSite }) => isSession && /^(lax|strict)$/i.test(sameSite ?? ''));
    // Scripts send it in a header.
    const isInHead = metaTags.some((tag) => TOKEN.test(tag.get('name') ?? ''));
    if (isKept || isInHead || cookies.some(({ isCsrf }) => isCsrf)) return;
    for (const { element, method, actions, fields } of formsOf(page, url)) {
      const isForeign = actions.some((action) => !isSameSite(action, url));
      const names = [element, ...fields].map(nameOf);
      const isHarmless =
        HARMLESS.test(nameOf(element)) || names.some((name) => HARMLESS.test(name)) || fields.length < 2;
      if (method !== 'POST' || isForeign || isHarmless || fields.some(isToken)) continue;
      yield { evidence: `<form method=post action=${actions[0]?.pathname}> with ${names.filter(Boolean).join(', ')}` };
    }
  },

  examples: [
    { name: 'no token', given: { body: form(FIELDS) }, fails: 1 },
    {
      name: 'a session cookie for everybody',
      given: { body: form(FIELDS), headers: { 'set-cookie': 'sid=1; SameSite=None; Secure' } },
      fails: 1,
    },
    {
      name: "a form whose own name sounds like a token's",
      given: { body: `<form method=post action=/profile name=no_csrf_token>${FIELDS}</form>` },
      fails: 1,
    },
    { name: 'a button', given: { body: form(`${FIELDS}<button name=reset_token>Reset</button>`) }, fails: 1 },
    { name: 'a token', given: { body: form(`${FIELDS}<input type=hidden name=csrf_token value=x>`) }, fails: 0 },
    { name: 'a token that scripts send', given: { body: `<meta name=csrf-token content=x>${form(FIELDS)}` }, fails: 0 },
    {
      name: 'a session cookie that stays at home',
      given: { body: form(FIELDS), headers: { 'set-cookie': 'sid=1; SameSite=Lax' } },
      fails: 0,
    },
    { name: 'a search', given: { body: form('<input name=search><input type=submit>') }, fails: 0 },
    { name: 'a newsletter', given: { body: form('<input name=mail><input type=hidden name=newsletter>') }, fails: 0 },
    { name: 'a form that only asks', given: { body: '<form><input name=a><input name=b></form>' }, fails: 0 },
    { name: 'a form of somebody else', given: { body: form(FIELDS, 'https://pay.example/') }, fails: 0 },
  ],
});
