/** What the checks have in common that change the objects of another account. */
export const IDOR_WRITE = {
  cwe: 639,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:N/I:H/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:L/UI:N/VC:N/VI:H/VA:N/SC:N/SI:N/SA:N',
  impact: 'An attacker with any account changes the objects of every other user by going through their ids.',
  fix: 'Check the ownership of every object on the server, in the statement itself: UPDATE … WHERE id = … AND owner_id = …, with the owner taken from the session. Treat zero affected rows as not found.',
  references: [
    'https://owasp.org/API-Security/editions/2023/en/0xa1-broken-object-level-authorization/',
    'https://cheatsheetseries.owasp.org/cheatsheets/Insecure_Direct_Object_Reference_Prevention_Cheat_Sheet.html',
    'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/05-Authorization_Testing/04-Testing_for_Insecure_Direct_Object_References',
    'https://cwe.mitre.org/data/definitions/639.html',
  ],
  risk: 'intrusive',
  depth: 'STANDARD',
} as const;
