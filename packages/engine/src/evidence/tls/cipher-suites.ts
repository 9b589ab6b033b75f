/** IANA code, key exchange, then cipher and digest; names without `TLS_` and `WITH_`. */
const table = `
0001 RSA NULL_MD5|0002 RSA NULL_SHA|0003 RSA_EXPORT RC4_40_MD5|0004 RSA RC4_128_MD5|0005 RSA RC4_128_SHA
0006 RSA_EXPORT RC2_CBC_40_MD5|0007 RSA IDEA_CBC_SHA|0008 RSA_EXPORT DES40_CBC_SHA|0009 RSA DES_CBC_SHA
000a RSA 3DES_EDE_CBC_SHA|0011 DHE_DSS_EXPORT DES40_CBC_SHA|0012 DHE_DSS DES_CBC_SHA|0013 DHE_DSS 3DES_EDE_CBC_SHA
0014 DHE_RSA_EXPORT DES40_CBC_SHA|0015 DHE_RSA DES_CBC_SHA|0016 DHE_RSA 3DES_EDE_CBC_SHA
0017 DH_anon_EXPORT RC4_40_MD5|0018 DH_anon RC4_128_MD5|0019 DH_anon_EXPORT DES40_CBC_SHA|001a DH_anon DES_CBC_SHA
001b DH_anon 3DES_EDE_CBC_SHA|002f RSA AES_128_CBC_SHA|0032 DHE_DSS AES_128_CBC_SHA|0033 DHE_RSA AES_128_CBC_SHA
0034 DH_anon AES_128_CBC_SHA|0035 RSA AES_256_CBC_SHA|0038 DHE_DSS AES_256_CBC_SHA|0039 DHE_RSA AES_256_CBC_SHA
003a DH_anon AES_256_CBC_SHA|003b RSA NULL_SHA256|003c RSA AES_128_CBC_SHA256|003d RSA AES_256_CBC_SHA256
0040 DHE_DSS AES_128_CBC_SHA256|0041 RSA CAMELLIA_128_CBC_SHA|0045 DHE_RSA CAMELLIA_128_CBC_SHA
0046 DH_anon CAMELLIA_128_CBC_SHA|0060 RSA_EXPORT1024 RC4_56_MD5|0061 RSA_EXPORT1024 RC2_CBC_56_MD5
0062 RSA_EXPORT1024 DES_CBC_SHA|0063 DHE_DSS_EXPORT1024 DES_CBC_SHA|0064 RSA_EXPORT1024 RC4_56_SHA
0065 DHE_DSS_EXPORT1024 RC4_56_SHA|0066 DHE_DSS RC4_128_SHA|0067 DHE_RSA AES_128_CBC_SHA256
006a DHE_DSS AES_256_CBC_SHA256|006b DHE_RSA AES_256_CBC_SHA256|006c DH_anon AES_128_CBC_SHA256
006d DH_anon AES_256_CBC_SHA256|0084 RSA CAMELLIA_256_CBC_SHA|0088 DHE_RSA CAMELLIA_256_CBC_SHA
0089 DH_anon CAMELLIA_256_CBC_SHA|0096 RSA SEED_CBC_SHA|009a DHE_RSA SEED_CBC_SHA|009b DH_anon SEED_CBC_SHA
009c RSA AES_128_GCM_SHA256|009d RSA AES_256_GCM_SHA384|009e DHE_RSA AES_128_GCM_SHA256|009f DHE_RSA AES_256_GCM_SHA384
00a2 DHE_DSS AES_128_GCM_SHA256|00a3 DHE_DSS AES_256_GCM_SHA384|00a6 DH_anon AES_128_GCM_SHA256
00a7 DH_anon AES_256_GCM_SHA384|00ba RSA CAMELLIA_128_CBC_SHA256|00be DHE_RSA CAMELLIA_128_CBC_SHA256
00c0 RSA CAMELLIA_256_CBC_SHA256|00c4 DHE_RSA CAMELLIA_256_CBC_SHA256|c002 ECDH_ECDSA RC4_128_SHA
c003 ECDH_ECDSA 3DES_EDE_CBC_SHA|c006 ECDHE_ECDSA NULL_SHA|c007 ECDHE_ECDSA RC4_128_SHA
c008 ECDHE_ECDSA 3DES_EDE_CBC_SHA|c009 ECDHE_ECDSA AES_128_CBC_SHA|c00a ECDHE_ECDSA AES_256_CBC_SHA
c00b ECDH_RSA NULL_SHA|c00c ECDH_RSA RC4_128_SHA|c00d ECDH_RSA 3DES_EDE_CBC_SHA|c010 ECDHE_RSA NULL_SHA
c011 ECDHE_RSA RC4_128_SHA|c012 ECDHE_RSA 3DES_EDE_CBC_SHA|c013 ECDHE_RSA AES_128_CBC_SHA|c014 ECDHE_RSA AES_256_CBC_SHA
c015 ECDH_anon NULL_SHA|c016 ECDH_anon RC4_128_SHA|c017 ECDH_anon 3DES_EDE_CBC_SHA|c018 ECDH_anon AES_128_CBC_SHA
c019 ECDH_anon AES_256_CBC_SHA|c023 ECDHE_ECDSA AES_128_CBC_SHA256|c024 ECDHE_ECDSA AES_256_CBC_SHA384
c027 ECDHE_RSA AES_128_CBC_SHA256|c028 ECDHE_RSA AES_256_CBC_SHA384|c02b ECDHE_ECDSA AES_128_GCM_SHA256
c02c ECDHE_ECDSA AES_256_GCM_SHA384|c02f ECDHE_RSA AES_128_GCM_SHA256|c030 ECDHE_RSA AES_256_GCM_SHA384
c050 RSA ARIA_128_GCM_SHA256|c051 RSA ARIA_256_GCM_SHA384|c052 DHE_RSA ARIA_128_GCM_SHA256
c053 DHE_RSA ARIA_256_GCM_SHA384|c05c ECDHE_ECDSA ARIA_128_GCM_SHA256|c05d ECDHE_ECDSA ARIA_256_GCM_SHA384
c060 ECDHE_RSA ARIA_128_GCM_SHA256|c061 ECDHE_RSA ARIA_256_GCM_SHA384|c072 ECDHE_ECDSA CAMELLIA_128_CBC_SHA256
c073 ECDHE_ECDSA CAMELLIA_256_CBC_SHA384|c076 ECDHE_RSA CAMELLIA_128_CBC_SHA256|c077 ECDHE_RSA CAMELLIA_256_CBC_SHA384
c09c RSA AES_128_CCM|c09d RSA AES_256_CCM|c09e DHE_RSA AES_128_CCM|c09f DHE_RSA AES_256_CCM|c0a0 RSA AES_128_CCM_8
c0a1 RSA AES_256_CCM_8|c0a2 DHE_RSA AES_128_CCM_8|c0a3 DHE_RSA AES_256_CCM_8|c0ac ECDHE_ECDSA AES_128_CCM
c0ad ECDHE_ECDSA AES_256_CCM|c0ae ECDHE_ECDSA AES_128_CCM_8|c0af ECDHE_ECDSA AES_256_CCM_8
cca8 ECDHE_RSA CHACHA20_POLY1305_SHA256|cca9 ECDHE_ECDSA CHACHA20_POLY1305_SHA256
ccaa DHE_RSA CHACHA20_POLY1305_SHA256`;

