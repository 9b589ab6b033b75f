import type { InventoryItem, Parameter } from '../../../crawl/inventory/inventory.ts';
import { requestOf } from '../../../crawl/requests/write-request.ts';
import { isSame } from '../../../oracle/compare.ts';
import { compareAll, isGiven } from '../../../oracle/private-content.ts';
import { defineRequestCheck } from '../../define-active-check.ts';
import { type PointRequest, requestWith } from '../../insertion-point.ts';
import type { LabRequest } from '../../lab.ts';
import { freshly, readsOnly } from '../../shared/accounts.ts';
import { plainAnswer } from '../../shared/plain-answer.ts';

/** The cookie that a refusal misses, and the parameter that says whose object is requested. */
interface Variant {
  cookie: string;
  parameter: Parameter;
}

const IDENTIFIER = /(?:^|[_-])(?:id|uuid|user(?:name)?|account|owner|customer|member)$|[a-z]I[dD]$/i;
const REFUSES = /denied|forbidden|not (?:allowed|permitted|authori[sz]ed)|unauthori[sz]ed|no (?:access|permission)/i;
const NAME = `["'\`]?([A-Za-z][\\w-]{1,40})["'\`]?`;
/** "No user_id cookie found", "cookie user_id is missing" */
const MISSING = [
  new RegExp(`\\b(?:no|missing|without|requires?|required)\\s+(?:an?\\s+|the\\s+)?${NAME}\\s+cookie\\b`, 'i'),
  new RegExp(`\\bcookie\\s+${NAME}\\s+(?:is\\s+|was\\s+)?(?:missing|required|not\\s+(?:found|set|present|sent))`, 'i'),
];

const identifiersOf = ({ parameters }: InventoryItem) =>
  parameters.filter(
    ({ location, name, value }) =>
      (location === 'query' || location === 'path') && IDENTIFIER.test(name) && value !== '',
  );

function cookieMissedIn(text: string): string | undefined {
  return REFUSES.test(text)
    ? MISSING.map((each) => each.exec(text)?.[1]).find((name) => name !== undefined)
    : undefined;
}

function withCookie(item: InventoryItem, name: string, value: string): PointRequest {
  const parameter: Parameter = { location: 'cookie', name, value: '' };
  return freshly(requestWith({ item: { ...item, parameters: [...item.parameters, parameter] }, parameter }, value));
}

export default defineRequestCheck({
  id: 'refusal-cookie-bypass',
  title: 'Access control bypass: a cookie that anyone can set opens a refused page',
  cwe: 565,
  asvs: '8.2.2',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:N/VA:N/SC:N/SI:N/SA:N',
  impact: 'An attacker sets a cookie in the browser and reads what belongs to other users.',
  why: 'The server compares the requested ID with a cookie that it neither signs nor keeps in the session. An attacker sets the cookie to the ID of any user and reads what belongs to that user. The page refused access and named the cookie that it missed; with that cookie, set to the requested ID, it opened, and with another ID in the cookie it did not.',
  fix: 'Take the identity of the user from the session on the server, and check there who may read the object. Do not tell in the response what the check looks at.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Authorization_Cheat_Sheet.html',
    'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/05-Authorization_Testing/02-Testing_for_Bypassing_Authorization_Schema',
    'https://cwe.mitre.org/data/definitions/565.html',
  ],
  risk: 'harmless',
  depth: 'STANDARD',
  appliesTo: (item) => item.method === 'GET' && readsOnly(item) && identifiersOf(item).length > 0,
  variants: [] as Variant[],
  async probe(item, _nonce, asking) {
    const [parameter] = identifiersOf(item);
    const cookie = cookieMissedIn(await plainAnswer(item, asking));
    return parameter && cookie !== undefined ? [{ cookie, parameter }] : [];
  },
  maxRequests: 7,
  parameterOf: (_item, { parameter }) => parameter,
  describe: ({ cookie }) => ({ fields: [cookie] }),
  proof: {
    plan: (item, { cookie, parameter }, { numbers: [other] }) => ({
      plain: { label: 'without the cookie', request: freshly(requestOf(item)), isControl: true },
      attack: {
        label: 'with the requested ID in the cookie',
        request: withCookie(item, cookie, parameter.value),
        answer: { isDecisive: true },
        shows: 'the content of the page instead of the refusal',
      },
      other: {
        label: 'with another ID in the cookie',
        request: withCookie(item, cookie, `${parameter.value}${other}`),
        isControl: true,
      },
    }),
    judge(answers, { cookie, parameter }, { numbers: [other] }) {
      const compared = compareAll(answers, [`${parameter.value}${other}`, parameter.value]);
      if (!compared) return 'VOID';
      const { plain, attack, other: refused } = compared;
      const isOpened = isGiven(attack) && !REFUSES.test(attack.text) && !isSame(attack, plain);
      const isClosed = cookieMissedIn(plain.text) === cookie && REFUSES.test(refused.text) && !isSame(attack, refused);
      return isOpened && isClosed ? 'PROVED' : 'REFUTED';
    },
  },
  lab() {
    const headers = { 'content-type': 'text/html' };
    const profile =
      (isKnown: (told: string | undefined, id: string) => boolean) =>
      ({ path, headers: sent }: LabRequest) => {
        const id = new URLSearchParams(path.split('?')[1]).get('user_id') ?? '';
        const [, told] = /(?:^|;\s*)user_id=(\w+)/.exec(sent.cookie ?? '') ?? [];
        if (isKnown(told, id)) return { headers, body: `<h1>Profile ${id}</h1><p>Assam, second flush</p>` };
        return { headers, body: `<p>Access denied. ${told ? 'Not your profile' : 'No user_id cookie found'}.</p>` };
      };
    return {
      item: {
        method: 'GET',
        url: '/profile?user_id=7',
        parameters: [{ location: 'query', name: 'user_id', value: '7' }],
        seenAs: 'alice',
        contentType: 'text/html',
      },
      vulnerable: profile((told, id) => told === id),
      // The cookie chooses the language of the refusal only.
      safe: profile(() => false),
    };
  },
});
