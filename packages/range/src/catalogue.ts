/** The classes of flaws, by the names of the active checks that detect them. */

export type Severity = 'CRITICAL' | 'HIGH' | 'MEDIUM' | 'LOW' | 'INFO';

/** The lowest pentest level that tests for a flaw. */
export type Depth = 'LEAD' | 'STANDARD' | 'DEEP';

interface Kind {
  cwe: number;
  severity: Severity;
  depth: Depth;
}

const kind = (cwe: number, severity: Severity, depth: Depth = 'LEAD'): Kind => ({ cwe, severity, depth });

export const catalogue = {
  'SQLI-ERR': kind(89, 'CRITICAL'),
  'SQLI-BOOL': kind(89, 'CRITICAL'),
  'SQLI-TIME': kind(89, 'CRITICAL', 'DEEP'),
  'SQLI-UNION': kind(89, 'CRITICAL'),
  'SQLI-2ND': kind(89, 'CRITICAL', 'STANDARD'),
  'SQLI-AUTH': kind(89, 'CRITICAL', 'STANDARD'),
  'NOSQL-OP': kind(943, 'HIGH'),
  'NOSQL-JS': kind(943, 'HIGH'),
  'CMDI-OUT': kind(78, 'CRITICAL'),
  'CMDI-BLIND': kind(78, 'CRITICAL', 'DEEP'),
  CODEI: kind(95, 'CRITICAL'),
  SSTI: kind(1336, 'CRITICAL'),
  DESERIAL: kind(502, 'CRITICAL', 'STANDARD'),
  LDAPI: kind(90, 'HIGH'),
  XPATHI: kind(643, 'HIGH'),
  XXE: kind(611, 'HIGH'),
  XSLTI: kind(91, 'HIGH'),
  LFI: kind(22, 'HIGH'),
  'FILE-EXISTS': kind(22, 'MEDIUM', 'STANDARD'),
  'COOKIE-IDENTITY': kind(565, 'HIGH', 'STANDARD'),
  RFI: kind(98, 'CRITICAL'),
  LOG4SHELL: kind(917, 'CRITICAL', 'STANDARD'),
  CRLF: kind(113, 'MEDIUM'),
  'XSS-R': kind(79, 'MEDIUM'),
  'XSS-S': kind(79, 'MEDIUM', 'STANDARD'),
  'XSS-D': kind(79, 'MEDIUM'),
  CSTI: kind(79, 'MEDIUM'),
  'PP-CLIENT': kind(1321, 'MEDIUM'),
  HTMLI: kind(80, 'MEDIUM'),
  CLICKJ: kind(1021, 'MEDIUM'),
  POSTMSG: kind(346, 'MEDIUM'),
  SSRF: kind(918, 'MEDIUM'),
  REDIR: kind(601, 'MEDIUM'),
  OAUTH: kind(601, 'HIGH', 'STANDARD'),
  'CACHE-P': kind(349, 'MEDIUM', 'STANDARD'),
  CSVI: kind(1236, 'MEDIUM', 'STANDARD'),
  PRICE: kind(472, 'MEDIUM', 'STANDARD'),
  HOSTHDR: kind(644, 'MEDIUM'),
  CORS: kind(942, 'MEDIUM'),
  'WEAK-CIPHER': kind(327, 'MEDIUM', 'STANDARD'),
  CSRF: kind(352, 'MEDIUM', 'STANDARD'),
  METHODS: kind(650, 'HIGH', 'STANDARD'),
  DEFCREDS: kind(1392, 'CRITICAL', 'STANDARD'),
  'WEAK-PASSWORD': kind(521, 'MEDIUM', 'STANDARD'),
  USERENUM: kind(204, 'MEDIUM', 'STANDARD'),
  PWCHANGE: kind(620, 'MEDIUM', 'STANDARD'),
  FIXATION: kind(384, 'MEDIUM', 'STANDARD'),
  LOGOUT: kind(613, 'MEDIUM', 'STANDARD'),
  'RATE-LIMIT': kind(307, 'MEDIUM', 'STANDARD'),
  'JWT-NONE': kind(347, 'CRITICAL'),
  'JWT-NOSIG': kind(347, 'CRITICAL'),
  'JWT-WEAK': kind(326, 'CRITICAL'),
  'JWT-CONF': kind(347, 'CRITICAL'),
  'JWT-HDR': kind(347, 'CRITICAL'),
  'JWT-EXP': kind(613, 'MEDIUM'),
  UNAUTH: kind(306, 'HIGH'),
  BOLA: kind(639, 'MEDIUM'),
  BFLA: kind(285, 'HIGH'),
  'FORBID-BYP': kind(290, 'HIGH'),
  MASS: kind(915, 'HIGH', 'STANDARD'),
  EXCESS: kind(200, 'MEDIUM'),
  UPLOAD: kind(434, 'HIGH', 'DEEP'),
  ZIPSLIP: kind(22, 'MEDIUM', 'DEEP'),
  RACE: kind(362, 'MEDIUM', 'DEEP'),
  LOGIC: kind(841, 'MEDIUM', 'STANDARD'),
  'GQL-INTRO': kind(200, 'MEDIUM'),
  'GQL-LIMIT': kind(770, 'MEDIUM', 'STANDARD'),
  'GQL-CSRF': kind(352, 'MEDIUM'),
  'GQL-AUTHZ': kind(639, 'MEDIUM'),
  'PP-SERVER': kind(1321, 'MEDIUM', 'DEEP'),
  FILES: kind(538, 'HIGH'),
  DIRLIST: kind(548, 'MEDIUM'),
  STACK: kind(209, 'MEDIUM'),
  SECRETS: kind(798, 'HIGH'),
  'NO-CSP': kind(693, 'LOW', 'STANDARD'),
  'CSP-WEAK': kind(79, 'LOW'),
  'COOKIE-SAMESITE': kind(1275, 'LOW'),
  'COOKIE-HTTPONLY': kind(1004, 'LOW'),
  'NO-NOSNIFF': kind(693, 'LOW', 'STANDARD'),
} satisfies Record<string, Kind>;

/** A class of flaws, by the check that detects it. */
export type CheckClass = keyof typeof catalogue;
