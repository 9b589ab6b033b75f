import type { Experiment, ExperimentOracle } from '@sortie/contract';

type ExperimentClass = Experiment['class'];

/** What code says about a class of flaws: no model decides on any of it. */
export interface ClassOfFlaw {
  oracles: readonly ExperimentOracle['kind'][];
  title: string;
  cwe: number;
  /** As for any check: the requirement of OWASP ASVS 5.0, if it is another one than that of the CWE. */
  asvs?: string;
  cvss: string;
  cvss4: string;
  why: string;
  impact: string;
  fix: string;
  references: readonly string[];
}

const rated = (confidentiality: 'N' | 'L' | 'H', integrity: 'N' | 'L' | 'H', scope = 'S:U/', interaction = 'N') => {
  const cvss = `CVSS:3.1/AV:N/AC:L/PR:N/UI:${interaction}/${scope}C:${confidentiality}/I:${integrity}/A:N`;
  const within = scope === 'S:C/' ? 'SC:L/SI:L/SA:N' : 'SC:N/SI:N/SA:N';
  const shown = interaction === 'R' ? 'A' : 'N';
  const own = scope === 'S:C/' ? 'VC:N/VI:N/VA:N' : `VC:${confidentiality}/VI:${integrity}/VA:N`;
  return { cvss, cvss4: `CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:${shown}/${own}/${within}` };
};

const guide = 'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing';
const sheet = (name: string) => `https://cheatsheetseries.owasp.org/cheatsheets/${name}_Cheat_Sheet.html`;
const cweOf = (id: number) => `https://cwe.mitre.org/data/definitions/${id}.html`;
const logic = `${guide}/10-Business_Logic_Testing`;
const access = `${guide}/05-Authorization_Testing`;

