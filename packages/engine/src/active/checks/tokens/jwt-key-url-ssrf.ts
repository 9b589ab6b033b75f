import { requestOf } from '../../../crawl/requests/write-request.ts';
import { defineSiteCheck } from '../../define-active-check.ts';
import { evenUnanswered } from '../../experiment.ts';
import type { LabTools } from '../../lab.ts';
import { tokenLab } from '../../labs/tokens.ts';
import { freshly } from '../../shared/accounts.ts';
import { hmacOf, type Jwt, openJwt, writeJwt } from '../../shared/jwt.ts';
import { candidatesAt, inPlaceOf, type TokenPlace } from '../../shared/token-check.ts';

interface Variant {
  /** The header parameter with the key's URL. */
  field: 'jku' | 'x5u';
  place?: TokenPlace;
}

const FIELDS: readonly Variant[] = [{ field: 'jku' }, { field: 'x5u' }];

/** The signature is invalid, so the token is rejected, but a vulnerable server fetches the key first. */
const unsigned = (jwt: Jwt, header: object, claims: object) =>
  writeJwt({ ...jwt.header, alg: 'RS256', ...header }, { ...jwt.claims, ...claims }, () => 'A'.repeat(342));

export default defineSiteCheck({
  id: 'jwt-key-url-ssrf',
  title: 'SSRF through the key URL in JWT headers (`jku`, `x5u`)',
  cwe: 918,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:L/I:N/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:N/VI:N/VA:N/SC:L/SI:N/SA:N',
  impact:
    'An attacker without an account reaches services behind the firewall through the server, and may sign tokens for any account.',
  asvs: '9.1.3',
  needsNoAccount: true,
  why: 'The server requests the key URL in the header of a token before it knows who signed the token (server-side request forgery). An attacker without an account reaches internal services, and can sign tokens for any account if the server uses the key it fetched. The server called our listener by the URL in the header; a URL in a claim was not requested.',
  fix: 'Ignore jku and x5u in token headers. Verify tokens with configured keys only.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/JSON_Web_Token_for_Java_Cheat_Sheet.html',
    'https://owasp.org/www-project-web-security-testing-guide/latest/4-Web_Application_Security_Testing/06-Session_Management_Testing/10-Testing_JSON_Web_Tokens',
    'https://cheatsheetseries.owasp.org/cheatsheets/Server_Side_Request_Forgery_Prevention_Cheat_Sheet.html',
    'https://cwe.mitre.org/data/definitions/918.html',
  ],
  risk: 'harmless',
  appliesTo: (site, known) => candidatesAt(site, known).length > 0,
  needsOutside: true,
  variants: FIELDS,
  variantsFor(site, known) {
    const [place] = candidatesAt(site, known);
    return place ? FIELDS.map((variant) => ({ ...variant, place })) : [];
  },
  placeOf: ({ origin }) => `${origin}/`,
  maxRequests: 10,
  proof: {
    plan(_site, { field, place }, { word }, { outside }) {
      if (!place || !outside) return undefined;
      const request = freshly(requestOf(place.item));
      const sending = (tag: string, forge: (jwt: Jwt, url: string) => string) => ({
        request,
        as: place.as,
        session: { showing: { change: inPlaceOf((jwt) => forge(jwt, outside.urlFor(tag))) } },
        calling: { tag, kind: 'http' as const },
      });
      return {
        control: evenUnanswered({
          label: 'token with the URL of our listener in a claim',
          ...sending(`${word}-control`, (jwt, url) => unsigned(jwt, {}, { [field]: url })),
          isControl: true,
        }),
        attack: evenUnanswered({
          label: 'token with the URL of our listener as key URL',
          ...sending(`${word}-attack`, (jwt, url) => unsigned(jwt, { [field]: url }, {})),
        }),
      };
    },
    judge({ control, attack }) {
      if (control.heard?.length) return 'REFUTED';
      const kinds = (attack.heard ?? []).map(({ kind }) => kind);
      if (kinds.includes('http')) return 'PROVED';
      return kinds.includes('dns') ? 'LIKELY' : 'VOID';
    },
  },
  lab(tools?: LabTools) {
    const secret = 'a-secret-that-is-in-no-list-91c2';
    const isSigned = ({ header, signed, signature }: Jwt) => hmacOf(header.alg, secret, signed) === signature;
    const lab = tokenLab(
      (sub) => writeJwt({ alg: 'HS256' }, { sub }, (signed) => hmacOf('HS256', secret, signed) ?? ''),
      { vulnerable: isSigned, safe: isSigned },
    );
    return {
      ...lab,
      async vulnerable(request) {
        const { jku } = openJwt(request.headers.authorization?.replace('Bearer ', '') ?? '')?.header ?? {};
        if (typeof jku === 'string') await tools?.get(jku);
        return lab.vulnerable(request);
      },
    };
  },
});