const names = new Map(
  table
    .trim()
    .split(/[|\n]/)
    .map((line) => line.split(' '))
    .map(([code = '', exchange, cipher]) => [Number.parseInt(code, 16), `TLS_${exchange}_WITH_${cipher}`] as const),
);

export const modernSuites = [0x1301, 0x1302, 0x1303, 0x1304, 0x1305];

const classes = {
  null: /_WITH_NULL_/,
  anonymous: /_anon_/,
  export: /_EXPORT/,
  broken: /^(?!.*(?:_EXPORT|_anon_|_NULL_)).*(?:_WITH_(?:RC4|RC2|DES)_|_MD5$)/,
  smallBlock: /^(?!.*_anon_).*_WITH_(?:3DES|IDEA)_/,
  staticRsa: /^TLS_RSA_WITH_(?!NULL_)/,
  cbc: /^(?!.*(?:_EXPORT|_anon_)).*_WITH_(?:AES|CAMELLIA|ARIA|SEED)_(?:\d+_)?CBC_/,
  authenticated: /^(?!.*_anon_).*_(?:GCM_SHA\d+|CCM|CCM_8|POLY1305_SHA256)$/,
  forwardSecret: /^TLS_(?:EC)?DHE_(?:RSA|DSS|ECDSA)_WITH_/,
  finiteField: /^TLS_DHE_(?:RSA|DSS)_WITH_/,
  ellipticCurve: /^TLS_ECDHE_(?:RSA|ECDSA)_WITH_/,
} as const;

export type SuiteClass = keyof typeof classes;

const isOf = (suite: number, name: SuiteClass) => classes[name].test(names.get(suite) ?? '');

/** Returns the suites of a class for TLS 1.2 and earlier. */
export const suitesOf = (name: SuiteClass) => [...names.keys()].filter((suite) => isOf(suite, name));

const badClasses = ['null', 'anonymous', 'export', 'broken'] as const;
const goodClasses = ['forwardSecret', 'authenticated', 'ellipticCurve'] as const;
const meritsOf = (suite: number) => goodClasses.filter((good) => isOf(suite, good)).length;

/** Suites without known weaknesses besides their age, the best first. */
export const usableSuites = [...names.keys()]
  .filter((suite) => !badClasses.some((bad) => isOf(suite, bad)))
  .sort((left, right) => meritsOf(right) - meritsOf(left));

/** Includes the weakest suites, because a server may support nothing else. */
export const allSuites = [...usableSuites, ...[...names.keys()].filter((suite) => !usableSuites.includes(suite))];

export function isSuiteOf(suite: number, name: SuiteClass): boolean {
  const isModern = modernSuites.includes(suite) && (name === 'authenticated' || name === 'forwardSecret');
  return isModern || isOf(suite, name);
}

const modernNames = ['AES_128_GCM_SHA256', 'AES_256_GCM_SHA384', 'CHACHA20_POLY1305_SHA256', 'AES_128_CCM_SHA256'];

export function suiteName(suite: number): string {
  const modern = modernNames[modernSuites.indexOf(suite)];
  return names.get(suite) ?? (modern ? `TLS_${modern}` : `0x${suite.toString(16).padStart(4, '0')}`);
}
