/** Chapters of OWASP ASVS 5.0.0, by the first number of a requirement. */
const CHAPTERS: Readonly<Record<string, string>> = {
  1: '0x10-V1-Encoding-and-Sanitization',
  2: '0x11-V2-Validation-and-Business-Logic',
  3: '0x12-V3-Web-Frontend-Security',
  4: '0x13-V4-API-and-Web-Service',
  5: '0x14-V5-File-Handling',
  6: '0x15-V6-Authentication',
  7: '0x16-V7-Session-Management',
  8: '0x17-V8-Authorization',
  9: '0x18-V9-Self-contained-Tokens',
  10: '0x19-V10-OAuth-and-OIDC',
  11: '0x20-V11-Cryptography',
  13: '0x22-V13-Configuration',
  14: '0x23-V14-Data-Protection',
  15: '0x24-V15-Secure-Coding-and-Architecture',
  16: '0x25-V16-Security-Logging-and-Error-Handling',
};

/** The requirement that a flaw of this class breaks. A check with another one names it in `asvs`. */
const REQUIREMENTS: Readonly<Record<number, string>> = {
  22: '5.3.2',
  74: '1.2.4',
  78: '1.2.5',
  79: '1.2.1',
  80: '1.2.1',
  89: '1.2.4',
  90: '1.2.6',
  95: '1.3.2',
  97: '1.3.5',
  98: '5.3.2',
  113: '1.2.1',
  200: '15.3.1',
  204: '6.3.8',
  209: '16.5.1',
  285: '8.2.1',
  288: '8.3.1',
  306: '8.2.2',
  307: '6.3.1',
  326: '11.5.1',
  327: '11.3.2',
  330: '7.2.3',
  346: '3.5.5',
  349: '4.1.3',
  347: '9.1.1',
  352: '3.5.1',
  384: '7.2.4',
  434: '5.2.2',
  472: '2.2.2',
  489: '13.4.2',
  497: '13.4.5',
  502: '1.5.2',
  521: '6.2.4',
  522: '13.4.7',
  524: '14.2.5',
  527: '13.4.1',
  530: '13.4.7',
  532: '13.4.7',
  538: '13.4.7',
  548: '13.4.3',
  598: '14.2.1',
  601: '3.7.2',
  611: '1.5.1',
  613: '9.2.1',
  614: '3.3.1',
  620: '6.2.3',
  626: '5.3.2',
  639: '8.2.2',
  643: '1.2.7',
  644: '4.1.3',
  650: '4.1.4',
  770: '4.3.1',
  798: '13.3.1',
  804: '2.4.1',
  841: '2.2.1',
  915: '15.3.3',
  916: '11.4.2',
  917: '1.3.8',
  918: '1.3.6',
  942: '3.4.2',
  943: '1.2.4',
  1004: '3.3.4',
  1021: '3.4.6',
  1236: '1.2.10',
  1321: '15.3.6',
  1336: '1.3.7',
  1392: '6.3.2',
};

/** Returns the link to a requirement in ASVS 5.0.0: it scrolls to the row and ends with the number. */
function linkTo(requirement: string): string | undefined {
  const chapter = CHAPTERS[requirement.slice(0, requirement.indexOf('.'))];
  const file = chapter && `https://github.com/OWASP/ASVS/blob/v5.0.0_release/5.0/en/${chapter}.md`;
  return file && `${file}#:~:text=${requirement}`;
}

/** Returns the link to the ASVS requirement of a check; undefined if none is known for its CWE. */
export function asvsLink({ asvs, cwe }: { asvs?: string | undefined; cwe: number }): string | undefined {
  const requirement = asvs ?? REQUIREMENTS[cwe];
  return requirement === undefined ? undefined : linkTo(requirement);
}
