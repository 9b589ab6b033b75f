import { isSame, toAnswer } from '../../../oracle/compare.ts';
import { defineRequestCheck } from '../../define-active-check.ts';
import type { Observation } from '../../experiment.ts';
import { membersLab } from '../../labs/members.ts';
import {
  isSameRequest,
  loggingIn,
  logsInAccounts,
  passwordOf,
  plannedFor,
  plannedRegistration,
} from '../../shared/own-account.ts';
import { findOwnSession, type OwnSession, plannedIn, showsName } from '../../shared/own-session.ts';
import { byTokenOf, findOwnToken, inventedLike, type OwnToken } from '../../shared/own-token.ts';

/** The run logs in with a cookie or with a token: a login may give both. */
type Own = OwnSession | OwnToken;

function byCookie(own: OwnSession, word: string) {
  if (own.logout === undefined) return undefined;
  const [password, page, logout] = [
    passwordOf(word),
    { method: 'GET', url: own.page },
    { method: 'GET', url: own.logout },
  ];
  const login = loggingIn(own, word, password);
  return {
    registered: plannedRegistration(own, word, password),
    login: plannedIn('kept', 'login', login, { isControl: true }),
    inside: plannedIn('kept', 'a page of the account', page, { isControl: true }),
    logout: plannedIn('kept', 'logout', logout, { isFrozen: true }),
    again: plannedIn('kept', 'the page with the cookie from before the logout', page, { isFrozen: true }),
    other: plannedIn('browser', 'login in a browser', login, { isControl: true }),
    otherLogout: plannedIn('browser', 'logout in the browser', logout, { isControl: true }),
    otherAgain: plannedIn('browser', 'the page in the browser after its logout', page, { isControl: true }),
  };
}

function byToken({ ending, ...own }: OwnToken, word: string) {
  if (ending === undefined) return undefined;
  const [password, page] = [passwordOf(word), { method: 'GET', url: own.page }];
  const login = loggingIn(own, word, password);
  const valid = (request: typeof page) => byTokenOf('login', request, own.scheme);
  const invented = (request: typeof page) => byTokenOf('login', request, own.scheme, inventedLike);
  const control = { isControl: true };
  return {
    registered: plannedRegistration(own, word, password),
    login: plannedFor('login', login, control),
    inside: plannedFor('data of the account by its token', page, { ...control, written: valid(page) }),
    stranger: plannedFor('the data by an invented token', page, { ...control, written: invented(page) }),
    refused: plannedFor('logout with an invented token', ending, { ...control, written: invented(ending) }),
    logout: plannedFor('logout with the token', ending, { ...control, written: valid(ending) }),
    again: plannedFor('the data by the token from before the logout', page, { written: valid(page) }),
  };
}

const OF_TOKENS = {
  title: 'Insufficient session expiration: token stays valid after logout',
  why: 'The logout does not revoke the token; the server still accepts it. An attacker who has obtained the token, for example from a log or by XSS, keeps the access until it expires, and the user cannot end it. The run registered an account of its own: its token returned the data of the account after the logout as before, and an invented token did not. The accounts remain on the target; their names begin with the marker of the run.',
  fix: 'Revoke the token on the server at the logout, together with its refresh token: delete it where tokens are stored, and keep a list of the ids of revoked tokens (jti) until they expire where they are signed. Give access tokens a lifetime of minutes. Delete the accounts that the test registered.',
};

/** A logout that takes any token may do nothing, or end something else. */
function judgeToken(
  answers: Record<'inside' | 'stranger' | 'refused' | 'logout' | 'again', Observation>,
  word: string,
) {
  const { inside, stranger, refused, logout, again } = answers;
  const [before, after] = [toAnswer(inside), toAnswer(again)];
  const statusOf = ({ response }: Observation) => response?.status ?? 0;
  if (!before || !after || !showsName(inside, word) || showsName(stranger, word)) return 'VOID';
  if (statusOf(logout) < 200 || statusOf(logout) >= 400 || statusOf(again) === 429) return 'VOID';
  // A response about a session that has ended may name its user.
  if (!showsName(again, word) || !isSame(before, after)) return 'REFUTED';
  return [400, 401, 403].includes(statusOf(refused)) ? 'PROVED' : 'LIKELY';
}

export default defineRequestCheck({
  id: 'session-survives-logout',
  title: 'Insufficient session expiration: session stays valid after logout',
  cwe: 613,
  asvs: '7.4.1',
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:L/I:L/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:P/PR:N/UI:A/VC:L/VI:L/VA:N/SC:N/SI:N/SA:N',
  impact: 'An attacker who obtains a session cookie or a token keeps the access after the user has logged out.',
  needsNoAccount: true,
  why: 'The logout only deletes the cookie in the browser; the server still accepts it. An attacker who has obtained the cookie, for example on a shared machine or from a log, keeps the access, and the user cannot end it. The run registered an account of its own: its cookie showed the page of the account after the logout as before. A browser that follows the logout was logged out. The accounts remain on the target; their names begin with the marker of the run.',
  describe: (own) => ('scheme' in own ? OF_TOKENS : {}),
  fix: 'Delete the session on the server at the logout, and only then the cookie. Tokens that the server cannot delete need a short lifetime and a list of those that were revoked. Delete the accounts that the test registered.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Session_Management_Cheat_Sheet.html',
    'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/06-Session_Management_Testing/06-Testing_for_Logout_Functionality',
    'https://cwe.mitre.org/data/definitions/613.html',
  ],
  risk: 'intrusive',
  depth: 'STANDARD',
  isForLogins: true,
  appliesTo: logsInAccounts,
  variants: [] as Own[],
  async probe(item, { word }, asking) {
    const searching = { ...asking, item, word };
    const session = await findOwnSession(searching);
    const token = await findOwnToken(searching);
    return [...(session?.logout === undefined ? [] : [session]), ...(token?.ending ? [token] : [])].filter((own) =>
      isSameRequest(own.login, item),
    );
  },
  maxRequests: 80,
  proof: {
    plan: (_item, own, { word }) => ('scheme' in own ? byToken(own, word) : byCookie(own, word)),
    judge(answers, _own, { word }) {
      if ('stranger' in answers) return judgeToken(answers, word);
      const { inside, again, otherAgain } = answers;
      // If the link does not log out a browser either, it is none.
      if (!showsName(inside, word) || showsName(otherAgain, word)) return 'VOID';
      return showsName(again, word) ? 'PROVED' : 'REFUTED';
    },
  },
  lab: () => membersLab('login', { vulnerable: { remembers: true }, safe: {} }),
});