/** Closed: a planner picks a class, and the class fixes what the finding says. */
export const classes: Record<ExperimentClass, ClassOfFlaw> = {
  'business-logic': {
    oracles: ['difference'],
    title: 'Business logic flaw: altered requests get the same result for less',
    cwe: 840,
    asvs: '2.3.2',
    ...rated('N', 'H'),
    why: 'The server enforces the rule for the usual order of requests only. With the same result for the user, the altered requests cost less than the amount that the application itself shows.',
    impact: 'An attacker obtains goods or services for less than their price.',
    fix: 'Enforce the rule on the server, in the request that takes effect. Apply it to normalized values and to the current state of the object, not to what earlier pages have shown.',
    references: [`${logic}/README`, cweOf(840)],
  },
  'workflow-bypass': {
    oracles: ['difference'],
    title: 'Workflow bypass: the last step works without the step that charges',
    cwe: 841,
    asvs: '2.3.1',
    ...rated('N', 'H'),
    why: 'The server does not check that the earlier steps of the flow are done and still hold. The last step gave the same result without the step that charges the amount shown.',
    impact: 'An attacker reaches the end of the flow without paying or without an approval.',
    fix: 'Keep the state of the flow on the server. Check at each step that all earlier ones are complete and not undone.',
    references: [`${logic}/06-Testing_for_the_Circumvention_of_Work_Flows`, cweOf(841)],
  },
  'sequence-bypass': {
    oracles: ['state'],
    title: 'Workflow bypass: a refused action works in another order of steps',
    cwe: 841,
    asvs: '2.3.1',
    ...rated('N', 'H'),
    why: 'The server refuses the action in one order of steps. With a step left out or undone, no page offers the action, but the server accepts it, and the state changes as in the regular flow.',
    impact: 'An attacker bypasses a check or an approval of the flow by leaving out or undoing its step.',
    fix: 'Keep the state of the flow on the server. Accept each action only in the states that allow it, and require that all earlier steps are complete and not undone.',
    references: [`${logic}/06-Testing_for_the_Circumvention_of_Work_Flows`, cweOf(841)],
  },
  'price-manipulation': {
    oracles: ['difference'],
    title: 'Price manipulation: the server trusts amounts sent by the client',
    cwe: 472,
    ...rated('N', 'H'),
    why: 'The server charges an amount that the request states or implies, although the page does not let users choose it. The same order cost less than the price that the application shows.',
    impact: 'An attacker chooses what to pay for an order.',
    fix: 'Compute prices and totals on the server from its own data at the time of the order. Ignore amounts in requests.',
    references: [`${logic}/01-Test_Business_Logic_Data_Validation`, cweOf(472), cweOf(602)],
  },
  'object-access': {
    oracles: ['canary'],
    title: 'IDOR: another request returns an object that the server refuses',
    cwe: 639,
    ...rated('H', 'N'),
    why: 'The server refuses the object at its own address. The response to another request contains the same object, because its handler does not check who asks.',
    impact: 'An attacker with an ordinary account reads data of other accounts.',
    fix: 'Check the permission where the object is loaded, not only in the handler of its page. Check stored references again when they are used.',
    references: [`${access}/04-Testing_for_Insecure_Direct_Object_References`, sheet('Authorization'), cweOf(639)],
  },
  'tenant-isolation': {
    oracles: ['canary'],
    title: 'Broken tenant isolation: data of another tenant is readable',
    cwe: 668,
    asvs: '8.4.1',
    ...rated('H', 'N'),
    why: 'The request names the tenant or group whose data it returns, and the server does not compare it with that of the session. The application refuses the same data at its own address.',
    impact: 'An attacker reads the data of other tenants of the application.',
    fix: 'Take the tenant from the session, never from the request. Apply it to every query, exports and reports included.',
    references: [`${access}/02-Testing_for_Bypassing_Authorization_Schema`, sheet('Multi_Tenant_Security'), cweOf(668)],
  },
  'function-access': {
    oracles: ['forbidden'],
    title: 'Broken function level authorization (BFLA): a refused action can be forced',
    cwe: 285,
    ...rated('N', 'H'),
    why: 'The server refuses the action to this account, and accepts it once the request states a role, an origin or another path. The server therefore decides about permissions by what the client states.',
    impact: 'An attacker with an ordinary account performs actions that are reserved for others.',
    fix: 'Derive permissions from the session alone. Deny by default, and ignore roles and origins stated by the client.',
    references: [`${access}/03-Testing_for_Privilege_Escalation`, sheet('Authorization'), cweOf(285), cweOf(862)],
  },
  'filter-bypass': {
    oracles: ['canary'],
    title: 'Authorization bypass: another form of the request is not checked',
    cwe: 863,
    asvs: '8.3.1',
    ...rated('H', 'N'),
    why: 'The server checks the permission for one form of the request only. It refused the content in that form, and returned it for another form, such as another path or method.',
    impact: 'An attacker reads what the application refuses to show.',
    fix: 'Check the permission where the content is loaded, behind all paths, methods and formats. Normalize the request before any rule compares its path.',
    references: [`${access}/02-Testing_for_Bypassing_Authorization_Schema`, sheet('Authorization'), cweOf(863)],
  },
  'predictable-token': {
    oracles: ['canary'],
    title: 'Predictable token: links of other users can be computed',
    cwe: 340,
    asvs: '11.5.1',
    ...rated('H', 'N'),
    why: 'The token of a link follows from a token that the application has given to another account. A token computed from it gave access to content that the server refuses otherwise.',
    impact: 'An attacker computes the links of other users from their own, and uses them.',
    fix: 'Generate tokens of at least 128 bits with a cryptographic random generator. Bind them to the account, and let them expire.',
    references: [
      `${guide}/06-Session_Management_Testing/01-Testing_for_Session_Management_Schema`,
      cweOf(340),
      cweOf(330),
    ],
  },
  'evaluated-input': {
    oracles: ['computed'],
    title: 'Code injection: the server evaluates expressions in input',
    cwe: 95,
    ...rated('H', 'H'),
    why: 'The request contains an expression that multiplies two random numbers. The response contains their product, which no request contains: the server evaluated the expression.',
    impact:
      'An attacker makes the server evaluate expressions, which usually allows reading its data or running commands.',
    fix: 'Treat input as data. Do not pass it to interpreters, templates or expression languages.',
    references: [
      `${guide}/07-Input_Validation_Testing/11-Testing_for_Code_Injection`,
      sheet('Injection_Prevention'),
      cweOf(95),
    ],
  },
  'condition-injection': {
    oracles: ['condition'],
    title: 'Boolean-based blind injection: input is evaluated as part of a query',
    cwe: 943,
    ...rated('H', 'N'),
    why: 'The response depends on whether a comparison of random numbers in the input is true. An interpreter, such as that of a database, evaluates the input as part of a query.',
    impact: 'An attacker reads the data behind the query, one condition at a time.',
    fix: 'Use parameterized queries, so that input cannot change their structure. Validate input against the expected type.',
    references: [`${guide}/07-Input_Validation_Testing/README`, sheet('Injection_Prevention'), cweOf(943)],
  },
  'delayed-injection': {
    oracles: ['timing'],
    title: 'Time-based blind injection: delays in input are executed',
    cwe: 74,
    ...rated('H', 'N'),
    why: 'The input asks for a delay. Over six requests, the response times followed the delays asked for, second by second: an interpreter executes the input.',
    impact: 'An attacker reads data through the response times, and can keep the server busy.',
    fix: 'Use parameterized queries and calls, so that input cannot become code. Validate input against the expected type.',
    references: [`${guide}/07-Input_Validation_Testing/README`, sheet('Injection_Prevention'), cweOf(74)],
  },
  'request-forgery': {
    oracles: ['callback'],
    title: 'Server-side request forgery (SSRF): the server contacts a URL of the request',
    cwe: 918,
    ...rated('L', 'N'),
    why: 'The target contacted the URL that the request contains. The control without the URL caused no request.',
    impact: 'An attacker makes the server contact hosts that only it can reach.',
    fix: 'Allow only known hosts. Resolve each name once, and refuse private addresses after the resolution.',
    references: [
      `${guide}/07-Input_Validation_Testing/19-Testing_for_Server-Side_Request_Forgery`,
      sheet('Server_Side_Request_Forgery_Prevention'),
      cweOf(918),
    ],
  },
  'script-injection': {
    oracles: ['script'],
    title: 'Cross-site scripting (XSS): input runs as a script in the page',
    cwe: 79,
    ...rated('L', 'L', 'S:C/', 'R'),
    why: 'Input becomes part of the page without encoding for its context. A browser that opened the page ran a script from the input.',
    impact: 'An attacker acts in the application as the user who opens the page.',
    fix: 'Encode output for its context. In addition, send a Content-Security-Policy without inline scripts.',
    references: [
      `${guide}/07-Input_Validation_Testing/01-Testing_for_Reflected_Cross_Site_Scripting`,
      sheet('Cross_Site_Scripting_Prevention'),
      cweOf(79),
    ],
  },
};
