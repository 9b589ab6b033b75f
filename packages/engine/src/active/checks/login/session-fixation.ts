import { defineRequestCheck } from '../../define-active-check.ts';
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

export default defineRequestCheck({
  id: 'session-fixation',
  title: 'Session fixation: login does not renew the session ID',
  cwe: 384,
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:H/I:H/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:P/PR:N/UI:A/VC:H/VI:H/VA:N/SC:N/SI:N/SA:N',
  impact:
    'An attacker who plants a session cookie in the browser of a victim is logged in as the victim after their login.',
  needsNoAccount: true,
  why: 'The login does not issue a new session: the cookie that a visitor received before is valid for the account afterwards. An attacker plants a cookie of their own in the browser of a victim, for example from a subdomain, and acts as the victim after the login. The run registered an account of its own: a cookie that was set before the login showed the page of the account after it, although every cookie of the login was ignored. The accounts remain on the target; their names begin with the marker of the run.',
  fix: 'Issue a new session ID at every login and change of rights, and delete the old one: session_regenerate_id(true) in PHP, req.session.regenerate in Express, changeSessionId in Java. Accept only session IDs that the server issued. Delete the accounts that the test registered.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Session_Management_Cheat_Sheet.html',
    'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/06-Session_Management_Testing/03-Testing_for_Session_Fixation',
    'https://cwe.mitre.org/data/definitions/384.html',
  ],
  risk: 'intrusive',
  depth: 'STANDARD',
  isForLogins: true,
  appliesTo: logsInAccounts,
  variants: [] as OwnSession[],
  async probe(item, { word }, asking) {
    const own = await findOwnSession({ ...asking, item, word });
    return own && isSameRequest(own.login, item) ? [own] : [];
  },
  maxRequests: 44,
  proof: {
    plan(_item, own, { word }) {
      const password = passwordOf(word);
      const page = { method: 'GET', url: own.page };
      return {
        registered: plannedRegistration(own, word, password),
        before: plannedIn('planted', 'a page as a visitor, which sets the cookie', page, { isControl: true }),
        login: plannedIn('planted', 'login with this cookie', loggingIn(own, word, password), { isFrozen: true }),
        after: plannedIn('planted', 'the same page with the cookie from before the login', page, { isFrozen: true }),
        stranger: plannedFor('the page as another visitor', page, { isControl: true }),
      };
    },
    judge({ before, login, after, stranger }, _own, { word }) {
      if (!login.response || [before, stranger].some((each) => showsName(each, word))) return 'VOID';
      return showsName(after, word) ? 'PROVED' : 'REFUTED';
    },
  },
  lab: () => membersLab('login', { vulnerable: { keepsSession: true }, safe: {} }),
});
